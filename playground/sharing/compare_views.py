"""``/d/<a>...<b>``: two scenarios beside each other: first what differs in the input, then both runs, aligned by step.

The one rule: everything that is said stands in the page as text; the two stages are JavaScript's.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from playground import selectors, wording
from playground.http import ratelimit
from playground.http.clients import client_of
from playground.http.page import page, too_many
from playground.models import Scenario
from playground.runs import starting
from playground.scenarios import variations
from playground.sharing import comparing, comparison


@require_safe
def compare(request: HttpRequest, one: str, other: str) -> HttpResponse:
    """Scenarios by id; an id of a run stands for its scenario."""
    left, right = _scenario(one), _scenario(other)
    client = client_of(request)
    try:
        runs = [starting.settled(starting.run_of(each, client=client)) for each in (left, right)]
    except ratelimit.TooManyError as error:
        return too_many(request, error)
    differences = comparing.documents(selectors.document(left), selectors.document(right))
    context = {
        "one": left,
        "other": right,
        "runs": runs,
        "differences": differences[: comparing.MOST_DIFFERENCES],
        "more_differences": max(0, len(differences) - comparing.MOST_DIFFERENCES),
        "is_ready": all(run.is_final for run in runs),
        "swapped": reverse("compare", args=[right.pk, left.pk]),
        "address": request.build_absolute_uri(request.path),
        "wording": wording.wording(wording.language()),
        "sentences": wording.sentences(wording.language()),
        "static": settings.STATIC_URL,
        **(comparison.of(runs, lang=wording.language()) if all(run.is_final for run in runs) else {}),
    }
    return page(request, "sharing/compare.html", context)


@require_safe
def choose(request: HttpRequest) -> HttpResponse:
    """``/d/?one=…&other=…``: ids or links, as people paste them."""
    one, other = (_pasted(request.GET.get(name, "")) for name in ("one", "other"))
    if one and other:
        return HttpResponseRedirect(reverse("compare", args=[one, other]))
    scenario = selectors.get_scenario(one)
    offered = variations.of(selectors.document(scenario)) if scenario and not scenario.is_deleted else []
    return page(request, "sharing/choose.html", {"one": one, "other": other, "scenario": scenario, "variations": offered})


def _pasted(text: str) -> str:
    return urlsplit(text.strip()).path.rstrip("/").rsplit("/", 1)[-1][:64]


def _scenario(any_id: str) -> Scenario:
    scenario = selectors.get_scenario(any_id)
    if scenario is None:
        run = selectors.get_run(any_id)
        scenario = selectors.get_scenario(run.scenario_id) if run else None
    if scenario is None or scenario.is_deleted:
        raise Http404
    return scenario

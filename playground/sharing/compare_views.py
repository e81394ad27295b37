"""``/d/<a>...<b>``: two scenarios beside each other: first what differs in the input, then both runs, aligned by step.

The one rule: everything that is said stands in the page as text; the two stages are JavaScript's.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from playground import presenters, selectors, wording
from playground.http import ratelimit
from playground.http.clients import client_of
from playground.http.page import page, too_many
from playground.models import Run, Scenario
from playground.runs import moments, starting
from playground.scenarios import variations
from playground.sharing import comparing

MOST_EVENTS: Final = 5_000
MOST_ROWS: Final = 400


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
        **(_story(runs, wording.language()) if all(run.is_final for run in runs) else {}),
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


def _story(runs: list[Run], lang: str) -> dict[str, Any]:
    one, other = (list(moments.read(run, most=MOST_EVENTS)) for run in runs)
    rows = comparing.align(one, other)
    parting = comparing.parting(one, other, rows)
    first = max(0, parting.row - 5) if parting else 0
    return {
        "rows": [(row.one, row.other) for row in rows],
        "paths": [row.path for row in rows],
        "parting": parting,
        "said": _said(parting, one, other, rows, lang),
        "steps": [_step(row, one, other, lang, parting, first + index) for index, row in enumerate(rows[first : first + MOST_ROWS])],
        "step_count": len(rows),
        "first_step": first + 1,
        "tables": comparing.tables(one, other),
        "is_cut": any(run.last_seq > MOST_EVENTS for run in runs),
        "wording": wording.wording(lang),
        "sentences": wording.sentences(lang),
        "static": settings.STATIC_URL,
    }


def _said(parting: comparing.Parting | None, one: Any, other: Any, rows: list[comparing.Row], lang: str) -> tuple[str, str]:
    """What each run does at the parting; where it has no such step, what it does next instead."""
    if parting is None:
        return "", ""
    left = parting.one or _next(one, [row.one for row in rows[parting.row :]])
    right = parting.other or _next(other, [row.other for row in rows[parting.row :]])
    return _sentence(left, lang), _sentence(right, lang)


def _next(events: Any, seqs: list[int]) -> Any:
    seq = next((each for each in seqs if each), 0)
    return events[seq - 1] if seq else None


def _sentence(event: Any, lang: str) -> str:
    return presenters.sentences([event], lang=lang)[-1].text if event else ""


def _step(row: comparing.Row, one: Any, other: Any, lang: str, parting: comparing.Parting | None, index: int) -> dict[str, Any]:
    left = _sentence(one[row.one - 1], lang) if row.one else ""
    right = _sentence(other[row.other - 1], lang) if row.other else ""
    return {
        "path": row.path,
        "one": left,
        "other": right,
        "is_same": row.is_same,
        "is_parting": parting is not None and parting.row == index,
    }

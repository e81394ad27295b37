"""The pages: gallery, editor, scenario, run, docs, errors.

The one rule: a view checks, calls one function, answers; every form works as a plain POST.
"""

from __future__ import annotations

import io
from http import HTTPStatus
from typing import Any, Final

import segno
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playground import engine, presenters, selectors, wording
from playground.exports import formats
from playground.http import ratelimit
from playground.http.page import page, see_other, too_many
from playground.http.query import whole_number
from playground.models import Scenario
from playground.pages import documentation
from playground.pages.forms import Paste, read_paste
from playground.runs import starting, transcript
from playground.scenarios import gallery_search, lineage, owners, saving, variations
from playground.sharing import previews

SHOWN_PROBLEMS: Final = 100
FIRST_EXAMPLE: Final = "11-simple-preemption"
"""The gallery entry that the picture of the home page shows."""


# -- gallery and editor -----------------------------------------------------------------------------------------------
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Examples to start from, and a box to paste into."""
    entries = selectors.gallery()
    search = gallery_search.of_query(request.GET)
    found = gallery_search.find(entries, search)
    context = {
        "first_id": next((entry.scenario_id for entry in entries if entry.slug == FIRST_EXAMPLE), ""),
        "groups": presenters.gallery(found, lang=wording.language()),
        "search": search,
        "found_count": len(found),
        "gallery_tags": gallery_search.tags(entries),
    }
    return page(request, "home.html", {**context, **_editor()})


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """The editor; a POST saves what is in the box, and runs it."""
    if request.method == "POST":
        return _take(request, read_paste(request))
    parent = selectors.get_scenario(request.GET.get("fork", ""))
    if parent is None or parent.is_deleted:
        return page(request, "new.html", workbench())
    text = presenters.as_manifests(selectors.document(parent))
    return page(request, "new.html", workbench(text=text, parent=parent))


def workbench(**given: Any) -> dict[str, Any]:
    """What new.html needs: the plain form, and the words of the editor; takes ``text``, ``parent``, ``problems``."""
    lang = wording.language()
    return {**_editor(**given), "wording": {**wording.wording(lang), **wording.editor_wording(lang)}}


def _editor(*, text: str = "", parent: Scenario | None = None, problems: Any = ()) -> dict[str, Any]:
    shown = list(problems)[:SHOWN_PROBLEMS]
    return {"text": text, "parent": parent, "problems": shown, "problem_count": len(problems), "more_problems": len(problems) - len(shown)}


def _take(request: HttpRequest, paste: Paste) -> HttpResponse:
    parent = selectors.get_scenario(paste.parent)
    client = request.client  # type: ignore[attr-defined]
    try:
        saved = saving.create_scenario(paste.source, client=client, parent=parent, make_missing_nodes=paste.make_missing_nodes)
        offers = bool(saved.missing_nodes) and not paste.make_missing_nodes
        if paste.runs and not offers:
            return owners.remember(see_other(reverse("run", args=[starting.create_run(saved.scenario, client=client).pk])), saved)
    except engine.InvalidInputError as error:
        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE if error.too_large else HTTPStatus.BAD_REQUEST
        text = "" if error.too_large else paste.text
        return page(request, "new.html", workbench(text=text, parent=parent, problems=error.problems), status=status)
    except ratelimit.TooManyError as error:
        return too_many(request, error)
    address = reverse("scenario", args=[saved.scenario.pk])
    return owners.remember(see_other(f"{address}?missing={len(saved.missing_nodes)}" if offers else address), saved)


# -- scenarios --------------------------------------------------------------------------------------------------------
def _scenario_or_404(scenario_id: str) -> Scenario:
    scenario = selectors.get_scenario(scenario_id)
    if scenario is None:
        raise Http404
    return scenario


@require_safe
def scenario(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """What a scenario holds, and the buttons to run and fork it."""
    found = _scenario_or_404(scenario_id)
    if found.is_deleted:
        return page(request, "deleted.html", status=HTTPStatus.GONE)
    if "step" in request.GET:
        return _run_at_step(request, found)
    context = {
        "scenario": found,
        "example": presenters.example_of(found, lang=wording.language()),
        "shared": previews.of_scenario(request, found, lang=wording.language()),
        "family": lineage.tree(found, request.client),  # type: ignore[attr-defined]
        "variations": variations.of(selectors.document(found)),
        "counts": presenters.counts(found.counts),
        "manifests": presenters.as_manifests(selectors.document(found)),
        "missing": _missing_nodes(found),
        "address": request.build_absolute_uri(reverse("scenario", args=[found.pk])),
    }
    return page(request, "scenario.html", context)


def _run_at_step(request: HttpRequest, found: Scenario) -> HttpResponse:
    """The step on the scenario's own address: a run is found or made, and opened there."""
    try:
        run = starting.settled(starting.run_of(found, client=request.client), seconds=1.0)  # type: ignore[attr-defined]
    except ratelimit.TooManyError as error:
        return too_many(request, error)
    return HttpResponseRedirect(f"{reverse('run', args=[run.pk])}?{request.GET.urlencode(safe='/')}")


def _missing_nodes(found: Scenario) -> list[str]:
    """Names of nodes that bound pods are on but the scenario lacks, at most 20."""
    names: set[str] = set()
    bound: list[str] = []
    for each in selectors.document(found).get("objects", ()):
        if each.get("kind") == "Node":
            names.add(each["metadata"]["name"])
        elif each.get("kind") == "Pod" and (each.get("spec") or {}).get("nodeName"):
            bound.append(each["spec"]["nodeName"])
    return sorted({name for name in bound if name not in names})[:20]


@require_safe
def scenario_yaml(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """The Scenario document as a file."""
    found = _scenario_or_404(scenario_id)
    if found.is_deleted:
        return page(request, "deleted.html", status=HTTPStatus.GONE)
    response = HttpResponse(presenters.as_yaml(selectors.document(found)), content_type="application/yaml; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{found.pk}.yaml"'
    response["X-Robots-Tag"] = "noindex"
    return response


@require_POST
def run_scenario(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """Run it, with the nodes made up that it lacks when that is asked for; then go to the run."""
    found = _scenario_or_404(scenario_id)
    if found.is_deleted:
        return page(request, "deleted.html", status=HTTPStatus.GONE)
    client = request.client  # type: ignore[attr-defined]
    try:
        if "make_missing_nodes" in request.POST:
            source = selectors.document_bytes(found)
            found = saving.create_scenario(source, client=client, parent=found, make_missing_nodes=True).scenario
        return see_other(reverse("run", args=[starting.create_run(found, client=client).pk]))
    except ratelimit.TooManyError as error:
        return too_many(request, error)


# -- runs -------------------------------------------------------------------------------------------------------------
@require_safe
def run(request: HttpRequest, run_id: str) -> HttpResponse:
    """The run: the stage for who has JavaScript, the story in words for who has not."""
    found = selectors.get_run(run_id)
    if found is None:
        raise Http404
    starting.wake(found)
    lang = wording.language()
    step = request.GET.get("step", "")[:500]
    shared = previews.of_run(request, found, step=step, lang=lang)
    asked = whole_number(request.GET.get("after", ""))
    context = {
        "run": found,
        "scenario": found.scenario,
        "socket": f"/ws/runs/{found.pk}/",
        "wording": wording.wording(lang),
        "sentences": wording.sentences(lang),
        "transcript": transcript.of(found, seq=shared.seq, step=step, lang=lang, asked=asked),
        "static": settings.STATIC_URL,
        "shared": shared,
        "wanted_step": step,
        "here_url": reverse("run", args=[found.pk]),
    }
    return page(request, "run.html", context)


@require_safe
def edit_from_here(request: HttpRequest, run_id: str) -> HttpResponse:
    """The editor with the cluster as it is at a step."""
    found = selectors.get_run(run_id)
    if found is None:
        raise Http404
    asked, step = whole_number(request.GET.get("seq", "")), request.GET.get("step", "")[:500]
    seq = min(asked, found.last_seq) if asked is not None else formats.seq_of(found, step) if step else found.last_seq
    text = presenters.as_manifests(formats.document_at(found, seq))
    return page(request, "new.html", workbench(text=text, parent=found.scenario))


@require_safe
def run_qr(request: HttpRequest, run_id: str) -> HttpResponse:
    """The address of the run as a QR code, for those who look at the projector."""
    found = selectors.get_run(run_id)
    if found is None:
        raise Http404
    drawing = io.BytesIO()
    segno.make(request.build_absolute_uri(reverse("run", args=[found.pk])), error="m").save(
        drawing, kind="svg", scale=6, border=2, light="#ffffff"
    )
    return HttpResponse(drawing.getvalue(), content_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


# -- docs and errors --------------------------------------------------------------------------------------------------
@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """What is modelled and what is not, and the limits."""
    lang = wording.language()
    context = {
        "blocks": documentation.page("modelled", lang),
        "score": documentation.conformance(),
        "limits": list(selectors.limits().rows()),
        "kinds": presenters.kinds(lang=lang),
    }
    return page(request, "docs.html", context)


@require_safe
def workshop(request: HttpRequest) -> HttpResponse:
    """The path through the gallery for an hour."""
    return page(request, "docs.html", {"blocks": documentation.page("workshop", wording.language())})


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """What machines that read the web should leave alone: everything that makes a run, or is somebody's."""
    lines = ("User-agent: *", *(f"Disallow: {path}" for path in ("/api/", "/d/", "/e/", "/new", "/r/")), "")
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400."""
    return page(request, "error.html", {"title_key": "error.400"}, status=400)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403."""
    return page(request, "error.html", {"title_key": "error.403"}, status=403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form from elsewhere, or from a page that is too old."""
    return page(request, "error.html", {"title_key": "error.403"}, status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404."""
    return page(request, "error.html", {"title_key": "error.404", "lead_key": "error.404.lead"}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500."""
    return page(request, "error.html", {"title_key": "error.500", "lead_key": "error.500.lead"}, status=500)

"""The pages of sharing: the dialog, pictures and codes of links, short links, deletion, reports, variations.

The one rule: every form works as a plain POST; the dialog is the same page without its frame.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

import segno
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from redis import RedisError

from playground import engine, presenters, selectors, wording
from playground.http import ratelimit
from playground.http.clients import client_of
from playground.http.cookies import without_cookies
from playground.http.page import page, see_other, too_many
from playground.models import Run, Scenario
from playground.runs import moments, starting
from playground.scenarios import moderation, owners, saving, variations
from playground.sharing import pictures, posters, snippets

MOST_QR: Final = 900
KEPT_SECONDS: Final = 3600
_SHARED: Final = {"X-Robots-Tag": "noindex"}


class GoneError(Exception):
    """Only the tombstone is left."""


def alive_or_404(scenario_id: str) -> Scenario:
    """The scenario. Raises Http404, GoneError."""
    found = selectors.get_scenario(scenario_id)
    if found is None:
        raise Http404
    if found.is_deleted:
        raise GoneError
    return found


# -- the dialog -------------------------------------------------------------------------------------------------------
@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def share(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """Links and snippets; a POST saves another title and summary, as a scenario of its own."""
    try:
        scenario = alive_or_404(scenario_id)
    except GoneError:
        return page(request, "deleted.html", status=HTTPStatus.GONE)
    if request.method == "POST":
        return _retitle(request, scenario)
    return _dialog(request, scenario)


def _dialog(request: HttpRequest, scenario: Scenario, *, problem: str = "", status: int = 200) -> HttpResponse:
    asked = request.POST if request.method == "POST" else request.GET
    run = _run_of_scenario(asked.get("run", ""), scenario)
    place = snippets.Place(
        scenario=scenario, step=asked.get("step", "")[:500], view=asked.get("view", ""), lang=_chosen_language(asked.get("lang", ""))
    )
    title = presenters.title_of(scenario, lang=place.lang or wording.language()) or wording.say("scenario.untitled")
    token = owners.token_of(request)
    target = reverse("scenario", args=[scenario.pk]) + place.query
    context = {
        "scenario": scenario,
        "run": run,
        "place": place,
        "links": snippets.links(request, place, run),
        "codes": snippets.codes(request, place, title=title),
        "target": target,
        "delete_address": owners.delete_address(request, scenario, token) if saving.is_owner(scenario, token) else "",
        "problem": problem,
        "most_title": saving.MOST_TITLE,
        "most_summary": saving.MOST_SUMMARY,
    }
    template = "sharing/dialog.html" if "part" in asked else "sharing/share.html"
    return page(request, template, context, status=status)


def _retitle(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    title, summary = request.POST.get("title", ""), request.POST.get("summary", "")
    try:
        saved = saving.retitle(scenario, title=title, summary=summary, client=client_of(request))
    except engine.InvalidInputError as error:
        return _dialog(request, scenario, problem="; ".join(str(each) for each in error.problems[:3]), status=HTTPStatus.BAD_REQUEST)
    except ratelimit.TooManyError as error:
        return _dialog(request, scenario, problem=error.said(), status=HTTPStatus.TOO_MANY_REQUESTS)
    place = snippets.Place(scenario=saved.scenario, step=request.POST.get("step", "")[:500], view=request.POST.get("view", ""))
    return owners.remember(see_other(reverse("scenario", args=[saved.scenario.pk]) + place.query), saved)


def _run_of_scenario(run_id: str, scenario: Scenario) -> Run | None:
    run = selectors.get_run(run_id)
    return run if run is not None and run.scenario_id == scenario.pk else None


def _chosen_language(text: str) -> str:
    return text if text in wording.LANGUAGES else ""


@require_safe
def short(request: HttpRequest, any_id: str) -> HttpResponse:
    """``/<id>``: wherever that is."""
    query = f"?{request.GET.urlencode(safe='/')}" if request.GET else ""
    if selectors.get_scenario(any_id) is not None:
        return HttpResponseRedirect(reverse("scenario", args=[any_id]) + query)
    if selectors.get_run(any_id) is not None:
        return HttpResponseRedirect(reverse("run", args=[any_id]) + query)
    raise Http404


@require_safe
def scenario_json(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """The Scenario document as JSON."""
    try:
        scenario = alive_or_404(scenario_id)
    except GoneError:
        return HttpResponse('{"deleted": true}', status=HTTPStatus.GONE, content_type="application/json", headers=_SHARED)
    return HttpResponse(selectors.document_bytes(scenario), content_type="application/json", headers=_SHARED)


# -- pictures ---------------------------------------------------------------------------------------------------------
@without_cookies
@require_safe
def run_picture(request: HttpRequest, run_id: str) -> HttpResponse:
    """The decision as a PNG of 1200 by 630, at the step of the address."""
    run = selectors.get_run(run_id)
    if run is None:
        raise Http404
    return _picture(request, run)


@without_cookies
@require_safe
def scenario_picture(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """The same for a scenario: of a run that is found or made."""
    try:
        return _picture(request, starting.settled(starting.run_of(alive_or_404(scenario_id), client=client_of(request))))
    except GoneError as error:
        raise Http404 from error
    except ratelimit.TooManyError as error:
        return HttpResponse(
            error.said(), status=429, content_type="text/plain; charset=utf-8", headers={"Retry-After": str(error.retry_after)}
        )


def _picture(request: HttpRequest, run: Run) -> HttpResponse:
    starting.wake(run)
    lang = _chosen_language(request.GET.get("in", "")) or wording.language()
    step = request.GET.get("step", "")[:500]
    moment = moments.find(run, step)
    lasting = run.is_final and moment is not None
    name = f"picture:{run.pk}:{run.engine}:{lang}:{hashlib.sha256(moment.path.encode()).hexdigest()[:24]}" if moment and lasting else ""
    drawn = _kept(name)
    if drawn is None:
        drawn = _drawn(run, moment, lang)
        _keep(name, drawn)
    headers = {
        **_SHARED,
        "Cache-Control": "public, max-age=86400" if lasting else "no-store",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return HttpResponse(drawn, content_type="image/png", headers=headers)


def _drawn(run: Run, moment: moments.Moment | None, lang: str) -> bytes:
    title = presenters.title_of(run.scenario, lang=lang)
    if moment is None:
        return pictures.png(posters.plain(title, run.scenario.counts, lang=lang), lang=lang)
    state = selectors.state(run, moment.event["seq"])
    return pictures.png(posters.poster(title, moment, state, lang=lang), lang=lang)


def _kept(name: str) -> bytes | None:
    """A picture that was drawn a while ago; a link in a busy chat is asked for by everybody at once."""
    try:
        return cache.get(name) if name else None
    except RedisError:
        return None


def _keep(name: str, drawn: bytes) -> None:
    with contextlib.suppress(RedisError):
        if name:
            cache.set(name, drawn, timeout=KEPT_SECONDS)


@without_cookies
@require_safe
def qr(request: HttpRequest) -> HttpResponse:
    """A QR code of an address of ours: ``?to=/s/…``. Nothing else is drawn, so that nobody makes codes to elsewhere with our name."""
    target = request.GET.get("to", "")
    parts = urlsplit(target)
    if not target.startswith("/") or target.startswith("//") or "\\" in target or parts.scheme or parts.netloc or len(target) > MOST_QR:
        raise Http404
    drawing = io.BytesIO()
    address = f"{request.scheme}://{request.get_host()}{target}"
    segno.make(address, error="m", micro=False).save(drawing, kind="svg", scale=6, border=3, light="#ffffff", dark="#111820")
    return HttpResponse(drawing.getvalue(), content_type="image/svg+xml", headers={"Cache-Control": "max-age=86400", **_SHARED})


# -- owners, reports --------------------------------------------------------------------------------------------------
@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """Asks once more; a POST with the owner's token leaves a tombstone."""
    try:
        scenario = alive_or_404(scenario_id)
    except GoneError:
        return page(request, "deleted.html", status=HTTPStatus.GONE)
    token = owners.token_of(request)
    refused = False
    if request.method == "POST":
        if saving.delete_scenario(scenario, token):
            return see_other(reverse("scenario", args=[scenario.pk]))
        refused = True
    context = {"scenario": scenario, "token": token, "is_owner": saving.is_owner(scenario, token), "refused": refused}
    return page(request, "sharing/delete.html", context, status=HTTPStatus.FORBIDDEN if refused else HTTPStatus.OK)


@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """Tell the operator that a scenario should not be here."""
    try:
        scenario = alive_or_404(scenario_id)
    except GoneError:
        return page(request, "deleted.html", status=HTTPStatus.GONE)
    reason, sent, problem = request.POST.get("reason", ""), False, ""
    if request.method == "POST" and reason.strip():
        try:
            moderation.report(scenario, reason, client=client_of(request))
            sent = True
        except ratelimit.TooManyError as error:
            problem = error.said()
    context = {"scenario": scenario, "sent": sent, "problem": problem, "reason": reason, "most": moderation.MOST_REASON}
    return page(request, "sharing/report.html", context, status=429 if problem else 200)


# -- variations -------------------------------------------------------------------------------------------------------
@csrf_protect
@require_POST
def vary(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """Make the variation that was clicked, and lay both beside each other."""
    try:
        scenario = alive_or_404(scenario_id)
    except GoneError:
        return page(request, "deleted.html", status=HTTPStatus.GONE)
    changed = variations.varied(selectors.document(scenario), request.POST.get("key", ""))
    if changed is None:
        raise Http404
    try:
        saved = saving.vary(scenario, changed, client=client_of(request))
    except engine.InvalidInputError as error:
        detail = "; ".join(str(each) for each in error.problems[:3])
        return page(request, "error.html", {"title_key": "error.400", "detail": detail}, status=HTTPStatus.BAD_REQUEST)
    except ratelimit.TooManyError as error:
        return too_many(request, error)
    return owners.remember(see_other(reverse("compare", args=[scenario.pk, saved.scenario.pk])), saved)

"""``/e/<id>``: a scenario or a run inside a page of another site; ``/oembed`` tells such sites how.

The one rule: it brings no cookie, asks for none, and works the same for every reader.
"""

from __future__ import annotations

import html
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.utils import translation
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from playground import presenters, selectors, wording
from playground.http import ratelimit
from playground.http.clients import client_of
from playground.http.cookies import without_cookies
from playground.http.query import whole_number
from playground.models import Run, Scenario
from playground.runs import moments, starting, transcript
from playground.sharing import posters, snippets

VIEWS: Final = ("card", "stage", "text")


@without_cookies
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # django-csp knows no views with arguments
@require_safe
def embed(request: HttpRequest, any_id: str) -> HttpResponse:
    """``?step=``, ``?view=stage|card|text``, ``?lang=``, ``?theme=light|dark``."""
    lang = wording.language()
    with translation.override(lang):
        try:
            run = _run(request, any_id)
        except ratelimit.TooManyError as error:
            return HttpResponse(error.said(), status=429, content_type="text/plain; charset=utf-8")
        step = request.GET.get("step", "")[:500]
        moment = moments.find(run, step) if step else None
        view = request.GET.get("view", "stage")
        context = {
            "run": run,
            "scenario": run.scenario,
            "lang": lang,
            "theme": request.GET.get("theme", ""),
            "view": view if view in VIEWS else "stage",
            "step": step,
            "here": posters.sentence(moment, lang=lang) if moment else "",
            "full": request.build_absolute_uri(
                reverse("scenario", args=[run.scenario_id]) + snippets.Place(scenario=run.scenario, step=step).query
            ),
            "lines": transcript.of(run, seq=moment.event["seq"] if moment else 0, step=step, lang=lang).lines,
            "wording": wording.wording(lang),
            "sentences": wording.sentences(lang),
            "static": settings.STATIC_URL,
        }
        response = render(request, "sharing/embed.html", context)
    response["X-Robots-Tag"] = "noindex"
    response["Referrer-Policy"] = "no-referrer"
    return response


def _run(request: HttpRequest, any_id: str) -> Run:
    """The run itself, or one of the scenario. Raises Http404, TooManyError."""
    scenario = selectors.get_scenario(any_id)
    if scenario is not None and not scenario.is_deleted:
        return starting.settled(starting.run_of(scenario, client=client_of(request)))
    run = selectors.get_run(any_id)
    if run is None:
        raise Http404
    starting.wake(run)
    return run


@without_cookies
@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """oEmbed 1.0, JSON only: ``?url=<an address of ours>&maxwidth=&maxheight=``."""
    if request.GET.get("format", "json") != "json":
        return HttpResponse("Only JSON is answered.", status=501, content_type="text/plain; charset=utf-8")
    scenario, query = _of_address(request, request.GET.get("url", ""))
    width, height = _size(request, "maxwidth", 960), _size(request, "maxheight", 520)
    title = presenters.title_of(scenario, lang=query.get("lang") or wording.language()) or wording.say("scenario.untitled")
    place = snippets.Place(scenario=scenario, step=query.get("step", "")[:500], lang=query.get("lang", ""))
    document: dict[str, Any] = {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Preemption Playground",
        "provider_url": request.build_absolute_uri("/"),
        "title": title,
        "html": snippets.iframe(request, place, title=title, width=str(width), height=str(height)),
        "width": width,
        "height": height,
        "thumbnail_url": request.build_absolute_uri(reverse("scenario_picture", args=[scenario.pk]) + place.query),
        "thumbnail_width": 1200,
        "thumbnail_height": 630,
    }
    return JsonResponse(document)


def _size(request: HttpRequest, name: str, default: int) -> int:
    asked = whole_number(request.GET.get(name, ""))
    return default if asked is None else max(200, min(default, asked))


def _of_address(request: HttpRequest, address: str) -> tuple[Scenario, dict[str, str]]:
    """The scenario that an address of ours names, with its query. Raises Http404."""
    parts = urlsplit(html.unescape(address))
    if parts.scheme not in {"http", "https"} or parts.netloc != request.get_host():
        raise Http404
    try:
        match = resolve(parts.path)
    except Resolver404 as error:
        raise Http404 from error
    named = next((str(value) for value in match.kwargs.values()), "")
    run = selectors.get_run(named) if match.url_name in {"run", "short", "embed"} else None
    scenario = run.scenario if run else selectors.get_scenario(named) if match.url_name in {"scenario", "short", "embed"} else None
    if scenario is None or scenario.is_deleted:
        raise Http404
    return scenario, {key: values[-1] for key, values in parse_qs(parts.query).items()}

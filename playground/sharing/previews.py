"""What a chat shows of a link: title, one sentence and a picture, and what the page says when a step is not quite there.

The one rule: everything is made from the log; without JavaScript the sentence stands in the page as text.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from django.http import HttpRequest
from django.urls import reverse

from playground import presenters, wording
from playground.models import Run, Scenario
from playground.runs import moments
from playground.sharing import posters


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """``is_lost``: this run has no such step as the link names; ``step`` is shown instead, ``seq`` is its event (0 for none)."""

    title: str
    text: str
    address: str
    picture: str
    oembed: str
    step: str
    seq: int
    is_lost: bool
    engine_changed: bool
    engines: tuple[str, str]


def of_run(request: HttpRequest, run: Run, *, step: str, lang: str) -> Preview:
    """The preview of a run, at a step when the address names one."""
    moment = moments.find(run, step) if step else None
    title = presenters.title_of(run.scenario, lang=lang) or wording.say("scenario.untitled", lang=lang)
    text = presenters.summary_of(run.scenario, lang=lang) or _what_is_in_it(run.scenario)
    if moment is not None:
        text = posters.sentence(moment, lang=lang)
    here = reverse("run", args=[run.pk]) + (f"?step={quote(step, safe='/')}" if step else "")
    address = request.build_absolute_uri(here)
    query = urlencode({**({"step": step} if step else {}), "in": lang}, safe="/")
    return Preview(
        title=title,
        text=" ".join(text.split())[:300],
        address=address,
        picture=request.build_absolute_uri(f"{reverse('run_picture', args=[run.pk])}?{query}"),
        oembed=_oembed(request, address),
        step=moment.path if moment else "",
        seq=moment.event["seq"] if moment else 0,
        is_lost=moment is not None and not moment.is_exact and run.is_final,
        engine_changed=run.engine_changed,
        engines=(run.first_engine, run.engine),
    )


def of_scenario(request: HttpRequest, scenario: Scenario, *, lang: str) -> Preview:
    """The preview of a scenario: its picture is of the decision that a run of it comes to."""
    address = request.build_absolute_uri(reverse("scenario", args=[scenario.pk]))
    return Preview(
        title=presenters.title_of(scenario, lang=lang) or wording.say("scenario.untitled", lang=lang),
        text=" ".join((presenters.summary_of(scenario, lang=lang) or _what_is_in_it(scenario)).split())[:300],
        address=address,
        picture=request.build_absolute_uri(f"{reverse('scenario_picture', args=[scenario.pk])}?in={lang}"),
        oembed=_oembed(request, address),
        step="",
        seq=0,
        is_lost=False,
        engine_changed=False,
        engines=("", ""),
    )


def _oembed(request: HttpRequest, address: str) -> str:
    return request.build_absolute_uri(f"{reverse('oembed')}?{urlencode({'url': address, 'format': 'json'})}")


def _what_is_in_it(scenario: Scenario) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in presenters.counts(scenario.counts))

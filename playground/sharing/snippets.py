"""The links and snippets of the Share dialog, for a scenario or for one step of a run.

The one rule: what is shown is what works when it is pasted elsewhere: whole addresses, quoted for where they go.
"""

from __future__ import annotations

import html
import shlex
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlencode

from django.http import HttpRequest
from django.urls import reverse

from playground.models import Run, Scenario

VIEWS: Final = frozenset({"projector"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """One row of the dialog: ``key`` names it in the wording; ``is_long`` for text of several lines."""

    key: str
    text: str
    is_long: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What is shared: a scenario, with a step and a view when the link should bring them back."""

    scenario: Scenario
    step: str = ""
    view: str = ""
    lang: str = ""

    @property
    def query(self) -> str:
        """The query that brings the view back, with its question mark."""
        chosen = {"step": self.step, "view": self.view if self.view in VIEWS else "", "lang": self.lang}
        found = urlencode({key: value for key, value in chosen.items() if value}, safe="/", quote_via=quote)
        return f"?{found}" if found else ""


def links(request: HttpRequest, place: Place, run: Run | None) -> list[Snippet]:
    """The links, the lasting ones first."""
    scenario = place.scenario
    found = [Snippet(key="scenario", text=_address(request, "scenario", scenario.pk))]
    if place.step:
        found.append(Snippet(key="step", text=_address(request, "scenario", scenario.pk) + place.query))
    if run is not None:
        found.append(Snippet(key="run", text=_address(request, "run", run.pk) + place.query))
    found.append(Snippet(key="short", text=_address(request, "short", scenario.pk)))
    return found


def codes(request: HttpRequest, place: Place, *, title: str) -> list[Snippet]:
    """What is pasted into a blog, a README, a terminal or a program."""
    scenario = place.scenario
    link = _address(request, "scenario", scenario.pk) + place.query
    picture = _address(request, "scenario_picture", scenario.pk) + place.query
    json_address = _address(request, "scenario_json", scenario.pk)
    return [
        Snippet(key="embed", text=iframe(request, place, title=title), is_long=True),
        Snippet(key="markdown", text=f"[![{_in_brackets(title)}]({picture})]({link})", is_long=True),
        Snippet(key="curl", text=_curl(request, scenario, json_address), is_long=True),
        Snippet(key="python", text=_python(request, scenario, json_address), is_long=True),
        Snippet(key="simulate", text=f"python -m scheduler_core simulate {shlex.quote(_address(request, 'scenario', scenario.pk))}"),
    ]


def iframe(request: HttpRequest, place: Place, *, title: str, width: str = "100%", height: str = "520") -> str:
    """The element that shows a scenario in a page of another site."""
    address = html.escape(_address(request, "embed", place.scenario.pk) + place.query)
    return (
        f'<iframe src="{address}" title="{html.escape(title)}" width="{width}" height="{height}" loading="lazy" style="border:0"></iframe>'
    )


def _curl(request: HttpRequest, scenario: Scenario, json_address: str) -> str:
    runs = request.build_absolute_uri(reverse("api:create_run"))
    body = f'{{"scenario": "{scenario.pk}"}}'
    return f"curl -s {json_address} -o scenario.json\ncurl -s {runs} -H 'Content-Type: application/json' -d '{body}'"


def _python(request: HttpRequest, scenario: Scenario, json_address: str) -> str:
    runs = request.build_absolute_uri(reverse("api:create_run"))
    return "\n".join(
        (
            "import json, urllib.request",
            "",
            f'scenario = json.load(urllib.request.urlopen("{json_address}"))',
            f'body = json.dumps({{"scenario": "{scenario.pk}"}}).encode()',
            f'request = urllib.request.Request("{runs}", body, {{"Content-Type": "application/json"}})',
            "run = json.load(urllib.request.urlopen(request))",
            'print(len(scenario["objects"]), "objects, run", run["id"])',
        )
    )


def _in_brackets(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "[]\\`*_<>!" else sign for sign in " ".join(text.split()))


def _address(request: HttpRequest, name: str, *args: str) -> str:
    return request.build_absolute_uri(reverse(name, args=args))

"""What anybody can put into an address: always an answer, never a 500."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.test import Client as Browser

from playground.http.query import whole_number
from playground.models import Run, Scenario

pytestmark = pytest.mark.django_db

STRANGE = ["", "²", "٣", "-1", "9" * 5000, "1e5", "\x00", "💩", "../..", "null", "c1/candidates/node", "c²/pick", "c" + "9" * 30]


@pytest.mark.parametrize("text", STRANGE)
@pytest.mark.parametrize(
    "address",
    [
        "/r/{run}?step={text}",
        "/r/{run}?after={text}",
        "/r/{run}?lang={text}&view={text}",
        "/r/{run}/edit?seq={text}",
        "/r/{run}/edit?step={text}",
        "/e/{run}?step={text}&view={text}&theme={text}",
        "/s/{scenario}/share?run={text}&step={text}&view={text}&part=1",
        "/oembed?url=http://testserver/s/{scenario}&maxwidth={text}&maxheight={text}",
        "/?q={text}&tag={text}&level={text}&texts={text}",
        "/d/?one={text}&other={text}",
        "/new?fork={text}",
    ],
)
def test_whatever_stands_in_a_query_is_answered(browser: Browser, run: Run, address: str, text: str) -> None:
    answer = browser.get(address.format(run=run.pk, scenario=run.scenario_id, text=quote(text, safe="")))
    assert answer.status_code < 500


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("42", 42), ("999999999", 999999999), ("1000000000", None), ("²", None), ("٣", None), ("-1", None), ("", None)],
)
def test_a_whole_number_is_written_in_plain_digits(text: str, number: int | None) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "address", ["/", "/new", "/docs/", "/docs/api", "/docs/benchmark", "/docs/workshop", "/robots.txt", "/s/{scenario}", "/r/{run}"]
)
def test_pages_answer_those_who_only_ask_for_the_head(browser: Browser, run: Run, address: str) -> None:
    answer = browser.head(address.format(run=run.pk, scenario=run.scenario_id))
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize("lang", ["en", "zh-hans"])
def test_a_wrong_method_is_answered_by_a_page(browser: Browser, lang: str) -> None:
    answer = browser.options(f"/docs/?lang={lang}")
    assert answer.status_code == 405
    assert answer["Allow"]
    assert {"en": "does not take that", "zh-hans": "不接受"}[lang] in answer.content.decode()


@pytest.mark.parametrize(("lang", "words"), [("en", "At most 0 saved scenarios an hour"), ("zh-hans", "每小时最多保存 0 个场景")])
def test_a_limit_is_said_in_the_language_of_the_page(browser: Browser, settings: object, lang: str, words: str) -> None:
    from playground.limits import Limits

    settings.LIMITS = Limits(saves_per_hour=0)  # type: ignore[attr-defined]
    answer = browser.post(f"/new?lang={lang}", {"manifests": '{"apiVersion": "playground/v1", "kind": "Scenario"}'})
    assert answer.status_code == 429
    assert words in answer.content.decode()


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b'{"scenario":\n1', {"path": "", "line": 2, "message": "the body is not JSON: expecting ',' delimiter (column 2)"}),
        (b"{}", {"path": "scenario", "line": None, "message": "is required"}),
        (b'{"scenario": 5}', {"path": "scenario", "line": None, "message": "must be a text"}),
    ],
)
def test_the_api_says_what_is_wrong_with_a_body(browser: Browser, body: bytes, problem: dict[str, object]) -> None:
    answer = browser.post("/api/v1/runs", body, content_type="application/json")
    assert (answer.status_code, answer.json()["problems"]) == (400, [problem])


def test_a_place_in_a_list_is_named_as_everywhere(browser: Browser, run: Run) -> None:
    answer = browser.post(f"/api/v1/runs/{run.pk}/continue", {"operations": [5]}, content_type="application/json")
    assert answer.json()["problems"] == [{"path": "operations[0]", "line": None, "message": "must be an object"}]


def test_docs_is_found_without_its_slash(browser: Browser) -> None:
    assert browser.get("/docs?lang=en")["Location"] == "/docs/?lang=en"


def test_the_gallery_and_scenarios_may_be_read_by_machines_and_runs_may_not(browser: Browser, scenario: Scenario) -> None:
    lines = browser.get("/robots.txt").content.decode().splitlines()
    assert "Disallow: /r/" in lines
    assert not any(scenario.pk in line or line == "Disallow: /" for line in lines)

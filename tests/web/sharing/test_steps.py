"""A step has an address: /s/<id>?step=, /r/<id>?step=, and its picture."""

from __future__ import annotations

import html
import io
from collections.abc import Callable

import pytest
from django.test import Client as Browser
from PIL import Image

from playground import engine, selectors
from playground.models import Run, RunChunk, Scenario, Status
from playground.runs import moments, retention
from playground.sharing import posters

pytestmark = pytest.mark.django_db


def test_the_scenarios_own_address_opens_a_run_at_the_step(browser: Browser, scenario: Scenario, run: Run) -> None:
    assert browser.get(f"/s/{scenario.pk}?step=c1/pick&view=projector")["Location"] == f"/r/{run.pk}?step=c1/pick&view=projector"
    assert Run.objects.count() == 1


def test_without_a_run_one_is_made_once(browser: Browser, scenario: Scenario, django_capture_on_commit_callbacks) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        first = browser.get(f"/s/{scenario.pk}?step=c1/pick")["Location"]
    assert browser.get(f"/s/{scenario.pk}?step=c1/fail")["Location"].split("?")[0] == first.split("?")[0]
    assert Run.objects.get().status == Status.FINISHED


@pytest.mark.parametrize(
    ("step", "found", "is_exact"),
    [
        ("c1/pick", "c1/pick", True),
        ("c1/candidates/n1/reprieve/shop/search-1", "c1/candidates/n1/reprieve/shop/search-1", True),
        ("c1/candidates/n1/bench", "c1/candidates/n1/bench", True),
        ("c1/candidates/n1/reprieve/shop/gone", "c1/candidates/n1", False),
        ("c1/pick/no-such-rule", "c1/pick", False),
        ("c1/nothing/at/all", "c1", False),
        ("", "c1/pick", True),
        ("elsewhere", "start", False),
    ],
)
def test_a_path_that_is_gone_leads_to_the_nearest_decision_above(run: Run, step: str, found: str, is_exact: bool) -> None:
    moment = moments.find(run, step)
    assert moment is not None
    assert (moment.path, moment.is_exact) == (found, is_exact)


@pytest.mark.parametrize(("lang", "words"), [("en", "n2 wins by rule 1"), ("zh-hans", "凭第 1 条规则")])
def test_a_chat_sees_the_decision(browser: Browser, run: Run, lang: str, words: str) -> None:
    page = html.unescape(browser.get(f"/r/{run.pk}?step=c1/pick&lang={lang}").content.decode())
    assert f'<meta property="og:description" content="{words}' in page or words in page.split("og:description")[1][:200]
    assert f'<meta property="og:image" content="http://testserver/r/{run.pk}/og.png?step=c1/pick&in={lang}">' in page
    assert 'type="application/json+oembed"' in page
    assert 'name="robots" content="noindex"' in page


def test_without_javascript_the_step_is_text(browser: Browser, run: Run) -> None:
    page = browser.get(f"/r/{run.pk}?step=c1/candidates/n1/reprieve/shop/search-1").content.decode()
    assert 'aria-current="step"' in page
    assert "search-1" in page.split('aria-current="step"')[1][:400]


def test_without_javascript_a_step_that_is_gone_is_said(browser: Browser, run: Run) -> None:
    page = browser.get(f"/r/{run.pk}?step=c1/candidates/n1/reprieve/shop/gone").content.decode()
    assert "This run has no step “c1/candidates/n1/reprieve/shop/gone”. Shown is the nearest one: c1/candidates/n1." in page


@pytest.mark.parametrize("step", ["", "c1/pick", "c1/candidates/n1/bench", "c1/filter", "c1/fail", "start", "nowhere", "c2/bind"])
@pytest.mark.parametrize("lang", ["en", "zh-hans"])
def test_every_step_has_a_picture(browser: Browser, run: Run, step: str, lang: str) -> None:
    answer = browser.get(f"/r/{run.pk}/og.png", {"step": step, "in": lang})
    assert answer["Content-Type"] == "image/png"
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert picture.size == (1200, 630)
    assert not answer.cookies
    assert "max-age" in answer["Cache-Control"]


def test_a_picture_tells_no_more_than_its_step(run: Run) -> None:
    cards = {}
    for step in ("c1/candidates/n1/bench", "c1/candidates/n1", "c1/pick"):
        moment = moments.find(run, step)
        assert moment is not None
        shown = posters.poster("", moment, selectors.state(run, moment.event["seq"]), lang="en")
        cards[step] = {card.node: (card.badge, [pod.role for pod in card.pods]) for card in shown.cards}
    assert cards["c1/candidates/n1/bench"]["n1"] == ("lower priorities lifted off", ["bench"])
    assert cards["c1/candidates/n1/bench"]["n2"] == ("candidate: one victim", ["victim"])
    assert cards["c1/candidates/n1"]["n1"] == ("candidate: one victim", ["victim"])
    assert cards["c1/pick"]["n1"] == ("out by rule 1", ["victim"])
    assert cards["c1/pick"]["n2"] == ("wins", ["victim"])


def test_the_picture_of_a_scenario_is_of_its_run(browser: Browser, scenario: Scenario, run: Run) -> None:
    assert browser.get(f"/s/{scenario.pk}/og.png").content == browser.get(f"/r/{run.pk}/og.png").content
    assert browser.get("/s/nothere000/og.png").status_code == 404
    assert browser.get("/r/nothere0000/og.png").status_code == 404


def test_a_picture_of_a_run_that_waits_is_not_kept(browser: Browser, scenario: Scenario) -> None:
    run = Run.objects.create(id="0123456789abcd", scenario=scenario)
    answer = browser.get(f"/r/{run.pk}/og.png")
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")


# -- logs that were dropped -------------------------------------------------------------------------------------------
def test_a_dropped_log_is_made_again_with_the_same_events(
    browser: Browser, run: Run, django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    before = selectors.events(run)
    assert retention.drop_log(run, run.finished)
    assert not RunChunk.objects.filter(run=run).exists()
    with django_capture_on_commit_callbacks(execute=True):
        browser.get(f"/r/{run.pk}?step=c1/pick")
    run.refresh_from_db()
    assert (run.status, run.log_dropped, run.engine_changed) == (Status.FINISHED, None, False)
    assert selectors.events(run) == before


def test_the_page_says_when_another_engine_made_the_events_again(
    browser: Browser, run: Run, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    old = run.engine
    retention.drop_log(run, run.finished)
    monkeypatch.setattr(engine, "version", lambda: "9.9.9")
    with django_capture_on_commit_callbacks(execute=True):
        browser.get(f"/r/{run.pk}")
    page = browser.get(f"/r/{run.pk}?step=c1/pick").content.decode()
    assert f"made again by engine 9.9.9; when the link was made it was {old}" in page


def test_the_api_makes_a_dropped_log_again(browser: Browser, run: Run, django_capture_on_commit_callbacks: Callable[..., object]) -> None:
    count = run.last_seq
    retention.drop_log(run, run.finished)
    with django_capture_on_commit_callbacks(execute=True):
        browser.get(f"/api/v1/runs/{run.pk}/events")
    assert browser.get(f"/api/v1/runs/{run.pk}/events").json()["last_seq"] == count

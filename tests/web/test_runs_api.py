"""POST /api/v1/runs, GET /api/v1/runs/{id} and what lies below it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client as Browser

from playground.limits import Limits
from playground.models import Run, Scenario, Status
from playground.runs import execution
from tests.web.conftest import URL

pytestmark = pytest.mark.django_db
Make = Callable[..., Run]


def test_a_run_is_queued_and_handed_to_a_worker(
    browser: Browser, save: Callable[..., Scenario], unheard: list[str], django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        answer = browser.post(f"{URL}/runs", {"scenario": save().pk}, content_type="application/json")
    assert answer.status_code == 202
    run = answer.json()
    assert run["status"] == "queued"
    assert run["url"] == f"/r/{run['id']}"
    assert run["events"] == f"{URL}/runs/{run['id']}/events"
    assert run["socket"] == f"/ws/runs/{run['id']}/"
    assert unheard == [run["id"]]


def test_a_run_is_queued_even_when_the_broker_is_away(
    browser: Browser, save: Callable[..., Scenario], monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks
) -> None:
    from kombu.exceptions import OperationalError

    def away(name: str, arguments: object) -> None:
        raise OperationalError

    monkeypatch.setattr("playground.celery.app.send_task", away)
    with django_capture_on_commit_callbacks(execute=True):
        assert browser.post(f"{URL}/runs", {"scenario": save().pk}, content_type="application/json").status_code == 202


@pytest.mark.parametrize("body", ["", "{", "[]", "null", "{}", '{"scenario": 5}', '{"scenario": null}', '"x"', "\ud800"])
def test_a_body_that_names_no_scenario_is_400(browser: Browser, body: str) -> None:
    answer = browser.generic("POST", f"{URL}/runs", body.encode("utf-8", "surrogatepass"), content_type="application/json")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["problems"]


@pytest.mark.parametrize("name", ["nothere000", "", "\x00", "a" * 5000])
def test_an_unknown_scenario_is_404(browser: Browser, name: str) -> None:
    assert browser.post(f"{URL}/runs", {"scenario": name}, content_type="application/json").status_code == 404


def test_a_run_tells_where_it_stands(browser: Browser, finish: Make) -> None:
    run = browser.get(f"{URL}/runs/{finish('events:12').pk}").json()
    assert run["status"] == "finished"
    assert run["last_seq"] == 12
    assert run["engine"] == "fake"
    assert run["seconds"] >= 0
    assert run["created"].startswith("20")


@pytest.mark.parametrize(
    ("query", "seqs"),
    [("", range(1, 13)), ("?after=10", range(11, 13)), ("?after=3&limit=4", range(4, 8)), ("?after=12", []), ("?after=99", [])],
)
def test_events_are_those_after_the_cursor(browser: Browser, finish: Make, query: str, seqs: list[int]) -> None:
    answer = browser.get(f"{URL}/runs/{finish('events:12').pk}/events{query}").json()
    assert [event["seq"] for event in answer["events"]] == list(seqs)
    assert answer["status"] == "finished"


@pytest.mark.parametrize(
    "query", ["?after=-1", "?after=x", "?limit=0", "?limit=-5", "?after=99999999999999999999", "?limit=1e3", "?after="]
)
def test_a_cursor_that_is_none_is_400(browser: Browser, finish: Make, query: str) -> None:
    answer = browser.get(f"{URL}/runs/{finish().pk}/events{query}")
    assert answer.status_code == 400
    assert answer.json()["problems"][0]["path"] in {"after", "limit"}


def test_the_state_is_folded_up_to_the_event_asked_for(browser: Browser, finish: Make) -> None:
    address = f"{URL}/runs/{finish('events:12').pk}/state"
    assert browser.get(f"{address}?seq=0").json()["count"] == 0
    assert browser.get(f"{address}?seq=5").json()["t"] == 5.0
    assert browser.get(address).json()["count"] == 12
    assert browser.get(f"{address}?seq=13").status_code == 400
    assert browser.get(f"{address}?seq=-1").status_code == 400


def test_the_result_says_whether_it_is_the_end(browser: Browser, finish: Make, queue: Make) -> None:
    assert browser.get(f"{URL}/runs/{finish().pk}/result").json()["status"] == "finished"
    assert browser.get(f"{URL}/runs/{queue().pk}/result").json()["status"] == "queued"


@pytest.mark.parametrize("below", ["", "/events", "/state", "/result"])
@pytest.mark.parametrize("name", ["nothere0000000", "..", "%00%00%00%00%00%00%00%00%00%00%00"])
def test_an_unknown_run_is_404(browser: Browser, name: str, below: str) -> None:
    assert browser.get(f"{URL}/runs/{name}{below}").status_code == 404


@pytest.mark.parametrize("below", ["", "/events", "/state", "/result"])
def test_other_methods_are_405(browser: Browser, queue: Make, below: str) -> None:
    assert browser.post(f"{URL}/runs/{queue().pk}{below}", {}, content_type="application/json").status_code == 405


def test_ten_runs_at_once_and_no_more(browser: Browser, save: Callable[..., Scenario], settings) -> None:
    settings.LIMITS = replace(Limits(), runs_at_once=2)
    scenario = save("events:3")
    codes = [browser.post(f"{URL}/runs", {"scenario": scenario.pk}, content_type="application/json").status_code for _ in range(3)]
    assert codes == [202, 202, 429]
    execution.execute(Run.objects.first().pk)
    assert browser.post(f"{URL}/runs", {"scenario": scenario.pk}, content_type="application/json").status_code == 202


def test_the_limit_of_runs_an_hour(browser: Browser, save: Callable[..., Scenario], settings) -> None:
    settings.LIMITS = replace(Limits(), runs_per_hour=1)
    body = {"scenario": save().pk}
    assert browser.post(f"{URL}/runs", body, content_type="application/json").status_code == 202
    refused = browser.post(f"{URL}/runs", body, content_type="application/json")
    assert refused.status_code == 429
    assert refused["Content-Type"] == "application/problem+json"
    assert refused["Retry-After"]


# -- continue ---------------------------------------------------------------------------------------------------------
CREATE = {"create": {"kind": "Pod", "metadata": {"name": "late"}}}


def go_on(browser: Browser, run: Run, **body: object):
    return browser.post(f"{URL}/runs/{run.pk}/continue", body, content_type="application/json")


def test_a_run_goes_on_after_its_last_event_with_the_same_past(browser: Browser, finish: Make) -> None:
    old = finish("events:12")
    answer = go_on(browser, old, operations=[CREATE])
    assert answer.status_code == 202
    new = answer.json()
    assert new["continues"] == {"run": old.pk, "after_seq": 11}  # event 12 said that the run was over
    execution.execute(new["id"])
    before = browser.get(f"{URL}/runs/{old.pk}/events").json()["events"]
    after = browser.get(f"{URL}/runs/{new['id']}/events").json()["events"]
    assert after[:11] == before[:11]
    assert len(after) == 13
    assert Scenario.objects.get(pk=new["scenario"]).parent_id == old.scenario_id


def test_a_run_goes_on_from_the_event_one_looks_at(browser: Browser, finish: Make) -> None:
    old = finish("events:12")
    new = go_on(browser, old, operations=[CREATE], after_seq=5).json()
    assert new["continues"]["after_seq"] == 5
    timeline = browser.get(f"{URL}/scenarios/{new['scenario']}").json()["timeline"]
    assert timeline[0]["at"] > 5.0
    assert browser.get(f"{URL}/runs/{new['id']}").json()["continues"] == {"run": old.pk, "after_seq": 5}


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"operations": [{}]}, "operations[0].create"),
        ({"operations": []}, "operations"),
        ({}, "operations"),
        ({"operations": [CREATE], "after_seq": 99}, "after_seq"),
        ({"operations": [CREATE], "after_seq": 0}, "after_seq"),
        ({"operations": [5]}, "operations[0]"),
    ],
)
def test_operations_that_cannot_be_are_400(browser: Browser, finish: Make, body: dict[str, object], path: str) -> None:
    answer = go_on(browser, finish(), **body)
    assert answer.status_code == 400
    assert answer.json()["problems"][0]["path"] == path


def test_a_run_that_met_a_limit_does_not_go_on(browser: Browser, finish: Make) -> None:
    run = finish("limit:5")
    assert run.status == Status.LIMIT
    assert go_on(browser, run, operations=[CREATE]).status_code == 400


def test_a_run_without_an_event_does_not_go_on(browser: Browser, queue: Make) -> None:
    assert go_on(browser, queue(), operations=[CREATE]).status_code == 400

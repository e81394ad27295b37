"""What can be taken away: event lines, a trace, objects for kubectl, a storyboard, and a draft of any step."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from asgiref.sync import async_to_sync
from django.test import Client as Browser

import scheduler_core
from playground import engine, selectors
from playground.exports import formats
from playground.http.clients import Client
from playground.limits import Limits
from playground.models import Run, Status
from playground.runs import execution, starting
from playground.scenarios import gallery_files, saving

pytestmark = pytest.mark.django_db
FILES = sorted(gallery_files.files(), key=lambda file: file.slug)
SLUGS = [file.slug for file in FILES]
PREEMPTION = next(file for file in FILES if file.slug.endswith("pdb-beats-priority"))


@pytest.fixture(autouse=True)
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real one."""
    monkeypatch.setattr(engine, "core", scheduler_core)


@pytest.fixture
def play(someone: Client) -> Callable[[dict[str, Any]], Run]:
    def make(document: dict[str, Any]) -> Run:
        scenario = saving.store_scenario(engine.parse(engine.canonical(document), limits=Limits())).scenario
        run = starting.create_run(scenario, client=someone)
        execution.execute(run.pk)
        run.refresh_from_db()
        assert run.status == Status.FINISHED
        return run

    return make


def body(response: Any) -> bytes:
    async def gathered() -> bytes:
        return b"".join([piece async for piece in response.streaming_content])

    return async_to_sync(gathered)() if response.streaming else response.content


def test_the_log_can_be_taken_away_as_lines(play: Callable[..., Run], browser: Browser) -> None:
    run = play(PREEMPTION.document)
    events = [json.loads(line) for line in body(browser.get(f"/r/{run.pk}.jsonl")).splitlines()]
    assert [event["seq"] for event in events] == list(range(1, run.last_seq + 1))
    assert events == selectors.events(run, limit=run.last_seq)


@pytest.mark.parametrize("file", FILES, ids=SLUGS)
def test_a_trace_has_slices_that_lie_within_one_another(
    file: gallery_files.GalleryFile, play: Callable[..., Run], browser: Browser
) -> None:
    run = play(file.document)
    trace = json.loads(body(browser.get(f"/r/{run.pk}.trace.json")))["traceEvents"]
    assert {each["ph"] for each in trace} <= set("MXbeiC")
    assert all(each["dur"] >= 1 for each in trace if each["ph"] == "X")
    cycles = [each for each in trace if each.get("cat") == "cycle"]
    counted = sum(event["kind"] == "cycle.started" for event in selectors.events(run, limit=run.last_seq))
    assert len(cycles) == counted
    for before, after in zip(sorted(cycles, key=lambda each: each["ts"]), sorted(cycles, key=lambda each: each["ts"])[1:], strict=False):
        assert before["ts"] + before["dur"] <= after["ts"]
    stays = [(each["ph"], each["id"]) for each in trace if each["ph"] in "be"]
    assert all(("b", pod) in stays for what, pod in stays if what == "e")
    assert all(min(each["args"].values()) >= 0 for each in trace if each["ph"] == "C")


@pytest.mark.parametrize("file", FILES, ids=SLUGS)
def test_editing_from_a_step_gives_a_scenario_of_that_moment(file: gallery_files.GalleryFile, play: Callable[..., Run]) -> None:
    run = play(file.document)
    setup = sum(event["path"].startswith(("start", "setup/")) for event in selectors.events(run, limit=run.last_seq))
    for seq in {setup, max(setup, run.last_seq // 2), run.last_seq}:
        state = selectors.state(run, seq)
        document = formats.document_at(run, seq)
        parsed = json.loads(engine.parse(json.dumps(document).encode(), limits=Limits()).document)
        pods = {
            f"{each['metadata'].get('namespace') or 'default'}/{each['metadata']['name']}": each
            for each in parsed["objects"]
            if each["kind"] == "Pod"
        }
        assert set(pods) == set(state["pods"])
        assert {key: each["spec"].get("nodeName") for key, each in pods.items()} == {
            key: view["node"] for key, view in state["pods"].items()
        }
        assert {each["metadata"]["name"] for each in parsed["objects"] if each["kind"] == "Node"} == set(state["nodes"])


def test_a_step_opens_in_the_editor_as_a_fork(play: Callable[..., Run], browser: Browser) -> None:
    run = play(PREEMPTION.document)
    picked = next(event for event in selectors.events(run, limit=run.last_seq) if event["kind"] == "preemption.picked")
    assert formats.seq_of(run, picked["path"]) == picked["seq"]
    answer = browser.get(f"/r/{run.pk}/edit?step={picked['path']}").content.decode()
    assert f'name="parent" value="{run.scenario_id}"' in answer
    assert "kind: Pod" in answer


@pytest.mark.parametrize("file", FILES, ids=SLUGS)
def test_objects_for_kubectl_hold_nothing_that_only_a_server_may_set(
    file: gallery_files.GalleryFile, play: Callable[..., Run], browser: Browser
) -> None:
    run = play(file.document)
    documents = list(yaml.safe_load_all(browser.get(f"/s/{run.scenario_id}/objects.yaml").content))
    given = selectors.document(run.scenario)["objects"]
    assert sum(each["kind"] == "Pod" for each in documents) == sum(each["kind"] == "Pod" for each in given)
    for each in documents:
        assert not {"uid", "resourceVersion", "managedFields", "creationTimestamp"} & each["metadata"].keys()
        if each["kind"] == "Pod":
            assert "priority" not in each["spec"]
            assert all(container["image"] for container in each["spec"]["containers"])
        if each["kind"] == "Node":
            assert each["metadata"]["annotations"]["kwok.x-k8s.io/node"] == "fake"


def test_the_storyboard_tells_every_decision_in_both_languages(play: Callable[..., Run], browser: Browser) -> None:
    run = play(PREEMPTION.document)
    english = browser.get(f"/r/{run.pk}/storyboard?lang=en").content.decode()
    chinese = browser.get(f"/r/{run.pk}/storyboard?lang=zh-hans").content.decode()
    assert "Cycle c1" in english and "<table>" in english
    assert "周期" in chinese


@pytest.mark.parametrize("address", ["/r/{id}.jsonl", "/r/{id}.trace.json", "/r/{id}/storyboard", "/r/{id}/edit", "/s/{id}/objects.yaml"])
def test_what_is_not_there_is_not_found(address: str, browser: Browser) -> None:
    assert browser.get(address.format(id="abcdefghjk")).status_code == 404
    assert browser.post(address.format(id="abcdefghjk")).status_code == 405

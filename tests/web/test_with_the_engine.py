"""The web side with the real engine: what only holds when both fit together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import scheduler_core
from playground import chunks, engine, selectors
from playground.http.clients import Client
from playground.limits import Limits
from playground.models import Run, RunChunk, Scenario, Status
from playground.runs import execution, starting
from playground.scenarios import gallery_files, saving

pytestmark = pytest.mark.django_db
POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "late", "namespace": "default"},
    "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "100m"}}}]},
}
FILES = sorted(gallery_files.files(), key=lambda file: file.slug)


@pytest.fixture(autouse=True)
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real one."""
    monkeypatch.setattr(engine, "core", scheduler_core)


def lines(run: Run) -> list[bytes]:
    return [line for chunk in RunChunk.objects.filter(run=run).order_by("first_seq") for line in chunks.unpack(chunk.payload)]


@pytest.fixture
def play(someone: Client) -> Callable[[dict[str, Any]], Run]:
    """Run a document to its end."""

    def make(document: dict[str, Any]) -> Run:
        scenario = saving.store_scenario(engine.parse(engine.canonical(document), limits=Limits())).scenario
        run = starting.create_run(scenario, client=someone)
        execution.execute(run.pk)
        run.refresh_from_db()
        assert run.status == Status.FINISHED
        return run

    return make


@pytest.mark.parametrize("file", FILES, ids=[file.slug for file in FILES])
def test_going_on_after_any_event_leaves_the_earlier_ones_as_they_were(
    file: gallery_files.GalleryFile, play: Callable[[dict[str, Any]], Run], someone: Client
) -> None:
    old = play(file.document)
    before = lines(old)
    for after_seq in {len(before) // 2, len(before)}:
        new = starting.continue_run(old, [{"create": POD}], client=someone, after_seq=after_seq)
        assert execution.execute(new.pk) == "finished"
        after = lines(new)
        assert new.after_seq in {after_seq, after_seq - 1}
        assert after[: new.after_seq] == before[: new.after_seq]
        created = [event for event in map(chunks.decode, after[new.after_seq :]) if event["kind"] == "object.created"]
        assert "late" in [event["data"]["name"] for event in created]


@pytest.mark.parametrize("file", FILES, ids=[file.slug for file in FILES])
def test_state_and_result_can_be_asked_for_at_every_event(file: gallery_files.GalleryFile, play: Callable[[dict[str, Any]], Run]) -> None:
    run = play(file.document)
    for seq in {0, 1, run.last_seq // 2, run.last_seq}:
        assert {"t", "nodes", "pods", "queues", "nominations"} <= selectors.state(run, seq).keys()
    assert set(selectors.result(run)) == {"placements", "evicted", "pending"}


def test_the_gallery_loads(play: Callable[[dict[str, Any]], Run]) -> None:
    assert gallery_files.load_all() == len(FILES)
    assert all(entry.scenario.title for entry in selectors.gallery())
    assert Scenario.objects.count() == len(FILES)


def test_operations_are_checked_as_strictly_as_an_upload(play: Callable[[dict[str, Any]], Run], someone: Client) -> None:
    run = play(FILES[0].document)
    broken = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": {"containers": []}}
    with pytest.raises(engine.InvalidInputError) as refused:
        starting.continue_run(run, [{"create": POD}, {"create": broken}], client=someone)
    assert refused.value.problems[0].path.startswith("operations[1].create.spec.containers")

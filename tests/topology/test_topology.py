"""One run watched through both web processes, and kill -9 of every part in its middle: the log is the same as without."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.topology.conftest import Playground, Web, kill

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]
API = "/api/v1"


def crowd(nodes: int, pods: int, title: str) -> dict[str, Any]:
    """More pods than fit, of rising priority: every later one preempts."""
    allocatable = {"cpu": "4", "memory": "16Gi", "pods": "110"}
    objects: list[dict[str, Any]] = [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"n{k}"}, "status": {"allocatable": allocatable}} for k in range(nodes)
    ]
    for k in range(pods):
        container = {"name": "c", "image": "app", "resources": {"requests": {"cpu": "900m", "memory": "1Gi"}}}
        spec = {"priority": k // 10, "containers": [container], "terminationGracePeriodSeconds": 1}
        objects.append({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"p{k}", "namespace": "default"}, "spec": spec})
    return {"apiVersion": "playground/v1", "kind": "Scenario", "metadata": {"title": title}, "objects": objects}


def start(web: Web, scenario: dict[str, Any]) -> str:
    """A new run; its id."""
    saved = web.ask(f"{API}/scenarios", scenario)
    return str(web.ask(f"{API}/runs", {"scenario": saved["id"]})["id"])


def seqs(events: list[dict[str, Any]]) -> list[int]:
    return [event["seq"] for event in events]


def wait_for(web: Web, run: str, *, seconds: float = 60, status: tuple[str, ...] = ("finished", "limit"), seq: int = 0) -> dict[str, Any]:
    """Ask until the run stands there."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        stands: dict[str, Any] = web.ask(f"{API}/runs/{run}")
        if stands["status"] in status and stands["last_seq"] >= seq:
            return stands
        time.sleep(0.02)
    raise AssertionError(f"the run stands at {stands}")


def whole_log(web: Web, run: str) -> list[dict[str, Any]]:
    """Every event, over the API."""
    events: list[dict[str, Any]] = []
    while True:
        part = web.ask(f"{API}/runs/{run}/events?after={len(events)}&limit=5000")
        events += part["events"]
        if len(events) >= part["last_seq"]:
            return events


@pytest.fixture(scope="module")
def long_run(playground: Playground) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A scenario that keeps a worker busy for some seconds, and its log when nothing happens to anybody."""
    scenario = crowd(60, 800, "a crowd")
    run = start(playground.webs[0], scenario)
    wait_for(playground.webs[0], run)
    return scenario, whole_log(playground.webs[0], run)


def test_one_run_is_watched_through_both_web_processes(playground: Playground) -> None:
    first, second = playground.webs
    run = start(first, crowd(10, 60, "a few"))
    seen: dict[str, list[dict[str, Any]]] = {}
    viewers = [
        threading.Thread(target=lambda name=name, web=web: seen.update({name: list(web.watch(run))}))
        for name, web in (("first", first), ("second", second))
    ]
    for viewer in viewers:
        viewer.start()
    for viewer in viewers:
        viewer.join(timeout=60)
    assert seen["first"] == seen["second"] == whole_log(second, run)
    assert seqs(seen["first"]) == list(range(1, len(seen["first"]) + 1))


def test_kubectls_output_is_preempted_as_kube_scheduler_does(playground: Playground) -> None:
    dump = Path(__file__).resolve().parents[1] / "data" / "kubectl-get.yaml"
    if not dump.exists():
        pytest.skip("the dump is not part of this copy")
    web = playground.webs[0]
    run = web.ask(f"{API}/runs", {"scenario": web.ask(f"{API}/scenarios", dump.read_bytes())["id"]})["id"]
    kinds = [event["kind"] for event in web.watch(run)]
    assert kinds.count("preemption.nominated") == 2


def test_a_worker_killed_in_the_middle_of_a_run_leaves_the_same_log(
    playground: Playground, long_run: tuple[dict[str, Any], list[dict[str, Any]]]
) -> None:
    scenario, whole = long_run
    web = playground.webs[0]
    run = start(web, scenario)
    wait_for(web, run, status=("running",), seq=len(whole) // 10)
    for worker in playground.workers:
        kill(worker)
    stands = web.ask(f"{API}/runs/{run}")
    assert stands["status"] == "running", "the scenario is too short for this machine: the run ended before the kill"
    for worker in playground.workers:
        worker.start()
    events = list(web.watch(run))
    assert json.dumps(events) == json.dumps(whole)
    playground.wait_until_ready()


def test_redis_killed_in_the_middle_of_a_run_loses_no_event(
    playground: Playground, long_run: tuple[dict[str, Any], list[dict[str, Any]]]
) -> None:
    scenario, whole = long_run
    web = playground.webs[0]
    run = start(web, scenario)
    waiting = [start(web, crowd(3, 10 + k, "waits")) for k in range(3)]
    wait_for(web, run, status=("running",), seq=len(whole) // 10)
    kill(playground.redis.child)
    time.sleep(0.5)
    playground.redis.child.start()
    assert json.dumps(list(web.watch(run))) == json.dumps(whole)
    for other in waiting:
        wait_for(web, other)
    playground.wait_until_ready()
    assert not any(worker.has_ended() for worker in playground.workers)


def test_a_web_process_killed_in_the_middle_is_replaced_by_the_other_one(
    playground: Playground, long_run: tuple[dict[str, Any], list[dict[str, Any]]]
) -> None:
    scenario, whole = long_run
    first, second = playground.webs
    run = start(first, scenario)
    events = []
    for event in first.watch(run):
        events.append(event)
        if len(events) == len(whole) // 10:
            kill(first.child)
    assert len(events) < len(whole), "the scenario is too short for this machine: the run ended before the kill"
    events += second.watch(run, after=len(events))
    assert json.dumps(events) == json.dumps(whole)
    first.child.start()
    playground.wait_until_ready()


def test_a_web_process_that_is_told_to_stop_says_that_it_restarts(
    playground: Playground, long_run: tuple[dict[str, Any], list[dict[str, Any]]]
) -> None:
    web = playground.webs[1]
    run = start(web, long_run[0])
    with connect(f"ws://{web.place.host}:{web.place.port}/ws/runs/{run}/", max_size=None) as socket:
        socket.recv()
        web.child.ask_to_stop()
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012
    assert web.child.wait(10)
    web.child.reap()
    web.child.start()
    playground.wait_until_ready()

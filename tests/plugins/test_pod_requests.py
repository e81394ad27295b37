"""What the scheduler counts a pod as: containers, init containers, sidecars, overhead, and requests for the pod as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.api.objects import Container, Pod
from scheduler_core.api.resources import default_pod_requests, limits_of, nonzero_requests_of, requests_of

MI = 1024 * 1024


def box(name: str = "c", *, sidecar: bool = False, limits: Mapping[str, int] | None = None, **requests: int) -> Container:
    """A container with CPU in milli and memory in MiB."""
    return Container(name=name, requests=scaled(requests), limits=scaled(limits or {}), restart_policy="Always" if sidecar else "")


def scaled(amounts: Mapping[str, int]) -> dict[str, int]:
    return {name: amount * MI if name == "memory" else amount for name, amount in amounts.items()}


def pod(*containers: Container, init: tuple[Container, ...] = (), **more: Any) -> Pod:
    """A pod as the API server would store it."""
    amounts = {key: scaled(more.pop(key)) for key in ("overhead", "pod_requests", "pod_limits") if key in more}
    made = Pod(name="p", containers=containers, init_containers=init, **amounts, **more)
    return replace(made, pod_requests=default_pod_requests(made)) if made.pod_limits else made


GPU, HUGE, DISK = "example.com/gpu", "hugepages-2Mi", "ephemeral-storage"

COUNTED = [
    ("containers add up", pod(box(cpu=100, memory=1), box(cpu=200)), {"cpu": 300, "memory": 1}),
    (
        "the largest init container counts, resource by resource",
        pod(box(cpu=100, memory=9), init=(box(cpu=300, memory=1),)),
        {"cpu": 300, "memory": 9},
    ),
    ("init containers run one after another", pod(box(cpu=100), init=(box(cpu=300), box(cpu=200))), {"cpu": 300}),
    ("sidecars run beside the containers", pod(box(cpu=100), init=(box(cpu=50, sidecar=True),)), {"cpu": 150}),
    ("sidecars run beside later init containers", pod(box(cpu=100), init=(box(cpu=50, sidecar=True), box(cpu=300))), {"cpu": 350}),
    ("but not beside earlier ones", pod(box(cpu=100), init=(box(cpu=300), box(cpu=50, sidecar=True))), {"cpu": 300}),
    (
        "several sidecars add up while a later init container runs",
        pod(box(cpu=10), init=(box(cpu=50, sidecar=True), box(cpu=200), box(cpu=70, sidecar=True), box(cpu=300))),
        {"cpu": 420},
    ),
    ("overhead is added last", pod(box(cpu=100), init=(box(cpu=300),), overhead={"cpu": 50, "memory": 2}), {"cpu": 350, "memory": 2}),
    ("every resource is counted alike", pod(box(**{GPU: 1, HUGE: 4, DISK: 5}), box(**{GPU: 2})), {GPU: 3, HUGE: 4, DISK: 5}),
    ("an init container alone may need a device", pod(box(cpu=1), init=(box(**{GPU: 1}),)), {"cpu": 1, GPU: 1}),
    ("a request for the pod takes the place of the sum", pod(box(cpu=100), box(cpu=100), pod_requests={"cpu": 500}), {"cpu": 500}),
    ("even of a larger init container", pod(box(cpu=1), init=(box(cpu=900),), pod_requests={"cpu": 500}), {"cpu": 500}),
    ("only of the resources that it names", pod(box(cpu=100, memory=1), pod_requests={"cpu": 500}), {"cpu": 500, "memory": 1}),
    ("and only of CPU, memory and huge pages", pod(box(**{GPU: 1}), pod_requests={GPU: 9, HUGE: 2}), {GPU: 1, HUGE: 2}),
    ("overhead is added to it as well", pod(box(), pod_requests={"cpu": 500}, overhead={"cpu": 50}), {"cpu": 550}),
    ("a limit of the pod is its request where nobody asks", pod(box(), pod_limits={"cpu": 700}), {"cpu": 700}),
    ("where containers ask, their sum stays", pod(box(cpu=100), pod_limits={"cpu": 700}), {"cpu": 100}),
    ("but for huge pages the limit counts", pod(box(**{HUGE: 2}), pod_limits={HUGE: 8}), {HUGE: 8}),
]


@pytest.mark.parametrize(("given_pod", "expected"), [row[1:] for row in COUNTED], ids=[row[0] for row in COUNTED])
def test_requests(given_pod: Pod, expected: dict[str, int]) -> None:
    assert requests_of(given_pod) == scaled(expected)


SCORED = [
    ("a container that asks for nothing counts a little", pod(box()), (100, 200)),
    ("each container does", pod(box(), box(cpu=50)), (150, 400)),
    ("a request of zero is a request", pod(box(cpu=0, memory=0)), (0, 0)),
    ("init containers count a little, too", pod(box(cpu=10, memory=10), init=(box(),)), (100, 200)),
    ("sidecars as well", pod(box(cpu=10, memory=10), init=(box(sidecar=True),)), (110, 210)),
    ("overhead comes on top", pod(box(), overhead={"cpu": 50, "memory": 1}), (150, 201)),
    ("a request for the pod leaves nothing to make up", pod(box(), box(), pod_requests={"cpu": 500, "memory": 7}), (500, 7)),
    ("what it does not state is made up for each container", pod(box(), box(), pod_requests={"cpu": 500}), (500, 400)),
    ("unless some container states it", pod(box(memory=3), box(), pod_requests={"cpu": 500}), (500, 3)),
    ("a limit for the pod states something as well", pod(box(cpu=200), box(), pod_limits={"memory": 9}), (200, 9)),
    ("huge pages for the pod also do", pod(box(cpu=200), box(), pod_requests={HUGE: 2}), (200, 400)),
]


@pytest.mark.parametrize(("given_pod", "expected"), [row[1:] for row in SCORED], ids=[row[0] for row in SCORED])
def test_requests_for_scoring(given_pod: Pod, expected: tuple[int, int]) -> None:
    assert nonzero_requests_of(given_pod) == (expected[0], expected[1] * MI)


LIMITED = [
    ("limits add up", pod(box(limits={"cpu": 1}), box(limits={"cpu": 2})), {"cpu": 3}),
    ("limits for the pod take their place", pod(box(limits={"cpu": 1}), pod_limits={"cpu": 9}), {"cpu": 9}),
    ("overhead is added where there is a limit", pod(box(limits={"cpu": 1}), overhead={"cpu": 2, "memory": 2}), {"cpu": 3}),
]


@pytest.mark.parametrize(("given_pod", "expected"), [row[1:] for row in LIMITED], ids=[row[0] for row in LIMITED])
def test_limits(given_pod: Pod, expected: dict[str, int]) -> None:
    assert limits_of(given_pod) == scaled(expected)


BOXES = st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=5)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=4), BOXES)
def test_requests_are_the_most_that_ever_runs_at_once(main: list[int], init: list[tuple[int, bool]]) -> None:
    """Played through: each init container beside the sidecars so far, then everything that stays."""
    running, most = 0, 0
    for cpu, stays in init:
        most = max(most, running + cpu)
        running += cpu if stays else 0
    most = max(most, running + sum(main))
    given_pod = pod(*(box(cpu=cpu) for cpu in main), init=tuple(box(cpu=cpu, sidecar=stays) for cpu, stays in init))
    assert requests_of(given_pod) == {"cpu": most}

"""A whole class watches one run: real WebSocket clients in a process of their own, connected before the run begins."""

from __future__ import annotations

import pytest

from tests.bench.parts.stream import classroom, watch
from tests.bench.site import site


@pytest.mark.slow
def test_two_hundred_viewers_lose_no_event() -> None:
    with site(worker=False) as playground:
        run = playground.start(playground.save(classroom(nodes=4, pods=20)))
        found = watch(playground, run, 200, then=playground.worker.start)
        assert found["faults"] == []
        assert found["events"] == 200 * playground.finish(run)["last_seq"]

"""Streaming: every viewer gets every event once and in order, whatever happens to bells, viewers and workers."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter

from playground import chunks, metrics
from playground.models import Run
from playground.routing import websocket_urlpatterns
from playground.runs import consumers, execution, hub, notify

pytestmark = pytest.mark.django_db(transaction=True)
Make = Callable[..., Run]
application = URLRouter(websocket_urlpatterns)


class Socket(ApplicationCommunicator):
    """A WebSocket to our routes (channels.testing needs daphne)."""

    def __init__(self, address: str, headers: list[tuple[bytes, bytes]] | None = None) -> None:
        path, _, query = address.partition("?")
        scope = {"type": "websocket", "path": path, "query_string": query.encode(), "headers": headers or [], "client": ("192.0.2.9", 5)}
        super().__init__(application, scope)

    async def connect(self) -> bool:
        """Whether the server accepts."""
        await self.send_input({"type": "websocket.connect"})
        return bool((await self.receive_output(timeout=5))["type"] == "websocket.accept")

    async def disconnect(self) -> None:
        """Leave."""
        await self.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wait()


class Viewer:
    """A plain client: collects seqs until the end."""

    def __init__(self, run_id: str, after: int | str = 0, headers: list[tuple[bytes, bytes]] | None = None) -> None:
        self.socket = Socket(f"/ws/runs/{run_id}/?after={after}", headers)
        self.deflated: list[bytes] = []
        self.hello: dict[str, Any] = {}
        self.end: dict[str, Any] = {}
        self.seqs: list[int] = []
        self.code = 0

    async def connect(self) -> Viewer:
        assert await self.socket.connect()
        return self

    async def read(self, seconds: float = 10) -> dict[str, Any] | None:
        """The next message, None when the socket is closed."""
        message = await self.socket.receive_output(timeout=seconds)
        if message["type"] == "websocket.close":
            self.code = message["code"]
            return None
        said = chunks.decode(self._text(message))
        if said["type"] == "events":
            self.seqs.extend(event["seq"] for event in said["events"])
        else:
            setattr(self, said["type"], said)
        return said

    def _text(self, message: dict[str, Any]) -> bytes:
        if message.get("bytes") is None:
            return str(message["text"]).encode()
        self.deflated.append(message["bytes"])
        return zlib.decompress(message["bytes"], wbits=-15)

    async def watch(self) -> Viewer:
        await self.connect()
        while await self.read() is not None:
            pass
        return self


def execute(run: Run) -> asyncio.Future[str]:
    """The worker, in a thread of its own."""
    return asyncio.ensure_future(sync_to_async(execution.execute, thread_sensitive=False)(run.pk))


make = sync_to_async


async def test_a_viewer_who_was_there_first_sees_the_run_live(queue: Make) -> None:
    run = await make(queue)("events:60", "pause:0.005")
    viewer = await Viewer(run.pk).connect()
    await viewer.read()
    assert viewer.hello == {"type": "hello", "run": run.pk, "status": "queued", "last_seq": 0}
    work = execute(run)
    while await viewer.read() is not None:
        pass
    await work
    assert viewer.seqs == list(range(1, 61))
    assert viewer.end == {"type": "end", "status": "finished", "last_seq": 60}
    assert viewer.code == consumers.NORMAL


async def test_a_late_viewer_and_one_who_comes_back_get_the_same_events(finish: Make) -> None:
    run = await make(finish)("events:3000")
    late, again, at_the_end = await asyncio.gather(Viewer(run.pk).watch(), Viewer(run.pk, 1234).watch(), Viewer(run.pk, 3000).watch())
    assert late.seqs == list(range(1, 3001))
    assert again.seqs == list(range(1235, 3001))
    assert at_the_end.seqs == []
    assert at_the_end.end["status"] == "finished"


async def test_who_asks_for_it_gets_long_frames_deflated_and_the_same_events(finish: Make) -> None:
    run = await make(finish)("events:3000")
    plain, one, other = await asyncio.gather(
        Viewer(run.pk).watch(), Viewer(run.pk, "0&frames=deflate").watch(), Viewer(run.pk, "0&frames=deflate").watch()
    )
    assert plain.seqs == one.seqs == other.seqs == list(range(1, 3001))
    assert plain.deflated == []
    assert one.deflated
    assert all(mine is theirs for mine, theirs in zip(one.deflated, other.deflated, strict=True)), "made once, for all"
    assert sum(map(len, one.deflated)) < 60_000


async def test_short_frames_are_text_for_everybody(finish: Make) -> None:
    run = await make(finish)("events:3")
    viewer = await Viewer(run.pk, "0&frames=deflate").watch()
    assert (viewer.seqs, viewer.deflated) == ([1, 2, 3], [])


async def test_coming_and_going_while_the_run_plays_loses_and_doubles_nothing(queue: Make) -> None:
    run = await make(queue)("events:300", "pause:0.003")
    work = execute(run)
    seen: list[int] = []
    while not work.done() or not seen or seen[-1] < 300:
        viewer = await Viewer(run.pk, seen[-1] if seen else 0).connect()
        for _ in range(3):
            if await viewer.read() is None:
                break
        seen += viewer.seqs
        await viewer.socket.disconnect()
    assert seen == list(range(1, 301))


async def test_a_lost_bell_loses_no_event(queue: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notify, "ring", lambda run_id: None)
    monkeypatch.setattr(hub, "POLL_SECONDS", 0.1)
    run = await make(queue)("events:100", "pause:0.003")
    watching = asyncio.ensure_future(Viewer(run.pk).watch())
    await asyncio.sleep(0.2)
    await execute(run)
    assert (await watching).seqs == list(range(1, 101))


async def test_a_slow_viewer_does_not_hold_up_the_others(queue: Make) -> None:
    run = await make(queue)("events:200", "pause:0.002", "bulk:5000")
    async with hub.hubs().watching(run.pk) as watched:
        slow = watched.follow(0)
        work = execute(run)
        first = await anext(slow)
        quick = [frame async for frame in watched.follow(0)]
        await work
        rest = [frame async for frame in slow]
    assert quick[-1].last_seq == rest[-1].last_seq == 200
    assert first.last_seq < 200
    texts = [event["seq"] for frame in [first, *rest] for event in chunks.decode(frame.text.encode())["events"]]
    assert texts == list(range(1, 201))


async def test_two_hundred_viewers_share_what_is_read_and_encoded(queue: Make) -> None:
    run = await make(queue)("events:200", "pause:0.005")
    before = metrics.READS._value.get()
    watching = [asyncio.ensure_future(Viewer(run.pk).watch()) for _ in range(200)]
    await asyncio.sleep(0.5)
    await execute(run)
    done = time.monotonic()
    viewers = await asyncio.gather(*watching)
    assert all(viewer.seqs == list(range(1, 201)) for viewer in viewers)
    assert time.monotonic() - done < 1.0
    assert metrics.READS._value.get() - before < 200


@pytest.mark.slow
async def test_a_socket_that_hears_nothing_for_eleven_seconds_still_hears_the_bell(queue: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "POLL_SECONDS", 60.0)
    run = await make(queue)("events:5")
    viewer = await Viewer(run.pk).connect()
    await viewer.read()
    await asyncio.sleep(11)
    await execute(run)
    await viewer.read(seconds=2)
    assert viewer.seqs


async def test_nothing_is_left_when_viewers_have_gone(queue: Make) -> None:
    run = await make(queue)("events:5")
    viewer = await Viewer(run.pk).connect()
    await viewer.read()
    assert run.pk in hub.hubs()._hubs
    await viewer.socket.disconnect()
    for _ in range(50):
        if not hub.hubs()._hubs:
            break
        await asyncio.sleep(0.02)
    assert not hub.hubs()._hubs
    assert not consumers._open


@pytest.mark.parametrize("name", ["nothere0000000", "x", "%00", "..", "a" * 99])
async def test_an_unknown_run_is_closed_with_4404(name: str) -> None:
    assert (await Viewer(name).watch()).code == 4404


async def test_another_address_is_closed_with_4404() -> None:
    socket = Socket("/ws/nothing")
    assert await socket.connect()
    assert (await socket.receive_output())["code"] == 4404


@pytest.mark.parametrize("after", ["x", "-1", "", "1e3", "99999999999999999999"])
async def test_a_cursor_that_is_none_means_from_the_start(finish: Make, after: str) -> None:
    run = await make(finish)("events:5")
    assert (await Viewer(run.pk, after).watch()).seqs == [1, 2, 3, 4, 5]


async def test_a_client_with_too_many_sockets_is_closed_with_4429(queue: Make, settings) -> None:
    from dataclasses import replace

    settings.LIMITS = replace(settings.LIMITS, sockets_per_address=2)
    run = await make(queue)()
    kept = [await Viewer(run.pk).connect() for _ in range(2)]
    for viewer in kept:
        await viewer.read()
    assert (await Viewer(run.pk).watch()).code == 4429
    await kept[0].socket.disconnect()
    await asyncio.sleep(0.1)
    viewer = await Viewer(run.pk).connect()
    await viewer.read()
    assert viewer.hello["run"] == run.pk


@pytest.mark.parametrize(("origin", "code"), [(b"https://elsewhere.example", 4403), (b"http://localhost:8000", 1000), (None, 1000)])
async def test_pages_of_other_sites_are_not_served(finish: Make, origin: bytes | None, code: int) -> None:
    run = await make(finish)()
    headers = [(b"host", b"localhost:8000"), *([(b"origin", origin)] if origin else [])]
    assert (await Viewer(run.pk, headers=headers).watch()).code == code


async def test_a_run_that_nobody_works_on_is_handed_out_again_for_its_viewer(
    queue: Make, unheard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(hub, "_UNEASY_SECONDS", 0.1)
    monkeypatch.setattr("playground.runs.handing_out.ASK_AGAIN_SECONDS", 0.1)
    run = await make(queue)()
    unheard.clear()
    viewer = await Viewer(run.pk).connect()
    for _ in range(100):
        await asyncio.sleep(0.02)
        if unheard:
            break
    assert unheard[:1] == [run.pk]
    await viewer.socket.disconnect()


async def test_a_run_that_is_deleted_while_somebody_watches_ends_for_them(queue: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "POLL_SECONDS", 0.05)
    run = await make(queue)()
    viewer = await Viewer(run.pk).connect()
    await viewer.read()
    await make(run.delete)()
    while await viewer.read() is not None:
        pass
    assert viewer.code in {consumers.NORMAL, consumers.UNKNOWN}

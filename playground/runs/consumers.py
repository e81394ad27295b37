"""The WebSocket's door: ``/ws/runs/<id>/?after=N``.

The one rule: a consumer checks, follows the hub from its cursor and forwards; it knows nothing of logs and bells.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import structlog
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.http.request import validate_host

from playground import metrics
from playground.chunks import encode
from playground.http.clients import Client, identify_scope
from playground.http.query import whole_number
from playground.runs.hub import Hub, UnknownRunError, hubs

NORMAL, UNKNOWN, TOO_MANY, RESTARTING, FOREIGN = 1000, 4404, 4429, 1012, 4403
DEFLATE: Final = "deflate"
_open: Final[Counter[str]] = Counter()
_log = structlog.get_logger(__name__)


class RunConsumer(AsyncWebsocketConsumer):
    """Streams one run: hello, events, end."""

    # No channel of its own: the hub's subscription serves all viewers of a run.
    channel_layer_alias = "none"
    _writer: asyncio.Task[None] | None = None

    async def __call__(
        self, scope: MutableMapping[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        """Clean up however this ends: ``disconnect`` is not always called."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            if self._writer is not None:
                self._writer.cancel()

    async def connect(self) -> None:
        """Accept first, so that a refusal has a close code that browsers can read."""
        await self.accept()
        if not _is_own_origin(self.scope):
            await self.close(FOREIGN)
            return
        self._writer = asyncio.create_task(self._stream())

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """What viewers say is not listened to."""

    async def disconnect(self, code: int) -> None:
        """The viewer left."""
        if self._writer is not None:
            self._writer.cancel()

    async def _stream(self) -> None:
        try:
            with _place(identify_scope(self.scope)) as has_place:
                code = await self._follow() if has_place else TOO_MANY
        except UnknownRunError:
            code = UNKNOWN
        except OSError:  # the viewer is gone
            return
        except Exception as error:
            _log.error("viewer_dropped", error=repr(error))
            code = RESTARTING
        with contextlib.suppress(OSError, RuntimeError):
            await self.close(code)

    async def _follow(self) -> int:
        run_id = self.scope["url_route"]["kwargs"]["run_id"]
        async with hubs().watching(run_id) as hub:
            await self._tell(type="hello", run=run_id, status=hub.status, last_seq=hub.last_seq)
            deflates = _asked(self.scope, "frames") == DEFLATE
            async for frame in hub.follow(_cursor(self.scope)):
                if deflates and frame.is_worth_deflating:
                    await self.send(bytes_data=await frame.deflated())
                else:
                    await self.send(text_data=frame.text)
                metrics.FRAMES.inc()
            await self._end(hub)
        return NORMAL

    async def _end(self, hub: Hub) -> None:
        await self._tell(type="end", status=hub.status, last_seq=hub.last_seq)

    async def _tell(self, **message: Any) -> None:
        await self.send(text_data=encode(message).decode())


class NowhereConsumer(AsyncWebsocketConsumer):
    """Every other WebSocket address: closed as unknown."""

    channel_layer_alias = "none"

    async def connect(self) -> None:
        """Accept and close, so that the code can be read."""
        await self.accept()
        await self.close(UNKNOWN)


@contextlib.contextmanager
def _place(client: Client) -> Iterator[bool]:
    """Count an open socket of this client; whether there was room for it. Plain clients count by their address alone."""
    limits = settings.LIMITS
    places = {f"a:{client.address}": limits.sockets_per_address}
    if client.has_cookie:
        places[f"b:{client.browser}"] = limits.sockets_per_browser
    if any(_open[name] >= most for name, most in places.items()):
        yield False
        return
    _open.update(places.keys())
    metrics.VIEWERS.inc()
    try:
        yield True
    finally:
        metrics.VIEWERS.dec()
        for name in places:
            _open[name] -= 1
            if not _open[name]:
                del _open[name]


def _cursor(scope: MutableMapping[str, Any]) -> int:
    """The ``after`` of the address; what is not a number is 0: everything."""
    return whole_number(_asked(scope, "after")) or 0


def _asked(scope: MutableMapping[str, Any], name: str) -> str:
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    return str(query.get(name, [""])[-1])


def _is_own_origin(scope: MutableMapping[str, Any]) -> bool:
    """Browsers say which site a page comes from; pages of other sites are not served. Plain clients say nothing."""
    headers = dict(scope.get("headers", ()))
    origin = headers.get(b"origin")
    if origin is None:
        return True
    site = urlsplit(origin.decode("latin-1"))
    return site.netloc == headers.get(b"host", b"").decode("latin-1") or validate_host(site.hostname or "", settings.ALLOWED_HOSTS)

"""Bodies of requests: bounded while they arrive, and bounded again while they are unpacked.

The one rule: no size is believed; bytes are counted.
"""

from __future__ import annotations

import zlib
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest

from playground.chunks import encode

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

_PATIENCE_BYTES: Final = 64 * 1024 * 1024
"""How much of a body that is too large is read and thrown away, so that the client gets to read our answer."""


class BodyTooLargeError(Exception):
    """More bytes than we take. ``most`` is how many we do."""

    def __init__(self, most: int) -> None:
        super().__init__(f"The body is larger than {most} bytes")
        self.most = most


class UnreadableBodyError(Exception):
    """The body is not what its Content-Encoding says; ``status`` is 400 or 415."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class BoundedBodies:
    """ASGI: answers 413 when a body is larger than any form or document may be; Django itself would spool it whole."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Pass the request on, counting."""
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if declared.isdigit() and int(declared) > most:
            await _refuse(receive, send, most)
            return
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > most:
                raise BodyTooLargeError(most)
            return message

        try:
            await self._application(scope, counted, send)
        except BodyTooLargeError:
            await _refuse(receive, send, most)


async def _refuse(receive: Receive, send: Send, most: int) -> None:
    thrown_away = 0
    while thrown_away < _PATIENCE_BYTES:
        message = await receive()
        thrown_away += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body"):
            break
    text = f"A body may have at most {most} bytes."
    body = encode({"type": "about:blank", "title": text, "status": 413, "problems": [{"path": "", "line": None, "message": text}]})
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", b"%d" % len(body)), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def unpacked(request: HttpRequest, most: int) -> bytes:
    """The request's body without its Content-Encoding. Raises BodyTooLargeError, UnreadableBodyError."""
    encoding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding in {"", "identity"}:
        return _at_most(request.body, most)
    if encoding not in {"gzip", "x-gzip", "deflate"}:
        raise UnreadableBodyError(f"Content-Encoding {encoding!r} is not understood; gzip and deflate are", status=415)
    return _inflated(request.body, most)


def _inflated(data: bytes, most: int) -> bytes:
    stream = zlib.decompressobj(wbits=47)  # gzip or zlib, whichever the first bytes say
    try:
        whole = stream.decompress(data, most + 1)
    except zlib.error as error:
        raise UnreadableBodyError(f"The body is not gzip: {error}", status=400) from error
    if len(whole) > most:
        raise BodyTooLargeError(most)
    if not stream.eof:
        raise UnreadableBodyError("The compressed body ends too early", status=400)
    return whole


def _at_most(data: bytes, most: int) -> bytes:
    if len(data) > most:
        raise BodyTooLargeError(most)
    return data

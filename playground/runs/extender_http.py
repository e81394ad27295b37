"""Carries the extender protocol over HTTP, to hosts that the operator named and nowhere else.

The one rule: a scenario is a stranger's text, so its addresses are too: nothing is asked unless EXTENDER_ALLOWED_HOSTS names the host,
a name is resolved once and that address connected to, special addresses are refused unless an entry is that very address, no
redirect is followed, and both the time and the size of an answer are bounded.
"""

from __future__ import annotations

import base64
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from math import inf
from time import monotonic
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from playground.engine import ExtenderError, ExtenderRequest
from playground.runs.extender_hosts import Allowed, is_special, normal_host

Resolve = Callable[[str, int], Iterable[str]]
"""The addresses of a host and port, as text."""

_PORTS: Final = {"http": 80, "https": 443}
_TLS_FILES: Final = ("certFile", "keyFile", "caFile", "certData", "keyData")
_CHUNK: Final = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a request goes: the address connected to, and the name that the server is asked by."""

    scheme: str
    host: str
    port: int
    address: str
    path: str


@dataclass(slots=True, kw_only=True)
class HttpTransport:
    """Posts requests; remembers the address of each host for as long as it lives, which is one run."""

    allowed: Allowed
    seconds: float
    """For one call."""
    answer_bytes: int
    total_seconds: float = inf
    """For all calls together: a run with many slow extenders must end as well."""
    resolve: Resolve = field(default_factory=lambda: _resolve)
    _spent: float = 0.0
    _addresses: dict[tuple[str, int], str] = field(default_factory=dict)

    def post(self, request: ExtenderRequest) -> tuple[int, bytes]:
        """The status and the body of the answer. Raises ExtenderError for everything that goes wrong."""
        began = monotonic()
        left = self.total_seconds - self._spent
        if left <= 0:
            raise ExtenderError(f'Post "{request.url}": the time that extenders may take in one run is used up')
        try:
            return self._post(request, began + min(request.timeout_seconds, self.seconds, left))
        finally:
            self._spent += monotonic() - began

    def _post(self, request: ExtenderRequest, deadline: float) -> tuple[int, bytes]:
        target = self._target(request.url, deadline)
        try:
            return self._exchange(target, request, deadline)
        except (OSError, HTTPException, ValueError) as error:
            late = monotonic() >= deadline
            why = "it took too long" if late else str(error) or type(error).__name__
            raise ExtenderError(f'Post "{request.url}": {why}') from error

    # ---- where it goes ---------------------------------------------------------------------------------------------

    def _target(self, url: str, deadline: float) -> Target:
        parts = _split(url)
        host, port = normal_host(parts.hostname or ""), parts.port or _PORTS[parts.scheme]
        if not self.allowed.has(host, port):
            raise ExtenderError(f'Post "{url}": {host}:{port} is not among the hosts that extenders may have here')
        if (host, port) not in self._addresses:
            self._addresses[host, port] = self._address(url, host, port, deadline)
        path = parts.path or "/"
        return Target(scheme=parts.scheme, host=host, port=port, address=self._addresses[host, port], path=path)

    def _address(self, url: str, host: str, port: int, deadline: float) -> str:
        """The first address of the host; one special address among them refuses all."""
        addresses = [ipaddress.ip_address(text) for text in self._resolved(url, host, port, deadline)]
        for address in addresses:
            if is_special(address) and not self.allowed.has(str(address), port):
                raise ExtenderError(f'Post "{url}": {host} has the address {address}, which extenders may not have here')
        if not addresses:
            raise ExtenderError(f'Post "{url}": {host} has no address')
        return str(addresses[0])

    def _resolved(self, url: str, host: str, port: int, deadline: float) -> list[str]:
        """Asks in a thread of its own: a resolver knows no time limit."""
        pool = ThreadPoolExecutor(1, thread_name_prefix="resolve")
        try:
            return pool.submit(lambda: list(self.resolve(host, port))).result(max(deadline - monotonic(), 0))
        except FutureTimeoutError as error:
            raise ExtenderError(f'Post "{url}": looking up {host} took too long') from error
        except (OSError, UnicodeError) as error:
            raise ExtenderError(f'Post "{url}": looking up {host}: {error}') from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    # ---- the exchange ----------------------------------------------------------------------------------------------

    def _exchange(self, target: Target, request: ExtenderRequest, deadline: float) -> tuple[int, bytes]:
        raw = socket.create_connection((target.address, target.port), timeout=_left(deadline))
        # The limit is on the whole exchange; a server that drips bytes would never meet one on each read.
        guard = threading.Timer(_left(deadline), _cut, (raw,))
        guard.daemon = True
        guard.start()
        try:
            wire = _secured(raw, target.host, request.tls) if target.scheme == "https" else raw
            return self._talk(wire, target, request)
        finally:
            guard.cancel()
            raw.close()

    def _talk(self, wire: socket.socket, target: Target, request: ExtenderRequest) -> tuple[int, bytes]:
        connection = HTTPConnection(target.host, target.port)
        connection.sock = wire
        try:
            headers = {"Content-Type": "application/json", "Accept-Encoding": "identity", "Connection": "close"}
            connection.request("POST", target.path, request.body, headers)
            answer = connection.getresponse()
            return answer.status, self._body(answer)
        finally:
            connection.close()

    def _body(self, answer: HTTPResponse) -> bytes:
        body = bytearray()
        while chunk := answer.read(_CHUNK):
            body += chunk
            if len(body) > self.answer_bytes:
                raise ValueError(f"the answer is larger than {self.answer_bytes} bytes")
        if answer.length:
            raise ValueError("the answer ended too early")
        return bytes(body)


def transport() -> HttpTransport | None:
    """The transport that the settings ask for, new for each run; None while no host is allowed."""
    allowed: Allowed = settings.EXTENDER_ALLOWED_HOSTS
    if not allowed.entries:
        return None
    return HttpTransport(
        allowed=allowed,
        seconds=settings.LIMITS.extender_seconds,
        answer_bytes=settings.LIMITS.extender_bytes,
        total_seconds=settings.LIMITS.run_seconds,
    )


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ExtenderError(f'Post "{url}": {error}') from error
    if parts.scheme not in _PORTS:
        raise ExtenderError(f'Post "{url}": unsupported protocol scheme "{parts.scheme}"')
    if not parts.hostname or port == 0 or parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ExtenderError(f'Post "{url}": must be scheme, host, port and path only')
    if any(ord(character) <= 32 or ord(character) > 126 for character in url):
        raise ExtenderError(f'Post "{url}": must be printable ASCII')
    return parts


def _resolve(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


def _left(deadline: float) -> float:
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError("timed out")
    return left


def _cut(wire: socket.socket) -> None:
    with suppress(OSError):
        wire.shutdown(socket.SHUT_RDWR)


def _secured(raw: socket.socket, host: str, tls: Mapping[str, Any]) -> ssl.SSLSocket:
    """TLS by the request's ``tlsConfig``; certificates are verified unless it says ``insecure``. Files of this machine are not read."""
    unread = [name for name in _TLS_FILES if tls.get(name)]
    if unread:
        raise ValueError(f"tlsConfig.{unread[0]} is not read here")
    context = ssl.create_default_context(cadata=_authority(tls))
    if tls.get("insecure"):
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context.wrap_socket(raw, server_hostname=tls.get("serverName") or host)


def _authority(tls: Mapping[str, Any]) -> str | None:
    data = tls.get("caData")
    return base64.b64decode(data, validate=True).decode("ascii") if data else None

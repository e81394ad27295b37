"""Who asks: a browser, known by a cookie without meaning, and the address it sits behind. There are no accounts.

The one rule: neither is stored as it is, only as a keyed hash, and only to count.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from playground.http.cookies import may_set_cookie

COOKIE: Final = "browser"
_SALT: Final = "playground.http.clients"
_YEAR_SECONDS: Final = 365 * 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """``browser`` and ``address`` are keyed hashes, 32 hexadecimal digits; ``has_cookie`` is false for plain clients such as curl."""

    browser: str
    address: str
    has_cookie: bool


class ClientMiddleware(MiddlewareMixin):
    """Sets ``request.client``, and gives a browser its cookie with the first answer that is a page."""

    def process_request(self, request: HttpRequest) -> None:
        """Read the cookie; without a valid one the address and the user agent stand for the browser."""
        request.client = identify(  # type: ignore[attr-defined]
            cookie=request.COOKIES.get(COOKIE), address=request.META.get("REMOTE_ADDR", ""), agent=request.META.get("HTTP_USER_AGENT", "")
        )

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Set the cookie on pages; answers of the API carry none, so that plain clients stay plain."""
        client: Client | None = getattr(request, "client", None)
        if (
            client is None
            or client.has_cookie
            or not may_set_cookie(response)
            or not response.headers.get("Content-Type", "").startswith("text/html")
        ):
            return response
        response.set_cookie(
            COOKIE,
            signing.dumps(secrets.token_urlsafe(12), salt=_SALT),
            max_age=_YEAR_SECONDS,
            httponly=True,
            samesite="Lax",
            secure=settings.CSRF_COOKIE_SECURE,
        )
        return response


def client_of(request: HttpRequest) -> Client:
    """The client that the middleware found."""
    client: Client = request.client  # type: ignore[attr-defined]
    return client


def identify(*, cookie: str | None, address: str, agent: str) -> Client:
    """The client behind a cookie's value, an address and a user agent. Whatever is not a valid cookie counts as none."""
    network = _network(address)
    token = _token(cookie)
    return Client(
        browser=_hash(f"cookie {token}" if token else f"plain {network} {agent}"), address=_hash(network), has_cookie=token is not None
    )


def identify_scope(scope: Mapping[str, Any]) -> Client:
    """The client of an ASGI scope, for WebSockets."""
    headers = {name: value.decode("latin-1") for name, value in scope.get("headers", ())}
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(headers.get(b"cookie", ""))
    except CookieError:
        cookies.clear()
    address = (scope.get("client") or ("", 0))[0] or ""
    cookie = cookies[COOKIE].value if COOKIE in cookies else None
    return identify(cookie=cookie, address=address, agent=headers.get(b"user-agent", ""))


def _token(cookie: str | None) -> str | None:
    try:
        return str(signing.loads(cookie, salt=_SALT)) if cookie else None
    except signing.BadSignature:
        return None


def _network(address: str) -> str:
    """An IPv6 household has 2^64 addresses: its network counts as one."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def _hash(text: str) -> str:
    return hmac.new(settings.SECRET_KEY.encode(), text.encode("utf-8", "surrogateescape"), hashlib.sha256).hexdigest()[:32]

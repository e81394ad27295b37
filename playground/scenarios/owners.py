"""The rights of whoever made a scenario, without an account: the token that deletes it, kept in a cookie of that scenario's own address.

The one rule: the token is given once and stored hashed; who has lost it has lost it.
"""

from __future__ import annotations

from typing import Final, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from playground.models import Scenario
from playground.scenarios.saving import Saved

COOKIE: Final = "owner"
_YEAR_SECONDS: Final = 365 * 24 * 3600
_Response = TypeVar("_Response", bound=HttpResponse)


def remember(response: _Response, saved: Saved) -> _Response:
    """Give the browser the token of what it just made, for the pages of that scenario alone."""
    if saved.owner_token:
        response.set_cookie(
            COOKIE,
            saved.owner_token,
            path=reverse("scenario", args=[saved.scenario.pk]),
            max_age=_YEAR_SECONDS,
            httponly=True,
            samesite="Lax",
            secure=settings.CSRF_COOKIE_SECURE,
        )
    return response


def token_of(request: HttpRequest) -> str:
    """The token that the address or the form brings, else the one that this browser keeps."""
    return request.POST.get("token") or request.GET.get("token") or request.COOKIES.get(COOKIE, "")


def delete_address(request: HttpRequest, scenario: Scenario, token: str) -> str:
    """The link that deletes; whoever has it may."""
    return f"{request.build_absolute_uri(reverse('delete_scenario', args=[scenario.pk]))}?token={token}"

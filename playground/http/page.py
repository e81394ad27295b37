"""A page as an answer: in the language, the theme and the view that are asked for; and the answers that are not one page's own.

The one rule: nothing is read from the database here.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from playground import wording
from playground.http.ratelimit import TooManyError


def page(request: HttpRequest, template: str, context: dict[str, Any] | None = None, *, status: int = 200) -> HttpResponse:
    """A page in the language, the theme and the view that are asked for."""
    theme = request.COOKIES.get("theme", "")
    shell = {
        "lang": wording.language(),
        "theme": theme if theme in {"light", "dark"} else "",
        "view": "projector" if request.GET.get("view") == "projector" else "",
        "language_links": [(code, _with(request, lang=code)) for code in wording.LANGUAGES],
    }
    return render(request, template, {**shell, **(context or {})}, status=status)


def _with(request: HttpRequest, **changes: str) -> str:
    query = request.GET.copy()
    for name, value in changes.items():
        query[name] = value
    return f"{request.path}?{query.urlencode(safe='/')}"


class WrongMethodMiddleware(MiddlewareMixin):
    """A person who meets 405 gets a page; Django's own answer is empty."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Leave all but empty answers alone."""
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED or not isinstance(response, HttpResponse) or response.content:
            return response
        shown = page(request, "error.html", {"title_key": "error.405"}, status=HTTPStatus.METHOD_NOT_ALLOWED)
        shown["Allow"] = response.headers.get("Allow", "")
        return shown


def see_other(address: str) -> HttpResponseRedirect:
    """Go there, by GET: the answer to a form that was taken."""
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)


def too_many(request: HttpRequest, error: TooManyError) -> HttpResponse:
    """The page that asks to come back later."""
    response = page(request, "error.html", {"title_key": "error.429", "detail": error.said()}, status=HTTPStatus.TOO_MANY_REQUESTS)
    response["Retry-After"] = str(error.retry_after)
    return response

"""Errors as application/problem+json: ``{type, title, status, problems: [{path, line, message}]}``.

The one rule: whatever goes wrong under /api/ leaves in this form, also what Django answers before our code is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from playground import problem_words
from playground.chunks import encode
from playground.engine import Problem

CONTENT_TYPE: Final = "application/problem+json"
_MOST_PROBLEMS: Final = 200
_TITLES: Final = {
    400: "The request cannot be used",
    404: "There is nothing at this address",
    405: "This address does not take that method",
    410: "This was deleted",
    413: "The body is too large",
    415: "The body has a form that is not understood",
    429: "Too many requests",
    500: "Something went wrong on our side",
    503: "Not available at the moment",
}


def problem(status: int, title: str = "", problems: Iterable[Problem] = (), *, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """The answer for an error. ``problems`` beyond the first 200 are counted, not listed."""
    listed = [problem_words.document(each.document()) for each in problems]
    if len(listed) > _MOST_PROBLEMS:
        more = len(listed) - _MOST_PROBLEMS
        listed = [*listed[:_MOST_PROBLEMS], {"path": "", "line": None, "message": problem_words.said(f"and {more} more")}]
    document = {"type": "about:blank", "title": problem_words.said(title or title_of(status)), "status": status, "problems": listed}
    return HttpResponse(encode(document), status=status, content_type=CONTENT_TYPE, headers=dict(headers or {}))


def title_of(status: int) -> str:
    """What an error is called when nobody knows better."""
    return _TITLES.get(status) or HTTPStatus(status).phrase


class ProblemMiddleware(MiddlewareMixin):
    """Turns every other error under /api/ into a problem document."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Leave all but foreign errors of the API as they are."""
        if response.status_code < 400 or not request.path.startswith("/api/") or response.headers.get("Content-Type") == CONTENT_TYPE:
            return response
        kept: dict[str, Any] = {name: response.headers[name] for name in ("Allow", "Retry-After") if name in response.headers}
        return problem(response.status_code, headers=kept)

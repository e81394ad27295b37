"""Answers that leave nothing behind: pictures, and pages that stand in the pages of others.

The one rule: who shows an embed to readers brings no cookie of ours to them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.http import HttpResponseBase

_View = TypeVar("_View", bound=Callable[..., HttpResponseBase])


def without_cookies(view: _View) -> _View:
    """Mark what a view answers, so that no middleware sets a cookie on it."""

    @wraps(view)
    def marked(*args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(*args, **kwargs)
        response.leaves_no_cookie = True  # type: ignore[attr-defined]
        return response

    return marked  # type: ignore[return-value]


def may_set_cookie(response: HttpResponseBase) -> bool:
    """Whether middleware may set a cookie on this answer."""
    return not getattr(response, "leaves_no_cookie", False)

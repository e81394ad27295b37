"""The language of a page: ``?lang=`` wins and is remembered, else the cookie, else what the browser prefers.

The one rule: a language is only kept when somebody chose it.
"""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin

from playground.http.cookies import may_set_cookie

PARAMETER: Final = "lang"
_YEAR_SECONDS: Final = 365 * 24 * 3600


class LanguageMiddleware(MiddlewareMixin):
    """Stands after Django's LocaleMiddleware, which reads the cookie and the browser's wishes."""

    def process_request(self, request: HttpRequest) -> None:
        """Switch to the language that the address asks for."""
        chosen = _chosen(request)
        if chosen is None:
            return
        translation.activate(chosen)
        request.LANGUAGE_CODE = chosen

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Remember the choice."""
        chosen = _chosen(request)
        if chosen is not None and may_set_cookie(response) and request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME) != chosen:
            response.set_cookie(settings.LANGUAGE_COOKIE_NAME, chosen, max_age=_YEAR_SECONDS, samesite="Lax")
        return response


def _chosen(request: HttpRequest) -> str | None:
    value = request.GET.get(PARAMETER, "").lower()
    return value if value in dict(settings.LANGUAGES) else None

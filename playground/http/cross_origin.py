"""Which answers pages of other origins may read: what is public anyway, by GET, and never with cookies.

The one rule: nothing that writes, nothing that depends on who asks.
"""

from __future__ import annotations

import re
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

_PUBLIC: Final = re.compile(
    r"/api/v1/(openapi\.json|scenarios/[^/]+|runs/[^/]+(/(events|state|result))?)|/s/[^/]+\.(yaml|json)|/(s|r)/[^/]+/og\.png|/oembed"
)


class CrossOriginMiddleware(MiddlewareMixin):
    """Adds ``Access-Control-Allow-Origin: *`` to public reads; preflights of them are answered, all others are not."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """A preflight asks for permission: for reading, it gets one."""
        wanted = request.headers.get("Access-Control-Request-Method", "")
        if request.method != "OPTIONS" or wanted not in {"GET", "HEAD"} or not _PUBLIC.fullmatch(request.path):
            return None
        return HttpResponse(status=204, headers={"Access-Control-Allow-Methods": "GET, HEAD", "Access-Control-Max-Age": "86400"})

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Only what is read, and what is read the same by everybody."""
        is_read = request.method in {"GET", "HEAD"} or (request.method == "OPTIONS" and response.status_code == 204)
        if is_read and _PUBLIC.fullmatch(request.path):
            response["Access-Control-Allow-Origin"] = "*"
        return response

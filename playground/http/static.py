"""Files under /static/, as they are on the disk now: whole, compressed once, and never with the length of an earlier version.

The one rule: what is kept of a file holds only as long as its time and size do; WhiteNoise itself looks once, when the server starts.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

_WORTH_COMPRESSING_BYTES: Final = 1024
_COMPRESSED: Final = ("text/", "application/json", "application/javascript", "image/svg+xml")


@dataclass(slots=True, kw_only=True)
class Kept:
    """A file as it was at ``stamp``; ``described`` is WhiteNoise's, with headers and answers to conditions."""

    path: str
    stamp: tuple[int, int]
    described: Any
    compressed: bytes = field(default=b"")


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]  # WhiteNoise carries no types
    """WhiteNoise's names, types and conditions; bodies are read in one piece, since an ASGI server would wait for each block."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        super().__init__(get_response)
        self._kept: dict[str, Kept] = {}

    def add_files_from_finders(self) -> None:
        """Nothing at the start: files are looked up when they are asked for, and looked at again each time."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The file of the address, or the next one's answer."""
        kept = self._now(request.path_info) if request.path_info.startswith(self.static_prefix) else None
        if kept is None:
            response: HttpResponseBase = self.get_response(request)
            return response
        return self._answer(kept, request)

    def _now(self, url: str) -> Kept | None:
        kept = self._kept.get(url)
        if kept is not None and _stamp(kept.path) == kept.stamp:
            return kept
        path = next(iter(self.candidate_paths_for_url(url)), None) if self.url_is_canonical(url) and not url.endswith("/") else None
        stamp = _stamp(path) if path else None
        if path is None or stamp is None:
            self._kept.pop(url, None)
            return None
        self._kept[url] = Kept(path=path, stamp=stamp, described=self.get_static_file(path, url))
        return self._kept[url]

    def _answer(self, kept: Kept, request: HttpRequest) -> HttpResponse:
        found = kept.described.get_response(request.method, request.META)
        body = b""
        if found.file is not None:
            with found.file as file:
                body = file.read()
        response = HttpResponse(body, status=int(found.status))
        del response["Content-Type"]
        for name, value in found.headers:
            response[name] = value
        if request.method == "GET" and int(found.status) == 200:
            self._compress(kept, request, response)
            response["Content-Length"] = str(len(response.content))
        return response

    def _compress(self, kept: Kept, request: HttpRequest, response: HttpResponse) -> None:
        if len(response.content) < _WORTH_COMPRESSING_BYTES or not response["Content-Type"].startswith(_COMPRESSED):
            return
        response["Vary"] = "Accept-Encoding"
        if "gzip" not in request.headers.get("Accept-Encoding", ""):
            return
        kept.compressed = kept.compressed or gzip.compress(response.content, 6, mtime=0)
        response.content = kept.compressed
        response["Content-Encoding"] = "gzip"


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size) if os.path.isfile(path) else None

"""Doors of the exports: files to take away, a page to print, and the editor with the state of a step.

The one rule: a view checks, calls one function, answers.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Final

from asgiref.sync import sync_to_async
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_POST, require_safe

from playground import chunks, engine, selectors, wording
from playground.exports import formats
from playground.http.bodies import BodyTooLargeError, UnreadableBodyError, unpacked
from playground.http.page import page
from playground.models import Run
from playground.scenarios import uploads

_BLOCK_BYTES: Final = 256 * 1024


@require_safe
def events(request: HttpRequest, run_id: str) -> HttpResponseBase:
    """The log as JSON lines."""
    run = _run_or_404(run_id)
    return _file(request, formats.lines(run), f"{run.pk}.jsonl", "application/x-ndjson")


@require_safe
def trace(request: HttpRequest, run_id: str) -> HttpResponseBase:
    """The run for Perfetto and chrome://tracing."""
    run = _run_or_404(run_id)
    return _file(request, formats.chrome_trace(run), f"{run.pk}.trace.json", "application/json")


@require_safe
def storyboard(request: HttpRequest, run_id: str) -> HttpResponse:
    """The decisions in words, to print."""
    run = _run_or_404(run_id)
    scenes, more = formats.storyboard(run, lang=wording.language())
    return page(request, "storyboard.html", {"run": run, "scenario": run.scenario, "scenes": scenes, "more": more})


@require_safe
def objects(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """The objects of a scenario for kubectl apply."""
    found = selectors.get_scenario(scenario_id)
    if found is None or found.is_deleted:
        raise Http404
    response = HttpResponse(formats.kubectl_yaml(selectors.document(found)), content_type="application/yaml; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.pk}-objects.yaml"'
    response["X-Robots-Tag"] = "noindex"
    return response


@require_POST
def objects_of_text(request: HttpRequest) -> HttpResponse:
    """The same for a text that is not saved; 400 when it has problems."""
    try:
        parsed = uploads.parse(unpacked(request, settings.LIMITS.json_bytes), limits=settings.LIMITS)
    except (engine.InvalidInputError, BodyTooLargeError, UnreadableBodyError):
        return HttpResponse(status=400)
    return HttpResponse(formats.kubectl_yaml(chunks.decode(parsed.document)), content_type="application/yaml; charset=utf-8")


def _run_or_404(run_id: str) -> Run:
    found = selectors.get_run(run_id)
    if found is None:
        raise Http404
    return found


def _file(request: HttpRequest, pieces: Iterable[bytes], name: str, content_type: str) -> HttpResponseBase:
    """Sent piece by piece: a log may be larger than what one wants to hold."""
    response: HttpResponseBase = HttpResponse(content_type=content_type)
    if request.method != "HEAD":
        response = StreamingHttpResponse(_passed_on(iter(pieces)), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Robots-Tag"] = "noindex"
    return response


async def _passed_on(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    while block := await sync_to_async(_next_block)(pieces):
        yield block


def _next_block(pieces: Iterator[bytes]) -> bytes:
    """Small pieces together: each block costs a change of threads. Empty at the end."""
    block = bytearray()
    for piece in pieces:
        block += piece
        if len(block) >= _BLOCK_BYTES:
            break
    return bytes(block)

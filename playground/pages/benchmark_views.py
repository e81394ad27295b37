"""The door to /docs/benchmark."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from playground import wording
from playground.http.page import page
from playground.pages import benchmarks, documentation


@require_safe
def benchmark(request: HttpRequest) -> HttpResponse:
    """What was measured, on what machine, and how to measure it again."""
    context = {"report": benchmarks.report(), "blocks": documentation.page("benchmark", wording.language())}
    return page(request, "benchmark.html", context)

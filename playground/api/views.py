"""The door to /docs/api: the API in words."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from playground.api import description
from playground.api.calls import api
from playground.http.page import page


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Every call, made from the API's own description."""
    context = {"calls": description.calls(api.get_openapi_schema()), "origin": request.build_absolute_uri("/").rstrip("/")}
    return page(request, "sharing/api_docs.html", context)

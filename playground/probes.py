"""``/healthz`` and ``/metrics``: answered before anything else, whatever Host the probe names.

The one rule: 200 means that a run started now would be run; every check is bounded in time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.deprecation import MiddlewareMixin

from playground import engine, metrics
from playground.runs import broker


def healthz(_request: HttpRequest) -> HttpResponse:
    """``{status, web, database, broker, worker, engine}``; 503 unless all are up."""
    checks = {"web": True, "database": _database_is_up(), "broker": broker.is_up()}
    checks["worker"] = checks["broker"] and broker.workers.is_up()
    is_well = all(checks.values())
    parts = {name: "ok" if is_up else "down" for name, is_up in checks.items()}
    document = {"status": "ok" if is_well else "down", **parts, "engine": engine.version()}
    answer = JsonResponse(document, status=200 if is_well else 503, headers={"Cache-Control": "no-store"})
    answer._has_been_logged = True  # type: ignore[attr-defined]  # probes ask each second; Django would log each 503 as an error
    return answer


def prometheus(_request: HttpRequest) -> HttpResponse:
    """The metrics of this process."""
    return HttpResponse(metrics.exposition(), content_type="text/plain; version=0.0.4; charset=utf-8")


PROBES: Final[dict[str, Callable[[HttpRequest], HttpResponse]]] = {"/healthz": healthz, "/metrics": prometheus}


class ProbeMiddleware(MiddlewareMixin):
    """Stands first: probes come from inside, by addresses that ALLOWED_HOSTS does not list."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Answer the two addresses, let everything else pass."""
        probe = PROBES.get(request.path)
        if probe is None or request.method not in {"GET", "HEAD"}:
            return None
        return probe(request)


def _database_is_up() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return False
    return True

"""The API's door, ``/api/v1``: checks, calls one function, answers.

The one rule: names and answers are docs/contract.md's; every error is a problem document.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal

import structlog
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from ninja import Field, NinjaAPI, Query, Schema
from ninja.errors import HttpError, ValidationError

from playground import chunks, problem_words, selectors
from playground.engine import InvalidInputError, Problem
from playground.http.bodies import BodyTooLargeError, UnreadableBodyError, unpacked
from playground.http.clients import client_of
from playground.http.problems import problem
from playground.http.ratelimit import TooManyError
from playground.models import Run, Scenario
from playground.runs import starting
from playground.scenarios import saving, uploads

_MOST: Final = 2**31 - 1
_log = structlog.get_logger(__name__)
Seq = Annotated[int, Field(ge=0, le=_MOST)]
StatusName = Literal["queued", "running", "finished", "failed", "limit"]


class ProblemOut(Schema):
    """One thing that is wrong, or a warning."""

    path: str
    line: int | None = None
    message: str


class ErrorOut(Schema):
    """application/problem+json."""

    type: str
    title: str
    status: int
    problems: list[ProblemOut]


class SavedOut(Schema):
    """A saved scenario."""

    id: str
    url: str
    title: str
    counts: dict[str, int]
    warnings: list[ProblemOut]
    missing_nodes: list[str]
    owner_token: str | None = None


class CheckedOut(Schema):
    """What can be said of a text before it is saved."""

    problems: list[ProblemOut]
    warnings: list[ProblemOut]
    counts: dict[str, int]
    missing_nodes: list[str]
    made_up: list[dict[str, Any]]
    facts: dict[str, Any] | None


class RunIn(Schema):
    """Which scenario to run."""

    scenario: str


class OperationsIn(Schema):
    """What to do next: each operation has one of create, update, delete."""

    operations: list[dict[str, Any]] = Field(min_length=1, max_length=1000)
    after_seq: int | None = Field(default=None, ge=1, le=_MOST)


class RunOut(Schema):
    """A run that was just queued."""

    id: str
    url: str
    scenario: str
    status: StatusName
    events: str
    socket: str


class ContinuedFrom(Schema):
    """Where a run goes on from another one."""

    run: str
    after_seq: int


class ContinuedOut(RunOut):
    """A run that goes on from another one."""

    continues: ContinuedFrom


class RunStateOut(Schema):
    """Where a run stands."""

    id: str
    scenario: str
    status: StatusName
    last_seq: int
    engine: str
    created: str
    seconds: float | None
    error: str | None = None
    continues: ContinuedFrom | None = None


class EventsOut(Schema):
    """A part of the log."""

    events: list[dict[str, Any]]
    last_seq: int
    status: StatusName


class StateOut(Schema):
    """The cluster after an event."""

    t: float
    nodes: dict[str, Any]
    pods: dict[str, Any]
    queues: dict[str, Any]
    nominations: dict[str, Any]


class ResultOut(Schema):
    """What came out, so far."""

    placements: dict[str, Any]
    evicted: Any
    pending: dict[str, Any]
    status: StatusName


class _Api(NinjaAPI):
    """Says in its description what its errors look like."""

    def get_openapi_schema(self, **options: Any) -> Any:
        """Errors are application/problem+json, which ninja cannot say by itself."""
        schema = super().get_openapi_schema(**options)
        for operations in schema["paths"].values():
            for operation in operations.values():
                for status, response in operation["responses"].items():
                    if int(status) >= 400 and "application/json" in response.get("content", {}):
                        response["content"] = {"application/problem+json": response["content"].pop("application/json")}
        return schema


api = _Api(
    title="Preemption Playground",
    version="1",
    description="Scenarios, runs and their events. Write calls need no account; they are limited per client.",
    urls_namespace="api",
    docs_url=None,
)
_ERRORS: Final[Any] = dict.fromkeys((400, 404, 405, 410, 413, 415, 429), ErrorOut)
_DOCUMENT_BODY: Final = {
    "requestBody": {
        "required": True,
        "description": "Kubernetes objects (documents, List, PodList, ...) or a Scenario",
        "content": {"application/json": {"schema": {"type": "object"}}, "application/yaml": {"schema": {"type": "string"}}},
    }
}


class ScenarioQuery(Schema):
    """How to read an upload."""

    missing_nodes: Literal["make", ""] = Field(default="", alias="missing-nodes", description="make: make up nodes that pods are bound to")
    parent: str = Field(default="", max_length=64, description="the scenario that this one was made from")


class EventsQuery(Schema):
    """Which part of the log."""

    after: Seq = 0
    limit: Annotated[int, Field(ge=1, le=selectors.MOST_EVENTS)] = 1000


class StateQuery(Schema):
    """After which event; without it, the last one."""

    seq: Seq | None = None


@api.post("/scenarios", response={201: SavedOut, 200: SavedOut, **_ERRORS}, openapi_extra=_DOCUMENT_BODY, url_name="create_scenario")
def create_scenario(request: HttpRequest, query: Query[ScenarioQuery]) -> HttpResponse:
    """Save Kubernetes objects or a Scenario; 200 when the same content exists already."""
    if (request.content_type or "").startswith("multipart/"):
        return problem(415, "Send the document itself as the body, not a form")
    source = unpacked(request, settings.LIMITS.json_bytes)
    parent = selectors.get_scenario(query.parent) if query.parent else None
    saved = saving.create_scenario(source, client=client_of(request), parent=parent, make_missing_nodes=query.missing_nodes == "make")
    document = {
        "id": saved.scenario.pk,
        "url": f"/s/{saved.scenario.pk}",
        "title": saved.scenario.title,
        "counts": dict(saved.counts),
        "warnings": [problem_words.document(each.document()) for each in saved.warnings],
        "missing_nodes": list(saved.missing_nodes),
    }
    if saved.owner_token:
        document["owner_token"] = saved.owner_token
    return _json(document, status=201 if saved.created else 200, headers={"Location": f"/api/v1/scenarios/{saved.scenario.pk}"})


@api.post("/check", response={200: CheckedOut, **_ERRORS}, openapi_extra=_DOCUMENT_BODY, url_name="check")
def check(request: HttpRequest) -> HttpResponse:
    """Problems, warnings and facts of a text, without saving it; a text with problems is an answer, not an error."""
    if (request.content_type or "").startswith("multipart/"):
        return problem(415, "Send the document itself as the body, not a form")
    found = uploads.check(unpacked(request, settings.LIMITS.json_bytes), limits=settings.LIMITS)
    return _json({**found, **{name: [problem_words.document(each) for each in found[name]] for name in ("problems", "warnings")}})


@api.get("/scenarios/{scenario_id}", response={200: dict[str, Any], **_ERRORS}, url_name="scenario")
def read_scenario(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """The Scenario document."""
    return HttpResponse(selectors.document_bytes(_scenario(scenario_id)), content_type="application/json")


@api.post("/runs", response={202: RunOut, **_ERRORS}, url_name="create_run")
def create_run(request: HttpRequest, body: RunIn) -> HttpResponse:
    """Run a scenario."""
    run = starting.create_run(_scenario(body.scenario), client=client_of(request))
    return _json(_queued(run), status=202, headers={"Location": f"/api/v1/runs/{run.pk}"})


@api.post("/runs/{run_id}/continue", response={202: ContinuedOut, **_ERRORS}, url_name="continue_run")
def continue_run(request: HttpRequest, run_id: str, body: OperationsIn) -> HttpResponse:
    """Change the cluster after an event and go on from there: a new run whose earlier events are the same."""
    run = starting.continue_run(_run(run_id), body.operations, client=client_of(request), after_seq=body.after_seq)
    return _json({**_queued(run), "continues": _continues(run)}, status=202, headers={"Location": f"/api/v1/runs/{run.pk}"})


@api.get("/runs/{run_id}", response={200: RunStateOut, **_ERRORS}, url_name="run")
def read_run(request: HttpRequest, run_id: str) -> HttpResponse:
    """Where a run stands."""
    run = _run(run_id)
    document = {
        "id": run.pk,
        "scenario": run.scenario_id,
        "status": run.status,
        "last_seq": run.last_seq,
        "engine": run.engine,
        "created": run.created.isoformat(),
        "seconds": run.seconds,
        "error": run.error or None,
        "continues": _continues(run),
    }
    return _json(document)


@api.get("/runs/{run_id}/events", response={200: EventsOut, **_ERRORS}, url_name="events")
def read_events(request: HttpRequest, run_id: str, query: Query[EventsQuery]) -> HttpResponse:
    """Events after a seq. Fewer than ``limit`` may come when they are large: ask again after the last one you have."""
    part = selectors.log_after(run_id, query.after, most=query.limit)
    if part is None:
        raise Http404
    if part.is_final and part.last_seq == 0:
        _run(run_id)  # its log was dropped: it is made again, and the status says so next time
    head = chunks.encode({"last_seq": part.last_seq, "status": part.status})
    return HttpResponse(b'{"events":' + chunks.as_array(part.lines) + b"," + head[1:], content_type="application/json")


@api.get("/runs/{run_id}/state", response={200: StateOut, **_ERRORS}, url_name="state")
def read_state(request: HttpRequest, run_id: str, query: Query[StateQuery]) -> HttpResponse:
    """The cluster, the queues and the nominations after an event."""
    run = _run(run_id)
    seq = run.last_seq if query.seq is None else query.seq
    if seq > run.last_seq:
        raise InvalidInputError([Problem(path="seq", message=f"is {seq}; the run has {run.last_seq} events so far")])
    return _json(selectors.state(run, seq))


@api.get("/runs/{run_id}/result", response={200: ResultOut, **_ERRORS}, url_name="result")
def read_result(request: HttpRequest, run_id: str) -> HttpResponse:
    """Who runs where, who was evicted, who waits and why; ``status`` says whether that is the end of it."""
    run = _run(run_id)
    return _json({**selectors.result(run), "status": run.status})


def _scenario(scenario_id: str) -> Scenario:
    scenario = selectors.get_scenario(scenario_id)
    if scenario is None:
        raise Http404
    if scenario.is_deleted:
        raise HttpError(410, "This scenario was deleted")
    return scenario


def _run(run_id: str) -> Run:
    run = selectors.get_run(run_id)
    if run is None:
        raise Http404
    starting.wake(run)
    return run


def _queued(run: Run) -> dict[str, Any]:
    return {
        "id": run.pk,
        "url": f"/r/{run.pk}",
        "scenario": run.scenario_id,
        "status": run.status,
        "events": f"/api/v1/runs/{run.pk}/events",
        "socket": f"/ws/runs/{run.pk}/",
    }


def _continues(run: Run) -> dict[str, Any] | None:
    return {"run": run.continues_id, "after_seq": run.after_seq} if run.continues_id else None


def _json(document: Any, *, status: int = 200, headers: dict[str, str] | None = None) -> HttpResponse:
    return HttpResponse(chunks.encode(document), status=status, content_type="application/json", headers=headers)


# -- errors -----------------------------------------------------------------------------------------------------------
@api.exception_handler(InvalidInputError)
def _invalid_input(request: HttpRequest, error: InvalidInputError) -> HttpResponse:
    return problem(413 if error.too_large else 400, problems=error.problems)


@api.exception_handler(ValidationError)
def _invalid_request(request: HttpRequest, error: ValidationError) -> HttpResponse:
    return problem(400, problems=[_of_validation(each) for each in error.errors])


@api.exception_handler(TooManyError)
def _too_many(request: HttpRequest, error: TooManyError) -> HttpResponse:
    return problem(429, error.said(), headers={"Retry-After": str(error.retry_after)})


@api.exception_handler(BodyTooLargeError)
def _too_large(request: HttpRequest, error: BodyTooLargeError) -> HttpResponse:
    return problem(413, problems=[Problem(path="", message=str(error))])


@api.exception_handler(UnreadableBodyError)
def _unreadable(request: HttpRequest, error: UnreadableBodyError) -> HttpResponse:
    return problem(error.status, problems=[Problem(path="", message=str(error))])


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return problem(404)


@api.exception_handler(HttpError)
def _http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    unreadable = _unreadable_json(request) if error.status_code == 400 else None
    return problem(error.status_code, problems=[unreadable or Problem(path="", message=str(error))])


@api.exception_handler(Exception)
def _our_mistake(request: HttpRequest, error: Exception) -> HttpResponse:
    _log.error("api_failed", path=request.path, exc_info=error)
    return problem(500)


def _unreadable_json(request: HttpRequest) -> Problem | None:
    """Where a body stops being JSON; None when it is JSON."""
    try:
        json.loads(request.body)
    except json.JSONDecodeError as error:
        return Problem(
            path="", message=f"the body is not JSON: {error.msg[:1].lower()}{error.msg[1:]} (column {error.colno})", line=error.lineno
        )
    except (UnicodeDecodeError, RecursionError) as error:
        return Problem(path="", message=f"the body is not JSON: {type(error).__name__}")
    return None


_SAID: Final = {
    "missing": "is required",
    "string_type": "must be a text",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "is too large",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_attributes_type": "must be an object",
    "too_short": "must not be empty",
}


def _of_validation(error: dict[str, Any]) -> Problem:
    """``loc`` is ("body", "body", "scenario") or ("query", "query", "after"): the last names are what the sender knows."""
    path = ""
    for name in error.get("loc", ()):
        if isinstance(name, int):
            path += f"[{name}]"
        elif name not in {"body", "query", "path"}:
            path += f".{name}" if path else str(name)
    said = str(error.get("msg", "is not valid"))
    return Problem(path=path, message=_SAID.get(str(error.get("type")), said[:1].lower() + said[1:]))

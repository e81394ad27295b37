"""The Scenario: objects, configuration and a timeline, everything that a run depends on.

The one rule: a scenario is a value. Its document has only what was given, so equal scenarios are equal bytes
(:func:`canonical_json`) and may be found by their hash.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scheduler_core.api.extenders import read_extenders
from scheduler_core.api.fields import EMPTY, Fields, Value, found
from scheduler_core.api.findings import Findings, Path
from scheduler_core.api.generate import generated
from scheduler_core.api.objects import KubeObject
from scheduler_core.api.parse import CLUSTER_WIDE, Parser, identity

API_VERSION: Final = "playground/v1"
KIND: Final = "Scenario"
VERBS: Final = ("create", "update", "delete")
KNOWN: Final = frozenset({"apiVersion", "kind", "metadata", "objects", "config", "featureGates", "extenders", "timeline", "seed", "until"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One change of the cluster at ``at`` seconds of virtual time; ``object`` is None for a delete."""

    at: float
    verb: str
    kind: str
    name: str
    namespace: str = ""
    object: KubeObject | None = None

    def document(self) -> dict[str, Any]:
        """``{at, create | update: object}`` or ``{at, delete: {kind, namespace, name}}``."""
        if self.object is not None:
            return {"at": self.at, self.verb: self.object.manifest}
        target = {"kind": self.kind, "name": self.name}
        if self.namespace:
            target["namespace"] = self.namespace
        return {"at": self.at, self.verb: target}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scenario:
    """Everything that a run depends on; ``until`` is in seconds of virtual time."""

    title: str = ""
    summary: str = ""
    lang: str = ""
    tags: tuple[str, ...] = ()
    objects: tuple[KubeObject, ...] = ()
    config: Mapping[str, Any] | None = None
    feature_gates: Mapping[str, bool] = field(default_factory=dict)
    extenders: tuple[Mapping[str, Any], ...] = ()
    timeline: tuple[Operation, ...] = ()
    seed: int = 0
    until: float | None = None

    def document(self) -> dict[str, Any]:
        """The canonical Scenario document: only what was given, objects without noise and generators rolled out."""
        metadata: dict[str, Any] = {"title": self.title, "summary": self.summary, "lang": self.lang, "tags": list(self.tags)}
        result: dict[str, Any] = {
            "apiVersion": API_VERSION,
            "kind": KIND,
            "metadata": {key: value for key, value in metadata.items() if value},
            "objects": [value.manifest for value in self.objects],
            "seed": self.seed,
        }
        optional = {
            "config": self.config,
            "featureGates": dict(self.feature_gates),
            "extenders": list(self.extenders),
            "timeline": [operation.document() for operation in self.timeline],
        }
        result.update((key, value) for key, value in optional.items() if value)
        if self.until is not None:
            result["until"] = self.until
        return result


def canonical_json(document: Value) -> bytes:
    """The bytes that stand for a document: keys sorted, no white space, UTF-8."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")


def scenario_from_document(document: Mapping[str, Any]) -> Scenario:
    """The scenario of a document that is stored already, or of a case to evaluate: read as written.

    Takes a Scenario, or any map with its keys (a conformance case: ``script`` is its timeline). What an API server would refuse is
    kept where it can be read; what cannot be read raises :class:`InvalidInputError` with all problems.
    """
    findings = Findings(strict=False)
    scenario = read_scenario(Parser(findings), document, None)
    findings.raise_problems()
    return scenario


def is_scenario(document: Value) -> bool:
    """Whether a document is a Scenario rather than a Kubernetes object."""
    return (
        type(document) is dict and document.get("kind") == KIND and str(document.get("apiVersion", API_VERSION)).startswith("playground/")
    )


def read_scenario(parser: Parser, document: Value, path: Path | None) -> Scenario:
    """The scenario of a document; what is wrong is among the parser's findings."""
    fields = parser.fields
    raw = fields.mapping(document, path)
    meta_at, meta = (path, "metadata"), fields.mapping(raw.get("metadata"), (path, "metadata"))
    timeline_key = "timeline" if "script" not in raw else "script"
    return Scenario(
        title=fields.text(meta, "title", meta_at),
        summary=fields.text(meta, "summary", meta_at),
        lang=fields.text(meta, "lang", meta_at),
        tags=fields.strings(meta.get("tags"), (meta_at, "tags")),
        objects=tuple(read_objects(parser, raw.get("objects"), (path, "objects"))),
        config=fields.mapping(raw["config"], (path, "config")) if raw.get("config") is not None else None,
        feature_gates=_read_gates(fields, raw.get("featureGates"), (path, "featureGates")),
        extenders=read_extenders(fields, raw.get("extenders"), (path, "extenders")),
        timeline=_read_timeline(parser, raw.get(timeline_key), (path, timeline_key)),
        seed=fields.integer(raw, "seed", path, low=0, high=2**63 - 1) or 0,
        until=_read_seconds(fields, raw, "until", path),
    )


def read_objects(parser: Parser, value: Value, path: Path | None) -> Iterator[KubeObject]:
    """The objects of a list, with lists in it unrolled and generators rolled out."""
    for index, item in enumerate(parser.fields.items(value, path)):
        if parser.findings.too_large:
            return
        yield from read_objects_of(parser, item, (path, index))


def read_objects_of(parser: Parser, item: Value, path: Path | None) -> Iterator[KubeObject]:
    """The objects that one item of a list, or one document, stands for."""
    for manifest, here in parser.unrolled(item, path):
        if parser.findings.too_large:
            return
        for one in _made(parser, manifest, here):
            if parser.left_to_read <= 0:
                parser.findings.exceed(here, "there are more objects than are taken")
                return
            parser.left_to_read -= 1
            value = parser.read(one, here)
            if value is not None:
                parser.places.append(here)
                yield value


def _made(parser: Parser, manifest: Value, path: Path | None) -> Iterable[Value]:
    if type(manifest) is dict and "generate" in manifest:
        return generated(parser.fields, manifest, path)
    return (manifest,)


def _read_gates(fields: Fields, value: Value, path: Path) -> Mapping[str, bool]:
    gates = fields.mapping(value, path)
    return {name: fields.boolean(gates, name, path) for name in gates} if gates else EMPTY


def _read_seconds(fields: Fields, owner: Mapping[str, Value], key: str, path: Path | None) -> float | None:
    value = owner.get(key)
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 10**9:
        return value
    fields.problem((path, key), f"must be a number of seconds from 0 to 1000000000, not {found(value)}")
    return None


def _read_timeline(parser: Parser, value: Value, path: Path) -> tuple[Operation, ...]:
    operations: list[tuple[Operation, Path]] = []
    for item, here in parser.fields.maps(value, path):
        operation = _read_operation(parser, item, here)
        if operation is not None:
            operations.append((operation, here))
    operations.sort(key=lambda pair: pair[0].at)
    parser.timeline_places.extend(place for _, place in operations)
    return tuple(operation for operation, _ in operations)


def _read_operation(parser: Parser, item: Mapping[str, Value], path: Path) -> Operation | None:
    fields = parser.fields
    at = _read_seconds(fields, item, "at", path)
    verbs = [verb for verb in VERBS if item.get(verb) is not None]
    if item.get("at") is None:
        fields.problem((path, "at"), "is required: the second of virtual time at which it happens")
    if len(verbs) != 1:
        fields.problem(path, "must have exactly one of create, update and delete")
        return None
    verb = verbs[0]
    if verb == "delete":
        return _read_delete(fields, item[verb], at or 0, (path, verb))
    value = parser.read(item[verb], (path, verb))
    if value is None:
        return None
    kind, namespace, name = identity(value)
    return Operation(at=at or 0, verb=verb, kind=kind, namespace=namespace, name=name, object=value)


def _read_delete(fields: Fields, value: Value, at: float, path: Path) -> Operation:
    raw = fields.mapping(value, path)
    kind = fields.required_text(raw, "kind", path)
    return Operation(
        at=at,
        verb="delete",
        kind=kind,
        namespace=fields.text(raw, "namespace", path, "" if kind in CLUSTER_WIDE else "default"),
        name=fields.required_text(raw, "name", path),
    )

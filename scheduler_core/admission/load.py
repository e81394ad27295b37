"""From what a person pasted to a scenario: the one door for text.

The one rule: either a :class:`Loaded` comes out or one :class:`InvalidInputError` with everything that is wrong, by path and
line; nothing else, whatever the bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from scheduler_core.admission.chain import admit
from scheduler_core.api.decode import Decoded, decode_json, decode_text, looks_like_json
from scheduler_core.api.fields import Fields, found
from scheduler_core.api.findings import Findings, Path, keys_of_text
from scheduler_core.api.lines import lines_of
from scheduler_core.api.missing_nodes import missing_nodes
from scheduler_core.api.objects import KubeObject, Node, Other, Pod, kind_of
from scheduler_core.api.parse import Parser, identity
from scheduler_core.api.scenario import Scenario, is_scenario, read_objects, read_objects_of, read_scenario
from scheduler_core.api.yaml_stream import decode_yaml
from scheduler_core.configuration import profiles_of
from scheduler_core.errors import InvalidInputError, Problem

MIB: Final = 1024 * 1024
OTHER_OBJECTS: Final = 45_000
"""How many objects that are neither nodes nor pods are read at most, beside as many of those as the limits allow."""
CONFIG_KIND: Final = "KubeSchedulerConfiguration"


@dataclass(frozen=True, slots=True, kw_only=True)
class InputLimits:
    """What is refused as too large: sizes in bytes of text, numbers of objects, depth and aliases of YAML."""

    json_bytes: int = 16 * MIB
    yaml_bytes: int = 4 * MIB
    nodes: int = 5_000
    pods: int = 50_000
    operations: int = 10_000
    depth: int = 64
    aliases: int = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A scenario that was read: what it warns of, how many objects of each kind it has, nodes that only pods know of."""

    scenario: Scenario
    warnings: tuple[Problem, ...]
    counts: Mapping[str, int]
    missing_nodes: tuple[str, ...]


DEFAULT_LIMITS: Final = InputLimits()


def load(source: bytes | str, *, limits: InputLimits = DEFAULT_LIMITS) -> Loaded:
    """Read Kubernetes objects or a Scenario from YAML or JSON, and admit the objects as an API server does.

    Raises :class:`InvalidInputError` with all problems; its ``too_large`` is true where a limit of size was passed.
    """
    decoded = _decoded(source, limits)
    del source  # megabytes, which the decoded text has again
    findings = Findings()
    parser = Parser(findings, most_objects=limits.nodes + limits.pods + OTHER_OBJECTS)
    scenario, config_path = _read(parser, decoded)
    places = parser.places
    numbered = len(decoded.documents) > 1

    def line_of(paths: Iterable[Path | None]) -> Mapping[Path | None, int]:
        return lines_of(decoded, paths, numbered=numbered)

    _check_counts(scenario, findings, limits)
    if not findings.too_large:
        _check_duplicates(scenario.objects, places, findings)
        _check_configuration(scenario, places, config_path, findings)
        scenario = admit(scenario, places, parser.timeline_places, findings)
        _check_any(scenario, places, findings)
    findings.raise_problems(line_of)
    missing = missing_nodes(scenario.objects)
    _warn_of_missing(scenario, places, missing, findings)
    counts = Counter(kind_of(value) for value in scenario.objects)
    return Loaded(scenario=scenario, warnings=findings.warnings(line_of), counts=dict(sorted(counts.items())), missing_nodes=missing)


def _decoded(source: bytes | str, limits: InputLimits) -> Decoded:
    size = len(source) if isinstance(source, bytes) or source.isascii() else len(source.encode("utf-8", "surrogatepass"))
    _check_size(size, limits.json_bytes, "text")
    text = decode_text(source)
    if not looks_like_json(text):
        _check_size(size, limits.yaml_bytes, "YAML")
        return decode_yaml(text, depth=limits.depth, aliases=limits.aliases)
    try:
        return decode_json(text, depth=limits.depth)
    except InvalidInputError as error:
        if size > limits.yaml_bytes or not str(error.problems[0].message).startswith("the text is not JSON"):
            raise
        try:
            return decode_yaml(text, depth=limits.depth, aliases=limits.aliases)
        except InvalidInputError:
            raise error from None


def _check_size(size: int, limit: int, what: str) -> None:
    if size > limit:
        message = f"the {what} has {size} bytes: at most {limit} are taken"
        raise InvalidInputError([Problem(path="", message=message)], too_large=True)


def _read(parser: Parser, decoded: Decoded) -> tuple[Scenario, Path | None]:
    """The scenario of the documents, and the path of its configuration."""
    findings = parser.findings
    documents = [(index, document) for index, document in enumerate(decoded.documents) if document is not None]
    roots: dict[int, Path | None] = {index: ((None, "documents"), index) if len(decoded.documents) > 1 else None for index, _ in documents}
    scenarios = [(index, document) for index, document in documents if is_scenario(document)]
    if scenarios:
        return _read_one_scenario(parser, documents, scenarios, roots)
    scenario = Scenario()
    objects: list[KubeObject] = []
    config_path: Path | None = None
    for index, document in documents:
        root = roots[index]
        if type(document) is dict and document.get("kind") == CONFIG_KIND:
            if scenario.config is not None:
                findings.problem(root, f"is a second {CONFIG_KIND}: there can be one")
            scenario, config_path = replace(scenario, config=document), root
        elif type(document) is list:
            objects.extend(read_objects(parser, document, root))
        elif type(document) is not dict:
            findings.problem(root, f"must be a Kubernetes object, not {found(document)}")
        else:
            objects.extend(read_objects_of(parser, document, root))
    return replace(scenario, objects=tuple(objects)), config_path


def _read_one_scenario(
    parser: Parser, documents: list[tuple[int, Any]], scenarios: list[tuple[int, Any]], roots: Mapping[int, Path | None]
) -> tuple[Scenario, Path | None]:
    index, document = scenarios[0]
    for other, _ in documents:
        if other != index:
            parser.findings.problem(roots[other], "stands beside a Scenario: put objects under its objects")
    return read_scenario(parser, document, roots[index]), (roots[index], "config")


def _check_counts(scenario: Scenario, findings: Findings, limits: InputLimits) -> None:
    nodes = sum(type(value) is Node for value in scenario.objects)
    pods = sum(type(value) is Pod for value in scenario.objects)
    for what, count, limit in (
        ("nodes", nodes, limits.nodes),
        ("pods", pods, limits.pods),
        ("operations in the timeline", len(scenario.timeline), limits.operations),
    ):
        if count > limit:
            findings.exceed(None, f"there are {count} {what}: at most {limit} are taken")


def _check_duplicates(objects: tuple[KubeObject, ...], places: list[Path | None], findings: Findings) -> None:
    seen: dict[tuple[str, str, str], int] = {}
    for index, value in enumerate(objects):
        key = identity(value)
        if key in seen and value.name:
            kind, namespace, name = key
            shown = f"{namespace}/{name}" if namespace else name
            findings.problem(((places[index], "metadata"), "name"), f"there is another {kind} {shown!r}")
        seen[key] = index


def _check_configuration(scenario: Scenario, places: list[Path | None], config_path: Path | None, findings: Findings) -> None:
    """Hold the configuration to what kube-scheduler checks, and name pods that no profile of it serves."""
    if not _has_lists(scenario.config or {}, config_path, findings):
        return
    try:
        configuration = profiles_of(scenario.config, scenario.feature_gates)
    except InvalidInputError as error:
        for problem in error.problems:
            findings.problem(_under(config_path, problem.path), problem.message)
        return
    for warning in configuration.warnings:
        findings.warn(_under(config_path, warning.path), warning.message)
    known = tuple(configuration.profiles)
    for value, place in zip(scenario.objects, places, strict=True):
        if type(value) is Pod and not value.node_name and value.scheduler_name not in known:
            message = f"{value.scheduler_name[:80]!r} is no profile here ({', '.join(known)}): the pod waits for ever"
            findings.warn(((place, "spec"), "schedulerName"), message)


def _has_lists(config: Mapping[str, Any], path: Path | None, findings: Findings) -> bool:
    """Whether the lists that hold everything else are lists at all: only then is the rest worth a judgement."""
    before, fields = findings.problem_count, Fields(findings)
    for profile, here in fields.maps(config.get("profiles"), (path, "profiles")):
        for _ in fields.maps(profile.get("pluginConfig"), (here, "pluginConfig")):
            pass
    return findings.problem_count == before


def _under(path: Path | None, text: str) -> Path | None:
    for key in keys_of_text(text):
        path = (path, key)
    return path


def _warn_of_missing(scenario: Scenario, places: list[Path | None], missing: tuple[str, ...], findings: Findings) -> None:
    """Name each missing node where the first pod is bound to it."""
    counts: Counter[str] = Counter()
    first: dict[str, Path] = {}
    for value, place in zip(scenario.objects, places, strict=True) if missing else ():
        if type(value) is Pod and value.node_name:
            counts[value.node_name] += 1
            first.setdefault(value.node_name, ((place, "spec"), "nodeName"))
    for name in missing:
        bound = "one pod is" if counts[name] == 1 else f"{counts[name]} pods are"
        findings.warn(
            first[name], f"node {name!r} is not among the objects, but {bound} bound to it: it can be made up from what they request"
        )


def _check_any(scenario: Scenario, places: list[Path | None], findings: Findings) -> None:
    """There must be something to look at: one object at least of a kind that is modelled."""
    if scenario.timeline or findings.problem_count or any(type(value) is not Other for value in scenario.objects):
        return
    if not scenario.objects:
        findings.problem(None, "there is no Kubernetes object in the text")
    for value, place in zip(scenario.objects, places, strict=True):
        findings.problem((place, "kind"), f"{kind_of(value)[:80]!r} is no kind that scheduling knows, and there is nothing else to run")

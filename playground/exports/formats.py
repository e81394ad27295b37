"""Runs and scenarios in the forms of other tools: event lines, a trace for Perfetto, objects for kubectl, a storyboard, a new draft.

The one rule: everything is read from the log or the scenario; nothing is simulated again and nothing is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from playground import chunks, presenters, selectors
from playground.models import Run

MICRO: Final = 1_000_000
SCHEDULER, NODES, QUEUES = 1, 2, 3
"""Processes of the trace: the scheduler's cycles, the pods on nodes, the lengths of the queues."""
_LANES: Final = ("active", "backoff", "unschedulable", "gated")
_MOST_SCENES: Final = 100
_SETUP: Final = "setup/"
_TOLD: Final = ("cycle.", "preemption.", "pod.bound", "pod.terminating", "pod.gone", "run.", "object.deleted")


# -- the log as it is -------------------------------------------------------------------------------------------------
def lines(run: Run) -> Iterator[bytes]:
    """Every event so far as a line of JSON, line break included."""
    return (line + b"\n" for line in selectors.lines(run))


def events(run: Run, *, up_to: int | None = None) -> Iterator[dict[str, Any]]:
    """Every event decoded, the last of them ``up_to``."""
    for line in selectors.lines(run):
        event: dict[str, Any] = chunks.decode(line)
        if up_to is not None and event["seq"] > up_to:
            return
        yield event


# -- a trace for Perfetto ---------------------------------------------------------------------------------------------
def chrome_trace(run: Run) -> Iterator[bytes]:
    """The run in the Trace Event Format, as pieces of one JSON text; a microsecond is added for each event of the same moment."""
    tracer = _Tracer()
    yield b'{"displayTimeUnit":"ms","traceEvents":[' + b",".join(chunks.encode(each) for each in _names())
    for event in events(run):
        for each in tracer.of(event):
            yield b"," + chunks.encode(each)
    for each in tracer.rest():
        yield b"," + chunks.encode(each)
    yield b"]}"


def _names() -> Iterator[dict[str, Any]]:
    for process, name in ((SCHEDULER, "kube-scheduler"), (NODES, "nodes"), (QUEUES, "queues")):
        yield {"ph": "M", "pid": process, "tid": 0, "name": "process_name", "args": {"name": name}}
        yield {"ph": "M", "pid": process, "tid": 0, "name": "process_sort_index", "args": {"sort_index": process}}


@dataclass(slots=True)
class _Tracer:
    """Open slices, the lanes, and the nodes' numbers, while events go by in order."""

    cycle: dict[str, Any] | None = None
    phase: dict[str, Any] | None = None
    at: int = 0
    threads: dict[str, int] = field(default_factory=dict)
    where: dict[str, str] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_LANES, 0))

    def of(self, event: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """What the event adds to the trace."""
        self.at = max(self.at + 1, round(event["t"] * MICRO))
        kind, data = event["kind"], event["data"]
        if kind == "cycle.started":
            yield from self._closed()
            self.cycle = self._slice(f"{data['pod']}", event)
        elif not event["path"].startswith("c") or (self.cycle is not None and not event["path"].startswith(self.cycle["args"]["path"])):
            yield from self._closed()
        if self.cycle is not None and event["path"].startswith("c"):
            yield from self._in_cycle(event)
        yield from self._on_nodes(event)
        yield from self._in_queues(event)

    def rest(self) -> Iterator[dict[str, Any]]:
        """What is still open at the end."""
        yield from self._closed()

    def _slice(self, name: str, event: Mapping[str, Any]) -> dict[str, Any]:
        cycle = event["path"].partition("/")[0]
        return {"ph": "X", "pid": SCHEDULER, "tid": 1, "name": name, "ts": self.at, "dur": 1, "cat": "cycle", "args": {"path": cycle}}

    def _in_cycle(self, event: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        phase = event["phase"]
        if self.phase is not None and self.phase["name"] != phase:
            yield self._ended(self.phase)
            self.phase = None
        if phase and self.phase is None:
            self.phase = {**self._slice(phase, event), "cat": "preemption"}
        arguments = {"path": event["path"], "message": event["message"]["args"]}
        yield {"ph": "X", "pid": SCHEDULER, "tid": 1, "name": event["kind"], "ts": self.at, "dur": 1, "cat": "decision", "args": arguments}

    def _closed(self) -> Iterator[dict[str, Any]]:
        for each in (self.phase, self.cycle):
            if each is not None:
                yield self._ended(each)
        self.cycle = self.phase = None

    def _ended(self, piece: dict[str, Any]) -> dict[str, Any]:
        return {**piece, "dur": max(1, self.at - piece["ts"])}

    def _on_nodes(self, event: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        kind, data = event["kind"], event["data"]
        view = data.get("view") or {}
        if kind == "object.created" and data["kind"] == "Node":
            yield {"ph": "M", "pid": NODES, "tid": self._thread(data["name"]), "name": "thread_name", "args": {"name": data["name"]}}
        elif kind in {"object.created", "pod.bound"} and (data.get("node") or view.get("node")):
            pod = data.get("pod") or view["key"]
            self.where[pod] = data.get("node") or view["node"]
            yield self._stay("b", pod)
        elif kind == "pod.gone" and data["pod"] in self.where:
            yield self._stay("e", data["pod"])
            del self.where[data["pod"]]
        elif kind == "pod.terminating" and data["pod"] in self.where:
            thread = self._thread(self.where[data["pod"]])
            yield {
                "ph": "i",
                "pid": NODES,
                "tid": thread,
                "ts": self.at,
                "s": "t",
                "name": f"{data['pod']} is deleted",
                "args": {"grace": data["grace"]},
            }

    def _stay(self, what: str, pod: str) -> dict[str, Any]:
        return {"ph": what, "pid": NODES, "tid": self._thread(self.where[pod]), "ts": self.at, "cat": "pod", "id": pod, "name": pod}

    def _thread(self, node: str) -> int:
        return self.threads.setdefault(node, len(self.threads) + 1)

    def _in_queues(self, event: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        kind, data = event["kind"], event["data"]
        if kind == "queue.moved":
            for lane, change in ((data["from"], -1), (data["to"], 1)):
                if lane in self.lengths:
                    self.lengths[lane] += change
        elif kind == "cycle.started":
            self.lengths["active"] -= 1
        else:
            return
        yield {
            "ph": "C",
            "pid": QUEUES,
            "tid": 0,
            "ts": self.at,
            "name": "pods",
            "args": {lane: max(0, n) for lane, n in self.lengths.items()},
        }


# -- objects for kubectl ----------------------------------------------------------------------------------------------
NOTE: Final = """\
# For kubectl apply -f. kubectl creates nodes only where no kubelet runs them, such as in a cluster of kwok:
# their size stands in the status, which kwok takes over. Pods with a nodeName start there without the scheduler.
"""
_SERVER_FIELDS: Final = ("uid", "resourceVersion", "generation", "creationTimestamp", "selfLink", "managedFields", "deletionTimestamp")


def kubectl_yaml(document: Mapping[str, Any]) -> str:
    """The objects of a Scenario document as YAML documents that an API server takes, namespaces first, nodes for kwok."""
    objects = [_appliable(each) for each in document.get("objects", ())]
    known = {each["metadata"]["name"] for each in objects if each["kind"] == "Namespace"} | {"default", "kube-system", "kube-public"}
    wanted = dict.fromkeys(each["metadata"].get("namespace") or "default" for each in objects)
    spaces = [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in wanted if name not in known]
    classes = _classes_of_priorities(objects)
    first = {"Namespace": 0, "PriorityClass": 1, "Node": 2}
    ordered = sorted([*spaces, *classes, *objects], key=lambda each: first.get(each["kind"], 3))
    return NOTE + presenters.as_documents(ordered)


def _appliable(manifest: Mapping[str, Any]) -> dict[str, Any]:
    metadata = {key: value for key, value in manifest["metadata"].items() if key not in _SERVER_FIELDS}
    made = {**manifest, "metadata": metadata}
    if manifest["kind"] == "Node":
        made["metadata"] = {**metadata, "annotations": {"kwok.x-k8s.io/node": "fake", **(metadata.get("annotations") or {})}}
        status = manifest.get("status") or {}
        made["status"] = {**status, "capacity": status.get("capacity") or status.get("allocatable") or {}}
    else:
        made.pop("status", None)
    if manifest["kind"] == "Pod":
        made["spec"] = _with_images(manifest["spec"])
    return made


def _with_images(spec: Mapping[str, Any]) -> dict[str, Any]:
    """An API server wants an image for every container."""
    made = dict(spec)
    for key in ("containers", "initContainers"):
        if made.get(key):
            made[key] = [{**each, "image": each.get("image") or "registry.example/app:1"} for each in made[key]]
    return made


def _classes_of_priorities(objects: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """An API server refuses a priority that no class gives: the pods are changed to name one, and the classes to add are the answer."""
    listed = list(objects)
    by_value = {each.get("value"): each["metadata"]["name"] for each in listed if each["kind"] == "PriorityClass"}
    added: list[dict[str, Any]] = []
    for each in listed:
        priority = each["spec"].pop("priority", None) if each["kind"] == "Pod" else None
        if not priority or each["spec"].get("priorityClassName"):
            continue
        if priority not in by_value:
            by_value[priority] = f"priority-{priority}" if priority > 0 else f"priority-minus-{-priority}"
            added.append(
                {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": by_value[priority]}, "value": priority}
            )
        each["spec"]["priorityClassName"] = by_value[priority]
    return added


# -- edit from here ---------------------------------------------------------------------------------------------------
def document_at(run: Run, seq: int) -> dict[str, Any]:
    """A Scenario document of the cluster after event ``seq``: pods where they are then, and what of the timeline is still to come.

    What was given at the start is there from the first event on.
    """
    given = selectors.document(run.scenario)
    before = {_key(each): each for each in given.get("objects", ())}
    fold = _Objects()
    for event in events(run):
        if event["seq"] > seq and not event["path"].startswith(_SETUP):
            break
        fold.apply(event)
        seq = max(seq, event["seq"])
    state = selectors.state(run, seq)
    objects = [made for key, each in fold.objects.items() if (made := fold.now(key, each, before.get(key), state["pods"])) is not None]
    document = {**given, "objects": objects}
    later = [{**each, "at": round(each["at"] - state["t"], 6)} for each in given.get("timeline", ()) if each["at"] > state["t"]]
    document.pop("timeline", None)
    if later:
        document["timeline"] = later
    if given.get("until") is not None:
        document["until"] = max(0, round(given["until"] - state["t"], 6))
    return document


def seq_of(run: Run, path: str) -> int:
    """The event that a step names, or that its nearest whole step names; the last one when there is none."""
    wanted = {path}
    while "/" in path:
        path = path.rpartition("/")[0]
        wanted.add(path)
    best, length = run.last_seq, -1
    for event in events(run):
        if event["path"] in wanted and len(event["path"]) > length:
            best, length = event["seq"], len(event["path"])
    return best


Key = tuple[str, str, str]


def _key(manifest: Mapping[str, Any]) -> Key:
    metadata = manifest.get("metadata") or {}
    return manifest["kind"], metadata.get("namespace") or "", metadata.get("name") or ""


@dataclass(slots=True)
class _Objects:
    """The manifests of everything that is there, in the order in which it came."""

    objects: dict[Key, dict[str, Any]] = field(default_factory=dict)
    epoch: datetime | None = None
    going: dict[str, float] = field(default_factory=dict)
    """when pods that shut down are gone, by ``namespace/name``"""

    def apply(self, event: Mapping[str, Any]) -> None:
        """Take in the next event."""
        kind, data = event["kind"], event["data"]
        if kind == "run.started":
            self.epoch = datetime.fromisoformat(data["epoch"])
        elif kind in {"object.created", "object.updated"} and data.get("object"):
            self.objects[_key(data["object"])] = data["object"]
        elif kind == "object.deleted":
            gone = [
                key for key in self.objects if key[0] == data["kind"] and key[2] == data["name"] and key[1] == (data.get("namespace") or "")
            ]
            for key in gone:
                del self.objects[key]
        elif kind == "pod.terminating":
            self.going[data["pod"]] = data["until"]

    def now(self, key: Key, manifest: dict[str, Any], given: Mapping[str, Any] | None, pods: Mapping[str, Any]) -> dict[str, Any] | None:
        """The manifest as it would be read at that moment; None for a pod that is gone."""
        kind, namespace, name = key
        if kind == "PodDisruptionBudget" and not (given or {}).get("status"):
            return {part: value for part, value in manifest.items() if part != "status"}
        if kind != "Pod":
            return manifest
        view = pods.get(f"{namespace or 'default'}/{name}")
        return None if view is None else self._pod(manifest, view)

    def _pod(self, manifest: dict[str, Any], view: Mapping[str, Any]) -> dict[str, Any]:
        spec = {key: value for key, value in manifest["spec"].items() if key != "nodeName"}
        metadata = dict(manifest["metadata"])
        status: dict[str, Any] = {}
        if view["node"]:
            spec["nodeName"] = view["node"]
            status["phase"] = "Running" if view["phase"] in {"Pending", ""} else view["phase"]
            if view["start_time"] is not None:
                status["startTime"] = self._moment(view["start_time"])
        if view.get("nominated"):
            status["nominatedNodeName"] = view["nominated"]
        if view["terminating"] and view["key"] in self.going:
            metadata["deletionTimestamp"] = self._moment(self.going[view["key"]])
        made = {key: value for key, value in manifest.items() if key != "status"} | {"metadata": metadata, "spec": spec}
        return {**made, "status": status} if status else made

    def _moment(self, seconds: float) -> str:
        assert self.epoch is not None
        return (self.epoch + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


# -- storyboard -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The elimination table of a pick: rules in order, and of each node its value for each rule ("" when it was out before)."""

    rules: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...], bool], ...]
    """(node, values, wins)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What belongs together: one cycle, or what happens between two; ``sentences`` are (phase, text)."""

    cycle: str
    pod: str
    second: float
    sentences: tuple[tuple[str, str], ...]
    table: Table | None


def storyboard(run: Run, *, lang: str) -> tuple[list[Scene], bool]:
    """The decisions of a run in words, scene by scene, and whether there were more than are shown."""
    scenes: list[Scene] = []
    gathered: list[dict[str, Any]] = []
    for event in events(run):
        if not event["kind"].startswith(_TOLD):
            continue
        if gathered and _cycle(event) != _cycle(gathered[0]):
            scenes.append(_scene(gathered, lang))
            gathered = []
        if len(scenes) == _MOST_SCENES:
            return scenes, True
        gathered.append(event)
    if gathered:
        scenes.append(_scene(gathered, lang))
    return scenes, False


def _cycle(event: Mapping[str, Any]) -> str:
    head = str(event["path"]).partition("/")[0]
    return head if head[:1] == "c" and head[1:].isdigit() else ""


def _scene(gathered: Iterable[Mapping[str, Any]], lang: str) -> Scene:
    listed = list(gathered)
    told = [each for each in listed if each["kind"] != "preemption.rule_applied"]
    lines = presenters.sentences(told, lang=lang)
    pod = next((str(each["data"]["pod"]) for each in listed if each["kind"] == "cycle.started"), "")
    sentences = tuple((line.phase, line.text) for line in lines)
    return Scene(cycle=_cycle(listed[0]), pod=pod, second=listed[0]["t"], sentences=sentences, table=_table(listed))


def _table(listed: Iterable[Mapping[str, Any]]) -> Table | None:
    rules = [each["data"] for each in listed if each["kind"] == "preemption.rule_applied"]
    if not rules:
        return None
    last = set(rules[-1]["survivors"])
    rows = [
        (node, tuple(str(rule["values"].get(node, "")) for rule in rules), node in last and len(last) == 1) for node in rules[0]["values"]
    ]
    return Table(rules=tuple(rule["rule"] for rule in rules), rows=tuple(rows))

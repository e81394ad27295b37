"""What pages show, as plain values: scenarios as YAML and counts, runs as sentences.

The one rule: nothing here touches HTML or the database; templates escape everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import yaml

from playground import wording
from playground.engine import SecondAct

COUNTED: Final = ("Node", "Pod", "PodDisruptionBudget", "PriorityClass")
SUBSTEPS: Final = ("bench", "fit", "reprieve")
_MOST_ANCESTORS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A line of a run in words: ``path`` is its link, ``here`` whether the address names it; ``at`` is the time when it is a new one.

    ``why`` is the reason behind it, for the line that the address names.
    """

    path: str
    phase: str
    text: str
    cycle: str
    here: bool
    at: str
    why: str


class _ManifestDumper(yaml.CSafeDumper):
    """Lists under their key are indented by nothing, as kubectl writes them; long texts stand as blocks."""

    def ignore_aliases(self, data: Any) -> bool:
        """Manifests are written in full: nobody edits an anchor by hand."""
        return True


def _represent_text(dumper: yaml.CSafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_ManifestDumper.add_representer(str, _represent_text)


def as_yaml(document: Mapping[str, Any]) -> str:
    """A Scenario document as YAML that the editor reads again."""
    return yaml.dump(_ordered(document), Dumper=_ManifestDumper, sort_keys=False, allow_unicode=True, width=120)


_ORDER: Final = ("apiVersion", "kind", "metadata", "title", "name", "namespace", "summary", "objects", "spec", "status")


def _ordered(value: Any) -> Any:
    if isinstance(value, Mapping):
        keys = sorted(value, key=lambda key: (_ORDER.index(key) if key in _ORDER else len(_ORDER), key))
        return {key: _ordered(value[key]) for key in keys}
    return [_ordered(each) for each in value] if isinstance(value, list | tuple) else value


def as_manifests(document: Mapping[str, Any]) -> str:
    """The text for the editor: plain Kubernetes documents when the scenario holds nothing else, else the whole Scenario."""
    plain = set(document) <= {"apiVersion", "kind", "metadata", "objects", "seed"} and not document.get("seed")
    if not plain or (document.get("metadata") or {}).get("title"):
        return as_yaml(document)
    return as_documents(document.get("objects", ()))


def as_documents(objects: Iterable[Mapping[str, Any]]) -> str:
    """Objects as YAML documents, as kubectl reads them."""
    return yaml.dump_all([_ordered(each) for each in objects], Dumper=_ManifestDumper, sort_keys=False, allow_unicode=True, width=120)


def counts(found: Mapping[str, int]) -> list[tuple[str, int]]:
    """Kinds and how many, the important ones first."""
    return sorted(found.items(), key=lambda item: (COUNTED.index(item[0]) if item[0] in COUNTED else len(COUNTED), item[0]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A scenario of the gallery as its card and its own page show it."""

    id: str
    title: str
    summary: str
    claim: str
    watch: str
    question: str
    answer: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleGroup:
    """Examples that belong together; ``title`` is empty when nothing is grouped."""

    title: str
    entries: tuple[Example, ...]


def gallery(entries: Iterable[Any], *, lang: str) -> list[ExampleGroup]:
    """The cards of the gallery in their order, by group, in the language of the page where the file has it."""
    groups: dict[str, list[Example]] = {}
    for entry in entries:
        beside = (entry.document or {}).get("gallery") or {}
        groups.setdefault(_in(beside.get("group", ""), lang), []).append(_example(entry, beside, lang))
    return [ExampleGroup(title=title, entries=tuple(cards)) for title, cards in groups.items()]


def example_of(scenario: Any, *, lang: str) -> Example | None:
    """What the gallery says of a scenario, in the language of the page; None for one that is not in the gallery."""
    entry = scenario.gallery_entries.first()
    return _example(entry, (entry.document or {}).get("gallery") or {}, lang) if entry else None


def title_of(scenario: Any, *, lang: str) -> str:
    """The title of a scenario: the gallery's in this language where it is one of the gallery, or was made from one and kept its title."""
    kept, seen = scenario, 0
    while kept is not None and kept.title == scenario.title and seen < _MOST_ANCESTORS:
        example = example_of(kept, lang=lang)
        if example is not None:
            return example.title
        kept, seen = kept.parent, seen + 1
    return str(scenario.title)


def summary_of(scenario: Any, *, lang: str) -> str:
    """The summary of a scenario, in this language where it is one of the gallery."""
    example = example_of(scenario, lang=lang)
    return example.summary if example else scenario.summary


def _example(entry: Any, beside: Mapping[str, Any], lang: str) -> Example:
    found = beside.get(lang)
    translated: Mapping[str, Any] = found if isinstance(found, Mapping) else {}
    scenario = entry.scenario
    return Example(
        id=scenario.pk,
        title=_in(translated.get("title") or beside.get("title") or scenario.title or entry.slug, lang),
        summary=_in(translated.get("summary") or scenario.summary, lang),
        claim=_in(translated.get("claim") or beside.get("claim") or scenario.summary, lang),
        watch=_in(translated.get("watch") or beside.get("watch", ""), lang),
        question=_in(translated.get("question") or beside.get("question", ""), lang),
        answer=_in(translated.get("answer") or beside.get("answer", ""), lang),
        tags=tuple(scenario.tags),
    )


def _in(value: Any, lang: str) -> str:
    if isinstance(value, Mapping):
        return str(value.get(lang) or value.get("en") or "")
    if isinstance(value, list | tuple):
        return " ".join(str(each) for each in value)
    return str(value)


def sentences(events: Iterable[Mapping[str, Any]], *, lang: str, step: str = "", act: SecondAct | None = None) -> list[Sentence]:
    """Every event as a line, and a line for each single check in a node's dry run when the address names one of that node.

    ``act`` remembers what came before the first of these events.
    """
    lines: list[Sentence] = []
    act, at = act or SecondAct(), None
    for event in events:
        message = act.told(event) or event["message"]
        rows = [(event["path"], message["id"], message["args"])]
        if event["kind"] == "preemption.node_checked" and step.startswith(event["path"] + "/"):
            rows = [*_checks(event), *rows]
        for path, key, args in rows:
            lines.append(_line(event, path, key, args, lang=lang, step=step, is_new_time=event["t"] != at))
            at = event["t"]
    return lines


def _line(event: Mapping[str, Any], path: str, key: str, args: dict[str, Any], *, lang: str, step: str, is_new_time: bool) -> Sentence:
    return Sentence(
        path=path,
        phase=wording.say(f"phase.{event['phase']}", lang=lang) if event["phase"] else "",
        text=wording.say(key, args, lang=lang),
        cycle=path.split("/", 1)[0] if path[:1] == "c" and path[1:2].isdigit() else "",
        here=path == step,
        at=f"{event['t']:.3f}".rstrip("0").rstrip(".") if is_new_time else "",
        why=_why(key, event["kind"], args, lang) if path == step else "",
    )


def _why(key: str, kind: str, args: dict[str, Any], lang: str) -> str:
    """The reason that the page has for a message, or for its kind; empty when it has none."""
    words = wording.wording(lang)
    found = next((each for each in (f"why.{key}", f"why.{kind}") if each in words), "")
    said = wording.say(found, args, lang=lang) if found else ""
    return "" if "{" in said else said


def _checks(event: Mapping[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    data, base, path = event["data"], "preemption.node_checked", event["path"]
    args = {"node": data["node"], "pod": data["pod"]}
    bench = {**args, "count": len(data["potential_victims"])}
    fit = f"{base}.fit" if data["fits_without_victims"] else f"{base}.fit.no"
    reason = ", ".join((data["status"] or {}).get("reasons", []))
    rows = [(f"{path}/bench", f"{base}.bench", bench), (f"{path}/fit", fit, {**args, "reason": reason})]
    for each in data["steps"]:
        verdict = "reprieved" if each["reprieved"] else "victim"
        rows.append((f"{path}/reprieve/{each['pod']}", f"{base}.{verdict}", {**args, "victim": each["pod"], "reason": each["reason"]}))
    return rows


def sentence_here(lines: Iterable[Sentence]) -> str:
    """The sentence that the address names, or nothing."""
    return next((line.text for line in lines if line.here), "")


def kinds(*, lang: str) -> list[tuple[str, str]]:
    """Every message of an event with its sentence, holes and all."""
    entries = wording.sentences(lang)
    return [
        (key, text if isinstance(text, str) else text["other"]) for key, text in entries.items() if not key.startswith(("term.", "act."))
    ]

"""What a picture of a moment says, as plain values: a heading, a sentence, a few nodes with their pods, and what decided.

The one rule: nothing here draws; every text is a whole text in the language asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from playground import presenters, wording
from playground.runs.moments import Cycle, Moment

Role = Literal["", "preemptor", "bench", "reprieved", "victim", "nominated"]
Verdict = Literal["", "wins", "out"]
MOST_CARDS: Final = 4
MOST_PODS: Final = 6
_MARKS: Final[Mapping[Role, str]] = {"preemptor": "▶", "bench": "↑", "reprieved": "←", "victim": "×", "nominated": "◆", "": ""}
_ROLE_FIRST: Final[tuple[Role, ...]] = ("nominated", "preemptor", "victim", "bench", "reprieved", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pod:
    """A pod as a line of a card."""

    name: str
    priority: int
    role: Role
    note: str

    @property
    def mark(self) -> str:
        """The sign that stands for the role beside its colour."""
        return _MARKS[self.role]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A node: CPU in milli, ``badge`` says what became of it, ``more`` how many pods are not listed."""

    node: str
    badge: str
    verdict: Verdict
    cpu_used: int
    cpu_all: int
    pods: tuple[Pod, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Poster:
    """Everything on the picture, and in the text for who cannot see it."""

    title: str
    kicker: str
    sentence: str
    because: str
    subject: str
    cards: tuple[Card, ...]
    more_nodes: int

    @property
    def text(self) -> str:
        """One paragraph: the sentence and what decided."""
        return " ".join(each for each in (self.sentence, self.because) if each)


def poster(title: str, moment: Moment, state: Mapping[str, Any], *, lang: str) -> Poster:
    """The poster of a moment; ``state`` is the cluster after its event (docs/events.md)."""
    names = _nodes(moment, state)
    short = _short_names(state["nodes"])
    return Poster(
        title=title or wording.say("scenario.untitled", lang=lang),
        kicker=_kicker(moment, lang),
        sentence=_shortened(sentence(moment, lang=lang), short),
        because=_shortened(_because(moment, lang), short),
        subject=_subject(moment, state, lang),
        cards=tuple(_card(name, short.get(name, name), moment, state, lang) for name in names[:MOST_CARDS]),
        more_nodes=max(0, len(names) - MOST_CARDS),
    )


def plain(title: str, counts: Mapping[str, int], *, lang: str) -> Poster:
    """The poster of a scenario that has not run yet: what is in it."""
    text = ", ".join(f"{count} {kind}" for kind, count in presenters.counts(counts))
    shown = title or wording.say("scenario.untitled", lang=lang)
    return Poster(title=shown, kicker="", sentence=text, because="", subject="", cards=(), more_nodes=0)


def sentence(moment: Moment, *, lang: str) -> str:
    """What happened there, as a sentence; for a single check, of that check."""
    lines = presenters.sentences([moment.event], lang=lang, step=moment.path)
    return presenters.sentence_here(lines) or (lines[-1].text if lines else "")


def _kicker(moment: Moment, lang: str) -> str:
    phase = moment.event["phase"]
    if moment.cycle is None:
        return wording.say("sharing.kicker.run", lang=lang)
    key = "phases.preemption" if phase else "phases.scheduling"
    cycle = wording.say(key, {"number": moment.cycle.id[1:]}, lang=lang)
    return f"{cycle} · {wording.say(f'phase.{phase}', lang=lang)}" if phase else cycle


def _subject(moment: Moment, state: Mapping[str, Any], lang: str) -> str:
    """The pod that it is all about, with its priority."""
    pod = state["pods"].get(moment.cycle.pod) if moment.cycle else None
    if moment.cycle is None or pod is None:
        return ""
    return f"▶ {moment.cycle.pod} · {wording.say('pod.priority', {'priority': int(pod['priority'] or 0)}, lang=lang)}"


def _short_names(nodes: Iterable[str]) -> dict[str, str]:
    """Full names to first labels, where those are still different: ip-10-0-3-9.eu-west-1.compute.internal is said once too often."""
    names = list(nodes)
    firsts = [name.split(".", 1)[0] for name in names]
    return {name: first for name, first in zip(names, firsts, strict=True) if name != first} if len(set(firsts)) == len(names) else {}


def _shortened(text: str, short: Mapping[str, str]) -> str:
    for name, first in short.items():
        text = text.replace(name, first)
    return text


def _because(moment: Moment, lang: str) -> str:
    cycle = moment.cycle
    picked = cycle.found.get("preemption.picked") if cycle else None
    if picked is None or cycle is None:
        return ""
    is_said = moment.event["kind"] == "preemption.picked"
    if picked["decided_by"] == "only":
        return "" if is_said else wording.say("pick.only", {"node": picked["node"]}, lang=lang)
    number = next((rule["number"] for rule in cycle.rules if rule["rule"] == picked["decided_by"]), "")
    wins = wording.say("pick.wins", {"node": picked["node"], "number": number}, lang=lang)
    gap = "" if lang == "zh-hans" else " "
    reason = wording.say(f"pick.because.{picked['decided_by']}", lang=lang)
    return reason if is_said else wins + gap + reason


# -- which nodes ------------------------------------------------------------------------------------------------------
def _nodes(moment: Moment, state: Mapping[str, Any]) -> list[str]:
    """The nodes worth a card, the most telling first: where it happens, the winner, the candidates, those just looked at, the rest."""
    cycle = moment.cycle
    wanted: list[str] = [str(moment.event["data"].get(key) or "") for key in ("node", "host")]
    if cycle:
        found = cycle.found
        wanted.append(found.get("preemption.picked", {}).get("node", ""))
        wanted.append(found.get("cycle.selected", {}).get("host", ""))
        wanted += found.get("preemption.candidates_finished", {}).get("candidates", {})
        wanted += [name for name, data in cycle.checked.items() if data["fits_without_victims"]]
        wanted += found.get("cycle.scored", {}).get("totals", {}) or found.get("cycle.filtered", {}).get("feasible", [])
        wanted += cycle.checked
    nodes = state["nodes"]
    return list(dict.fromkeys(name for name in [*wanted, *nodes] if name in nodes))


def _card(name: str, short: str, moment: Moment, state: Mapping[str, Any], lang: str) -> Card:
    node = state["nodes"][name]
    badge, verdict = _badge(name, moment.cycle, lang)
    sub = _sub_on(name, moment).split("/", 1)[0]
    if sub in presenters.SUBSTEPS:  # what comes of it is not told before it is over
        badge = wording.say(f"badge.{sub}", lang=lang)
    pods = sorted(_pods(name, moment, state, lang), key=lambda pod: (_ROLE_FIRST.index(pod.role), -pod.priority, pod.name))
    return Card(
        node=short,
        badge=badge,
        verdict=verdict,
        cpu_used=int(node["requested"].get("cpu", 0)),
        cpu_all=int(node["allocatable"].get("cpu", 0)),
        pods=tuple(pods[:MOST_PODS]),
        more=max(0, len(pods) - MOST_PODS),
    )


def _sub_on(name: str, moment: Moment) -> str:
    """The single check that the moment names, when it is on this node."""
    return moment.sub if moment.event["data"].get("node") == name else ""


def _badge(name: str, cycle: Cycle | None, lang: str) -> tuple[str, Verdict]:
    if cycle is None:
        return "", ""
    found = cycle.found
    if found.get("preemption.picked", {}).get("node") == name:
        return wording.say("badge.wins", lang=lang), "wins"
    struck = next((rule["number"] for rule in cycle.rules if name in rule["values"] and name not in rule["survivors"]), 0)
    if struck:
        return wording.say("badge.out", {"number": struck}, lang=lang), "out"
    if found.get("cycle.selected", {}).get("host") == name:
        return wording.say("badge.selected", lang=lang), "wins"
    return _badge_before(name, cycle, lang), ""


def _badge_before(name: str, cycle: Cycle, lang: str) -> str:
    """What is known of a node before anything is decided."""
    totals = cycle.found.get("cycle.scored", {}).get("totals", {})
    if name in totals:
        return wording.say("badge.points", {"count": totals[name]}, lang=lang)
    checked = cycle.checked.get(name)
    if checked and checked["fits_without_victims"]:
        return wording.say("badge.victims", {"count": len(checked["victims"])}, lang=lang)
    status = (checked or {}).get("status") or cycle.found.get("cycle.filtered", {}).get("statuses", {}).get(name) or {}
    reasons = status.get("reasons") or []
    if reasons:
        return str(reasons[0])
    feasible = cycle.found.get("cycle.filtered", {}).get("feasible", [])
    return wording.say("badge.feasible", lang=lang) if name in feasible else ""


# -- which pods -------------------------------------------------------------------------------------------------------
def _pods(name: str, moment: Moment, state: Mapping[str, Any], lang: str) -> Iterable[Pod]:
    roles = _roles(name, moment, state)
    pods = state["pods"]
    for key in dict.fromkeys([*roles, *state["nodes"][name]["pods"]]):
        if key in pods:
            role = roles.get(key, "")
            note = wording.say(f"role.{role}", lang=lang) if role else ""
            yield Pod(name=key, priority=int(pods[key]["priority"] or 0), role=role, note=note)


def _roles(name: str, moment: Moment, state: Mapping[str, Any]) -> dict[str, Role]:
    cycle = moment.cycle
    roles: dict[str, Role] = {pod: "nominated" for pod, node in state["nominations"].items() if node == name}
    if cycle is None:
        return roles
    if cycle.found.get("cycle.selected", {}).get("host") == name:
        roles[cycle.pod] = "preemptor"
    checked = cycle.checked.get(name)
    if checked and _still_matters(name, cycle):
        roles.update(_dry_run_roles(checked, _sub_on(name, moment)))
    return roles


def _still_matters(name: str, cycle: Cycle) -> bool:
    """Once victims are deleted, only the winner's are worth showing."""
    picked = cycle.found.get("preemption.picked")
    return not (cycle.victims and picked and picked["node"] != name)


def _dry_run_roles(checked: Mapping[str, Any], sub: str) -> dict[str, Role]:
    roles: dict[str, Role] = {each["pod"]: "bench" for each in checked["potential_victims"]}
    if sub in {"bench", "fit"}:
        return roles
    for step in checked["steps"]:
        roles[step["pod"]] = "reprieved" if step["reprieved"] else "victim"
        if sub == f"reprieve/{step['pod']}":
            break
    return roles

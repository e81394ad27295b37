"""InterPodAffinity: which nodes the terms of the pod, and those of pods that are there, refuse or like."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from scheduler_core.api.objects import Namespace, PodAffinityTerm, PreferredPodTerm
from scheduler_core.cluster import affinity_terms
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.framework.status import Code
from scheduler_core.plugins.inter_pod_affinity import REASON_AFFINITY, REASON_ANTI_AFFINITY, REASON_EXISTING, InterPodAffinity
from tests.plugins.hypothetical import Change, changes, labels, term_lists
from tests.plugins.spread_worlds import APP, EVERYTHING, HOST, filtered, node, pod, reasons, scored, selector, term

PLUGIN = InterPodAffinity()
ZONES = [node("a1", "a"), node("a2", "a"), node("b1", "b")]
DB = {"app": "db"}
LIKES_WEB = {"required_affinity": (term(),)}
AVOIDS_WEB = {"required_anti_affinity": (term(),)}
OTHER = Namespace(name="other", labels={"team": "x"})

# claim, nodes and pods, fields of the pod to place, what is refused
FILTERS: list[tuple[str, list[Any], dict[str, Any], dict[str, str]]] = [
    ("only the zone of a match will do", [*ZONES, pod("x", "a1")], LIKES_WEB | {"labels": DB}, {"b1": REASON_AFFINITY}),
    (
        "without a match nothing will do",
        ZONES,
        LIKES_WEB | {"labels": DB},
        {"a1": REASON_AFFINITY, "a2": REASON_AFFINITY, "b1": REASON_AFFINITY},
    ),
    ("the first pod of a group that wants itself may go anywhere", ZONES, LIKES_WEB, {}),
    (
        "but not where the label is missing",
        [*ZONES, node("c1")],
        LIKES_WEB,
        {"c1": REASON_AFFINITY},
    ),
    ("the second pod may not", [*ZONES, pod("x", "a1")], LIKES_WEB, {"b1": REASON_AFFINITY}),
    (
        "a pod where no domain is does not make the next one the second",
        [*ZONES, node("c1"), pod("x", "c1")],
        LIKES_WEB,
        {"c1": REASON_AFFINITY},
    ),
    (
        "one pod must match all terms",
        [*ZONES, pod("x", "a1"), pod("y", "a1", DB)],
        {"required_affinity": (term(), term(matching=selector(app="db"))), "labels": DB},
        {"a1": REASON_AFFINITY, "a2": REASON_AFFINITY, "b1": REASON_AFFINITY},
    ),
    (
        "every term must find it in its own domain",
        [*ZONES, pod("x", "a1")],
        {"required_affinity": (term(), term(HOST))},
        {"a2": REASON_AFFINITY, "b1": REASON_AFFINITY},
    ),
    (
        "a match keeps the pod out of its zone",
        [*ZONES, pod("x", "a1")],
        AVOIDS_WEB,
        {"a1": REASON_ANTI_AFFINITY, "a2": REASON_ANTI_AFFINITY},
    ),
    ("a node without the label has no zone to keep out of", [node("c1"), pod("x", "c1")], AVOIDS_WEB, {}),
    (
        "any term alone keeps it out",
        [*ZONES, pod("x", "a1"), pod("y", "b1", DB)],
        {"required_anti_affinity": (term(HOST), term(HOST, selector(app="db")))},
        {"a1": REASON_ANTI_AFFINITY, "b1": REASON_ANTI_AFFINITY},
    ),
    (
        "a pod that is there keeps a match out of its zone",
        [*ZONES, pod("x", "a1", DB, **AVOIDS_WEB)],
        {},
        {"a1": REASON_EXISTING, "a2": REASON_EXISTING},
    ),
    ("it keeps no other pod out", [*ZONES, pod("x", "a1", DB, **AVOIDS_WEB)], {"labels": DB}, {}),
    (
        "affinity is asked first, then anti-affinity, then the pods that are there",
        [*ZONES, pod("x", "a1", **AVOIDS_WEB)],
        {"required_affinity": (term(HOST),), "required_anti_affinity": (term(),)},
        {"a1": REASON_ANTI_AFFINITY, "a2": REASON_AFFINITY, "b1": REASON_AFFINITY},
    ),
    ("a terminating pod still counts", [*ZONES, pod("x", "b1", deletion_timestamp=1)], AVOIDS_WEB, {"b1": REASON_ANTI_AFFINITY}),
    ("a pod of another namespace does not count", [*ZONES, pod("x", "b1", namespace="other")], AVOIDS_WEB, {}),
    (
        "it does when the term names its namespace",
        [*ZONES, pod("x", "b1", namespace="other")],
        {"required_anti_affinity": (term(namespaces=("other",)),)},
        {"b1": REASON_ANTI_AFFINITY},
    ),
    (
        "the pod's own namespace then has to be named too",
        [*ZONES, pod("x", "b1")],
        {"required_anti_affinity": (term(namespaces=("other",)),)},
        {},
    ),
    (
        "a namespace selector picks namespaces by their labels",
        [*ZONES, OTHER, pod("x", "b1", namespace="other"), pod("y", "a1")],
        {"required_anti_affinity": (term(namespace_selector=selector(team="x")),)},
        {"b1": REASON_ANTI_AFFINITY},
    ),
    (
        "an empty one picks all, even those that are no objects",
        [*ZONES, pod("x", "b1", namespace="nowhere")],
        {"required_anti_affinity": (term(namespace_selector=EVERYTHING),)},
        {"b1": REASON_ANTI_AFFINITY},
    ),
    (
        "the namespace selector of a pod that is there picks the new pod's namespace",
        [*ZONES, OTHER, pod("x", "b1", required_anti_affinity=(term(namespace_selector=selector(team="x")),))],
        {"namespace": "other"},
        {"b1": REASON_EXISTING},
    ),
    (
        "label keys count as the API server has merged them, not again",
        [*ZONES, pod("x", "b1", {"app": "web", "version": "1"})],
        {"required_anti_affinity": (term(match_label_keys=("version",)),), "labels": {"app": "web", "version": "2"}},
        {"b1": REASON_ANTI_AFFINITY},
    ),
    ("no selector matches nothing", [*ZONES, pod("x", "b1")], {"required_anti_affinity": (term(matching=None),)}, {}),
]


@pytest.mark.parametrize(("objects", "fields", "refused"), [case[1:] for case in FILTERS], ids=[case[0] for case in FILTERS])
def test_filter(objects: list[Any], fields: dict[str, Any], refused: dict[str, str]) -> None:
    assert filtered(PLUGIN, objects, pod("new", **fields)) == refused


def test_only_affinity_cannot_be_helped_by_preemption() -> None:
    cluster = Cluster([*ZONES, pod("x", "a1"), pod("y", "b1", DB, **AVOIDS_WEB)])
    fields = {"required_affinity": (term(HOST),), "required_anti_affinity": (term(HOST),)}
    state = PLUGIN.pre_filter(cluster, cluster.info_of(pod("new", **fields))).state
    assert state is not None
    rows = np.arange(3)
    verdict = state.verdict(rows, state.usage(rows))
    assert verdict is not None
    assert [verdict.reasons[k - 1][0] for k in verdict.ids.tolist()] == [Code.UNSCHEDULABLE, Code.UNRESOLVABLE, Code.UNRESOLVABLE]


def test_a_pod_that_requires_nothing_and_that_nothing_avoids_is_not_filtered() -> None:
    cluster = Cluster([*ZONES, pod("x", "a1", DB, required_anti_affinity=(term("rack"),))])
    assert PLUGIN.pre_filter(cluster, cluster.info_of(pod("new"))).state is None


def prefers(weight: int, wanted: PodAffinityTerm | None = None) -> tuple[PreferredPodTerm, ...]:
    return (PreferredPodTerm(weight=weight, term=wanted or term()),)


# claim, nodes and pods, fields of the pod to place, scores
SCORES: list[tuple[str, list[Any], dict[str, Any], dict[str, int] | None]] = [
    ("what it prefers", [*ZONES, pod("x", "a1")], {"preferred_affinity": prefers(5)}, {"a1": 100, "a2": 100, "b1": 0}),
    ("what it prefers to avoid", [*ZONES, pod("x", "a1")], {"preferred_anti_affinity": prefers(5)}, {"a1": 0, "a2": 0, "b1": 100}),
    (
        "weights add up over pods and terms",
        [*ZONES, pod("x", "a1"), pod("y", "b1"), pod("z", "b1")],
        {"preferred_affinity": prefers(2) + prefers(1, term(HOST))},
        {"a1": 25, "a2": 0, "b1": 100},
    ),
    ("what a pod that is there prefers", [*ZONES, pod("x", "a1", DB, preferred_affinity=prefers(5))], {}, {"a1": 100, "a2": 100, "b1": 0}),
    (
        "what a pod that is there prefers to avoid",
        [*ZONES, pod("x", "a1", DB, preferred_anti_affinity=prefers(5))],
        {},
        {"a1": 0, "a2": 0, "b1": 100},
    ),
    ("what a pod that is there requires", [*ZONES, pod("x", "a1", DB, **LIKES_WEB)], {}, {"a1": 100, "a2": 100, "b1": 0}),
    ("what a pod that is there must avoid says nothing", [*ZONES, pod("x", "a1", DB, **AVOIDS_WEB)], {}, None),
    ("without a match the plugin skips", ZONES, {"preferred_affinity": prefers(5)}, None),
    (
        "what cancels out is no skip",
        [*ZONES, pod("x", "a1")],
        {"preferred_affinity": prefers(5), "preferred_anti_affinity": prefers(5)},
        {"a1": 0, "a2": 0, "b1": 0},
    ),
]


@pytest.mark.parametrize(("objects", "fields", "expected"), [case[1:] for case in SCORES], ids=[case[0] for case in SCORES])
def test_score(objects: list[Any], fields: dict[str, Any], expected: dict[str, int] | None) -> None:
    assert scored(PLUGIN, objects, pod("new", **fields)) == expected


def test_the_weight_of_required_affinity_is_an_argument() -> None:
    there = [*ZONES, pod("x", "a1", DB, **LIKES_WEB), pod("y", "b1", DB, preferred_affinity=prefers(10))]
    assert scored(InterPodAffinity(hard_pod_affinity_weight=40), there, pod("new")) == {"a1": 100, "a2": 100, "b1": 0}
    assert scored(InterPodAffinity(hard_pod_affinity_weight=0), there, pod("new")) == {"a1": 0, "a2": 0, "b1": 100}


def test_preferences_of_pods_that_are_there_can_be_ignored_for_pods_without_their_own() -> None:
    plugin = InterPodAffinity(ignore_preferred_terms_of_existing_pods=True)
    there = [*ZONES, pod("x", "a1", preferred_affinity=prefers(5))]
    assert scored(plugin, there, pod("new")) is None
    assert scored(plugin, there, pod("new", preferred_anti_affinity=prefers(1))) == {"a1": 100, "a2": 100, "b1": 0}


@settings(max_examples=100, deadline=None)
@given(changes(with_terms=True), term_lists(1), term_lists(), labels)
def test_a_hypothetical_row_is_the_row_of_a_cluster_really_changed(
    change: Change, wanted: tuple[PodAffinityTerm, ...], avoided: tuple[PodAffinityTerm, ...], its_labels: dict[str, str]
) -> None:
    incoming = pod("new", labels=its_labels, required_affinity=wanted, required_anti_affinity=avoided)
    before, after = Cluster(change.before), Cluster(change.after)
    row = np.array([before.row_of[change.node]])
    state, truth = (PLUGIN.pre_filter(c, c.info_of(incoming)).state for c in (before, after))
    assert state is not None and truth is not None
    removed = [before.known[gone.key].slot for gone in change.removed]
    added = [before.info_of(come).slot for come in change.added]
    usage = state.usage(row)
    usage -= state.weigh(before.batch(removed, np.repeat(row, len(removed)))).sum(axis=0)
    usage += state.weigh(before.batch(added, np.repeat(row, len(added)))).sum(axis=0)
    assert usage.tolist() == truth.usage(row).tolist()
    verdict = state.verdict(row, usage)
    refusal = verdict.reasons[verdict.ids[0] - 1][1][0] if verdict is not None and verdict.ids[0] else None
    assert refusal == reasons(after, truth).get(change.node)


@settings(max_examples=60, deadline=None)
@given(changes(with_terms=True), term_lists(), labels)
def test_an_index_kept_up_to_date_is_an_index_made_anew(
    change: Change, avoided: tuple[PodAffinityTerm, ...], its_labels: dict[str, str]
) -> None:
    incoming = pod("new", labels=its_labels, required_anti_affinity=avoided, preferred_affinity=prefers(3, term(HOST, APP)))
    kept_up, anew = Cluster(change.before), Cluster(change.after)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(affinity_terms, "_SPARE", 1)
        PLUGIN.pre_filter(kept_up, kept_up.info_of(incoming))
        for gone in change.removed:
            kept_up.remove_pod(gone.key)
        for come in change.added:
            kept_up.add_pod(kept_up.info_of(come))
    answers = []
    for cluster in (kept_up, anew):
        rows = np.arange(len(cluster))
        info = cluster.info_of(incoming)
        state, score = PLUGIN.pre_filter(cluster, info).state, PLUGIN.pre_score(cluster, info, rows).state
        answers.append((state and state.usage(rows).tolist(), score and score.raw(rows).tolist()))
    assert answers[0] == answers[1]


def test_an_empty_selector_matches_every_pod() -> None:
    avoids_all = pod("new", required_anti_affinity=(term(matching=EVERYTHING),))
    assert filtered(PLUGIN, [*ZONES, pod("x", "b1", DB)], avoids_all) == {"b1": REASON_ANTI_AFFINITY}

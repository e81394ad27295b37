"""PodTopologySpread: which nodes a constraint refuses, and which it likes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.api.objects import (
    LabelSelector,
    NodeSelectorTerm,
    OwnerReference,
    Requirement,
    Taint,
    Toleration,
    TopologySpreadConstraint,
    Workload,
)
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.plugins.pod_topology_spread import REASON, REASON_LABEL, PodTopologySpread, default_selector
from tests.plugins.hypothetical import KEYS, Change, changes, labels, selectors
from tests.plugins.spread_worlds import APP, EVERYTHING, HOST, ZONE, filtered, node, pod, reasons, scored, selector

HONOR, IGNORE = "Honor", "Ignore"
PLUGIN = PodTopologySpread()
ZONES = [node("a1", "a"), node("a2", "a"), node("b1", "b")]


def constraint(key: str = ZONE, skew: int = 1, matching: LabelSelector | None = APP, **fields: Any) -> TopologySpreadConstraint:
    return TopologySpreadConstraint(max_skew=skew, topology_key=key, when_unsatisfiable="DoNotSchedule", selector=matching, **fields)


def wish(key: str = ZONE, skew: int = 1, matching: LabelSelector | None = APP) -> TopologySpreadConstraint:
    return TopologySpreadConstraint(max_skew=skew, topology_key=key, when_unsatisfiable="ScheduleAnyway", selector=matching)


# claim, nodes and pods, fields of the pod to place, what is refused
FILTERS: list[tuple[str, list[Any], dict[str, Any], dict[str, str]]] = [
    (
        "a domain at the skew is refused",
        [*ZONES, pod("x", "a1")],
        {"spread_constraints": (constraint(),)},
        {"a1": REASON, "a2": REASON},
    ),
    ("a larger skew allows it", [*ZONES, pod("x", "a1")], {"spread_constraints": (constraint(skew=2),)}, {}),
    (
        "a pod that does not match itself does not count towards the skew",
        [*ZONES, pod("x", "a1")],
        {"spread_constraints": (constraint(),), "labels": {"app": "other"}},
        {},
    ),
    (
        "a node without the label can never be chosen",
        [*ZONES, node("c1")],
        {"spread_constraints": (constraint(),)},
        {"c1": REASON_LABEL},
    ),
    (
        "the first constraint that fails gives the reason",
        [node("a1", "a"), node("b1", "b"), pod("x", "a1")],
        {"spread_constraints": (constraint(), constraint("rack"))},
        {"a1": REASON_LABEL, "b1": REASON_LABEL},
    ),
    (
        "pods of other namespaces do not count",
        [*ZONES, pod("x", "a1", namespace="other")],
        {"spread_constraints": (constraint(),)},
        {},
    ),
    (
        "terminating pods do not count",
        [*ZONES, pod("x", "a1", deletion_timestamp=1)],
        {"spread_constraints": (constraint(),)},
        {},
    ),
    ("no selector matches no pod, not even this one", [*ZONES, pod("x", "a1")], {"spread_constraints": (constraint(matching=None),)}, {}),
    (
        "an empty selector matches every pod",
        [*ZONES, pod("x", "a1", {"any": "thing"})],
        {"spread_constraints": (constraint(matching=EVERYTHING),)},
        {"a1": REASON, "a2": REASON},
    ),
    (
        "fewer domains than minDomains make the least count zero",
        [*ZONES, pod("x", "a1"), pod("y", "b1")],
        {"spread_constraints": (constraint(min_domains=3),)},
        {"a1": REASON, "a2": REASON, "b1": REASON},
    ),
    (
        "enough domains do not",
        [*ZONES, pod("x", "a1"), pod("y", "b1")],
        {"spread_constraints": (constraint(min_domains=2),)},
        {},
    ),
    (
        "a zone that the node selector rules out does not hold the least count down",
        [*ZONES, node("c1", "c"), pod("x", "a1"), pod("y", "b1")],
        {
            "spread_constraints": (constraint(),),
            "required_node_affinity": (NodeSelectorTerm(match_expressions=(Requirement(key=ZONE, operator="In", values=("a", "b")),)),),
        },
        {},
    ),
    (
        "it does when the policy ignores node affinity",
        [*ZONES, node("c1", "c"), pod("x", "a1"), pod("y", "b1")],
        {"spread_constraints": (constraint(node_affinity_policy=IGNORE),), "node_selector": ((HOST, "a1"),)},
        {"a1": REASON, "a2": REASON, "b1": REASON},
    ),
    (
        "tainted nodes hold the least count down by default",
        [*ZONES, node("c1", "c", taints=(Taint(key="t", effect="NoSchedule"),)), pod("x", "a1"), pod("y", "b1")],
        {"spread_constraints": (constraint(),)},
        {"a1": REASON, "a2": REASON, "b1": REASON},
    ),
    (
        "they do not when the policy honours taints",
        [*ZONES, node("c1", "c", taints=(Taint(key="t", effect="NoExecute"),)), pod("x", "a1"), pod("y", "b1")],
        {"spread_constraints": (constraint(node_taints_policy=HONOR),)},
        {},
    ),
    (
        "a taint that the pod tolerates is no reason to leave a node out",
        [*ZONES, node("c1", "c", taints=(Taint(key="t", effect="NoSchedule"),)), pod("x", "a1"), pod("y", "b1")],
        {"spread_constraints": (constraint(node_taints_policy=HONOR),), "tolerations": (Toleration(key="t", operator="Exists"),)},
        {"a1": REASON, "a2": REASON, "b1": REASON},
    ),
    (
        "a node that lacks the label of another constraint counts for none",
        [node("a1", "a", labels={"rack": "r"}), node("b1", "b"), pod("x", "a1")],
        {"spread_constraints": (constraint(), constraint("rack", skew=9))},
        {"b1": REASON_LABEL},
    ),
    (
        "a label key narrows the pods to those with the same value",
        [*ZONES, pod("x", "a1", {"app": "web", "version": "1"})],
        {"spread_constraints": (constraint(match_label_keys=("version",)),), "labels": {"app": "web", "version": "2"}},
        {},
    ),
    (
        "a label key that the pod lacks narrows nothing",
        [*ZONES, pod("x", "a1", {"app": "web", "version": "1"})],
        {"spread_constraints": (constraint(match_label_keys=("version",)),)},
        {"a1": REASON, "a2": REASON},
    ),
]


@pytest.mark.parametrize(("objects", "fields", "refused"), [case[1:] for case in FILTERS], ids=[case[0] for case in FILTERS])
def test_filter(objects: list[Any], fields: dict[str, Any], refused: dict[str, str]) -> None:
    assert filtered(PLUGIN, objects, pod("new", **fields)) == refused


def test_a_pod_without_constraints_that_must_hold_is_not_filtered() -> None:
    cluster = Cluster(ZONES)
    assert PLUGIN.pre_filter(cluster, cluster.info_of(pod("new", spread_constraints=(wish(),)))).state is None


def test_default_constraints_of_a_list_are_enforced_for_pods_that_something_selects() -> None:
    plugin = PodTopologySpread(default_constraints=(constraint(matching=None),), defaulting_type="List")
    service = Workload(kind="Service", name="web", selector=APP)
    assert filtered(plugin, [*ZONES, service, pod("x", "a1")], pod("new")) == {"a1": REASON, "a2": REASON}
    assert filtered(plugin, [*ZONES, pod("x", "a1")], pod("new")) == {}


def test_the_least_loaded_zone_scores_best() -> None:
    scores = scored(PLUGIN, [*ZONES, pod("x", "a1"), pod("y", "a2")], pod("new", spread_constraints=(wish(),)))
    assert scores == {"a1": 0, "a2": 0, "b1": 100}


def test_host_names_count_the_pods_of_each_node() -> None:
    scores = scored(PLUGIN, [*ZONES, pod("x", "a1"), pod("y", "a1"), pod("z", "a2")], pod("new", spread_constraints=(wish(HOST),)))
    # log(3 + 2) for each pod, rounded: 3, 2 and 0
    assert scores == {"a1": 0, "a2": 33, "b1": 100}


def test_without_any_matching_pod_all_nodes_score_alike() -> None:
    assert scored(PLUGIN, ZONES, pod("new", spread_constraints=(wish(),))) == {"a1": 100, "a2": 100, "b1": 100}


def test_a_node_without_the_label_scores_nothing() -> None:
    assert scored(PLUGIN, [*ZONES, node("c1")], pod("new", spread_constraints=(wish(),))) == {"a1": 100, "a2": 100, "b1": 100, "c1": 0}


def test_the_systems_own_constraints_still_score_a_node_without_a_zone() -> None:
    service = Workload(kind="Service", name="web", selector=APP)
    scores = scored(PLUGIN, [*ZONES, node("c1"), service, pod("x", "a1"), pod("y", "a1")], pod("new"))
    # hosts: log(4 + 2) for each pod, plus 2; zones: log(3 + 2), the missing one among them, plus 4: in all 13, 9, 6 and 2
    assert scores == {"a1": 15, "a2": 46, "b1": 69, "c1": 100}


def test_a_pod_that_nothing_selects_gets_no_default_score() -> None:
    assert scored(PLUGIN, [*ZONES, pod("x", "a1")], pod("new")) is None


OWNER = {"owners": (OwnerReference(kind="ReplicaSet", name="web", api_version="apps/v1", controller=True),)}
REPLICA_SET = Workload(kind="ReplicaSet", name="web", selector=selector(tier="front"))
SERVICE = Workload(kind="Service", name="web", selector=APP)
# claim, workloads, fields of the pod, the selector
DEFAULTS: list[tuple[str, list[Workload], dict[str, Any], LabelSelector | None]] = [
    ("nothing selects the pod", [], {}, None),
    ("a service does", [SERVICE], {}, APP),
    ("a service of another namespace does not", [Workload(kind="Service", name="web", namespace="other", selector=APP)], {}, None),
    ("a service that selects other pods does not", [Workload(kind="Service", name="web", selector=selector(app="db"))], {}, None),
    ("its replica set does", [REPLICA_SET], OWNER, selector(tier="front")),
    ("both do together", [REPLICA_SET, SERVICE], OWNER, selector(app="web", tier="front")),
    (
        "an owner that is no controller does not",
        [REPLICA_SET],
        {"owners": (OwnerReference(kind="ReplicaSet", name="web", api_version="apps/v1"),)},
        None,
    ),
    (
        "a controller of another kind does not",
        [Workload(kind="Job", name="web", selector=selector(tier="front"))],
        {"owners": (OwnerReference(kind="Job", name="web", api_version="batch/v1", controller=True),)},
        None,
    ),
    (
        "a replication controller does",
        [Workload(kind="ReplicationController", name="web", selector=selector(tier="front"))],
        {"owners": (OwnerReference(kind="ReplicationController", name="web", api_version="v1", controller=True),)},
        selector(tier="front"),
    ),
]


@pytest.mark.parametrize(("workloads", "fields", "expected"), [case[1:] for case in DEFAULTS], ids=[case[0] for case in DEFAULTS])
def test_default_selector(workloads: list[Workload], fields: dict[str, Any], expected: LabelSelector | None) -> None:
    assert default_selector(Cluster(workloads), pod("new", **fields)) == expected


def test_removing_a_terminating_pod_takes_off_what_was_never_counted() -> None:
    cluster = Cluster([*ZONES, pod("x", "a1", deletion_timestamp=1)])
    state = PLUGIN.pre_filter(cluster, cluster.info_of(pod("new", spread_constraints=(constraint(),)))).state
    assert state is not None
    leaving = cluster.known["default/x"]
    assert state.usage(np.array([0])).tolist() == [[0]]
    assert state.weigh(cluster.batch([leaving.slot], [0])).tolist() == [[1]]


constraints = st.builds(
    constraint,
    key=st.sampled_from(KEYS),
    skew=st.integers(1, 2),
    matching=selectors,
    min_domains=st.sampled_from([None, 2, 3]),
    node_affinity_policy=st.sampled_from([HONOR, IGNORE]),
    node_taints_policy=st.sampled_from([HONOR, IGNORE]),
    match_label_keys=st.sampled_from([(), ("tier",)]),
)


@settings(max_examples=150, deadline=None)
@given(changes(), st.lists(constraints, min_size=1, max_size=3).map(tuple), labels, st.sampled_from([(), ((ZONE, "z1"),)]))
def test_a_hypothetical_row_is_the_row_of_a_cluster_really_changed(
    change: Change, wanted: tuple[TopologySpreadConstraint, ...], its_labels: dict[str, str], node_selector: tuple[tuple[str, str], ...]
) -> None:
    incoming = pod("new", labels=its_labels, spread_constraints=wanted, node_selector=node_selector)
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

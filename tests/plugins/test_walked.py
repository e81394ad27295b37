"""Columns and counts say what walking over every node and every pod says."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.api.objects import Pod, PreferredPodTerm, Toleration, TopologySpreadConstraint, Workload
from scheduler_core.plugins.inter_pod_affinity import InterPodAffinity
from scheduler_core.plugins.pod_topology_spread import HOSTNAME, SYSTEM_DEFAULTS, PodTopologySpread
from tests.plugins.hypothetical import KEYS, Change, changes, labels, namespaces, selectors, term_lists, terms
from tests.plugins.spread_worlds import APP, ZONE, filtered, scored
from tests.plugins.walked import World, affinity_refusals, affinity_scores, spread_refusals, spread_scores

policies = st.sampled_from(["Honor", "Ignore"])
wishes = st.lists(st.builds(PreferredPodTerm, weight=st.integers(1, 5), term=terms()), max_size=2).map(tuple)


def constraints(action: str) -> st.SearchStrategy[tuple[TopologySpreadConstraint, ...]]:
    """One to three constraints of one action."""
    one = st.builds(
        TopologySpreadConstraint,
        max_skew=st.integers(1, 3),
        topology_key=st.sampled_from(KEYS),
        when_unsatisfiable=st.just(action),
        selector=selectors,
        min_domains=st.sampled_from([None, 1, 3]) if action == "DoNotSchedule" else st.none(),
        node_affinity_policy=policies,
        node_taints_policy=policies,
        match_label_keys=st.sampled_from([(), ("tier",)]),
    )
    return st.lists(one, min_size=1, max_size=3).map(tuple)


incoming = st.builds(
    Pod,
    name=st.just("new"),
    namespace=namespaces,
    labels=labels,
    node_selector=st.sampled_from([(), ((ZONE, "z1"),)]),
    tolerations=st.sampled_from([(), (Toleration(key="t", operator="Exists"),)]),
)


@settings(max_examples=100, deadline=None)
@given(changes(), incoming, constraints("DoNotSchedule"))
def test_spread_refuses_what_walking_refuses(change: Change, pod: Pod, wanted: tuple[TopologySpreadConstraint, ...]) -> None:
    pod = replace(pod, spread_constraints=wanted)
    assert filtered(PodTopologySpread(), change.before, pod) == spread_refusals(World.of(change.before), pod, wanted)


@settings(max_examples=100, deadline=None)
@given(changes(), incoming, constraints("ScheduleAnyway"))
def test_spread_scores_as_walking_scores(change: Change, pod: Pod, wanted: tuple[TopologySpreadConstraint, ...]) -> None:
    pod = replace(pod, spread_constraints=wanted)
    expected = spread_scores(World.of(change.before), pod, wanted, needs_all=True)
    assert scored(PodTopologySpread(), change.before, pod) == expected


@settings(max_examples=60, deadline=None)
@given(changes(), incoming.map(lambda pod: replace(pod, labels={"app": "web"})))
def test_the_systems_own_constraints_score_as_walking_scores(change: Change, pod: Pod) -> None:
    service = Workload(kind="Service", name="web", namespace=pod.namespace, selector=APP)
    objects = [*change.before, service]
    wanted = tuple(replace(constraint, selector=APP) for constraint in SYSTEM_DEFAULTS)
    assert {constraint.topology_key for constraint in wanted} == {HOSTNAME, ZONE}
    assert scored(PodTopologySpread(), objects, pod) == spread_scores(World.of(objects), pod, wanted, needs_all=False)


@settings(max_examples=100, deadline=None)
@given(changes(with_terms=True), incoming, term_lists(), term_lists())
def test_affinity_refuses_what_walking_refuses(change: Change, pod: Pod, wanted: tuple, avoided: tuple) -> None:  # type: ignore[type-arg]
    pod = replace(pod, required_affinity=wanted, required_anti_affinity=avoided)
    assert filtered(InterPodAffinity(), change.before, pod) == affinity_refusals(World.of(change.before), pod)


@settings(max_examples=100, deadline=None)
@given(changes(), incoming, wishes, wishes, st.lists(st.tuples(term_lists(), wishes, wishes), max_size=3), st.integers(0, 3))
def test_affinity_scores_as_walking_scores(
    change: Change,
    pod: Pod,
    wanted: tuple,
    avoided: tuple,
    there: list[tuple],
    hard_weight: int,  # type: ignore[type-arg]
) -> None:
    pod = replace(pod, preferred_affinity=wanted, preferred_anti_affinity=avoided)
    others = [
        Pod(name=f"o{k}", node_name=change.node, labels={"app": "a"}, required_affinity=a, preferred_affinity=b, preferred_anti_affinity=c)
        for k, (a, b, c) in enumerate(there)
    ]
    objects = [*change.before, *others]
    found = scored(InterPodAffinity(hard_pod_affinity_weight=hard_weight), objects, pod)
    expected = affinity_scores(World.of(objects), pod, hard_weight=hard_weight)
    assert (found or dict.fromkeys(expected, 0)) == expected

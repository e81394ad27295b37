"""Pods counted by selectors: whatever comes, goes and is asked, a tally is the count that walking over all pods would give."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.api.objects import LabelSelector, Node, Pod, Requirement
from scheduler_core.cluster import tallies
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.domains import label_domains, row_domains
from scheduler_core.cluster.tallies import Clause, PodTallies, TallyKey

NODES = [Node(name=f"n{k}", labels={"zone": f"z{k % 2}"} if k < 3 else {}) for k in range(4)]
SELECTORS = (
    None,
    LabelSelector(),
    LabelSelector(match_labels=(("app", "a"),)),
    LabelSelector(match_labels=(("app", "b"), ("tier", "x"))),
    LabelSelector(match_expressions=(Requirement(key="app", operator="NotIn", values=("a",)),)),
)
clauses = st.builds(Clause, st.sampled_from([None, frozenset({"default"}), frozenset({"default", "other"})]), st.sampled_from(SELECTORS))
keys = st.builds(TallyKey, st.lists(clauses, min_size=1, max_size=2).map(tuple), st.booleans())
pods = st.builds(
    Pod,
    name=st.sampled_from([f"p{k}" for k in range(8)]),
    namespace=st.sampled_from(["default", "other"]),
    labels=st.sampled_from([{}, {"app": "a"}, {"app": "b"}, {"app": "b", "tier": "x"}]),
    node_name=st.sampled_from(["n0", "n1", "n2", "n3"]),
    deletion_timestamp=st.sampled_from([None, None, 1]),
)


def walked(cluster: Cluster, key: TallyKey) -> dict[int, int]:
    """How many pods of each row the key selects, one by one."""
    found = ((info.row, info.pod) for info in cluster.known.values())
    return dict(Counter(row for row, pod in found if key.matches(pod.namespace, pod.labels, pod.deletion_timestamp is not None)))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(keys, pods, pods.map(lambda pod: pod.key)), max_size=30), st.integers(1, 3))
def test_a_tally_is_what_walking_over_all_pods_counts(steps: list[TallyKey | Pod | str], most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tallies, "MOST_TALLIES", most)
        patch.setattr(tallies, "_SPARE_KINDS", 2)
        cluster = Cluster(NODES)
        index: PodTallies = cluster.index(PodTallies)
        for step in steps:
            match step:
                case TallyKey():
                    rows = index.tally(step).counts.rows
                    assert rows == walked(cluster, step)
                case Pod():
                    cluster.add_pod(cluster.info_of(step))
                case str():
                    cluster.remove_pod(step)
        assert len(index._tallies) <= most


@settings(max_examples=60, deadline=None)
@given(keys, st.lists(pods, max_size=10), st.lists(pods, max_size=10))
def test_a_domain_is_the_sum_of_its_rows(key: TallyKey, first: list[Pod], later: list[Pod]) -> None:
    cluster = Cluster([*NODES, *first])
    index: PodTallies = cluster.index(PodTallies)
    counts = index.tally(key).counts
    zones = counts.view(label_domains(cluster, "zone"), cluster.node_generation)
    for pod in later:
        cluster.add_pod(cluster.info_of(pod))
    rows = counts.view(row_domains(cluster), cluster.node_generation)
    by_row = [walked(cluster, key).get(row, 0) for row in range(len(NODES))]
    assert rows.counts.tolist() == [*by_row, 0]
    assert zones.counts.tolist() == [by_row[0] + by_row[2], by_row[1], 0]
    assert zones.total == by_row[0] + by_row[1] + by_row[2]


@settings(max_examples=60, deadline=None)
@given(keys, st.lists(pods, max_size=8), st.lists(pods, max_size=8))
def test_a_batch_may_mix_pods_on_nodes_and_pods_that_wait(key: TallyKey, placed: list[Pod], waiting: list[Pod]) -> None:
    cluster = Cluster([*NODES, *placed])
    index: PodTallies = cluster.index(PodTallies)
    infos = [*cluster.known.values(), *(cluster.info_of(pod) for pod in waiting)]
    batch = cluster.batch([info.slot for info in infos], np.zeros(len(infos), np.int64))
    expected = [key.matches(info.pod.namespace, info.pod.labels, info.is_terminating) for info in infos]
    assert index.selected(index.tally(key), batch).tolist() == expected
    assert index.selected(index.tally(key), batch, even_terminating=True).tolist() == [
        key.matches(info.pod.namespace, info.pod.labels, is_terminating=False) for info in infos
    ]


def test_a_node_that_changes_its_zone_takes_its_pods_along() -> None:
    cluster = Cluster([*NODES, Pod(name="p", labels={"app": "a"}, node_name="n0")])
    index: PodTallies = cluster.index(PodTallies)
    counts = index.tally(TallyKey((Clause(None, SELECTORS[2]),))).counts
    assert counts.view(label_domains(cluster, "zone"), cluster.node_generation).counts.tolist() == [1, 0, 0]
    cluster.set_node(Node(name="n0", labels={"zone": "z1"}))
    assert counts.view(label_domains(cluster, "zone"), cluster.node_generation).counts.tolist() == [1, 0, 0]
    assert cluster.label_column("zone").values == ("z1", "z0")

"""Random clusters that are full of pods somebody may preempt, and what may happen to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from scheduler_core.api.objects import (
    Container,
    ContainerPort,
    KubeObject,
    Node,
    Pod,
    PodDisruptionBudget,
    Taint,
    Toleration,
    TopologySpreadConstraint,
)
from scheduler_core.cluster.cluster import Cluster
from tests.plugins.spread_worlds import ZONE, node, selector

NAMES = ("n0", "n1", "n2", "n3", "n4")
TAINT = Taint(key="t", effect="NoSchedule")
SPREAD = TopologySpreadConstraint(max_skew=1, topology_key=ZONE, when_unsatisfiable="DoNotSchedule", selector=selector(app="a"))

apps = st.sampled_from("ab")
starts = st.sampled_from([None, 100, 200, 200, 300])


def container(cpu: int, port: int = 0) -> Container:
    """A container that asks for some thousandths of a CPU, and for a host port unless that is 0."""
    ports = (ContainerPort(container_port=80, host_port=port),) if port else ()
    return Container(name="c", requests={"cpu": cpu}, ports=ports)


# Kinds of preemptors: what two of them have in common is kept.
KINDS: dict[str, dict[str, Any]] = {
    "large": {"containers": (container(3000),)},
    "small": {"containers": (container(1000),)},
    "tolerant": {"containers": (container(2000),), "tolerations": (Toleration(key="t", operator="Exists"),)},
    "zonal": {"containers": (container(2000),), "node_selector": ((ZONE, "z1"),)},
    "with a port": {"containers": (container(500, 80),)},
    "spread": {"containers": (container(2000),), "spread_constraints": (SPREAD,)},
}


@st.composite
def nodes(draw: st.DrawFn, name: str) -> Node:
    """A node with room for four CPU and a few pods; some are tainted or cordoned."""
    return node(
        name,
        draw(st.sampled_from(["z1", "z2"])),
        allocatable={"cpu": draw(st.sampled_from([3000, 4000])), "pods": draw(st.sampled_from([3, 6, 20]))},
        taints=draw(st.sampled_from([(), (), (TAINT,)])),
        unschedulable=draw(st.sampled_from([False, False, False, True])),
    )


@st.composite
def low_pods(draw: st.DrawFn, name: str, places: Sequence[str] = NAMES) -> Pod:
    """A pod on a node, of a priority below that of any preemptor or as high."""
    return Pod(
        name=name,
        uid=name,
        labels={"app": draw(apps)},
        node_name=draw(st.sampled_from(places)),
        priority=draw(st.sampled_from([0, 0, 0, 5, 50, 100])),
        start_time=draw(starts),
        containers=(container(draw(st.sampled_from([200, 900, 1500])), draw(st.sampled_from([0, 0, 80]))),),
    )


@st.composite
def budgets(draw: st.DrawFn, app: str) -> PodDisruptionBudget:
    """A budget over the pods of an application."""
    return PodDisruptionBudget(name=app, selector=selector(app=app), disruptions_allowed=draw(st.integers(0, 2)))


@st.composite
def worlds(draw: st.DrawFn) -> list[KubeObject]:
    """Up to five nodes, all crowded, and perhaps budgets."""
    names = NAMES[: draw(st.integers(1, 5))]
    objects: list[KubeObject] = [draw(nodes(name)) for name in names]
    objects += [draw(low_pods(f"low-{k}", names)) for k in range(draw(st.sampled_from([3, 4, 5, 16])) * len(names))]
    return objects + [draw(budgets(app)) for app in draw(st.sets(apps))]


def preemptor(kind: str, number: int, priority: int) -> Pod:
    """A pending pod of a kind; those of the same kind and priority are alike."""
    return Pod(name=f"{kind.replace(' ', '-')}-{number}", uid=f"{kind}-{number}", priority=priority, labels={"app": "a"}, **KINDS[kind])


Change = Callable[[Cluster], object]


@st.composite
def changes(draw: st.DrawFn) -> Change:
    """Something that happens to a cluster: most often to pods or nominations, now and then to nodes and budgets."""
    kind = draw(
        st.sampled_from(["come", "come", "go", "go", "go", "nominate", "nominate", "give up", "node", "no node", "budget", "no budget"])
    )
    name = draw(st.sampled_from(NAMES))
    key = f"low-{draw(st.integers(0, 24))}"
    match kind:
        case "come":
            low = draw(low_pods(key))
            return lambda cluster: cluster.add_pod(cluster.info_of(low))
        case "go":
            return lambda cluster: _go(cluster, f"default/{key}")
        case "nominate" | "give up":
            pod = preemptor(draw(st.sampled_from(sorted(KINDS))), draw(st.integers(0, 2)), draw(st.sampled_from([50, 100])))
            if kind == "give up":
                return lambda cluster: cluster.nominator.delete(pod.key)
            return lambda cluster: cluster.nominator.add(cluster.info_of(pod), name)
        case "node":
            fresh = draw(nodes(name))
            return lambda cluster: cluster.set_node(fresh)
        case "no node":
            return lambda cluster: cluster.delete_node(name) if len(cluster) > 1 else None
        case "no budget":
            which = draw(st.integers(0, 5))
            return lambda cluster: _lift(cluster, which)
        case _:
            budget = draw(budgets(draw(apps)))
            return lambda cluster: cluster.set_object(budget)


def _lift(cluster: Cluster, which: int) -> None:
    known = sorted(cluster.budgets)
    if known:
        cluster.delete_object("PodDisruptionBudget", known[which % len(known)])


def _go(cluster: Cluster, key: str) -> None:
    info = cluster.known.get(key)
    if info is not None:
        cluster.forget(info)

"""Random clusters in which one row is changed in thought and in fact, for the law that both are the same."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from scheduler_core.api.objects import LabelSelector, Namespace, Node, Pod, PodAffinityTerm, Taint
from tests.plugins.spread_worlds import HOST, ZONE, expression, selector

KEYS = (HOST, ZONE, "rack")
SELECTORS = (None, LabelSelector(), selector(app="a"), selector(app="b"), expression("app", "Exists"), expression("app", "NotIn", "a"))

labels = st.sampled_from([{}, {"app": "a"}, {"app": "b"}, {"app": "a", "tier": "x"}])
namespaces = st.sampled_from(["default", "other"])
selectors = st.sampled_from(SELECTORS)


@st.composite
def terms(draw: st.DrawFn) -> PodAffinityTerm:
    """A term over any key, namespace and selector."""
    return PodAffinityTerm(
        topology_key=draw(st.sampled_from(KEYS)),
        selector=draw(selectors),
        namespaces=draw(st.sampled_from([(), ("other",), ("default", "other")])),
        namespace_selector=draw(st.sampled_from([None, LabelSelector(), selector(team="x")])),
    )


def term_lists(least: int = 0) -> st.SearchStrategy[tuple[PodAffinityTerm, ...]]:
    """Up to two terms."""
    return st.lists(terms(), min_size=least, max_size=2).map(tuple)


@st.composite
def nodes(draw: st.DrawFn) -> list[Node]:
    """One to five nodes; some lack a zone or a rack, some are tainted."""
    found = []
    for k in range(draw(st.integers(1, 5))):
        values = {HOST: f"n{k}"}
        zone = draw(st.sampled_from([None, "z1", "z2", ""]))
        rack = draw(st.sampled_from([None, "r1"]))
        values |= {} if zone is None else {ZONE: zone}
        values |= {} if rack is None else {"rack": rack}
        taints = draw(st.sampled_from([(), (Taint(key="t", effect="NoSchedule"),)]))
        found.append(Node(name=f"n{k}", labels=values, taints=taints))
    return found


@dataclass(frozen=True, slots=True)
class Change:
    """A cluster, and pods of one of its nodes that are taken off, and pods that are put on."""

    nodes: list[Node]
    kept: list[Pod]
    removed: list[Pod]
    added: list[Pod]
    node: str

    @property
    def before(self) -> list[Node | Pod | Namespace]:
        """The cluster as it is."""
        return [*self.nodes, Namespace(name="default"), Namespace(name="other", labels={"team": "x"}), *self.kept, *self.removed]

    @property
    def after(self) -> list[Node | Pod | Namespace]:
        """The cluster really changed."""
        gone = {pod.key for pod in self.removed}
        return [item for item in self.before if not (isinstance(item, Pod) and item.key in gone)] + self.added


@st.composite
def changes(draw: st.DrawFn, *, with_terms: bool = False) -> Change:
    """A random change of one row."""
    table = draw(nodes())
    node = draw(st.sampled_from(table)).name
    anti = term_lists() if with_terms else st.just(())

    def pods(prefix: str, where: st.SearchStrategy[str], most: int) -> list[Pod]:
        return [
            Pod(
                name=f"{prefix}{k}",
                namespace=draw(namespaces),
                labels=draw(labels),
                node_name=draw(where),
                required_anti_affinity=draw(anti),
            )
            for k in range(draw(st.integers(0, most)))
        ]

    anywhere = st.sampled_from([n.name for n in table])
    return Change(table, pods("kept", anywhere, 6), pods("removed", st.just(node), 3), pods("added", st.just(node), 2), node)

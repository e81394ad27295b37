"""Where a pod may go, as written: selectors, affinity, tolerations, topology spread.

The one rule: what stands here is checked as an API server checks it and otherwise kept as written; what it means is decided
where it is used. Mirrors pkg/apis/core/validation/validation.go and apimachinery's ValidateLabelSelector at 1.34.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scheduler_core.api.fields import Fields, Value, found
from scheduler_core.api.findings import Path
from scheduler_core.api.names import label_error, label_value_error, qualified_name_error, subdomain_error
from scheduler_core.api.objects import (
    LabelSelector,
    NodeSelectorTerm,
    PodAffinityTerm,
    PreferredNodeTerm,
    PreferredPodTerm,
    Requirement,
    Taint,
    Toleration,
    TopologySpreadConstraint,
)

LABEL_OPERATORS: Final = ("In", "NotIn", "Exists", "DoesNotExist")
NODE_OPERATORS: Final = (*LABEL_OPERATORS, "Gt", "Lt")
EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
HOSTNAME: Final = "kubernetes.io/hostname"
REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"


class Constraints:
    """Readers of constraints; each method reads one field of a pod spec, or of what stands under one."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields

    # -- selectors ---------------------------------------------------------------------------------------------------

    def label_selector(self, value: Value, path: Path | None) -> LabelSelector | None:
        """metav1.LabelSelector, or None where there is none."""
        if value is None:
            return None
        raw = self.fields.mapping(value, path)
        expressions = raw.get("matchExpressions")
        labels = self.fields.labels(raw.get("matchLabels"), (path, "matchLabels"))
        return LabelSelector(
            match_labels=tuple(labels.items()),
            match_expressions=tuple(
                self._requirement(item, here, LABEL_OPERATORS) for item, here in self.fields.maps(expressions, (path, "matchExpressions"))
            ),
        )

    def node_selector(self, value: Value, path: Path | None) -> tuple[NodeSelectorTerm, ...] | None:
        """core/v1 NodeSelector: its terms, any of which may hold; None where there is none."""
        if value is None:
            return None
        raw = self.fields.mapping(value, path)
        here = (path, "nodeSelectorTerms")
        terms = tuple(self.node_selector_term(item, at) for item, at in self.fields.maps(raw.get("nodeSelectorTerms"), here))
        if not raw.get("nodeSelectorTerms"):
            self.fields.invalid(here, "is required: must have at least one node selector term")
        return terms

    def node_selector_term(self, value: Mapping[str, Value], path: Path | None) -> NodeSelectorTerm:
        """One term: expressions over labels and over metadata.name."""
        return NodeSelectorTerm(
            match_expressions=tuple(
                self._requirement(item, here, NODE_OPERATORS)
                for item, here in self.fields.maps(value.get("matchExpressions"), (path, "matchExpressions"))
            ),
            match_fields=tuple(
                self._field_requirement(item, here) for item, here in self.fields.maps(value.get("matchFields"), (path, "matchFields"))
            ),
        )

    def _requirement(self, item: Mapping[str, Value], path: Path, operators: tuple[str, ...]) -> Requirement:
        key = self.fields.required_text(item, "key", path)
        operator = self.fields.choice(item, "operator", path, operators)
        values = self.fields.strings(item.get("values"), (path, "values"))
        error = qualified_name_error(key) if key else ""
        if error:
            self.fields.invalid((path, "key"), error)
        self._check_value_count(operator, values, (path, "values"))
        if operators is LABEL_OPERATORS:
            self._check_label_values(values, (path, "values"))
        return Requirement(key=key, operator=operator, values=values)

    def _check_value_count(self, operator: str, values: tuple[str, ...], path: Path) -> None:
        if operator in ("In", "NotIn") and not values:
            self.fields.invalid(path, f"is required: {operator} needs at least one value")
        elif operator in ("Exists", "DoesNotExist") and values:
            self.fields.invalid(path, f"must be empty with {operator}")
        elif operator in ("Gt", "Lt") and len(values) != 1:
            self.fields.invalid(path, f"must hold exactly one value with {operator}")

    def _check_label_values(self, values: tuple[str, ...], path: Path) -> None:
        for index, value in enumerate(values):
            error = label_value_error(value)
            if error:
                self.fields.invalid((path, index), error)

    def _field_requirement(self, item: Mapping[str, Value], path: Path) -> Requirement:
        key = self.fields.required_text(item, "key", path)
        operator = self.fields.choice(item, "operator", path, ("In", "NotIn"))
        values = self.fields.strings(item.get("values"), (path, "values"))
        if key and key != "metadata.name":
            self.fields.invalid((path, "key"), f"{key[:80]!r} is not a field to select by: only metadata.name is")
        if len(values) != 1:
            self.fields.invalid((path, "values"), f"must hold exactly one value with {operator}")
        for index, value in enumerate(values):
            if subdomain_error(value):
                self.fields.invalid((path, "values"), subdomain_error(value)) if index == 0 else None
        return Requirement(key=key, operator=operator, values=values)

    def node_labels(self, value: Value, path: Path | None) -> tuple[tuple[str, str], ...]:
        """spec.nodeSelector."""
        return tuple(self.fields.labels(value, path).items())

    # -- affinity ----------------------------------------------------------------------------------------------------

    def affinity(self, value: Value, path: Path | None) -> dict[str, object]:
        """spec.affinity as the six fields of :class:`~scheduler_core.api.objects.Pod` that hold it."""
        raw = self.fields.mapping(value, path)
        node_path, node = (path, "nodeAffinity"), self.fields.mapping(raw.get("nodeAffinity"), (path, "nodeAffinity"))
        near_path, near = (path, "podAffinity"), self.fields.mapping(raw.get("podAffinity"), (path, "podAffinity"))
        apart_path, apart = (path, "podAntiAffinity"), self.fields.mapping(raw.get("podAntiAffinity"), (path, "podAntiAffinity"))
        return {
            "required_node_affinity": self.node_selector(node.get(REQUIRED), (node_path, REQUIRED)),
            "preferred_node_affinity": self._preferred_node_terms(node.get(PREFERRED), (node_path, PREFERRED)),
            "required_affinity": self._pod_terms(near.get(REQUIRED), (near_path, REQUIRED)),
            "preferred_affinity": self._preferred_pod_terms(near.get(PREFERRED), (near_path, PREFERRED)),
            "required_anti_affinity": self._pod_terms(apart.get(REQUIRED), (apart_path, REQUIRED)),
            "preferred_anti_affinity": self._preferred_pod_terms(apart.get(PREFERRED), (apart_path, PREFERRED)),
        }

    def _weight(self, item: Mapping[str, Value], path: Path) -> int:
        if item.get("weight") is None:
            self.fields.invalid((path, "weight"), "is required: 1 to 100")
            return 1
        return self.fields.integer(item, "weight", path, low=1, high=100) or 1

    def _preferred_node_terms(self, value: Value, path: Path) -> tuple[PreferredNodeTerm, ...]:
        return tuple(
            PreferredNodeTerm(
                weight=self._weight(item, here),
                term=self.node_selector_term(self.fields.mapping(item.get("preference"), (here, "preference")), (here, "preference")),
            )
            for item, here in self.fields.maps(value, path)
        )

    def _pod_terms(self, value: Value, path: Path) -> tuple[PodAffinityTerm, ...]:
        return tuple(self._pod_term(item, here) for item, here in self.fields.maps(value, path))

    def _preferred_pod_terms(self, value: Value, path: Path) -> tuple[PreferredPodTerm, ...]:
        return tuple(
            PreferredPodTerm(
                weight=self._weight(item, here),
                term=self._pod_term(self.fields.mapping(item.get("podAffinityTerm"), (here, "podAffinityTerm")), (here, "podAffinityTerm")),
            )
            for item, here in self.fields.maps(value, path)
        )

    def _pod_term(self, item: Mapping[str, Value], path: Path) -> PodAffinityTerm:
        namespaces = self.fields.strings(item.get("namespaces"), (path, "namespaces"))
        for index, namespace in enumerate(namespaces):
            if label_error(namespace):
                self.fields.invalid(((path, "namespaces"), index), label_error(namespace))
        selector = self.label_selector(item.get("labelSelector"), (path, "labelSelector"))
        return PodAffinityTerm(
            topology_key=self._topology_key(item, path),
            selector=selector,
            namespaces=namespaces,
            namespace_selector=self.label_selector(item.get("namespaceSelector"), (path, "namespaceSelector")),
            match_label_keys=self._label_keys(item, "matchLabelKeys", path, selector),
            mismatch_label_keys=self._label_keys(item, "mismatchLabelKeys", path, selector),
        )

    def _topology_key(self, item: Mapping[str, Value], path: Path) -> str:
        key = self.fields.required_text(item, "topologyKey", path)
        error = qualified_name_error(key) if key else ""
        if error:
            self.fields.invalid((path, "topologyKey"), error)
        return key

    def _label_keys(self, item: Mapping[str, Value], name: str, path: Path, selector: LabelSelector | None) -> tuple[str, ...]:
        keys = self.fields.strings(item.get(name), (path, name))
        for index, key in enumerate(keys):
            if qualified_name_error(key):
                self.fields.invalid(((path, name), index), qualified_name_error(key))
        if keys and selector is None:
            self.fields.invalid((path, name), "must not be set without labelSelector")
        return keys

    # -- tolerations, taints, spread -----------------------------------------------------------------------------------

    def tolerations(self, value: Value, path: Path | None) -> tuple[Toleration, ...]:
        """spec.tolerations."""
        return tuple(self._toleration(item, here) for item, here in self.fields.maps(value, path))

    def _toleration(self, item: Mapping[str, Value], path: Path) -> Toleration:
        key = self.fields.text(item, "key", path)
        operator = self.fields.choice(item, "operator", path, ("Equal", "Exists"), "Equal")
        value = self.fields.text(item, "value", path)
        effect = self.fields.choice(item, "effect", path, EFFECTS, "any") if item.get("effect") else ""
        seconds = self.fields.integer(item, "tolerationSeconds", path, low=-(2**63), high=2**63 - 1)
        if key and qualified_name_error(key):
            self.fields.invalid((path, "key"), qualified_name_error(key))
        if not key and operator != "Exists":
            self.fields.invalid((path, "operator"), "must be Exists when there is no key, which tolerates every taint")
        if operator == "Exists" and value:
            self.fields.invalid((path, "value"), "must be empty when the operator is Exists")
        if operator == "Equal" and label_value_error(value):
            self.fields.invalid((path, "value"), label_value_error(value))
        if seconds is not None and effect not in ("NoExecute", "any"):
            self.fields.invalid((path, "effect"), "must be NoExecute when tolerationSeconds is set")
        return Toleration(key=key, operator=operator, value=value, effect="" if effect == "any" else effect, toleration_seconds=seconds)

    def taints(self, value: Value, path: Path | None) -> tuple[Taint, ...]:
        """spec.taints of a node; a key may have each effect once."""
        seen = set()
        taints = []
        for item, here in self.fields.maps(value, path):
            taint = self._taint(item, here)
            if (taint.key, taint.effect) in seen:
                self.fields.findings.warn(
                    here, f"repeats the taint {taint.key!r} with the effect {taint.effect}: an API server refuses that"
                )
            seen.add((taint.key, taint.effect))
            taints.append(taint)
        return tuple(taints)

    def _taint(self, item: Mapping[str, Value], path: Path) -> Taint:
        key = self.fields.required_text(item, "key", path)
        value = self.fields.text(item, "value", path)
        if key and qualified_name_error(key):
            self.fields.invalid((path, "key"), qualified_name_error(key))
        if label_value_error(value):
            self.fields.invalid((path, "value"), label_value_error(value))
        return Taint(key=key, value=value, effect=self.fields.choice(item, "effect", path, EFFECTS))

    def spread_constraints(self, value: Value, path: Path | None) -> tuple[TopologySpreadConstraint, ...]:
        """spec.topologySpreadConstraints; each pair of topologyKey and whenUnsatisfiable may stand once."""
        seen = set()
        constraints = []
        for item, here in self.fields.maps(value, path):
            constraint = self._spread_constraint(item, here)
            pair = (constraint.topology_key, constraint.when_unsatisfiable)
            if pair in seen:
                self.fields.invalid(here, f"repeats the constraint on {pair[0]} with {pair[1]}")
            seen.add(pair)
            constraints.append(constraint)
        return tuple(constraints)

    def _spread_constraint(self, item: Mapping[str, Value], path: Path) -> TopologySpreadConstraint:
        when = self.fields.choice(item, "whenUnsatisfiable", path, ("DoNotSchedule", "ScheduleAnyway"))
        min_domains = self.fields.integer(item, "minDomains", path, low=1)
        if min_domains is not None and when != "DoNotSchedule":
            self.fields.invalid((path, "minDomains"), "can only be set when whenUnsatisfiable is DoNotSchedule")
        if item.get("maxSkew") is None:
            self.fields.invalid((path, "maxSkew"), "is required: 1 or more")
        policies = ("Honor", "Ignore")
        selector = self.label_selector(item.get("labelSelector"), (path, "labelSelector"))
        return TopologySpreadConstraint(
            max_skew=self.fields.integer(item, "maxSkew", path, low=1) or 1,
            topology_key=self._topology_key(item, path),
            when_unsatisfiable=when,
            selector=selector,
            min_domains=min_domains,
            node_affinity_policy=self.fields.choice(item, "nodeAffinityPolicy", path, policies, "Honor"),
            node_taints_policy=self.fields.choice(item, "nodeTaintsPolicy", path, policies, "Ignore"),
            match_label_keys=self._label_keys(item, "matchLabelKeys", path, selector),
        )


def selector_in(fields: Fields, value: Value, path: Path) -> LabelSelector | None:
    """The label selector of a workload: that of apps/v1, or a plain map as ReplicationController and Service have it."""
    if value is None:
        return None
    if type(value) is not dict:
        fields.invalid(path, f"must be a map, not {found(value)}")
        return None
    return Constraints(fields).label_selector(value, path)

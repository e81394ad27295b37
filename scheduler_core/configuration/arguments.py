"""Plugin arguments: their defaults, what kube-scheduler refuses, and the settings that a plugin is made with.

The one rule: arguments come decoded (every type is right), so only values are judged here. Mirrors apis/config/v1/defaults.go
and apis/config/validation/validation_pluginargs.go at 1.34.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from scheduler_core.api.findings import Findings, Path
from scheduler_core.api.names import qualified_name_error
from scheduler_core.api.objects import NodeSelectorTerm, PreferredNodeTerm, TopologySpreadConstraint
from scheduler_core.configuration import field_errors as text
from scheduler_core.configuration.node_terms import read_term
from scheduler_core.framework.interface import PreemptionArgs
from scheduler_core.plugins.node_resources_fit import ScoringStrategy

Args = Mapping[str, Any]
Settings = dict[str, Any]
Gates = Mapping[str, bool]

STRATEGIES: Final = ("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio")
REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_DEFAULT_RESOURCES: Final = ({"name": "cpu", "weight": 1}, {"name": "memory", "weight": 1})


class Judge:
    """Turns the arguments of one plugin into settings; what is wrong goes to the findings."""

    def __init__(self, findings: Findings, gates: Gates) -> None:
        self._findings = findings
        self._gates = gates
        self._readers: dict[str, Callable[[Args, Path | None], Settings]] = {
            "DefaultPreemption": self._default_preemption,
            "InterPodAffinity": self._inter_pod_affinity,
            "NodeAffinity": self._node_affinity,
            "NodeResourcesBalancedAllocation": self._balanced_allocation,
            "NodeResourcesFit": self._node_resources_fit,
            "PodTopologySpread": self._pod_topology_spread,
            "VolumeBinding": self._volume_binding,
        }

    def settings(self, plugin: str, args: Args, path: Path | None) -> Settings:
        """The settings of a plugin; empty where it takes none."""
        reader = self._readers.get(plugin)
        return reader(args, path) if reader else {}

    def _wrong(self, path: Path | None, message: str) -> None:
        self._findings.problem(path, message)

    # ---- preemption, affinity, spreading, volumes ------------------------------------------------------------------

    def _default_preemption(self, args: Args, path: Path | None) -> Settings:
        percentage = args.get("minCandidateNodesPercentage", 10)
        absolute = args.get("minCandidateNodesAbsolute", 100)
        percentage_at, absolute_at = (path, "minCandidateNodesPercentage"), (path, "minCandidateNodesAbsolute")
        if not 0 <= percentage <= 100:
            self._wrong(percentage_at, text.invalid(percentage, "not in valid range [0, 100]"))
        if absolute < 0:
            self._wrong(absolute_at, text.invalid(absolute, "not in valid range [0, inf)"))
        if percentage == 0 and absolute == 0:
            self._wrong(percentage_at, text.invalid(0, "cannot be zero at the same time as minCandidateNodesAbsolute"))
            self._wrong(absolute_at, text.invalid(0, "cannot be zero at the same time as minCandidateNodesPercentage"))
        return {"args": PreemptionArgs(min_candidate_nodes_percentage=percentage, min_candidate_nodes_absolute=absolute)}

    def _inter_pod_affinity(self, args: Args, path: Path | None) -> Settings:
        weight = args.get("hardPodAffinityWeight", 1)
        if not 0 <= weight <= 100:
            self._wrong((path, "hardPodAffinityWeight"), text.invalid(weight, "not in valid range [0, 100]"))
        return {
            "hard_pod_affinity_weight": weight,
            "ignore_preferred_terms_of_existing_pods": args.get("ignorePreferredTermsOfExistingPods", False),
        }

    def _node_affinity(self, args: Args, path: Path | None) -> Settings:
        added = args.get("addedAffinity")
        if not added:
            return {}
        here = (path, "addedAffinity")
        required, preferred = added.get(REQUIRED), added.get(PREFERRED, ())
        terms, terms_at = (required or {}).get("nodeSelectorTerms", ()), ((here, REQUIRED), "nodeSelectorTerms")
        return {
            "added_required": None if required is None else tuple(self._term(term, (terms_at, k)) for k, term in enumerate(terms)),
            "added_preferred": tuple(self._preferred(entry, ((here, PREFERRED), k)) for k, entry in enumerate(preferred)),
        }

    def _term(self, raw: Args, path: Path) -> NodeSelectorTerm:
        return read_term(raw, path, self._findings)

    def _preferred(self, raw: Args, path: Path) -> PreferredNodeTerm:
        """A term without weight prefers nothing, so it is not looked at."""
        weight = raw.get("weight", 0)
        term = self._term(raw.get("preference", {}), (path, "preference")) if weight else NodeSelectorTerm()
        return PreferredNodeTerm(weight=weight, term=term)

    def _pod_topology_spread(self, args: Args, path: Path | None) -> Settings:
        kind = args.get("defaultingType") or "System"
        constraints: Sequence[Args] = args.get("defaultConstraints", ())
        if kind not in ("System", "List"):
            self._wrong((path, "defaultingType"), text.not_supported(kind, ("System", "List")))
        elif kind == "System" and constraints:
            self._wrong((path, "defaultingType"), text.invalid(kind, "when .defaultConstraints are not empty"))
        here = (path, "defaultConstraints")
        seen: set[tuple[str, str]] = set()
        read = tuple(self._default_constraint(item, (here, index), seen) for index, item in enumerate(constraints))
        return {"defaulting_type": kind, "default_constraints": read}

    def _default_constraint(self, item: Args, path: Path, seen: set[tuple[str, str]]) -> TopologySpreadConstraint:
        skew, key, when = item.get("maxSkew", 0), item.get("topologyKey", ""), item.get("whenUnsatisfiable", "")
        if skew <= 0:
            self._wrong((path, "maxSkew"), text.invalid(skew, "not in valid range (0, inf)"))
        if not key:
            self._wrong((path, "topologyKey"), text.required("can not be empty"))
        else:
            self._label_name(key, (path, "topologyKey"))
        if not when:
            self._wrong((path, "whenUnsatisfiable"), text.required("can not be empty"))
        elif when not in ("DoNotSchedule", "ScheduleAnyway"):
            self._wrong((path, "whenUnsatisfiable"), text.not_supported(when, ("DoNotSchedule", "ScheduleAnyway")))
        if item.get("labelSelector") is not None:
            self._wrong((path, "labelSelector"), text.forbidden("constraint must not define a selector, as they deduced for each pod"))
        if (key, when) in seen:
            self._wrong(path, text.duplicate(f"{{{key}, {when}}}"))
        seen.add((key, when))
        return TopologySpreadConstraint(
            max_skew=skew,
            topology_key=key,
            when_unsatisfiable=when,
            min_domains=item.get("minDomains"),
            node_affinity_policy=item.get("nodeAffinityPolicy") or "Honor",
            node_taints_policy=item.get("nodeTaintsPolicy") or "Ignore",
            match_label_keys=tuple(item.get("matchLabelKeys", ())),
        )

    def _volume_binding(self, args: Args, path: Path | None) -> Settings:
        timeout = args.get("bindTimeoutSeconds", 600)
        if timeout < 0:
            detail = "invalid BindTimeoutSeconds, should not be a negative value"
            self._wrong((path, "bindTimeoutSeconds"), text.invalid(timeout, detail))
        shape, here = args.get("shape"), (path, "shape")
        if not self._gates.get("StorageCapacityScoring", False):
            if shape is not None:
                detail = "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring"
                self._wrong(here, text.invalid(shape, detail))
            return {"bind_timeout_seconds": timeout}
        points = shape or ({"utilization": 0, "score": 10}, {"utilization": 100, "score": 0})
        return {"bind_timeout_seconds": timeout, "shape": self._shape(points, here)}

    # ---- resources -------------------------------------------------------------------------------------------------

    def _balanced_allocation(self, args: Args, path: Path | None) -> Settings:
        resources, here = _weighted(args.get("resources") or _DEFAULT_RESOURCES), (path, "resources")
        seen: set[str] = set()
        for index, (name, weight) in enumerate(resources):
            if name in seen:
                self._wrong(((here, index), "name"), text.duplicate(name))
            seen.add(name)
            if weight != 1:
                self._wrong(((here, index), "weight"), text.invalid(weight, "must be 1"))
        return {"resources": tuple(name for name, _ in resources)}

    def _node_resources_fit(self, args: Args, path: Path | None) -> Settings:
        ignored, groups = args.get("ignoredResources", ()), args.get("ignoredResourceGroups", ())
        for index, name in enumerate(ignored):
            self._label_name(name, ((path, "ignoredResources"), index))
        for index, group in enumerate(groups):
            here = ((path, "ignoredResourceGroups"), index)
            if "/" in group:
                self._wrong(here, text.invalid(group, "resource group name can't contain '/'"))
            self._label_name(group, here)
        strategy = args.get("scoringStrategy", {"type": STRATEGIES[0]})
        return {
            "ignored_resources": frozenset(ignored),
            "ignored_groups": frozenset(groups),
            "strategy": self._strategy(strategy, (path, "scoringStrategy")),
        }

    def _strategy(self, raw: Args, path: Path) -> ScoringStrategy:
        kind = raw.get("type", "")
        if kind not in STRATEGIES:
            self._wrong((path, "type"), text.not_supported(kind, STRATEGIES))
        resources = _weighted(raw.get("resources") or _DEFAULT_RESOURCES)
        for index, (name, weight) in enumerate(resources):
            if not 0 < weight <= 100:
                detail = f"resource weight of {name} not in valid range (0, 100]"
                self._wrong((((path, "resources"), index), "weight"), text.invalid(weight, detail))
        ratio, here = raw.get("requestedToCapacityRatio"), (path, "requestedToCapacityRatio")
        if kind != "RequestedToCapacityRatio":
            if ratio is not None:
                self._wrong(here, text.forbidden("must be nil when type is not RequestedToCapacityRatio"))
            return ScoringStrategy(type=kind, resources=resources)
        if ratio is None:
            self._wrong(here, text.required("must be specified when type is RequestedToCapacityRatio"))
            return ScoringStrategy(type=kind, resources=resources)
        return ScoringStrategy(type=kind, resources=resources, shape=self._shape(ratio.get("shape", ()), (here, "shape")))

    def _shape(self, points: Sequence[Args], path: Path) -> tuple[tuple[int, int], ...]:
        """Points (utilization, score) in rising order of utilization."""
        read = tuple((point.get("utilization", 0), point.get("score", 0)) for point in points)
        if not read:
            self._wrong(path, text.required("at least one point must be specified"))
        falling = next((k for k in range(1, len(read)) if read[k - 1][0] >= read[k][0]), None)
        if falling is not None:
            detail = "values must be sorted in increasing order"
            self._wrong(((path, falling), "utilization"), text.invalid(read[falling][0], detail))
        for index, (utilization, score) in enumerate(read):
            if not 0 <= utilization <= 100:
                self._wrong(((path, index), "utilization"), text.invalid(utilization, "not in valid range [0, 100]"))
            if not 0 <= score <= 10:
                self._wrong(((path, index), "score"), text.invalid(score, "not in valid range [0, 10]"))
        return read

    def _label_name(self, name: str, path: Path) -> None:
        error = qualified_name_error(name)
        if error:
            self._wrong(path, text.invalid(name, error))


def _weighted(resources: Sequence[Args]) -> tuple[tuple[str, int], ...]:
    """(name, weight); no weight, or 0, is 1."""
    return tuple((item.get("name", ""), item.get("weight", 0) or 1) for item in resources)

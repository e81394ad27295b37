"""Claims, volumes and the nodes that they fit: what the volume plugins ask of a cluster.

The one rule: an answer is about every node at once, as rows, so that no plugin walks over nodes.
Mirrors k8s.io/component-helpers/storage/{volume,ephemeral}.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.api.objects import NodeSelectorTerm, PersistentVolume, PersistentVolumeClaim, Pod, Requirement
from scheduler_core.api.selectors import requirement_matches
from scheduler_core.cluster.cluster import Cluster

BIND_COMPLETED: Final = "pv.kubernetes.io/bind-completed"
BOUND_BY_CONTROLLER: Final = "pv.kubernetes.io/bound-by-controller"
SELECTED_NODE: Final = "volume.kubernetes.io/selected-node"

Terms = tuple[NodeSelectorTerm, ...]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ClaimUse:
    """A volume of a pod that stands for a claim of the pod's namespace; a generic ephemeral one must be owned by the pod."""

    name: str
    key: str
    is_ephemeral: bool = False


def claim_uses(pod: Pod) -> Iterator[ClaimUse]:
    """The claims behind a pod's volumes, in order."""
    for volume in pod.volumes:
        if volume.source == "persistentVolumeClaim":
            name = str(volume.spec.get("claimName") or "")
        elif volume.source == "ephemeral":
            name = f"{pod.name}-{volume.name}"
        else:
            continue
        yield ClaimUse(name, f"{pod.namespace}/{name}", volume.source == "ephemeral")


def is_owned_by(claim: PersistentVolumeClaim, pod: Pod) -> bool:
    """Whether the pod is the controller of the claim. Mirrors ephemeral.VolumeIsForPod."""
    owner = next((owner for owner in claim.owners if owner.controller), None)
    return owner is not None and claim.namespace == pod.namespace and owner.uid == pod.uid


def not_owned_text(claim: PersistentVolumeClaim, pod: Pod) -> str:
    """What kubectl shows where :func:`is_owned_by` is false."""
    return f"PVC {claim.key} was not created for pod {pod.key} (pod is not owner)"


def is_fully_bound(claim: PersistentVolumeClaim) -> bool:
    """Whether binding has finished from both sides."""
    return bool(claim.volume_name) and BIND_COMPLETED in claim.annotations


def is_bound_to(volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
    """Whether the volume is bound to, or reserved for, the claim. Mirrors IsVolumeBoundToClaim."""
    if volume.claim_ref is None:
        return False
    namespace, name, uid = volume.claim_ref
    return (namespace, name) == (claim.namespace, claim.name) and uid in ("", claim.uid)


def matching_rows(cluster: Cluster, terms: Terms | None) -> Rows | None:
    """The rows whose labels meet one of the terms, ascending; None stands for every row. Mirrors CheckNodeAffinity.

    As upstream, only labels count: an expression over metadata.name sees a node without a name.
    """
    if terms is None:
        return None
    return cluster.static(("volume affinity", terms), lambda: _rows_of(cluster, terms))


def rows_with_label(cluster: Cluster, label: str) -> dict[str, Rows]:
    """The rows of every value of a label, ascending."""
    return cluster.static(("rows with label", label), lambda: _rows_with_label(cluster, label))


def _rows_of(cluster: Cluster, terms: Terms) -> Rows:
    if len(terms) == 1 and not terms[0].match_fields and len(terms[0].match_expressions) == 1:
        return _rows_of_requirement(cluster, terms[0].match_expressions[0])
    found = np.zeros(len(cluster), np.bool_)
    for term in terms:
        if term.match_expressions or term.match_fields:
            found |= _term_mask(cluster, term)
    return np.flatnonzero(found)


def _term_mask(cluster: Cluster, term: NodeSelectorTerm) -> NDArray[np.bool_]:
    mask = np.full(len(cluster), all(requirement_matches(field, {}) for field in term.match_fields))
    for requirement in term.match_expressions:
        met = np.zeros(len(cluster), np.bool_)
        met[_rows_of_requirement(cluster, requirement)] = True
        mask &= met
    return mask


def _rows_of_requirement(cluster: Cluster, requirement: Requirement) -> Rows:
    if requirement.operator == "In":
        by_value = rows_with_label(cluster, requirement.key)
        parts = [by_value[value] for value in set(requirement.values) if value in by_value]
        return np.sort(np.concatenate(parts)) if parts else np.zeros(0, np.int64)
    column = cluster.label_column(requirement.key)
    met = [requirement_matches(requirement, {requirement.key: value}) for value in column.values]
    # a node without the label has the id -1, which is the last entry
    table = np.array([*met, requirement_matches(requirement, {})], np.bool_)
    return np.flatnonzero(table[column.ids])


def _rows_with_label(cluster: Cluster, label: str) -> dict[str, Rows]:
    rows: dict[str, list[int]] = defaultdict(list)
    for row, node in enumerate(cluster.nodes):
        value = node.labels.get(label)
        if value is not None:
            rows[value].append(row)
    return {value: np.asarray(found, np.int64) for value, found in rows.items()}

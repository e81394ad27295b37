"""The DefaultStorageClass admission plugin: a claim that names no class gets the default one.

The one rule: "" is a class, the one of no dynamic provisioning; only a claim that says nothing is changed. Mirrors
plugin/pkg/admission/storage/storageclass/setdefault and the controller that does the same for older claims, at 1.34.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from scheduler_core.api.objects import KubeObject, PersistentVolumeClaim, StorageClass


class DefaultStorageClass:
    """The default class of a cluster, if it has one."""

    def __init__(self, objects: Iterable[KubeObject]) -> None:
        self._defaults: list[StorageClass] = []
        for value in objects:
            self.learn(value)

    def learn(self, value: KubeObject) -> None:
        """Take note of a class that comes into being."""
        if type(value) is StorageClass and value.is_default:
            self._defaults.append(value)

    def admit(self, claim: PersistentVolumeClaim) -> PersistentVolumeClaim:
        """The claim with its class; of several defaults the newest counts, then the first by name."""
        if claim.storage_class_name is not None or claim.volume_name or not self._defaults:
            return claim
        chosen = min(self._defaults, key=lambda value: (_reversed_time(value), value.name))
        spec = {**(claim.manifest.get("spec") or {}), "storageClassName": chosen.name}
        return replace(claim, storage_class_name=chosen.name, manifest={**claim.manifest, "spec": spec})


def _reversed_time(value: StorageClass) -> tuple[int, ...]:
    """Sorts later creation times first; RFC 3339 in UTC compares as text."""
    stamp = str((value.manifest.get("metadata") or {}).get("creationTimestamp") or "")
    return tuple(-ord(letter) for letter in stamp) or (1,)

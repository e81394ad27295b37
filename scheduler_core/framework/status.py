"""Refusals as values: a status says which plugin refused and why; success is the absence of one.

Mirrors pkg/scheduler/framework/interface.go.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class Code(IntEnum):
    """The outcome of an extension point, in upstream's order and names."""

    SUCCESS = 0
    ERROR = 1
    UNSCHEDULABLE = 2
    UNRESOLVABLE = 3
    WAIT = 4
    SKIP = 5
    PENDING = 6

    @property
    def text(self) -> str:
        """The name that kube-scheduler prints."""
        return _TEXTS[self]


_TEXTS = {
    Code.SUCCESS: "Success",
    Code.ERROR: "Error",
    Code.UNSCHEDULABLE: "Unschedulable",
    Code.UNRESOLVABLE: "UnschedulableAndUnresolvable",
    Code.WAIT: "Wait",
    Code.SKIP: "Skip",
    Code.PENDING: "Pending",
}


@dataclass(frozen=True, slots=True)
class Status:
    """Why a pod was refused: by ``plugin`` ("" for an extender), with ``reasons`` as kubectl shows them."""

    code: Code
    reasons: tuple[str, ...] = ()
    plugin: str = ""

    @property
    def message(self) -> str:
        """The reasons in one line."""
        return ", ".join(self.reasons)

    @property
    def is_success(self) -> bool:
        """Whether nothing was refused."""
        return self.code == Code.SUCCESS

    @property
    def is_rejected(self) -> bool:
        """Whether the pod was refused, as opposed to an error."""
        return self.code in (Code.UNSCHEDULABLE, Code.UNRESOLVABLE, Code.PENDING)

    def document(self) -> dict[str, Any]:
        """The status as JSON values."""
        return {"code": self.code.text, "plugin": self.plugin, "reasons": list(self.reasons)}


SUCCESS = Status(Code.SUCCESS)


class PluginError(Exception):
    """A plugin or extender failed: the cycle ends in an error, which is neither a refusal nor the user's mistake."""

"""Extenders that answer by rules inside the engine, or over a transport that whoever may use the network injects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scheduler_core.extenders.remote import Request, Transport, remote_extenders
from scheduler_core.extenders.rules import extenders_of, ignored_resources
from scheduler_core.framework.extender import Extender, ExtenderError

__all__ = ["Extender", "ExtenderError", "Request", "Transport", "all_extenders", "extenders_of", "ignored_resources"]


def all_extenders(
    rules: Sequence[Mapping[str, Any]], config: Mapping[str, Any] | None, transport: Transport | None
) -> tuple[Extender, ...]:
    """The extenders of a scenario: those with rules, then those of its configuration where there is a transport to ask them by."""
    configured = (config or {}).get("extenders") or ()
    remote = remote_extenders(configured, transport) if transport is not None else ()
    return (*extenders_of(rules), *remote)

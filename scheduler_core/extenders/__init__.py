"""Extenders that answer by rules inside the engine, or over a transport that whoever may use the network injects."""

from __future__ import annotations

from scheduler_core.api.scenario import Scenario
from scheduler_core.extenders.remote import ExtenderRequest, ExtenderTransport, remote_extenders
from scheduler_core.extenders.rules import extenders_of, ignored_resources
from scheduler_core.framework.extender import Extender, ExtenderError

__all__ = ["Extender", "ExtenderError", "ExtenderRequest", "ExtenderTransport", "all_extenders", "extenders_of", "ignored_resources"]


def all_extenders(scenario: Scenario, transport: ExtenderTransport | None = None) -> tuple[Extender, ...]:
    """The extenders of a scenario: those with rules, then those of its configuration where there is a transport to ask them by."""
    configured = (scenario.config or {}).get("extenders") or ()
    remote = remote_extenders(configured, transport) if transport is not None else ()
    return (*extenders_of(scenario.extenders), *remote)

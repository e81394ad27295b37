"""The family of a scenario: what it was made from, and what was made from it.

The one rule: a link is a key, so forks are listed only for the browser that made them; of others only the number is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from playground import presenters, wording
from playground.http.clients import Client
from playground.models import Scenario

MOST_ANCESTORS: Final = 6
MOST_FORKS: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Relative:
    """A line of the tree: ``depth`` from 0, ``can_compare`` when it can be laid beside the scenario that is shown."""

    id: str
    title: str
    depth: int
    is_here: bool
    is_deleted: bool

    @property
    def can_compare(self) -> bool:
        """Whether it can be laid beside the scenario that is shown."""
        return not self.is_here and not self.is_deleted


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """``relatives`` from the oldest down; ``unlisted`` counts forks by others."""

    relatives: tuple[Relative, ...]
    unlisted: int

    def __bool__(self) -> bool:
        return len(self.relatives) > 1 or bool(self.unlisted)


def tree(scenario: Scenario, client: Client) -> Family:
    """The family of a scenario as this client may see it."""
    line = [*reversed(list(_ancestors(scenario))), scenario]
    alive = scenario.forks.filter(deleted__isnull=True)
    own = list(alive.filter(client=client.browser).defer("document").order_by("created")[:MOST_FORKS])
    relatives = [_relative(each, depth, each.pk == scenario.pk) for depth, each in enumerate(line)]
    relatives += [_relative(each, len(line), False) for each in own]
    return Family(relatives=tuple(relatives), unlisted=max(0, alive.count() - len(own)))


def _ancestors(scenario: Scenario) -> Iterator[Scenario]:
    seen = {scenario.pk}
    parent = scenario.parent
    while parent is not None and parent.pk not in seen and len(seen) <= MOST_ANCESTORS:
        seen.add(parent.pk)
        yield parent
        parent = parent.parent


def _relative(scenario: Scenario, depth: int, is_here: bool) -> Relative:
    return Relative(
        id=scenario.pk,
        title=presenters.title_of(scenario, lang=wording.language()),
        depth=depth,
        is_here=is_here,
        is_deleted=scenario.is_deleted,
    )

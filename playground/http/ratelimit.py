"""How often a client may write: counters in the cache, one for each kind, client and hour.

The one rule: a counter goes up by one atomic step, and only for what was really done; when Redis is away, nobody is refused.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

import redis
import structlog
from django.conf import settings
from django.core.cache import cache

from playground import wording
from playground.http.clients import Client

_HOUR_SECONDS: Final = 3600
_log = structlog.get_logger(__name__)


class TooManyError(Exception):
    """A limit is met: ``key`` says which in the wording, ``most`` is how many are allowed; ``retry_after`` in seconds."""

    def __init__(self, key: str, *, most: int, retry_after: int) -> None:
        super().__init__(wording.say(key, {"most": most}, lang="en"))
        self.key, self.most, self.retry_after = key, most, retry_after

    def said(self, lang: str | None = None) -> str:
        """The limit in words, in the language of the page when none is given."""
        return wording.say(self.key, {"most": self.most}, lang=lang)


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What a client may do in an hour: ``per_browser`` for one browser, ``address_factor`` times that for one address."""

    kind: str
    per_browser: int
    address_factor: int

    def check(self, client: Client) -> None:
        """Raises TooManyError when nothing is left; counts nothing. For the cheap answer before the expensive work."""
        self._compare(client, _counts([name for name, _ in self._buckets(client)]))

    def take(self, client: Client) -> None:
        """Count one. Raises TooManyError when that is one too many."""
        self._compare(client, [value - 1 for value in _increased([name for name, _ in self._buckets(client)])])

    def _compare(self, client: Client, used: list[int]) -> None:
        for (_, most), value in zip(self._buckets(client), used, strict=True):
            if value >= most:
                raise TooManyError(f"refused.{self.kind}", most=most, retry_after=_seconds_left())

    def _buckets(self, client: Client) -> list[tuple[str, int]]:
        hour = int(time.time()) // _HOUR_SECONDS
        return [
            (f"allowance:{self.kind}:{hour}:b:{client.browser}", self.per_browser),
            (f"allowance:{self.kind}:{hour}:a:{client.address}", self.per_browser * self.address_factor),
        ]


def saves() -> Allowance:
    """New scenarios an hour."""
    limits = settings.LIMITS
    return Allowance(kind="save", per_browser=limits.saves_per_hour, address_factor=limits.address_factor)


def runs() -> Allowance:
    """New runs an hour."""
    limits = settings.LIMITS
    return Allowance(kind="run", per_browser=limits.runs_per_hour, address_factor=limits.address_factor)


def reports() -> Allowance:
    """Reports an hour: a person has few."""
    return Allowance(kind="report", per_browser=10, address_factor=settings.LIMITS.address_factor)


def _seconds_left() -> int:
    return _HOUR_SECONDS - int(time.time()) % _HOUR_SECONDS


def _counts(names: list[str]) -> list[int]:
    try:
        found = cache.get_many(names)
    except redis.RedisError as error:
        return _unknown(names, error)
    return [int(found.get(name, 0)) for name in names]


def _increased(names: list[str]) -> list[int]:
    try:
        for name in names:
            cache.add(name, 0, timeout=_HOUR_SECONDS + 60)
        return [cache.incr(name) for name in names]
    except (redis.RedisError, ValueError) as error:  # ValueError: Redis was emptied between the two steps
        return _unknown(names, error)


def _unknown(names: list[str], error: Exception) -> list[int]:
    _log.warning("allowance_unknown", error=type(error).__name__)
    return [0 for _ in names]

"""Questions to the broker itself: is it there, how much waits in it, does a worker listen.

The one rule: every question has a time limit, and no answer is an answer.
"""

from __future__ import annotations

import threading
import time
from functools import lru_cache
from typing import Final

import redis
from django.conf import settings

_SECONDS: Final = 1.0
_KEPT_SECONDS: Final = 1.5


@lru_cache(maxsize=1)
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS)


def is_up() -> bool:
    """Whether Redis answers."""
    try:
        return bool(_client().ping())
    except redis.RedisError:
        return False


def waiting() -> int:
    """How many messages no worker has taken yet; 0 when Redis does not answer."""
    try:
        return int(_client().llen(settings.CELERY_TASK_DEFAULT_QUEUE))  # type: ignore[arg-type]
    except redis.RedisError:
        return 0


class WorkerWatch:
    """Whether some worker answers, asked at most every 1.5 s however often somebody wants to know."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked = float("-inf")
        self._answer = False

    def is_up(self) -> bool:
        """The answer of now or of a moment ago."""
        with self._lock:
            if time.monotonic() - self._asked > _KEPT_SECONDS:
                self._answer = _some_worker_answers()
                self._asked = time.monotonic()
            return self._answer


workers: Final = WorkerWatch()


def _some_worker_answers() -> bool:
    from playground.celery import app

    try:
        return bool(app.control.ping(timeout=_SECONDS, limit=1))
    except Exception:  # kombu raises what its transport raises; whatever it is, nobody answered
        return False

"""The bell: tells every web process that the log of a run has grown. It carries no event.

The one rule: ringing never fails and never waits; who does not hear it looks at the log within a second anyway.
"""

from __future__ import annotations

import asyncio
import os
import threading
from typing import Any, Final

import structlog
from channels.layers import get_channel_layer

MESSAGE_TYPE: Final = "run.grew"
_log = structlog.get_logger(__name__)


def group(run_id: str) -> str:
    """The name of the group of the channel layer for a run."""
    return f"run.{run_id}"


class Bell:
    """One event loop in one thread, with one connection: ``async_to_sync`` would make both anew for each ring."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._layer: Any = get_channel_layer()
        self._is_heard = True
        threading.Thread(target=self._loop.run_forever, name="bell", daemon=True).start()

    def ring(self, run_id: str) -> None:
        """Wake whoever follows this run."""
        self._loop.call_soon_threadsafe(lambda: self._loop.create_task(self._send(run_id)))

    async def _send(self, run_id: str) -> None:
        try:
            await self._layer.group_send(group(run_id), {"type": MESSAGE_TYPE})
            self._is_heard = True
        except Exception as error:
            if self._is_heard:  # said once for each time that Redis is away
                _log.warning("bell_not_heard", run=run_id, error=type(error).__name__)
            self._is_heard = False


_bells: dict[int, Bell] = {}
_lock = threading.Lock()


def ring(run_id: str) -> None:
    """Wake whoever follows this run. Safe in a forked process: threads do not survive a fork, so each process has its own bell."""
    with _lock:
        bell = _bells.get(os.getpid())
        if bell is None:
            _bells.clear()
            bell = _bells[os.getpid()] = Bell()
    bell.ring(run_id)

"""Child processes that end when we end: each in a group of its own, told by the kernel when its parent dies.

The one rule: a child is never forgotten. Whoever starts one holds the ``Child`` and calls ``stop``; what the child itself forked is in
its process group and goes with it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

_PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h
_POLL_SECONDS: Final = 0.05
_prctl = ctypes.CDLL(None, use_errno=True).prctl if sys.platform == "linux" else None


class Child:
    """One command, started in its own session. ``on_orphan`` is the signal the kernel sends it when this process dies (Linux)."""

    def __init__(
        self, name: str, command: Sequence[str], *, environment: Mapping[str, str], cwd: Path, on_orphan: signal.Signals = signal.SIGTERM
    ) -> None:
        self.name = name
        self.command = tuple(command)
        self._environment = dict(environment)
        self._cwd = cwd
        self._on_orphan = on_orphan
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process id, None before the start and after the end."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start the command. It reads nothing from our terminal and writes where we write. Raises OSError when it cannot be run."""
        parent = os.getpid()

        def die_with_parent() -> None:
            if _prctl is None:
                return
            _prctl(_PR_SET_PDEATHSIG, int(self._on_orphan))
            if os.getppid() != parent:  # it died between fork and prctl
                os._exit(1)

        self._process = subprocess.Popen(
            self.command,
            cwd=self._cwd,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=die_with_parent,
        )

    def has_ended(self) -> bool:
        """Whether the command is over. It stays unreaped, so that its process group cannot be taken by a stranger, until ``reap``."""
        if self._process is None:
            return True
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def reap(self) -> int:
        """Kill what is left of the group, collect the command and return its exit code (negative: the signal that ended it)."""
        if self._process is None:
            return 0
        self._signal_group(signal.SIGKILL)
        code = self._process.wait()
        self._process = None
        return code

    def ask_to_stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Send a signal to the command itself, not to what it forked: servers tell their own children."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, number)

    def wait(self, seconds: float) -> bool:
        """Wait for the end; whether it came in time."""
        deadline = time.monotonic() + seconds
        while not self.has_ended():
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_SECONDS)
        return True

    def stop(self, seconds: float = 5.0) -> None:
        """Ask, wait, then kill the group. Harmless when the command is over or was never started."""
        if self._process is None:
            return
        self.ask_to_stop()
        self.wait(seconds)
        self.reap()

    def _signal_group(self, number: signal.Signals) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)

"""The worker's door: one task, and a sweeper beside each worker.

The one rule: a task may be delivered twice, late, or not at all; the lease and the sweep make that harmless.
"""

from __future__ import annotations

import threading
from typing import Any, Final

import structlog
from celery.signals import worker_ready, worker_shutdown
from django.db import DatabaseError, connections

from playground.celery import app
from playground.runs import execution, handing_out, retention

SWEEP_SECONDS: Final = 2.0
_log = structlog.get_logger(__name__)
_is_over = threading.Event()


@app.task(name=handing_out.TASK)
def execute_run(run_id: str) -> str:
    """Bring a run to its end; see execution.execute."""
    return execution.execute(run_id)


@worker_ready.connect
def start_sweeper(**_: Any) -> None:
    """Each worker looks for forgotten runs; of many sweepers one wins each run."""
    _is_over.clear()
    threading.Thread(target=_sweep_for_ever, name="sweeper", daemon=True).start()


@worker_shutdown.connect
def stop_sweeper(**_: Any) -> None:
    """With the worker ends its sweeper."""
    _is_over.set()


def _sweep_for_ever() -> None:
    while not _is_over.wait(SWEEP_SECONDS):
        try:
            handing_out.sweep()
            retention.run_if_due()
        except DatabaseError as error:
            _log.warning("sweep_failed", error=repr(error))
        finally:
            connections.close_all()  # none may be open when the worker forks

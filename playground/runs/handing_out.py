"""Handing runs to the workers, and again when nobody shows a sign of life.

The one rule: a message may be lost or come twice; which runs wait is in the database.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import structlog
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from playground.celery import app
from playground.models import Run, Status
from playground.runs import broker

TASK: Final = "playground.execute_run"
ASK_AGAIN_SECONDS: Final = 5.0
"""How long a run may wait without a sign of life before it is handed out again."""
_log = structlog.get_logger(__name__)


def hand_out(run_id: str) -> None:
    """Tell the workers. When the broker is away, the sweep tells them later: the run stays queued in the database."""
    try:
        app.send_task(TASK, (run_id,))
    except (OperationalError, OSError) as error:
        _log.warning("broker_away", run=run_id, error=type(error).__name__)


def hand_out_again(run_id: str) -> bool:
    """Hand a run out again when it shows no sign of life; whether it was. Of many who ask at the same time, one does it."""
    if broker.waiting():  # nothing is forgotten, the workers are just busy: what waits there, or comes after it, will be run
        return False
    return _hand_out_again(run_id)


def sweep() -> int:
    """Hand out again every run that was forgotten: by a worker that died, or by a broker that lost its memory. How many there were."""
    quiet = list(Run.objects.filter(_forgotten()).order_by("enqueued").values_list("pk", flat=True)[:200])
    if not quiet or broker.waiting():
        return 0
    return sum(_hand_out_again(run_id) for run_id in quiet)


def _hand_out_again(run_id: str) -> bool:
    now = timezone.now()
    if Run.objects.filter(_forgotten(), pk=run_id).update(enqueued=now) != 1:
        return False
    _log.info("run_handed_out_again", run=run_id)
    hand_out(run_id)
    return True


def _forgotten() -> Q:
    """Nobody has it, and it was handed out a while ago."""
    now = timezone.now()
    is_free = Q(status=Status.QUEUED) | Q(status=Status.RUNNING, lease_until__lt=now)
    return is_free & Q(enqueued__lt=now - timedelta(seconds=ASK_AGAIN_SECONDS))

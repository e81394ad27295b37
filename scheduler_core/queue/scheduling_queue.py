"""Where every pending pod waits, and what moves it on.

The one rule: the queue decides by its clock, the events it is told and the hints of the plugins, and by nothing else; what
it did goes to the observer. Mirrors backend/queue/scheduling_queue.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Protocol

from scheduler_core.api.objects import Pod
from scheduler_core.queue.active import ActiveQueue, Happening, InFlight
from scheduler_core.queue.backoff import BackoffQueue
from scheduler_core.queue.events import (
    BACKOFF_COMPLETE,
    FORCE_ACTIVATE,
    POD_ADD,
    POD_UPDATE,
    SCHEDULE_ATTEMPT_FAILURE,
    UNSCHEDULABLE_TIMEOUT,
    ClusterEvent,
    pod_changes,
)
from scheduler_core.queue.hints import HintMap
from scheduler_core.queue.nominator import PodNominator
from scheduler_core.queue.queued import QueuedPod
from scheduler_core.queue.unschedulable import UnschedulablePods

ACTIVE: Final = "active"
BACKOFF: Final = "backoff"
UNSCHEDULABLE: Final = "unschedulable"
GATED: Final = "gated"
SCHEDULING: Final = "scheduling"

MAX_UNSCHEDULABLE_MS: Final = 5 * 60 * 1000
"""How long a pod may wait for an event before it is tried again without one."""
FLUSH_PERIOD_MS: Final = 30 * 1000
"""How often that is looked at."""


class Clock(Protocol):
    """Virtual time."""

    @property
    def now(self) -> int:
        """Milliseconds since the start of the run."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A PreEnqueue refusal: which plugin keeps the pod out, and why."""

    plugin: str
    message: str


PreEnqueue = Callable[[Pod], Gate | None]


class Strategy(Enum):
    """What an event means for a pod."""

    SKIP = "QueueSkip"
    AFTER_BACKOFF = "Queue"
    IMMEDIATELY = "QueueImmediately"


@dataclass(frozen=True, slots=True)
class Advice:
    """What the hints say of an event: the strategy, the plugin that decided it, and the plugins that were asked."""

    strategy: Strategy
    plugin: str = ""
    asked: tuple[str, ...] = ()


SKIP: Final = Advice(Strategy.SKIP)
RETRY: Final = Advice(Strategy.AFTER_BACKOFF)


class QueueObserver(Protocol):
    """Told of every move and every skip."""

    def moved(self, queued: QueuedPod, came_from: str | None, to: str, event: str, advice: Advice) -> None:
        """The pod is now in ``to``."""

    def skipped(self, queued: QueuedPod, where: str, event: str, advice: Advice) -> None:
        """The event does not help the pod, so it stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSettings:
    """What a KubeSchedulerConfiguration and the feature gates say about the queue."""

    initial_backoff_ms: int = 1000
    max_backoff_ms: int = 10_000
    max_unschedulable_ms: int = MAX_UNSCHEDULABLE_MS
    pop_from_backoff: bool = True


class SchedulingQueue:
    """Active, backing off, unschedulable and gated pods."""

    def __init__(
        self,
        *,
        clock: Clock,
        hints: HintMap,
        pre_enqueue: PreEnqueue,
        nominator: PodNominator,
        observer: QueueObserver,
        settings: QueueSettings = QueueSettings(),
    ) -> None:
        self._clock = clock
        self._hints = hints
        self._pre_enqueue = pre_enqueue
        self._observer = observer
        self._settings = settings
        self.nominator = nominator
        self.active = ActiveQueue()
        self.backoff = BackoffQueue(
            initial_ms=settings.initial_backoff_ms, max_ms=settings.max_backoff_ms, windows=settings.pop_from_backoff
        )
        self.unschedulable = UnschedulablePods()
        self.in_flight = InFlight()

    # ---- what the scheduler does ---------------------------------------------------------------------------------

    def pop(self) -> QueuedPod | None:
        """The next pod to schedule: the first active one, else (by feature gate) one that still backs off."""
        queued, came_from = self.active.pop(), ACTIVE
        if queued is None and self._settings.pop_from_backoff:
            queued, came_from = self.backoff.pop(), BACKOFF
        if queued is None:
            return None
        queued.attempts += 1
        queued.popped_from = came_from
        queued.backoff_expiration = None
        queued.unschedulable_plugins = set()
        queued.pending_plugins = set()
        self.in_flight.begin(queued.key)
        return queued

    def done(self, key: str) -> None:
        """The pod's scheduling is over; it is bound, gone, or back in the queue."""
        self.in_flight.done(key)

    def add_unschedulable(self, queued: QueuedPod) -> str:
        """Take a pod back that could not be scheduled; answers with the queue it went to."""
        if queued.rejectors:
            queued.unschedulable_count += 1
            queued.consecutive_errors = 0
        else:
            queued.consecutive_errors += 1
        queued.timestamp = self._clock.now
        queued.backoff_expiration = None
        advice = self._advice_in_flight(queued)
        where = self._requeue(queued, advice, SCHEDULE_ATTEMPT_FAILURE, SCHEDULING)
        self.done(queued.key)
        return where

    def activate(self, key: str) -> None:
        """Put a waiting pod in the active queue at once; a pod in flight is tried again when it comes back."""
        came_from = self.where(key)
        queued = self.unschedulable.get(key) or self.backoff.delete(key)
        if queued is None:
            if key in self.in_flight:
                self.in_flight.record(Happening(FORCE_ACTIVATE, None, key))
            return
        self._to_active(queued, FORCE_ACTIVATE.name, came_from, RETRY, checked=came_from == BACKOFF)

    # ---- what happens to pods ------------------------------------------------------------------------------------

    def add(self, pod: Pod) -> None:
        """A new pod that nobody has bound."""
        queued = QueuedPod(pod=pod, key=pod.key, timestamp=self._clock.now)
        self._to_active(queued, POD_ADD.name, None, RETRY)

    def update(self, old: Pod, new: Pod) -> None:
        """A pending pod's object changed."""
        changes = pod_changes(old, new)
        if new.key in self.in_flight:
            for change in changes:
                self.in_flight.record(Happening(change, old, new))
            return
        for queue in (self.active, self.backoff):
            queued = queue.get(new.key)
            if queued is not None:
                queued.pod = new
                queue.refresh(queued) if isinstance(queue, BackoffQueue) else queue.add(queued)
                self.nominator.update(old, new)
                return
        queued = self.unschedulable.get(new.key)
        if queued is None:
            fresh = QueuedPod(pod=new, key=new.key, timestamp=self._clock.now)
            self._to_active(fresh, POD_UPDATE.name, None, RETRY)
            return
        queued.pod = new
        self.nominator.update(old, new)
        self._reconsider(queued, changes, old, new)

    def delete(self, key: str) -> None:
        """The pod is gone, or bound by somebody."""
        self.nominator.delete(key)
        if self.active.delete(key) is None and self.backoff.delete(key) is None:
            self.unschedulable.delete(key)

    def move_all(self, event: ClusterEvent, old: Any, new: Any, concerns: Callable[[Pod], bool] | None = None) -> None:
        """Something happened: move every unschedulable pod that it may help, of those that it ``concerns``."""
        if not self._hints.is_of_interest(event):
            return
        self._move(self._interested(event, concerns), event, old, new)

    # ---- what time does ------------------------------------------------------------------------------------------

    def flush_backoff(self) -> None:
        """Move the pods whose backoff is over; runs every second."""
        for queued in self.backoff.pop_completed(self._clock.now):
            self._to_active(queued, BACKOFF_COMPLETE, BACKOFF, RETRY, checked=True)

    def flush_unschedulable(self) -> None:
        """Move the pods that have waited too long for an event; runs every thirty seconds."""
        oldest = self._clock.now - self._settings.max_unschedulable_ms
        overdue = [queued for queued in self.unschedulable if queued.timestamp < oldest]
        if overdue:
            self._move(overdue, UNSCHEDULABLE_TIMEOUT, None, None)

    def next_flush(self) -> int | None:
        """When time alone will next move a pod, in milliseconds; None when it will not."""
        flushes = [self.backoff.next_flush()]
        waiting = [queued.timestamp for queued in self.unschedulable if not queued.is_gated]
        if waiting:
            overdue = min(waiting) + self._settings.max_unschedulable_ms + 1
            flushes.append(-(-overdue // FLUSH_PERIOD_MS) * FLUSH_PERIOD_MS)
        return min((flush for flush in flushes if flush is not None), default=None)

    # ---- what it looks like --------------------------------------------------------------------------------------

    def where(self, key: str) -> str | None:
        """The queue that the pod is in; None when it is in none."""
        if key in self.active:
            return ACTIVE
        if key in self.backoff:
            return BACKOFF
        waiting = self.unschedulable.get(key)
        if waiting is not None:
            return GATED if waiting.is_gated else UNSCHEDULABLE
        return SCHEDULING if key in self.in_flight else None

    def get(self, key: str) -> QueuedPod | None:
        """The pod, in whichever queue it is."""
        return self.active.get(key) or self.backoff.get(key) or self.unschedulable.get(key)

    def until(self, queued: QueuedPod) -> int | None:
        """When the backoff of a pod that is backing off will be found over, in milliseconds."""
        return self.backoff.flush_of(queued) if queued.key in self.backoff else None

    # ---- inside --------------------------------------------------------------------------------------------------

    def _interested(self, event: ClusterEvent, concerns: Callable[[Pod], bool] | None) -> list[QueuedPod]:
        found: list[QueuedPod] = []
        for (profile, rejectors), members in self.unschedulable.groups():
            if rejectors and not self._hints.concerns(profile, rejectors, event):
                continue
            found += [queued for queued in members if concerns is None or concerns(queued.pod)]
        return found

    def _move(self, pods: Iterable[QueuedPod], event: ClusterEvent, old: Any, new: Any) -> None:
        for queued in pods:
            if queued.is_gated and not any(known.matches(event) for known in queued.gating_events):
                continue
            advice = self._advice(queued, event, old, new)
            where = GATED if queued.is_gated else UNSCHEDULABLE
            if advice.strategy is Strategy.SKIP:
                if advice.asked:
                    self._observer.skipped(queued, where, event.name, advice)
                continue
            self.unschedulable.delete(queued.key)
            self._requeue(queued, advice, event.name, where)
        self.in_flight.record(Happening(event, old, new))

    def _reconsider(self, queued: QueuedPod, changes: list[ClusterEvent], old: Pod, new: Pod) -> None:
        for change in changes:
            advice = self._advice(queued, change, old, new)
            where = GATED if queued.is_gated else UNSCHEDULABLE
            if advice.strategy is Strategy.SKIP:
                self.unschedulable.add(queued)
                if advice.asked:
                    self._observer.skipped(queued, where, change.name, advice)
                continue
            if self._requeue(queued, advice, change.name, where) in (ACTIVE, BACKOFF):
                return

    def _advice(self, queued: QueuedPod, event: ClusterEvent, old: Any, new: Any) -> Advice:
        rejectors = queued.rejectors
        if not rejectors:
            return RETRY
        if event.is_wildcard:
            return RETRY if new is None or new == queued.key else SKIP
        asked: list[str] = []
        retry: Advice | None = None
        for plugin, hint in self._hints.of(queued.pod.scheduler_name, event):
            if plugin not in rejectors:
                continue
            asked.append(plugin)
            if not hint(queued.pod, old, new):
                continue
            if plugin in queued.pending_plugins:
                return Advice(Strategy.IMMEDIATELY, plugin, tuple(asked))
            retry = retry or Advice(Strategy.AFTER_BACKOFF, plugin, tuple(asked))
            if not queued.pending_plugins:
                return retry
        return retry or Advice(Strategy.SKIP, "", tuple(asked))

    def _advice_in_flight(self, queued: QueuedPod) -> Advice:
        if not queued.rejectors:
            return RETRY
        retry: Advice | None = None
        for happening in self.in_flight.since(queued.key):
            advice = self._advice(queued, happening.event, happening.old, happening.new)
            if advice.strategy is Strategy.IMMEDIATELY:
                return advice
            if advice.strategy is Strategy.AFTER_BACKOFF:
                retry = retry or advice
                if not queued.pending_plugins:
                    return retry
        return retry or SKIP

    def _requeue(self, queued: QueuedPod, advice: Advice, event: str, came_from: str | None) -> str:
        if advice.strategy is Strategy.SKIP:
            self.unschedulable.add(queued)
            self._observer.moved(queued, came_from, UNSCHEDULABLE, event, advice)
            return UNSCHEDULABLE
        if advice.strategy is Strategy.AFTER_BACKOFF and self.backoff.is_backing_off(queued, self._clock.now):
            return self._to_backoff(queued, event, came_from, advice)
        return self._to_active(queued, event, came_from, advice)

    def _to_active(self, queued: QueuedPod, event: str, came_from: str | None, advice: Advice, *, checked: bool = False) -> str:
        if not (checked and self._settings.pop_from_backoff):
            self._gate(queued)
        if queued.is_gated:
            return self._keep_gated(queued, event, came_from, advice)
        self.unschedulable.delete(queued.key)
        self.backoff.delete(queued.key)
        self.active.add(queued)
        if event in (POD_ADD.name, POD_UPDATE.name):
            self.nominator.add(queued.pod, None)
        self._observer.moved(queued, came_from, ACTIVE, event, advice)
        return ACTIVE

    def _to_backoff(self, queued: QueuedPod, event: str, came_from: str | None, advice: Advice) -> str:
        if self._settings.pop_from_backoff:
            self._gate(queued)
            if queued.is_gated:
                return self._keep_gated(queued, event, came_from, advice)
        self.unschedulable.delete(queued.key)
        self.backoff.add(queued)
        self._observer.moved(queued, came_from, BACKOFF, event, advice)
        return BACKOFF

    def _keep_gated(self, queued: QueuedPod, event: str, came_from: str | None, advice: Advice) -> str:
        self.unschedulable.add(queued)
        if came_from != GATED:
            self._observer.moved(queued, came_from, GATED, event, advice)
        return GATED

    def _gate(self, queued: QueuedPod) -> None:
        gate = self._pre_enqueue(queued.pod)
        if gate is None:
            queued.gating_plugin = queued.gating_message = ""
            return
        queued.unschedulable_plugins.add(gate.plugin)
        queued.gating_plugin, queued.gating_message = gate.plugin, gate.message
        queued.gating_events = self._hints.events_of(queued.pod.scheduler_name, gate.plugin)

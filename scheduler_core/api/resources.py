"""What a pod asks for: requests, limits, quality of service and host ports.

The one rule: the sums are those of the scheduler. Requests are what all containers need at once, but never less than any init
container needs with the sidecars started before it. Mirrors k8s.io/component-helpers/resource/helpers.go and
pkg/apis/core/v1/helper/qos at 1.34.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from scheduler_core.api.objects import Container, Pod, Resources
from scheduler_core.api.quantity import unit_of

MIB: Final = 1024 * 1024
DEFAULT_MILLI_CPU: Final = 100
DEFAULT_MEMORY: Final = 200 * MIB
NON_ZERO: Final[Resources] = {"cpu": DEFAULT_MILLI_CPU, "memory": DEFAULT_MEMORY}
"""What a container that requests nothing counts as when nodes are scored."""

AmountsOf = Callable[[Container], Resources]


def requests_of(pod: Pod) -> dict[str, int]:
    """The effective requests, overhead included: what Filter plugins and preemption count."""
    if any(container.fine_requests for container in (*pod.containers, *pod.init_containers)):
        return _rounded_up(pod)
    return _effective(pod, _requests)


def nonzero_requests_of(pod: Pod) -> tuple[int, int]:
    """(milli-CPU, bytes) as scoring counts a pod on its node: 100m and 200Mi for each container that does not say.

    A request of zero counts as zero. Where the pod requests something as a whole, only what nothing at all states is made up.
    Mirrors calculateResource of pkg/scheduler/framework/types.go.
    """
    defaults = NON_ZERO
    if _states_pod_level(pod.pod_requests) or _states_pod_level(pod.pod_limits):
        stated = requests_of(pod)
        defaults = {name: amount for name, amount in NON_ZERO.items() if name not in stated}
    return _cpu_and_memory(pod, defaults)


def scored_requests_of(pod: Pod) -> dict[str, int]:
    """What NodeResourcesFit's score counts of the pod being scheduled, by resource name.

    Differs from :func:`nonzero_requests_of` where a pod states requests as a whole: upstream's score looks at its containers only.
    Mirrors calculatePodResourceRequest of plugins/noderesources/resource_allocation.go as NodeResourcesFit calls it at 1.34.
    """
    total = _aggregate(pod, lambda container: {**NON_ZERO, **_requests(container)})
    _add(total, pod.overhead)
    return total


def limits_of(pod: Pod) -> dict[str, int]:
    """The effective limits; overhead is added to those that are not zero."""
    total = _aggregate(pod, _limits)
    total.update((name, amount) for name, amount in (pod.pod_limits or {}).items() if is_pod_level(name))
    for name, amount in pod.overhead.items():
        if total.get(name):
            total[name] += amount
    return total


def host_ports_of(pod: Pod) -> tuple[tuple[str, str, int], ...]:
    """(protocol, host IP, host port) of every port that the pod takes on its node; sidecars take theirs too.

    No IP is 0.0.0.0, which stands for all. Mirrors GetHostPorts of pkg/scheduler/util and HostPortInfo.sanitize.
    """
    sidecars = tuple(container for container in pod.init_containers if container.restart_policy == "Always")
    return tuple(
        (port.protocol or "TCP", port.host_ip or "0.0.0.0", port.host_port)
        for container in (*pod.containers, *sidecars)
        for port in container.ports
        if port.host_port > 0
    )


def qos_class(pod: Pod) -> str:
    """Guaranteed, Burstable or BestEffort, by CPU and memory of all containers, or of the pod where it states them itself."""
    if pod.pod_requests or pod.pod_limits:
        return _qos(pod.pod_requests or {}, pod.pod_limits or {}, guaranteed=_covers(pod.pod_limits or {}))
    containers = (*pod.containers, *pod.init_containers)
    requests: dict[str, int] = {}
    limits: dict[str, int] = {}
    for container in containers:
        _add(requests, container.requests)
        _add(limits, container.limits)
    return _qos(requests, limits, guaranteed=all(_covers(container.limits) for container in containers))


def is_pod_level(name: str) -> bool:
    """Whether a resource can be set for a pod as a whole."""
    return name in ("cpu", "memory") or name.startswith("hugepages-")


def _effective(pod: Pod, amounts_of: AmountsOf) -> dict[str, int]:
    total = _aggregate(pod, amounts_of)
    whole = _whole_pod_requests(pod)
    if whole:
        total.update(whole)
    if pod.overhead:
        _add(total, pod.overhead)
    return total


def _cpu_and_memory(pod: Pod, defaults: Resources) -> tuple[int, int]:
    amounts = _effective(pod, lambda container: {**defaults, **_requests(container)})
    return amounts.get("cpu", 0), amounts.get("memory", 0)


def _states_pod_level(amounts: Resources | None) -> bool:
    return bool(amounts) and any(is_pod_level(name) for name in amounts or ())


def _whole_pod_requests(pod: Pod) -> dict[str, int]:
    """What the pod requests as a whole, of those resources for which it can."""
    return {name: amount for name, amount in (pod.pod_requests or {}).items() if is_pod_level(name)}


def default_pod_requests(pod: Pod) -> dict[str, int]:
    """The requests of the whole pod as the API server completes them, for a pod that states some resources as a whole.

    What its containers request counts where it says nothing, and its limits where they do not either. Huge pages cannot be
    overcommitted: for them the limit goes first. Mirrors defaultPodRequests of pkg/apis/core/v1/defaults.go.
    """
    asked = {name: amount for name, amount in _aggregate(pod, _requests).items() if is_pod_level(name)}
    limits = {name: amount for name, amount in (pod.pod_limits or {}).items() if is_pod_level(name)}
    huge = {name: amount for name, amount in limits.items() if name.startswith("hugepages-")}
    return {**limits, **asked, **huge, **(pod.pod_requests or {})}


def _aggregate(pod: Pod, amounts_of: AmountsOf) -> dict[str, int]:
    if len(pod.containers) == 1 and not pod.init_containers:
        return dict(amounts_of(pod.containers[0]))
    total: dict[str, int] = {}
    for container in pod.containers:
        _add(total, amounts_of(container))
    sidecars: dict[str, int] = {}
    highest: dict[str, int] = {}
    for container in pod.init_containers:
        amounts = amounts_of(container)
        if container.restart_policy == "Always":
            _add(total, amounts)
            _add(sidecars, amounts)
            _raise(highest, sidecars)
            continue
        while_it_runs = dict(amounts)
        _add(while_it_runs, sidecars)
        _raise(highest, while_it_runs)
    _raise(total, highest)
    return total


def _requests(container: Container) -> Resources:
    return container.requests if container.allocated is None else container.allocated


def _rounded_up(pod: Pod) -> dict[str, int]:
    """Requests finer than what is counted, summed in nano-units first and rounded once, as upstream's quantities are."""
    exact = _aggregate(
        pod, lambda container: {**_nano(_requests(container)), **(container.fine_requests if container.allocated is None else {})}
    )
    exact.update(_nano(_whole_pod_requests(pod)))
    _add(exact, _nano(pod.overhead))
    return {name: -(-amount // unit_of(name)) for name, amount in exact.items()}


def _nano(amounts: Resources) -> dict[str, int]:
    return {name: amount * unit_of(name) for name, amount in amounts.items()}


def _limits(container: Container) -> Resources:
    return container.limits


def _add(total: dict[str, int], amounts: Resources) -> None:
    for name, amount in amounts.items():
        total[name] = total.get(name, 0) + amount


def _raise(total: dict[str, int], amounts: Resources) -> None:
    for name, amount in amounts.items():
        if amount > total.get(name, -1):
            total[name] = amount


def _covers(limits: Mapping[str, int]) -> bool:
    return limits.get("cpu", 0) > 0 and limits.get("memory", 0) > 0


def _qos(requests: Resources, limits: Resources, *, guaranteed: bool) -> str:
    asked = {name: requests.get(name, 0) for name in ("cpu", "memory") if requests.get(name)}
    limited = {name: limits.get(name, 0) for name in ("cpu", "memory") if limits.get(name)}
    if not asked and not limited:
        return "BestEffort"
    return (
        "Guaranteed"
        if guaranteed and all(limited.get(name) == amount for name, amount in asked.items()) and len(asked) == len(limited)
        else "Burstable"
    )

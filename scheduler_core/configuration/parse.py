"""A KubeSchedulerConfiguration as profiles of plugins, or everything that kube-scheduler would find wrong with it.

The one rule: what is not said is as kube-scheduler 1.34 has it by default, so no configuration at all is a configuration too.
Mirrors apis/config/v1/defaults.go, apis/config/validation/validation.go and profile.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from scheduler_core.api.findings import Findings, Path
from scheduler_core.configuration import field_errors as text
from scheduler_core.configuration.arguments import Judge, Settings
from scheduler_core.configuration.extenders import check_extenders, ignored_resources_of
from scheduler_core.configuration.merge import MULTI_POINT, Expanded, PluginSet, default_set, expand, read_sets
from scheduler_core.configuration.profile import build_profile
from scheduler_core.configuration.schema import CONFIGURATION, PLUGIN_ARGS, Decoder
from scheduler_core.errors import Problem
from scheduler_core.framework.interface import Profile
from scheduler_core.plugins.registry import POINTS, REGISTRY, REMOVED

GROUP: Final = "kubescheduler.config.k8s.io"
API_VERSION: Final = f"{GROUP}/v1"
KIND: Final = "KubeSchedulerConfiguration"
DEFAULT_SCHEDULER: Final = "default-scheduler"


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """What a configuration decides; profiles by scheduler name, in the order given. Times in seconds."""

    profiles: Mapping[str, Profile]
    percentage_of_nodes_to_score: int = 0
    """0 where it adapts to the number of nodes."""
    pod_initial_backoff_seconds: int = 1
    pod_max_backoff_seconds: int = 10
    extenders: tuple[Mapping[str, Any], ...] = ()
    """As written, each checked."""
    warnings: tuple[Problem, ...] = field(default=())


def profiles_of(
    config: Mapping[str, Any] | None,
    feature_gates: Mapping[str, bool] | None = None,
    *,
    ignored_resources: Iterable[str] = (),
    prefix: str = "",
) -> Configuration:
    """Read a configuration; None is the default one.

    ``ignored_resources`` are those that extenders from elsewhere manage and the scheduler should not look at; ``prefix`` stands
    before every path. Raises :class:`~scheduler_core.errors.InvalidInputError` with every problem found.
    """
    findings = Findings(prefix)
    raw = _decoded(config or {}, findings)
    findings.raise_problems()
    reader = _Reader(findings, feature_gates or {}, (*ignored_resources, *ignored_resources_of(raw.get("extenders", ()))))
    configuration = reader.read(raw)
    findings.raise_problems()
    return configuration


def _decoded(config: Mapping[str, Any], findings: Findings) -> dict[str, Any]:
    """The document and the arguments in it, strictly by their types."""
    decoder = Decoder(findings)
    raw = decoder.decode(config, CONFIGURATION, None)
    _check_kind(raw, KIND, None, findings)
    for i, profile in enumerate(raw.get("profiles", ())):
        for j, entry in enumerate((profile or {}).get("pluginConfig", ())):
            here = (((((None, "profiles"), i), "pluginConfig"), j), "args")
            struct = PLUGIN_ARGS.get((entry or {}).get("name", ""))
            if struct is not None:
                entry["args"] = decoder.decode(entry.get("args", {}), struct, here)
                _check_kind(entry["args"], struct.name, here, findings)
    return raw


def _check_kind(raw: Mapping[str, Any], kind: str, path: Path | None, findings: Findings) -> None:
    """Both may be missing: where they stand says what they must be."""
    version, given = raw.get("apiVersion", API_VERSION), raw.get("kind", kind)
    if version != API_VERSION:
        findings.problem((path, "apiVersion"), f'no kind "{given}" is registered for version "{version}": use {API_VERSION}')
    elif given != kind and path is None:
        findings.problem((path, "kind"), f'no kind "{given}" is registered for version "{version}": use {KIND}')
    elif given != kind:
        plugin = kind.removesuffix("Args")
        findings.problem((path, "kind"), f"args for plugin {plugin} were not of type {kind}.{GROUP}, got {given}.{GROUP}")


class _Reader:
    """Judges a decoded configuration and builds its profiles."""

    def __init__(self, findings: Findings, gates: Mapping[str, bool], ignored_resources: Sequence[str]) -> None:
        self._findings = findings
        self._judge = Judge(findings, gates)
        self._defaults = default_set(gates)
        self._ignored_resources = frozenset(ignored_resources)

    def read(self, raw: Mapping[str, Any]) -> Configuration:
        profiles = self._profiles(raw.get("profiles") or [{}])
        if raw.get("parallelism", 16) <= 0:
            self._invalid((None, "parallelism"), raw["parallelism"], "should be an integer value greater than zero")
        self._check_leader_election(raw.get("leaderElection", {}))
        percentage = self._percentage(raw, None)
        initial, longest = raw.get("podInitialBackoffSeconds", 1), raw.get("podMaxBackoffSeconds", 10)
        if initial <= 0:
            self._invalid((None, "podInitialBackoffSeconds"), initial, "must be greater than 0")
        if longest < initial:
            self._invalid((None, "podMaxBackoffSeconds"), longest, "must be greater than or equal to PodInitialBackoffSeconds")
        extenders = raw.get("extenders", ())
        check_extenders(extenders, (None, "extenders"), self._findings)
        if extenders:
            self._findings.warn((None, "extenders"), "are asked over HTTP only where the operator allows their hosts")
        return Configuration(
            profiles=profiles,
            percentage_of_nodes_to_score=percentage or 0,
            pod_initial_backoff_seconds=initial,
            pod_max_backoff_seconds=longest,
            extenders=tuple(extenders),
            warnings=self._findings.warnings(),
        )

    def _invalid(self, path: Path, value: Any, detail: str) -> None:
        self._findings.problem(path, text.invalid(value, detail))

    def _check_leader_election(self, raw: Mapping[str, Any]) -> None:
        lock = raw.get("resourceLock") or "leases"
        if raw.get("leaderElect", True) and lock != "leases":
            self._invalid(((None, "leaderElection"), "resourceLock"), lock, 'resourceLock value must be "leases"')

    def _percentage(self, raw: Mapping[str, Any], path: Path | None) -> int | None:
        value: int | None = raw.get("percentageOfNodesToScore")
        if value is not None and not 0 <= value <= 100:
            self._invalid((path, "percentageOfNodesToScore"), value, "not in valid range [0-100]")
        return value

    # ---- profiles ----------------------------------------------------------------------------------------------------

    def _profiles(self, listed: Sequence[Mapping[str, Any]]) -> dict[str, Profile]:
        here = (None, "profiles")
        sets = [read_sets(raw.get("plugins", {})) for raw in listed]
        profiles: dict[str, Profile] = {}
        places: dict[str, int] = {}
        for index, raw in enumerate(listed):
            path = (here, index)
            name = raw.get("schedulerName", DEFAULT_SCHEDULER if len(listed) == 1 else "")
            if not name:
                self._findings.problem((path, "schedulerName"), text.required())
            elif name in places:
                self._findings.problem((path, "schedulerName"), text.duplicate(f"profiles[{places[name]}].schedulerName"))
            places[name] = index
            profiles[name] = self._profile(name, raw, sets[index], path)
        self._check_queue_sort(sets, here)
        return profiles

    def _profile(self, name: str, raw: Mapping[str, Any], sets: Mapping[str, PluginSet], path: Path) -> Profile:
        percentage = self._percentage(raw, path)
        self._check_removed(sets, (path, "plugins"))
        expanded = expand(sets, self._defaults, lambda point, index, message: self._misplaced(path, point, index, message))
        self._check_needed(name, expanded, path)
        settings = self._settings(raw.get("pluginConfig", ()), (path, "pluginConfig"))
        if self._ignored_resources:
            fit = settings.setdefault("NodeResourcesFit", {})
            fit["ignored_resources"] = fit.get("ignored_resources", frozenset()) | self._ignored_resources
        self._warn(sets, path)
        return build_profile(name, expanded, settings, percentage)

    def _misplaced(self, path: Path, point: str, index: int, message: str) -> None:
        here: Path = ((path, "plugins"), point)
        problem = (((here, "enabled"), index), "name") if index >= 0 else here
        if point != MULTI_POINT and self._is_removed(message):
            return
        self._findings.problem(problem, message)

    def _is_removed(self, message: str) -> bool:
        return any(f'"{name}"' in message for name in REMOVED)

    def _check_removed(self, sets: Mapping[str, PluginSet], path: Path) -> None:
        for point in POINTS:
            for plugin in sets[point].enabled:
                if plugin.name in REMOVED:
                    self._invalid((((path, point), "enabled"), plugin.index), plugin.name, _REMOVED_DETAIL)

    def _check_needed(self, name: str, expanded: Expanded, path: Path) -> None:
        sorting = len(expanded.points["queueSort"])
        if sorting != 1:
            message = f'only one queue sort plugin required for profile with scheduler name "{name}", but got {sorting}'
            self._findings.problem(((path, "plugins"), "queueSort"), message)
        if not expanded.points["bind"]:
            message = f'at least one bind plugin is needed for profile with scheduler name "{name}"'
            self._findings.problem(((path, "plugins"), "bind"), message)

    def _check_queue_sort(self, sets: Sequence[Mapping[str, PluginSet]], path: Path) -> None:
        first = sets[0]["queueSort"]
        if len(first.enabled) > 1:
            self._invalid((((path, 0), "plugins"), "queueSort"), len(first.enabled), "only one queue sort plugin can be enabled")
        for index, other in enumerate(sets[1:], 1):
            mine = other["queueSort"]
            if mine != first:
                value = {"enabled": [plugin.name for plugin in mine.enabled], "disabled": sorted(mine.disabled)}
                self._invalid((((path, index), "plugins"), "queueSort"), value, "must be the same for all profiles")

    def _settings(self, listed: Sequence[Mapping[str, Any]], path: Path) -> dict[str, Settings]:
        found: dict[str, Settings] = {}
        seen: set[str] = set()
        for index, entry in enumerate(listed):
            here: Path = (path, index)
            name = entry.get("name", "")
            if name in seen:
                self._findings.problem(here, text.duplicate(name))
                continue
            seen.add(name)
            if name in REMOVED:
                self._invalid(here, name, _REMOVED_DETAIL)
            elif name in REGISTRY:
                found[name] = self._judge.settings(name, entry.get("args") or {}, (here, "args"))
            else:
                self._findings.warn(here, f"{name} is not a plugin of kube-scheduler: its arguments are ignored")
        for name in REGISTRY.keys() - found.keys():
            found[name] = self._judge.settings(name, {}, None)
        return found

    def _warn(self, sets: Mapping[str, PluginSet], path: Path) -> None:
        for point, plugins in sets.items():
            for plugin in plugins.enabled:
                known = REGISTRY.get(plugin.name)
                if known is not None and not known.modelled:
                    where = ((((path, "plugins"), point), "enabled"), plugin.index)
                    self._findings.warn(where, f"{plugin.name} is accepted but not modelled")


_REMOVED_DETAIL: Final = f'was invalid in version "{API_VERSION}" (KubeSchedulerConfiguration is version "{API_VERSION}")'

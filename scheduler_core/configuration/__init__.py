"""KubeSchedulerConfiguration: what a cluster's administrator says of plugins, scores and queues. Mirrors pkg/scheduler/apis/config."""

from scheduler_core.configuration.parse import Configuration, profiles_of

__all__ = ["Configuration", "profiles_of"]

"""Which engine this is, and what it models: a log is only continued by the engine that began it."""

from typing import Final

ENGINE_VERSION: Final = "0.1.0"
MODELS: Final = "kube-scheduler v1.34"

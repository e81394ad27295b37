"""Logging: structlog's events and everybody else's records through one formatter, to standard error.

The one rule: an event has a short name and facts as keywords; no text of users is ever part of the name.
"""

from __future__ import annotations

from typing import Any

import structlog

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def logging_config(level: str, *, as_json: bool) -> dict[str, Any]:
    """The dictionary for ``logging.config.dictConfig``; configures structlog on the way."""
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    meta = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    trace: list[Any] = [structlog.processors.format_exc_info] if as_json else []
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structlog": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _SHARED,
                "processors": [meta, *trace, renderer],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structlog"}},
        "root": {"handlers": ["stderr"], "level": level.upper()},
        "loggers": {
            "django": {"level": "WARNING"},
            "django.request": {"level": "ERROR"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},  # anybody can send any Host; the answer says so
            "celery": {"level": "WARNING"},
            "kombu": {"level": "WARNING"},
            "channels_redis": {"level": "CRITICAL"},  # says each second that Redis is away; the hub says it once
            "asyncio": {"level": "WARNING"},
            "py.warnings": {"level": "ERROR"},  # Celery turns its warnings for developers into records
        },
    }

"""The broker's transport: kombu's for Redis, which survives that Redis is killed and started again.

The one rule: a channel whose connection is gone says so with a connection error, which Celery knows how to live with.
"""

from __future__ import annotations

from typing import Any

from kombu.transport import redis as kombu_redis
from redis.exceptions import ConnectionError as RedisConnectionError


class Channel(kombu_redis.Channel):
    """Acknowledging on a lost connection raises AttributeError in kombu 5.7 and ends the worker, with every run it has."""

    def _connparams(self, asynchronous: bool = False) -> Any:
        if self.connection.client is None:
            raise RedisConnectionError("The connection that this channel belonged to is gone")
        return super()._connparams(asynchronous=asynchronous)  # type: ignore[no-untyped-call]  # kombu's

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        """Redis has forgotten the message, or hands it out again, which the lease makes harmless: no reason to complain."""
        if self.connection.client is not None:
            super().basic_ack(delivery_tag, multiple=multiple)  # type: ignore[no-untyped-call]  # kombu's


class Transport(kombu_redis.Transport):
    """Named by CELERY_BROKER_TRANSPORT."""

    Channel = Channel

"""Asks one container whether it does its work: ``python -m playground.deploy.healthcheck web|worker``, exit code 0 or 1.

The one rule: a container answers for itself only. A web process is healthy when it answers (its /healthz is 503 while there is no
worker, and starting it again would not bring one); a worker is healthy when it answers over the broker.
"""

from __future__ import annotations

import os
import socket
import sys

from playground.launcher.command import LaunchError, Place, health, place_from


def web_is_healthy(place: Place) -> bool:
    """Whether /healthz answers at all, 503 included."""
    return health(place)[0] in (200, 503)


def worker_is_healthy(name: str) -> bool:
    """Whether the worker with this node name answers a ping over the broker within five seconds."""
    from playground.celery import app

    return bool(app.control.inspect(destination=[name], timeout=5.0).ping())


def worker_name() -> str:
    """The node name that WORKER_NAME gives to the worker on this machine."""
    return os.environ.get("WORKER_NAME", "playground@%h").replace("%h", socket.gethostname())


def main(role: str) -> int:
    """The exit code: 0 for healthy."""
    try:
        return 0 if (web_is_healthy(place_from(os.environ)) if role == "web" else worker_is_healthy(worker_name())) else 1
    except (LaunchError, OSError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "web"))

"""The ASGI application: HTTP to Django, WebSockets to the consumers.

The one rule: bodies are bounded here, before Django spools them.
"""

from __future__ import annotations

import os
from typing import cast

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

_django = get_asgi_application()

# Settings and applications must be there before these are imported.
from playground.database import pool_connections  # noqa: E402
from playground.http.bodies import Application, BoundedBodies  # noqa: E402
from playground.routing import websocket_urlpatterns  # noqa: E402

pool_connections()

application = ProtocolTypeRouter({"http": BoundedBodies(cast(Application, _django)), "websocket": URLRouter(websocket_urlpatterns)})

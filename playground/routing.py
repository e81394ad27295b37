"""Which consumer answers which WebSocket address."""

from __future__ import annotations

from django.urls import re_path

from playground.runs.consumers import NowhereConsumer, RunConsumer

websocket_urlpatterns = [
    re_path(r"^ws/runs/(?P<run_id>[^/]{1,100})/?$", RunConsumer.as_asgi()),
    re_path(r"", NowhereConsumer.as_asgi()),
]

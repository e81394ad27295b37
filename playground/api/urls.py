"""The addresses of the API: its calls, and the page that describes them."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from playground.api import views
from playground.api.calls import api

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", api.urls),
    path("docs/api", views.docs, name="api_docs"),
]

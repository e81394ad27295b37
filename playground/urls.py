"""Every address: the API here, the pages in page_urls."""

from __future__ import annotations

from django.urls import include, path

from playground.api import api

urlpatterns = [
    path("api/v1/", api.urls),
    path("", include("playground.page_urls")),
]

"""Every address: the API here, the pages in page_urls."""

from __future__ import annotations

from django.urls import include, path

from playground.api import api

urlpatterns = [
    path("api/v1/", api.urls),
    path("", include("playground.page_urls")),
]
handler400 = "playground.views.bad_request"
handler403 = "playground.views.permission_denied"
handler404 = "playground.views.not_found"
handler500 = "playground.views.server_error"

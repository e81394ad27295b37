"""Every address: the API here, the pages in page_urls, what can be taken away in export_urls."""

from __future__ import annotations

from django.conf import settings
from django.urls import URLResolver, include, path

from playground.api import api

operator: list[URLResolver] = []
if settings.ADMIN:
    from django.contrib import admin

    operator = [path("admin/", admin.site.urls)]

urlpatterns = [
    *operator,
    path("api/v1/", api.urls),
    path("", include("playground.export_urls")),
    path("", include("playground.page_urls")),
]
handler400 = "playground.views.bad_request"
handler403 = "playground.views.permission_denied"
handler404 = "playground.views.not_found"
handler500 = "playground.views.server_error"

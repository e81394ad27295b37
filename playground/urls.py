"""Every address, package by package; the pages come last, since a short link takes every word that nobody else has."""

from __future__ import annotations

from django.conf import settings
from django.urls import URLResolver, include, path

operator: list[URLResolver] = []
if settings.ADMIN:
    from django.contrib import admin

    operator = [path("admin/", admin.site.urls)]

urlpatterns = [
    *operator,
    path("", include("playground.api.urls")),
    path("", include("playground.exports.urls")),
    path("", include("playground.sharing.urls")),
    path("", include("playground.pages.urls")),
]
handler400 = "playground.pages.views.bad_request"
handler403 = "playground.pages.views.permission_denied"
handler404 = "playground.pages.views.not_found"
handler500 = "playground.pages.views.server_error"

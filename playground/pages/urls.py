"""The addresses of the pages."""

from __future__ import annotations

from django.conf import settings
from django.urls import URLPattern, path
from django.views.generic import RedirectView

from playground.pages import benchmark_views, views
from playground.sharing import views as sharing_views

urlpatterns: list[URLPattern] = [
    path("", views.home, name="home"),
    path("robots.txt", views.robots, name="robots"),
    path("favicon.ico", RedirectView.as_view(url=f"{settings.STATIC_URL}icons/logo.svg")),
    path("docs", RedirectView.as_view(pattern_name="docs", query_string=True)),
    path("new", views.new, name="new"),
    path("s/<str:scenario_id>.yaml", views.scenario_yaml, name="scenario_yaml"),
    path("s/<str:scenario_id>/run", views.run_scenario, name="run_scenario"),
    path("s/<str:scenario_id>", views.scenario, name="scenario"),
    path("r/<str:run_id>/edit", views.edit_from_here, name="edit_from_here"),
    path("r/<str:run_id>/qr.svg", views.run_qr, name="run_qr"),
    path("r/<str:run_id>", views.run, name="run"),
    path("docs/", views.docs, name="docs"),
    path("docs/workshop", views.workshop, name="workshop"),
    path("docs/benchmark", benchmark_views.benchmark, name="benchmark"),
    path("docs/limits", views.docs, name="limits"),
    path("<str:any_id>", sharing_views.short, name="short"),  # the last one: it takes every short word
]

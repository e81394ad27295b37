"""The addresses of the pages."""

from __future__ import annotations

from django.urls import URLPattern, path

from playground import api_views, benchmark_views, share_views, sharing_urls, views

urlpatterns: list[URLPattern] = [
    *sharing_urls.urlpatterns,
    path("", views.home, name="home"),
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
    path("docs/api", api_views.docs, name="api_docs"),
    path("docs/limits", views.docs, name="limits"),
    path("<str:any_id>", share_views.short, name="short"),  # the last one: it takes every short word
]

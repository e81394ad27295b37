"""The addresses of what can be taken away; they stand before the pages, whose names would take them."""

from __future__ import annotations

from django.urls import URLPattern, path

from playground.exports import views

urlpatterns: list[URLPattern] = [
    path("r/<str:run_id>.jsonl", views.events, name="run_events"),
    path("r/<str:run_id>.trace.json", views.trace, name="run_trace"),
    path("r/<str:run_id>/storyboard", views.storyboard, name="storyboard"),
    path("new/objects.yaml", views.objects_of_text, name="objects_of_text"),
    path("s/<str:scenario_id>/objects.yaml", views.objects, name="scenario_objects"),
]

"""The addresses of sharing. The one rule: they are written down in docs/contract.md and never change."""

from __future__ import annotations

from django.urls import URLPattern, path

from playground.sharing import compare_views, embed_views, views

urlpatterns: list[URLPattern] = [
    path("s/<str:scenario_id>.json", views.scenario_json, name="scenario_json"),
    path("s/<str:scenario_id>/share", views.share, name="share"),
    path("s/<str:scenario_id>/og.png", views.scenario_picture, name="scenario_picture"),
    path("s/<str:scenario_id>/vary", views.vary, name="vary"),
    path("s/<str:scenario_id>/delete", views.delete, name="delete_scenario"),
    path("s/<str:scenario_id>/report", views.report, name="report"),
    path("r/<str:run_id>/og.png", views.run_picture, name="run_picture"),
    path("e/<str:any_id>", embed_views.embed, name="embed"),
    path("oembed", embed_views.oembed, name="oembed"),
    path("d/<str:one>...<str:other>", compare_views.compare, name="compare"),
    path("d/", compare_views.choose, name="choose_compare"),
    path("qr.svg", views.qr, name="qr"),
]

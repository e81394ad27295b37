"""GET and POST /s/<id>/share, /s/<id>.json, /<id>, /qr.svg."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client as Browser

from playground import selectors
from playground.models import Run, Scenario

pytestmark = pytest.mark.django_db


def test_the_dialog_has_every_link_and_snippet(browser: Browser, scenario: Scenario, run: Run) -> None:
    page = html.unescape(browser.get(f"/s/{scenario.pk}/share?run={run.pk}&step=c1/pick").content.decode())
    for text in (
        f"http://testserver/s/{scenario.pk}",
        f"http://testserver/s/{scenario.pk}?step=c1/pick",
        f"http://testserver/r/{run.pk}?step=c1/pick",
        f"http://testserver/{scenario.pk}",
        f'<iframe src="http://testserver/e/{scenario.pk}?step=c1/pick"',
        f"[![A budget beats priority](http://testserver/s/{scenario.pk}/og.png?step=c1/pick)]",
        f"curl -s http://testserver/s/{scenario.pk}.json",
        "urllib.request.urlopen",
        f"python -m scheduler_core simulate http://testserver/s/{scenario.pk}",
    ):
        assert text in page, text


def test_a_part_is_the_same_without_the_frame(browser: Browser, scenario: Scenario) -> None:
    part = browser.get(f"/s/{scenario.pk}/share?part=1").content.decode()
    assert "<html" not in part
    assert 'data-part="share"' in part


def test_another_title_is_another_scenario_with_this_one_as_parent(browser: Browser, scenario: Scenario) -> None:
    answer = browser.post(f"/s/{scenario.pk}/share", {"title": "My lesson", "summary": "Look.", "step": "c1/pick"})
    assert answer.status_code == 303
    fork = Scenario.objects.get(title="My lesson")
    assert answer["Location"] == f"/s/{fork.pk}?step=c1/pick"
    assert (fork.parent_id, fork.summary) == (scenario.pk, "Look.")
    assert selectors.document(fork)["objects"] == selectors.document(scenario)["objects"]
    scenario.refresh_from_db()
    assert scenario.title == "A budget beats priority"


def test_the_same_title_is_the_same_scenario(browser: Browser, scenario: Scenario) -> None:
    answer = browser.post(f"/s/{scenario.pk}/share", {"title": scenario.title, "summary": scenario.summary})
    assert answer["Location"] == f"/s/{scenario.pk}"
    assert Scenario.objects.count() == 1


def test_a_title_is_never_html_and_never_a_link(browser: Browser, scenario: Scenario) -> None:
    answer = browser.post(f"/s/{scenario.pk}/share", {"title": '<b>https://evil.example</b>"]()', "summary": "<script>"}, follow=True)
    page = answer.content.decode()
    assert "<b>https" not in page
    assert "<script>" not in page.replace('<script type="module"', "")
    assert not re.search(r'href="https?://evil', page)
    share = browser.get(f"{answer.request['PATH_INFO']}/share").content.decode()
    assert "<b>https" not in share
    assert r"\]()" in html.unescape(share)


def test_unknown_deleted_and_wrong_methods(browser: Browser, scenario: Scenario) -> None:
    assert browser.get("/s/nothere000/share").status_code == 404
    assert browser.put(f"/s/{scenario.pk}/share").status_code == 405
    assert browser.post(f"/s/{scenario.pk}/og.png").status_code == 405
    Scenario.objects.filter(pk=scenario.pk).update(deleted="2026-01-01T00:00:00Z", document=b"")
    for address in ("/share", ".json", ".yaml", "", "?step=c1", "/delete", "/report"):
        assert browser.get(f"/s/{scenario.pk}{address}").status_code == 410, address


def test_a_forged_form_is_refused(scenario: Scenario) -> None:
    strict = Browser(enforce_csrf_checks=True)
    for address in ("share", "vary", "delete", "report"):
        assert strict.post(f"/s/{scenario.pk}/{address}", {"title": "x", "key": "seed"}).status_code == 403


def test_json_is_the_document(browser: Browser, scenario: Scenario) -> None:
    answer = browser.get(f"/s/{scenario.pk}.json")
    assert answer.json() == selectors.document(scenario)
    assert answer["X-Robots-Tag"] == "noindex"


def test_a_short_link_leads_on_with_its_query(browser: Browser, scenario: Scenario, run: Run) -> None:
    assert browser.get(f"/{scenario.pk}?step=c1/pick")["Location"] == f"/s/{scenario.pk}?step=c1/pick"
    assert browser.get(f"/{run.pk}")["Location"] == f"/r/{run.pk}"
    assert browser.get("/nothere0000").status_code == 404
    assert browser.get("/sitemap.xml").status_code == 404


@pytest.mark.parametrize("target", ["", "https://evil.example/", "//evil.example/", "/\\evil.example", "x", "/" + "a" * 1000])
def test_a_code_to_elsewhere_is_not_drawn(browser: Browser, target: str) -> None:
    assert browser.get("/qr.svg", {"to": target}).status_code == 404


def test_a_code_is_an_svg_without_style_or_script(browser: Browser) -> None:
    answer = browser.get("/qr.svg", {"to": "/s/x?step=c1/pick"})
    assert answer["Content-Type"] == "image/svg+xml"
    assert b"<path" in answer.content
    assert not re.search(rb"<script|style=|<style", answer.content)
    assert not answer.cookies

"""What stands beside the stage: the manifest of what is in focus, questions in time, answers to why not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_for_everybody import findings

pytestmark = pytest.mark.browser
NODE = "ip-10-0-3-9.eu-west-1.compute.internal"


def look_at(page: Page, run: str, step: str, **view: str) -> None:
    """Open a run at a step."""
    page.goto(f"{run}?" + "&".join(f"{name}={value}" for name, value in {"step": step, **view}.items()))
    expect(page.get_by_role("article").first).to_be_visible()


def test_the_manifest_of_what_is_in_focus_marks_the_lines_that_decide(page: Page, finished_run: str) -> None:
    look_at(page, finished_run, "c1/filter")
    manifest = page.get_by_role("region", name="Manifest")
    expect(manifest).to_be_hidden()
    page.keyboard.press("y")
    expect(manifest).to_be_focused()
    expect(manifest.get_by_role("heading")).to_contain_text("Pod checkout")
    marked = manifest.locator(".is-marked")
    expect(marked.filter(has_text="cpu:")).to_be_visible()
    page.get_by_role("article", name="ip-10-0-3-9").get_by_role("button", name="ip-10-0-3-9").click()
    expect(manifest.get_by_role("heading")).to_contain_text("Node ip-10-0-3-9")
    expect(marked.first).to_contain_text("allocatable")
    page.keyboard.press("Y")
    expect(manifest).to_be_hidden()


def test_pointing_lights_up_the_same_thing_on_stage_in_the_manifest_and_on_the_timeline(page: Page, finished_run: str) -> None:
    look_at(page, finished_run, f"c1/candidates/{NODE}/reprieve/reports/nightly-84b5c7d9f-u9hzl")
    page.get_by_role("button", name="Manifest").click()
    manifest = page.get_by_role("region", name="Manifest")
    expect(manifest.locator(".is-marked").filter(has_text="priority: 10")).to_be_visible()
    page.get_by_role("article", name="ip-10-0-1-17").get_by_role("button", name="ip-10-0-1-17").hover()
    expect(manifest.get_by_role("heading")).to_contain_text("ip-10-0-1-17")
    expect(manifest.locator(".manifest-title.is-lit")).to_be_visible()
    expect(page.locator(".card.is-lit")).to_have_count(1)
    assert page.locator(".tick").count() > 1


def gallery_run(page: Page, title: str) -> str:
    """Run a scenario of the gallery; the path of its run."""
    page.goto("/")
    page.get_by_role("link", name=title).first.click()
    page.get_by_role("button", name="Run").click()
    page.wait_for_url("**/r/*")
    page.get_by_text("finished", exact=True).wait_for()
    return re.sub(r"\?.*", "", page.url)


def test_a_shut_gate_offers_to_change_the_field_in_the_editor(page: Page) -> None:
    run = gallery_run(page, "High priority, no elbows")
    look_at(page, run, "c1/eligibility")
    page.get_by_role("button", name="Change this field").click()
    page.wait_for_url(re.compile(r"/edit\?seq=\d+&pod="))
    expect(page.locator("[data-part=form]")).to_be_visible()
    expect(page.locator("[data-part=form] :focus")).to_have_count(1)


def test_the_best_pick_offers_to_change_a_budget_of_the_victims(page: Page) -> None:
    run = gallery_run(page, "A budget beats priority")
    look_at(page, run, "c1/pick/pdb-violations")
    page.get_by_role("button", name=re.compile("Change PDB")).first.click()
    panel = page.get_by_role("dialog", name="Change the cluster")
    expect(panel.get_by_label("What happens?")).to_have_value("budget")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "zh-hans"])
def test_axe_finds_nothing_beside_the_stage(browser: Browser, site: str, finished_run: str, lang: str, theme: Any) -> None:
    context = browser.new_context(base_url=site, color_scheme=theme, reduced_motion="reduce", viewport={"width": 1440, "height": 900})
    page = context.new_page()
    look_at(page, finished_run, "c1/filter", lang=lang)
    page.keyboard.press("y")
    expect(page.locator(".yaml-line.is-marked").first).to_be_visible()
    assert findings(page) == []
    context.close()

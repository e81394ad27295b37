"""What stands beside the stage: the manifest of what is in focus, questions in time, answers to why not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.bench_steps import scenario
from tests.browser.test_for_everybody import findings

pytestmark = pytest.mark.browser
NODE = "ip-10-0-3-9.eu-west-1.compute.internal"


def look_at(page: Page, run: str, step: str, **view: str) -> None:
    """Open a run at a step."""
    page.goto(f"{run}?" + "&".join(f"{name}={value}" for name, value in {"step": step, **view}.items()))
    expect(page.get_by_role("article").first).to_be_visible()


@pytest.mark.parametrize("width", [1200, 1440, 1920])
def test_cards_stay_on_the_stage_from_the_first_drawing_on(page: Page, finished_run: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    look_at(page, finished_run, "c1/refresh")
    stage = page.locator("[data-part=stage]").bounding_box()
    cards = [card.bounding_box() for card in page.get_by_role("article").all()]
    assert stage is not None
    assert len(cards) == 5
    rights = [box["x"] + box["width"] for box in cards if box is not None]
    assert max(rights) <= stage["x"] + stage["width"]
    assert max(rights) > stage["x"] + 0.8 * stage["width"]


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


def test_predict_asks_before_a_decision_and_the_reveal_plays_the_real_steps_by_keys_alone(page: Page, finished_run: str) -> None:
    look_at(page, finished_run, "c1")
    page.keyboard.press("p")
    asked = page.get_by_role("region", name="Predict")
    expect(asked.get_by_role("group")).to_contain_text("Which of these nodes have room for")
    page.keyboard.press("Tab")
    expect(asked.get_by_role("checkbox").first).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(asked.get_by_role("status")).to_contain_text("Not quite. It is: none of these")
    expect(page.get_by_role("status", name="Step")).to_contain_text("None of 5 nodes has room for")
    expect(asked.get_by_role("button", name="Go on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(asked.get_by_role("group")).to_contain_text("May checkout")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(asked.get_by_role("radio").first).to_be_checked()
    page.keyboard.press("Escape")
    expect(asked).to_be_hidden()
    expect(page.get_by_role("button", name="Step forward")).to_be_focused()
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Predict")).to_have_attribute("aria-pressed", "false")


def test_predict_asks_for_node_and_rule_together_and_takes_the_right_answer(page: Page, finished_run: str) -> None:
    look_at(page, finished_run, "c1/candidates/end")
    page.get_by_role("button", name="Predict").click()
    asked = page.get_by_role("region", name="Predict")
    expect(asked.get_by_role("radio")).to_have_count(4)
    asked.get_by_text("ip-10-0-3-9, by rule 5: latest start of the top victim").click()
    asked.get_by_role("button", name="Answer").click()
    expect(asked.get_by_role("status")).to_contain_text("Right: ip-10-0-3-9, by rule 5")
    expect(page.get_by_role("status", name="Step")).to_contain_text("wins by rule 5")


def test_who_only_wants_to_see_steps_on_and_is_shown(page: Page, finished_run: str) -> None:
    look_at(page, finished_run, "c1/candidates/end")
    page.keyboard.press("P")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("region", name="Predict").get_by_role("status")).to_contain_text("It is: ip-10-0-3-9, by rule 5")
    expect(page.get_by_role("status", name="Step")).to_contain_text("wins by rule 5")


def test_why_not_here_why_a_victim_and_why_spared_are_answered_from_the_trace(page: Page) -> None:
    run = gallery_run(page, "The small one stays")
    page.goto(run)
    page.get_by_role("status", name="Step").wait_for()
    path = page.evaluate("playground.store.events.find((event) => event.kind === 'preemption.candidates_finished').path")
    look_at(page, run, path)
    why = page.get_by_role("region", name="Why")
    page.get_by_role("article").first.locator(".card-name").click()
    expect(why.get_by_role("term").filter(has_text="Why not here?")).to_be_visible()
    expect(why).to_contain_text("NodeResourcesFit said no: Insufficient cpu")
    page.locator(".cards [data-pod$='ledger-1']").click()
    expect(why.get_by_role("term").filter(has_text="Why a victim?")).to_be_visible()
    expect(why).to_contain_text("It did not fit beside")
    page.locator(".cards [data-pod$='mailer-1']").click()
    expect(why.get_by_role("term").filter(has_text="Why is it spared?")).to_be_visible()
    expect(why).to_contain_text("It still fits beside")
    page.keyboard.press("Escape")
    expect(why.get_by_role("term")).to_have_count(0)


def test_the_overview_of_a_large_cluster_leads_to_the_nodes_that_matter(page: Page) -> None:
    saved = page.request.post("/api/v1/scenarios", data=scenario(120)).json()
    run = page.request.post("/api/v1/runs", data={"scenario": saved["id"]}).json()
    page.goto(run["url"])
    expect(page.get_by_text("finished", exact=True)).to_be_visible()
    page.goto(f"{run['url']}?step=c1/pick")
    overview = page.get_by_role("region", name="Overview")
    expect(overview).to_be_visible()
    expect(overview.get_by_role("button", name="candidates")).to_be_visible()
    overview.get_by_role("button", name="chosen").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Why").get_by_role("term").filter(has_text="Why picked?")).to_be_visible()
    assert findings(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "zh-hans"])
def test_axe_finds_nothing_beside_the_stage(browser: Browser, site: str, finished_run: str, lang: str, theme: Any) -> None:
    context = browser.new_context(base_url=site, color_scheme=theme, reduced_motion="reduce", viewport={"width": 1440, "height": 900})
    page = context.new_page()
    look_at(page, finished_run, "c1/filter", lang=lang)
    page.keyboard.press("y")
    expect(page.locator(".yaml-line.is-marked").first).to_be_visible()
    assert findings(page) == []
    page.keyboard.press("p")
    page.keyboard.press("]")
    page.locator(".predict-option").first.wait_for()
    assert findings(page) == []
    page.locator(".predict-buttons button").last.click()
    page.locator(".predict-option.is-right").first.wait_for()
    assert findings(page) == []
    context.close()

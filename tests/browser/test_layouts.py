"""The stage at every size, on a phone and on a projector, at rest and in motion: what a person sees and can reach."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.bench_steps import scenario
from tests.browser.test_live import Line

pytestmark = pytest.mark.browser
NODE = "ip-10-0-3-9.eu-west-1.compute.internal"
SMALLEST_TEXT = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), sizes = [];
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement, box = parent.getBoundingClientRect();
    if (!walker.currentNode.nodeValue.trim() || !parent.checkVisibility({ visibilityProperty: true })) continue;
    const style = getComputedStyle(parent);
    if (box.width < 4 || box.height < 4 || box.bottom < 0 || style.clipPath !== "none") continue;
    if (parent.closest("title, .sr, script, option")) continue;
    sizes.push([parseFloat(style.fontSize), walker.currentNode.nodeValue]);
  }
  return sizes.sort((a, b) => a[0] - b[0])[0];
}"""


def large_run(page: Page, nodes: int) -> str:
    """A finished run of a cluster of so many nodes, opened at its best pick."""
    saved = page.request.post("/api/v1/scenarios", data=scenario(nodes)).json()
    run = page.request.post("/api/v1/runs", data={"scenario": saved["id"]}).json()
    page.goto(run["url"])
    expect(page.get_by_text("finished", exact=True)).to_be_visible(timeout=60_000)
    path: str = run["url"]
    page.goto(f"{path}?step=c1/candidates/end")
    expect(page.get_by_role("status", name="Step")).not_to_be_empty()
    return path


@pytest.mark.parametrize(("nodes", "drawing"), [(12, "article svg.card-drawing"), (90, "svg.tiles .tile"), (450, "canvas.tile-canvas")])
def test_cards_and_tiles_are_svg_and_beyond_400_nodes_there_is_one_canvas(page: Page, nodes: int, drawing: str) -> None:
    large_run(page, nodes)
    expect(page.locator(f"[data-part=stage] {drawing}").first).to_be_visible()
    assert page.locator("canvas.tile-canvas").count() == (1 if nodes > 400 else 0)
    page.get_by_role("button", name="As a table").click()
    table = page.get_by_role("table", name="Nodes")
    expect(table.get_by_role("row").nth(1)).to_contain_text("candidate: 2 victims")


def test_every_card_is_drawn_before_it_can_be_scrolled_to(page: Page) -> None:
    large_run(page, 60)
    expect(page.get_by_role("article")).to_have_count(60)
    page.locator("[data-part=stage]").evaluate("(stage) => { stage.scrollTop = stage.scrollHeight / 2; }")
    expect(page.locator("article:has(svg:empty), article:not(:has(svg))")).to_have_count(0)
    page.keyboard.press("]")
    expect(page.get_by_role("article", name="node-59", exact=True)).to_contain_text("out by rule")


def test_a_budget_brackets_its_pods_and_a_node_with_a_taint_has_a_notch(page: Page, finished_run: str) -> None:
    page.goto(f"{finished_run}?step=c1/candidates/{NODE}/fit")
    card = page.get_by_role("article", name="ip-10-0-3-9")
    expect(card).to_contain_text("PDB cart: allowed 1 → 0")
    bracket, pod = card.locator(".bracket-line").bounding_box(), card.get_by_role("button", name=re.compile("cart-")).bounding_box()
    assert bracket is not None
    assert pod is not None
    assert abs(bracket["x"] - pod["x"]) < 4
    assert abs(bracket["width"] - pod["width"]) < 9
    assert -4 <= bracket["y"] - (pod["y"] + pod["height"]) < 8
    expect(card.locator(".card-notch")).to_have_count(1)


def test_what_has_changed_since_the_last_step_is_told_in_its_grain_and_outlined(page: Page, finished_run: str) -> None:
    page.goto(f"{finished_run}?step=c1/candidates/{NODE}")
    why = page.get_by_role("region", name="Why")
    expect(why).to_contain_text("+1 node checked")
    expect(why).to_contain_text("+2 reprieved")
    expect(page.get_by_role("article", name="ip-10-0-3-9").locator(".is-changed").first).to_be_visible()
    page.keyboard.press("Shift+ArrowLeft")
    expect(why).to_contain_text("+1 victim")
    expect(page.locator(".pod.is-changed")).to_have_count(1)
    page.keyboard.press("PageDown")
    page.keyboard.press("PageUp")
    page.keyboard.press("PageDown")
    expect(why).to_contain_text("nodes checked")


def test_the_thread_of_a_claim_ends_at_its_entry_and_at_its_ghost(page: Page, finished_run: str) -> None:
    page.goto(f"{finished_run}?step=c1/nominated")
    ends = page.locator(".thread-end")
    expect(ends).to_have_count(2)
    entry, ghost = page.locator(".queues .entry.is-now").bounding_box(), page.locator(".pod.is-ghost .pod-box").bounding_box()
    one, two = ends.first.bounding_box(), ends.last.bounding_box()
    assert entry and ghost and one and two
    assert abs(one["x"] + one["width"] / 2 - entry["x"] - entry["width"]) < 3
    assert entry["y"] < one["y"] < entry["y"] + entry["height"]
    assert abs(two["x"] + two["width"] / 2 - ghost["x"]) < 4
    assert ghost["y"] < two["y"] < ghost["y"] + ghost["height"]


def test_a_phone_shows_one_node_at_a_time_and_keeps_everything_at_hand(browser: Browser, site: str, finished_run: str) -> None:
    context = browser.new_context(base_url=site, reduced_motion="reduce", viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(f"{finished_run}?step=c1/candidates/{NODE}")
    expect(page.get_by_role("article")).to_have_count(1)
    expect(page.get_by_role("article", name="ip-10-0-3-9")).to_be_visible()
    page.get_by_role("button", name="Next node").click()
    expect(page.get_by_role("article", name="ip-10-0-1-17")).to_be_visible()
    page.get_by_role("button", name="Why", exact=True).click()
    why, manifest = page.get_by_role("region", name="Why"), page.get_by_role("region", name="Manifest")
    expect(why).to_be_visible()
    page.get_by_role("button", name="Manifest").click()
    expect(manifest).to_be_visible()
    expect(why).to_be_hidden()
    page.get_by_role("button", name="Why", exact=True).click()
    expect(manifest).to_be_hidden()
    page.get_by_role("button", name="Why", exact=True).click()
    page.goto(f"{finished_run}?step=c1/candidates/end")
    page.get_by_role("button", name="Predict").click()
    expect(page.get_by_role("region", name="Predict").get_by_role("radio").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


@pytest.mark.parametrize("step", ["", "c1/filter", "c1/eligibility", f"c1/candidates/{NODE}", "c1/pick", "c1/nominated", "end"])
def test_on_a_projector_no_text_is_smaller_than_24_px(browser: Browser, site: str, finished_run: str, step: str) -> None:
    context = browser.new_context(base_url=site, reduced_motion="reduce", viewport={"width": 1920, "height": 1080})
    page = context.new_page()
    page.goto(f"{finished_run}?view=projector&step={step}")
    page.get_by_role("article").first.wait_for()
    page.get_by_role("button", name="Why", exact=True).click()
    expect(page.get_by_role("region", name="Why")).to_be_visible()
    size, text = page.evaluate(SMALLEST_TEXT)
    assert size >= 24, text
    expect(page.locator(".qr")).to_be_visible()
    for name in ("Predict", "Manifest", "Step forward", "Play"):
        expect(page.get_by_role("button", name=name)).to_be_visible()
    context.close()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_things_travel_and_give_way_to_cuts_for_who_wants_less_motion(browser: Browser, site: str, finished_run: str, motion: Any) -> None:
    context = browser.new_context(base_url=site, reduced_motion=motion, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(f"{finished_run}?step=c1/pick")
    page.get_by_role("table", name="Best pick").wait_for()
    page.evaluate("""() => {
      window.moved = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, how) { window.moved.push(how.duration); return animate.call(this, frames, how); };
    }""")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("article", name="ip-10-0-3-9")).to_contain_text("nominated, not bound")
    page.wait_for_function("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
    durations = page.evaluate("window.moved")
    assert all(duration < 300 for duration in durations)
    assert bool(durations) == (motion == "no-preference")
    context.close()


def test_playing_at_the_end_of_a_run_that_streams_waits_for_more_and_goes_on(page: Page, site: str, finished_run: str) -> None:
    line = Line(page, site, finished_run)
    page.goto(finished_run)
    expect(page.locator("[data-part=chip]")).to_have_text("running")
    line.send(1, 45)
    page.get_by_role("article").first.wait_for()
    for _ in range(3):
        page.get_by_role("button", name="Speed").click()
    page.keyboard.press("l")
    page.keyboard.press(".")
    slider = page.get_by_role("slider", name="Timeline")
    before = int(slider.input_value())
    page.wait_for_function("() => playground.player.waits")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    line.send(46, 60)
    expect(slider).not_to_have_value(str(before))
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    line.send(61, len(line.events))
    line.end()
    expect(page.locator("[data-part=chip]")).to_have_text("finished")
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="Play")).to_be_visible()

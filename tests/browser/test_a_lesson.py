"""A whole lesson: paste a real cluster, press Run, and step through every phase with the keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
PHASES = ["Refresh", "Eligibility", "Candidates", "Extender filtering", "Best pick", "Eviction"]
FIRST = "ip-10-0-3-9.eu-west-1.compute.internal"


def open_run(page: Page, path: str, step: str = "") -> None:
    """Open a run, at a step, and wait until it is drawn."""
    page.goto(path + (f"?step={step}" if step else ""))
    expect(page.get_by_text("finished", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="Cluster").get_by_role("article").first).to_be_visible()


def test_a_person_pastes_a_dump_presses_run_and_sees_the_phases(page: Page, dump: str) -> None:
    page.goto("/")
    page.get_by_role("textbox", name="Manifests").fill(dump)
    page.get_by_role("button", name="Run").click()
    page.wait_for_url("**/r/*")
    for region in ("Queues", "Cluster", "Why", "Phases"):
        expect(page.get_by_role("region", name=region)).to_be_visible()
    phases = page.get_by_role("region", name="Phases")
    for phase in PHASES:
        expect(phases.get_by_role("button", name=re.compile(re.escape(phase)))).to_be_visible()
    expect(page.get_by_role("slider", name="Timeline")).to_be_visible()
    expect(page.get_by_text("finished", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="Cluster").get_by_role("article")).to_have_count(5)


def test_the_keyboard_alone_goes_through_a_whole_preemption(page: Page, finished_run: str) -> None:
    open_run(page, finished_run)
    step = page.get_by_role("status", name="Step")
    expect(step).to_contain_text("The cluster as given. Nodes: 5, pods: 27")
    seen = set()
    for _ in range(14):
        page.keyboard.press("PageDown")
        page.wait_for_timeout(60)
        current = page.locator("[aria-current=step] .phase-name")
        if current.count():
            seen.add(current.inner_text())
    assert {"Refresh", "Eligibility", "Candidates", "Best pick", "Eviction"} <= seen
    page.keyboard.press("Home")
    expect(step).to_contain_text("The cluster as given")
    page.keyboard.press("End")
    expect(step).to_contain_text("Nothing is left to do. Pods that run: 25, that wait: 0, evicted: 2")


def test_an_arrow_goes_by_node_and_shift_by_single_check(page: Page, finished_run: str) -> None:
    open_run(page, finished_run, f"c1/candidates/{FIRST}/bench")
    step = page.get_by_role("status", name="Step")
    expect(step).to_contain_text("lifted off a copy of the node, onto the bench")
    page.keyboard.press("Shift+ArrowRight")
    expect(step).to_contain_text(re.compile("Without them, checkout.*fits on ip-10-0-3-9"))
    page.keyboard.press("Shift+ArrowRight")
    expect(step).to_contain_text("it is reprieved")
    page.keyboard.press("ArrowRight")
    expect(step).to_contain_text("can make room for")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(step).to_contain_text("can make room for")


def test_the_bench_shows_who_is_reprieved_and_who_is_not(page: Page, finished_run: str) -> None:
    open_run(page, finished_run, f"c1/candidates/{FIRST}")
    card = page.get_by_role("article", name="ip-10-0-3-9")
    expect(card.get_by_role("button", name=re.compile("nightly-.*u9hzl 10 .*victim"))).to_be_visible()
    expect(card.get_by_role("button", name=re.compile("cart-.*dk2vn 1.000 .*reprieved"))).to_be_visible()
    expect(card.get_by_role("button", name=re.compile("checkout-.*v3mtp 100.000 .*wants in"))).to_be_visible()
    expect(card).to_contain_text("candidate: one victim")


def test_what_is_too_much_is_said_in_words(page: Page, finished_run: str) -> None:
    open_run(page, finished_run, "c1/filter")
    expect(page.get_by_role("article", name="ip-10-0-3-9")).to_contain_text("0.73 too much")
    expect(page.get_by_role("region", name="Why")).to_contain_text("0/5 nodes are available: 5 Insufficient cpu.")


def test_the_elimination_table_strikes_one_column_after_the_other(page: Page, finished_run: str) -> None:
    open_run(page, finished_run, "c1/pick/pdb-violations")
    table = page.get_by_role("table", name="Best pick")
    expect(table).to_be_visible()
    expect(table.locator("tr.is-out")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(table.locator("tr.is-out")).to_have_count(2)
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowLeft")
    expect(table.locator("tr.wins")).to_contain_text("ip-10-0-3-9")
    expect(page.get_by_role("region", name="Cluster")).to_contain_text("ip-10-0-3-9 wins by rule 5.")
    expect(page.get_by_role("region", name="Cluster")).to_contain_text("Rule 6 was not asked.")


def test_a_nominated_pod_is_a_ghost_that_says_it_is_not_bound(page: Page, finished_run: str) -> None:
    open_run(page, finished_run, "c1/nominated")
    card = page.get_by_role("article", name="ip-10-0-3-9")
    expect(card).to_contain_text("nominated, not bound")
    expect(page.get_by_role("region", name="Queues")).to_contain_text("nominated to ip-10-0-3-9")


def test_buttons_step_and_the_timeline_follows(page: Page, finished_run: str) -> None:
    open_run(page, finished_run)
    slider = page.get_by_role("slider", name="Timeline")
    page.get_by_role("button", name="Step forward").click()
    expect(slider).to_have_value("1")
    page.get_by_role("button", name="Step forward").click()
    page.get_by_role("button", name="Step back").click()
    expect(slider).to_have_value("1")
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_the_address_is_a_link_to_the_step(page: Page, finished_run: str) -> None:
    open_run(page, finished_run)
    page.keyboard.press("]")
    page.wait_for_url(re.compile(r"step=c1/filter"))
    page.reload()
    expect(page.get_by_role("status", name="Step")).to_contain_text("None of 5 nodes has room for")


def test_a_node_and_a_pod_answer_why_not(page: Page, finished_run: str) -> None:
    open_run(page, finished_run, "c1/pick")
    why = page.get_by_role("region", name="Why")
    page.get_by_role("table", name="Best pick").get_by_text("ip-10-0-2-23").click()
    expect(why).to_contain_text("Why not picked?")
    expect(why).to_contain_text("Rule 1 struck it")
    page.get_by_role("article", name="ip-10-0-3-9").get_by_role("button", name=re.compile("u9hzl")).click()
    expect(why).to_contain_text("Why a victim?")
    page.keyboard.press("Escape")
    expect(why).not_to_contain_text("Why a victim?")


def test_stepping_never_touches_the_network(page: Page, finished_run: str) -> None:
    open_run(page, finished_run)
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for key in ["ArrowRight"] * 10 + ["PageDown"] * 6 + ["ArrowLeft"] * 4 + ["End", "Home"]:
        page.keyboard.press(key)
    page.wait_for_timeout(200)
    assert asked == []


def test_focus_stays_on_a_node_when_it_is_drawn_again(page: Page, finished_run: str) -> None:
    open_run(page, finished_run, f"c1/candidates/{FIRST}/bench")
    page.get_by_role("article", name="ip-10-0-3-9").get_by_role("button", name="ip-10-0-3-9").focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.get_by_role("status", name="Step")).to_contain_text("Without them")
    assert page.evaluate("document.activeElement.dataset.nodeName") == FIRST


def test_e_opens_the_cluster_of_this_step_in_the_editor(page: Page, finished_run: str) -> None:
    open_run(page, finished_run, "c1/nominated")
    page.keyboard.press("e")
    page.wait_for_url(re.compile(r"/r/.*/edit\?seq=\d+"))
    expect(page.get_by_role("textbox", name="Manifests")).to_contain_text("apiVersion")

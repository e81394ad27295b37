"""Both languages, light and dark, without JavaScript, with a screen reader: axe finds nothing on any page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
STEPS = ["", "c1/filter", "c1/eligibility", "c1/candidates/ip-10-0-3-9.eu-west-1.compute.internal", "c1/pick", "c1/nominated", "end"]


def findings(page: Page) -> list[dict[str, Any]]:
    """What axe has to say, short."""
    # Through the debugger, not as a script of the page: the page's own policy stays as strict as it is.
    page.evaluate(AXE.read_text(encoding="utf-8"))
    result = page.evaluate("(rules) => axe.run(document, rules)", RULES)
    return [{"rule": each["id"], "nodes": [_short(node) for node in each["nodes"][:3]]} for each in result["violations"]]


def _short(node: dict[str, Any]) -> str:
    return f"{node['html'][:160]} | {node['failureSummary'][:200]}"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "zh-hans"])
@pytest.mark.parametrize("path", ["/", "/new", "/docs/", "/nothing-here"])
def test_axe_finds_nothing_on_the_pages(browser: Browser, site: str, path: str, lang: str, theme: str) -> None:
    context = browser.new_context(base_url=site, color_scheme=theme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{path}?lang={lang}")
    assert findings(page) == []
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "zh-hans"])
def test_axe_finds_nothing_on_a_run_at_any_phase(browser: Browser, site: str, finished_run: str, lang: str, theme: str) -> None:
    context = browser.new_context(base_url=site, color_scheme=theme, reduced_motion="reduce", viewport={"width": 1440, "height": 900})  # type: ignore[arg-type]
    page = context.new_page()
    for step in STEPS:
        page.goto(f"{finished_run}?lang={lang}&step={step}")
        page.get_by_role("article").first.wait_for()
        assert findings(page) == [], step
    context.close()


@pytest.mark.parametrize("size", [(390, 844), (1920, 1080)])
def test_axe_finds_nothing_on_a_phone_and_on_a_projector(browser: Browser, site: str, finished_run: str, size: tuple[int, int]) -> None:
    context = browser.new_context(base_url=site, reduced_motion="reduce", viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.goto(f"{finished_run}?step=c1/candidates/ip-10-0-3-9.eu-west-1.compute.internal" + ("&view=projector" if size[0] > 1000 else ""))
    page.get_by_role("article", name="ip-10-0-3-9").wait_for()
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    context.close()


def test_the_language_changes_in_place_and_the_step_stays(page: Page, finished_run: str) -> None:
    page.goto(f"{finished_run}?step=c1/filter")
    step = page.locator("[data-part=step]")
    expect(step).to_contain_text("None of 5 nodes has room for")
    page.evaluate("window.kept = true")
    page.get_by_role("link", name="中文").click()
    expect(step).to_contain_text("5 个节点都放不下")
    expect(page.get_by_role("region", name="队列")).to_be_visible()
    expect(page.get_by_role("button", name="前进一步")).to_be_visible()
    assert page.evaluate("window.kept") is True
    page.reload()
    expect(step).to_contain_text("5 个节点都放不下")


def test_without_javascript_a_link_to_a_step_reads_as_text(browser: Browser, site: str, finished_run: str) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{finished_run}?step=c1/pick")
    expect(page.get_by_role("status", name="Step")).to_contain_text("wins by rule 5, latest start of the top victim")
    expect(page.get_by_role("listitem").filter(has_text="is nominated to ip-10-0-3-9").first).to_be_visible()
    expect(page.locator("li[aria-current=step]")).to_contain_text("wins by rule 5")
    context.close()


def test_without_javascript_pasting_and_running_works(browser: Browser, site: str, dump: str) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("textbox", name="Manifests").fill(dump)
    page.get_by_role("button", name="Run").click()
    page.wait_for_url("**/r/*")
    expect(page.get_by_role("heading", name="The whole run as text")).to_be_visible()
    context.close()


def test_dark_and_light_are_a_choice_that_is_kept(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Light or dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_policy_allows_no_inline_script_and_no_inline_style(page: Page, finished_run: str) -> None:
    answer = page.goto(finished_run)
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "unsafe-inline" not in policy
    assert "unsafe-eval" not in policy
    assert page.locator("meta[name=robots][content=noindex]").count() == 1

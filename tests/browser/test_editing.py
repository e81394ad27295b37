"""Manifests that cannot be run, and those that can only with help."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT

pytestmark = pytest.mark.browser
BROKEN = """apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
    - name: web
      resources: {requests: {cpu: 1core}}
"""


def test_a_rejected_manifest_shows_its_problems_at_their_lines(page: Page) -> None:
    page.goto("/")
    page.get_by_role("textbox", name="Manifests").fill(BROKEN)
    page.get_by_role("button", name="Run").click()
    problems = page.get_by_role("alert")
    expect(problems).to_contain_text("line 12")
    expect(problems).to_contain_text("1core")
    expect(page.get_by_role("textbox", name="Manifests")).to_contain_text("1core")
    expect(page.locator(".cm-lint-marker-error")).to_have_count(1)
    problems.get_by_role("link", name="line 12").click()
    expect(page.locator(".cm-activeLine")).to_contain_text("1core")


@pytest.mark.parametrize("text", ["", "   \n", "hello, this is prose", "a: [", "<script>alert(1)</script>"])
def test_what_is_no_manifest_gets_an_answer_in_words(page: Page, text: str) -> None:
    page.goto("/new")
    page.get_by_role("textbox", name="Manifests").fill(text)
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("alert")).to_be_visible()


def test_missing_nodes_are_named_and_can_be_made_up(page: Page) -> None:
    page.goto("/new")
    page.get_by_role("textbox", name="Manifests").fill((ROOT / "tests/data/podlist-without-nodes.json").read_text())
    page.get_by_role("button", name="Run").click()
    page.wait_for_url("**/s/*")
    expect(page.get_by_role("heading", name="Some pods are bound to nodes that are not in the text")).to_be_visible()
    page.get_by_role("button", name="Make them up").click()
    page.wait_for_url("**/r/*")
    expect(page.get_by_role("region", name="Cluster").get_by_role("article").first).to_be_visible()


def test_text_of_users_is_never_html_and_never_a_link(page: Page) -> None:
    text = """apiVersion: playground/v1
kind: Scenario
metadata: {title: '<b>bold</b> <img src=x onerror=alert(1)>', summary: 'see https://example.com/'}
objects:
  - {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}}
"""
    page.goto("/new")
    page.get_by_role("textbox", name="Manifests").fill(text)
    page.get_by_role("button", name="Save only").click()
    page.wait_for_url("**/s/*")
    expect(page.get_by_role("heading", level=1)).to_have_text("<b>bold</b> <img src=x onerror=alert(1)>")
    assert page.locator("h1 b, h1 img, a[href*='example.com']").count() == 0


def test_a_fork_opens_the_editor_with_the_manifests(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="A budget beats priority").click()
    page.get_by_role("button", name="Fork").click()
    # the code editor holds its text as content, and only the lines in sight of it
    expect(page.get_by_role("textbox", name="Manifests")).to_contain_text("A budget beats priority")

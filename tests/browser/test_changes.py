"""A change made on the page while looking at a step: a new run goes on from there, and the old one stays."""

from __future__ import annotations

import json
import re
import zlib
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_for_everybody import findings

pytestmark = pytest.mark.browser
STEP = "pod/jobs/batch-1/terminating"


def _node(name: str) -> dict[str, Any]:
    allocatable = {"cpu": "4", "memory": "16Gi", "pods": "110"}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": allocatable}}


def _pod(name: str, cpu: str, priority: int, **spec: Any) -> dict[str, Any]:
    namespace, own = name.split("/")
    container = {"name": "main", "image": "registry.example/main:1", "resources": {"requests": {"cpu": cpu, "memory": "1Gi"}}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"namespace": namespace, "name": own, "labels": {"app": own.split("-")[0]}},
        "spec": {"priority": priority, "containers": [container], **spec},
    }


SCENARIO = {
    "apiVersion": "playground/v1",
    "kind": "Scenario",
    "metadata": {"title": "Waiting for a victim"},
    "objects": [
        _node("n1"),
        _node("n2"),
        _pod("jobs/batch-1", "3", 10, nodeName="n1", terminationGracePeriodSeconds=20),
        {
            **_pod("jobs/other-1", "3", 200_000, nodeName="n2", terminationGracePeriodSeconds=5),
            "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
        },
        _pod("shop/checkout", "2", 100_000),
        _pod("ml/train-1", "1", 0, schedulingGates=[{"name": "example.com/quota"}]),
        {
            "apiVersion": "policy/v1",
            "kind": "PodDisruptionBudget",
            "metadata": {"namespace": "jobs", "name": "other"},
            "spec": {"minAvailable": 0, "selector": {"matchLabels": {"app": "other"}}},
        },
    ],
}


@pytest.fixture(scope="module")
def old_run(site: str, browser: Any) -> str:
    """The id of a finished run."""
    context = browser.new_context(base_url=site)
    saved = context.request.post("/api/v1/scenarios", data=json.dumps(SCENARIO), headers={"Content-Type": "application/json"}).json()
    run = context.request.post("/api/v1/runs", data={"scenario": saved["id"]}).json()
    page = context.new_page()
    page.goto(run["url"])
    expect(page.get_by_text("finished", exact=True)).to_be_visible(timeout=15_000)
    context.close()
    return str(run["id"])


def look_at(page: Page, run: str, step: str = STEP, **view: str) -> None:
    """Open a run at a step."""
    page.goto(f"/r/{run}?" + "&".join(f"{name}={value}" for name, value in {"step": step, **view}.items()))
    expect(page.get_by_role("region", name=re.compile("Cluster|集群")).get_by_role("article").first).to_be_visible()


def open_panel(page: Page) -> Any:
    """The panel, opened by its button."""
    page.get_by_role("button", name="Change the cluster").click()
    panel = page.get_by_role("dialog", name="Change the cluster")
    expect(panel).to_be_visible()
    return panel


def continued(page: Page, old: str) -> str:
    """Wait until the page shows another run; its id."""
    page.wait_for_url(re.compile(rf"/r/(?!{old})[a-z0-9]+"))
    expect(page.get_by_text("finished", exact=True)).to_be_visible()
    found = re.search(r"/r/([a-z0-9]+)", page.url)
    assert found
    return found[1]


def events(page: Page, run: str) -> list[dict[str, Any]]:
    """The log of a run."""
    answer = page.request.get(f"/api/v1/runs/{run}/events?limit=5000").json()
    found: list[dict[str, Any]] = answer["events"]
    return found


def assert_goes_on(page: Page, old: str, new: str) -> list[dict[str, Any]]:
    """Up to the step both runs have the same events; what is new in the new one."""
    before, after = events(page, old), events(page, new)
    seq = next(event["seq"] for event in before if event["path"] == STEP)
    assert after[:seq] == before[:seq]
    return after[seq:]


def test_a_pod_added_at_a_step_by_clicks_goes_on_as_a_new_run_at_the_same_step(page: Page, old_run: str) -> None:
    look_at(page, old_run)
    panel = open_panel(page)
    expect(panel).to_contain_text("At 0 s: after this step")
    panel.get_by_label("What happens?").select_option("Add pods")
    panel.get_by_label("Name", exact=True).fill("pager-1")
    panel.get_by_label("Namespace").fill("ops")
    panel.get_by_label("CPU", exact=True).fill("1")
    panel.get_by_label("Priority").fill("900000")
    panel.get_by_role("button", name="Add to the list").click()
    expect(panel.get_by_role("region", name="What will happen")).to_contain_text("Add pager-1: CPU 1, memory 256Mi, priority 900000")
    panel.get_by_role("button", name="Continue from here").click()
    new = continued(page, old_run)
    assert f"step={STEP}" in page.url
    expect(page.get_by_role("status", name="Step")).to_contain_text("batch-1 on n1 has 20 s to shut down")
    expect(page.get_by_text("after its step")).to_be_visible()
    assert any(event["path"] == "t1/Pod/ops/pager-1" for event in assert_goes_on(page, old_run, new))
    page.get_by_role("link", name="Continues another run").click()
    page.wait_for_url(re.compile(rf"/r/{old_run}\?step={STEP}"))


def test_the_keyboard_alone_drains_a_node_from_its_own_menu(page: Page, old_run: str) -> None:
    look_at(page, old_run)
    name = page.get_by_role("article", name="n2").get_by_role("button", name="n2", exact=True)
    name.focus()
    page.keyboard.press("Enter")
    drain = page.get_by_role("region", name="Why").get_by_role("button", name="Drain")
    expect(drain).to_be_visible()
    drain.focus()
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name="Change the cluster")
    expect(panel.get_by_role("region", name="What will happen")).to_contain_text("Drain n2: cordon it, delete one pod")
    expect(panel.get_by_role("button", name="Continue from here")).to_be_focused()
    page.keyboard.press("Enter")
    news = assert_goes_on(page, old_run, continued(page, old_run))
    assert any(event["kind"] == "object.updated" and event["data"]["view"].get("unschedulable") for event in news)
    assert any(event["path"] == "pod/jobs/other-1/terminating" for event in news)


def test_a_key_opens_the_panel_and_escape_gives_the_focus_back(page: Page, old_run: str) -> None:
    look_at(page, old_run)
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="Change the cluster")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_label("What happens?")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Change the cluster")).to_be_focused()


def test_what_the_api_refuses_is_said_at_its_field(page: Page, old_run: str) -> None:
    look_at(page, old_run)
    panel = open_panel(page)
    panel.get_by_label("What happens?").select_option("Add pods")
    panel.get_by_label("CPU", exact=True).fill("1core")
    panel.get_by_role("button", name="Add to the list").click()
    panel.get_by_role("button", name="Continue from here").click()
    cpu = panel.get_by_label("CPU", exact=True)
    expect(cpu).to_be_focused()
    expect(cpu).to_have_attribute("aria-invalid", "true")
    expect(cpu).to_have_accessible_description("'1core' has the unknown suffix 'core'")
    assert old_run in page.url


def test_what_cannot_be_done_at_this_step_is_said_before_anything_is_sent(page: Page, old_run: str) -> None:
    look_at(page, old_run)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    panel = open_panel(page)
    panel.get_by_label("What happens?").select_option("Uncordon a node")
    panel.get_by_role("button", name="Add to the list").click()
    expect(panel.get_by_label("Node that is cordoned")).to_have_accessible_description("There is nothing to choose at this step.")
    panel.get_by_label("What happens?").select_option("Change a pod's priority")
    expect(panel).to_contain_text("Kubernetes does not allow it: the priority of a pod is fixed when it is created.")
    assert "POST" not in sent


def test_several_changes_stand_in_a_list_and_happen_together(page: Page, old_run: str) -> None:
    look_at(page, old_run)
    panel = open_panel(page)
    what = panel.get_by_label("What happens?")
    for action in ("Lift a scheduling gate", "Cordon a node", "Taint a node", "Change a disruption budget", "Add nodes", "Lose a node"):
        if not what.is_visible():
            panel.get_by_role("button", name="Another change").click()
        what.select_option(action)
        if action == "Taint a node":
            panel.get_by_label("Key").fill("gpu")
        if action in ("Taint a node", "Lose a node"):
            panel.get_by_label("Node", exact=True).select_option("n2")
        panel.get_by_role("button", name="Add to the list").click()
    lines = panel.get_by_role("region", name="What will happen").get_by_role("listitem")
    expect(lines).to_have_count(6)
    panel.get_by_role("button", name=re.compile("Remove: Lose n2")).click()
    expect(lines).to_have_count(5)
    panel.get_by_label("Wait first for another").fill("3")
    panel.get_by_label("Wait first for another").press("Tab")
    expect(panel).to_contain_text("At 3 s: after this step")
    panel.get_by_role("button", name="Continue from here").click()
    news = assert_goes_on(page, old_run, continued(page, old_run))
    at_three = [event["path"] for event in news if event["path"].startswith("t") and 3 <= event["t"] < 4]
    assert at_three == ["t1/Pod/ml/train-1", "t2/Node/n1", "t3/Node/n2", "t4/PodDisruptionBudget/jobs/other", "t5/Node/n1-2"]
    assert any(event["kind"] == "pod.bound" and event["data"]["pod"] == "ml/train-1" for event in news)


def test_what_is_clicked_in_the_cluster_goes_into_the_open_form(page: Page, old_run: str) -> None:
    look_at(page, old_run)
    panel = open_panel(page)
    panel.get_by_label("What happens?").select_option("Delete a pod")
    page.get_by_role("article", name="n2").get_by_role("button", name=re.compile("other-1")).click()
    expect(panel.get_by_label("Pod", exact=True)).to_have_value("jobs/other-1")


def text_of(frame: str | bytes) -> str:
    """What a frame says: JSON, or JSON in raw deflate."""
    return frame if isinstance(frame, str) else zlib.decompress(frame, wbits=-15).decode()


def test_new_events_arrive_while_one_stays_at_the_step(page: Page, old_run: str) -> None:
    look_at(page, old_run)
    panel = open_panel(page)
    panel.get_by_label("What happens?").select_option("Delete a pod")
    panel.get_by_label("Pod", exact=True).select_option("jobs/other-1")
    panel.get_by_role("button", name="Add to the list").click()
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(text_of(frame))))
    panel.get_by_role("button", name="Continue from here").click()
    continued(page, old_run)
    assert any("pod/jobs/other-1/terminating" in frame for frame in frames)
    expect(page.get_by_role("status", name="Step")).to_contain_text("batch-1 on n1")
    slider = page.get_by_role("slider", name="Timeline")
    here = int(slider.input_value())
    assert int(slider.get_attribute("max") or 0) > here
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("status", name="Step")).to_contain_text("other-1 on n2 has 5 s to shut down")


def test_the_panel_speaks_chinese(page: Page, old_run: str) -> None:
    look_at(page, old_run, lang="zh-hans")
    page.get_by_role("button", name="改变集群").click()
    panel = page.get_by_role("dialog", name="改变集群")
    panel.get_by_label("发生什么？").select_option("腾空（drain）一个节点")
    panel.get_by_role("button", name="加入列表").click()
    expect(panel.get_by_role("region", name="将要发生")).to_contain_text("腾空 n1")
    page.get_by_role("link", name="EN").click()
    expect(page.get_by_role("dialog", name="Change the cluster")).to_contain_text("Drain n1: cordon it")


@pytest.mark.parametrize(("theme", "lang", "width"), [("light", "en", 1440), ("dark", "zh-hans", 1440), ("light", "en", 390)])
def test_axe_finds_nothing_in_the_panel(browser: Browser, site: str, old_run: str, theme: Any, lang: str, width: int) -> None:
    context = browser.new_context(base_url=site, color_scheme=theme, reduced_motion="reduce", viewport={"width": width, "height": 900})
    page = context.new_page()
    look_at(page, old_run, lang=lang)
    page.locator("[data-do=change]").click()
    what = page.locator("#change-action")
    what.select_option("pod-add")
    page.locator("#change-name").fill("")
    page.locator("#change-add").click()
    expect(page.locator("#change-name")).to_have_attribute("aria-invalid", "true")
    assert findings(page) == []
    what.select_option("drain")
    page.locator("#change-add").click()
    expect(page.locator("#change-send")).to_be_focused()
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def test_time_is_seen_a_clock_a_ring_with_its_seconds_and_how_long_a_pod_waits(page: Page, old_run: str) -> None:
    look_at(page, old_run, "pod/jobs/batch-1/terminating")
    expect(page.get_by_role("timer", name="Virtual time")).to_have_text("0.0 s")
    expect(page.get_by_role("article", name="n1")).to_contain_text("20 s left")
    queues = page.get_by_role("region", name="Queues")
    expect(queues).to_contain_text("waits for example.com/quota")
    page.keyboard.press("End")
    expect(page.get_by_role("timer", name="Virtual time")).to_have_text("20.0 s")
    expect(queues).to_contain_text("waiting 20 s")


def test_a_pod_that_lands_elsewhere_than_nominated_is_told_as_such(page: Page, old_run: str) -> None:
    look_at(page, old_run)
    panel = open_panel(page)
    panel.get_by_label("What happens?").select_option("Delete a pod")
    panel.get_by_label("Pod", exact=True).select_option("jobs/other-1")
    panel.get_by_role("button", name="Add to the list").click()
    panel.get_by_role("button", name="Continue from here").click()
    new = continued(page, old_run)
    look_at(page, new, "c2/select")
    step = page.get_by_role("status", name="Step")
    expect(step).to_contain_text("checkout lands on n2, not on n1, where it was nominated")
    look_at(page, new, "pod/jobs/batch-1/gone")
    expect(step).to_contain_text("It was evicted for checkout, which runs on n2 by now")

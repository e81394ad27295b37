"""The editor: clicks, keys and YAML make the same scenario; what was written is never lost; problems stand at their lines."""

from __future__ import annotations

import gzip
import json
import re
from xml.etree import ElementTree

import pytest
import yaml
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.conftest import DUMP
from tests.browser.test_for_everybody import AXE

pytestmark = pytest.mark.browser

# Three full nodes, and a pod that matters more than what runs there: what the first two tests click and type.
PREEMPTION = """\
# three nodes of the same size
{nodes}
---
{pods}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {{name: class-1}}
value: 1000
---
kind: Pod
apiVersion: v1
metadata: {{name: pod-4}}
spec:
  priorityClassName: class-1
  containers: [{{name: app, image: registry.example/app:1, resources: {{requests: {{memory: 1Gi, cpu: "2"}}}}}}]
""".format(
    nodes="\n---\n".join(
        f"apiVersion: v1\nkind: Node\nmetadata: {{name: node-{i}, labels: {{kubernetes.io/hostname: node-{i}}}}}\n"
        f'status: {{allocatable: {{cpu: "4", memory: 16Gi, pods: "110"}}}}'
        for i in (1, 2, 3)
    ),
    pods="\n---\n".join(
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: pod-{i}}}\nstatus: {{phase: Running}}\nspec:\n  nodeName: node-{i}\n"
        f'  containers: [{{name: app, image: registry.example/app:1, resources: {{requests: {{cpu: "3", memory: 1Gi}}}}}}]'
        for i in (1, 2, 3)
    ),
)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def pod(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name="Cluster").get_by_role("button", name=re.compile(rf"^{re.escape(name)}(?![-\w])"))


def node(page: Page, name: str) -> Locator:
    return page.get_by_role("article", name=name, exact=True)


def manifests(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Manifests")


def run(page: Page) -> str:
    """Run what is there; the id of its scenario."""
    button(page, "Run").click()
    page.wait_for_url("**/r/*")
    return scenario_of(page)


def scenario_of(page: Page) -> str:
    address = page.locator("a[href^='/s/']").first.get_attribute("href")
    assert address
    return address.removeprefix("/s/")


def in_yaml(page: Page) -> str:
    page.goto("/new")
    manifests(page).fill(PREEMPTION)
    return run(page)


def test_a_preemption_in_clicks_alone_is_that_of_the_yaml(page: Page) -> None:
    page.goto("/new")
    for _ in range(3):
        button(page, "Add node").click()
    button(page, "Add pod").click()
    button(page, "More CPU").click()
    button(page, "More CPU").click()
    pod(page, "pod-1").drag_to(node(page, "node-1"))
    for i in (2, 3):
        button(page, "Copy").click()
        pod(page, f"pod-{i}").drag_to(node(page, f"node-{i}"))
        expect(node(page, f"node-{i}").get_by_role("button", name=re.compile(f"pod-{i}"))).to_be_visible()
    page.locator("summary", has_text="Add…").click()
    button(page, "Priority class").click()
    button(page, "Add pod").click()
    button(page, "More CPU").click()
    page.get_by_label("Priority class").select_option("class-1")
    expect(node(page, "node-1")).to_contain_text("does not fit by 1 CPU")
    clicked = run(page)
    assert clicked == in_yaml(page)
    expect(page.get_by_role("region", name="Phases")).to_contain_text("Eviction")


def reach(page: Page, wanted: Locator) -> None:
    """Go to a control by Tab, as somebody without a mouse does."""
    for way in ("Tab", "Shift+Tab"):
        for _ in range(120):
            if wanted.first.evaluate("element => element === document.activeElement"):
                return
            page.keyboard.press(way)
    raise AssertionError(f"{wanted} cannot be reached with the keyboard")


def press_on(page: Page, name: str) -> None:
    reach(page, button(page, name))
    page.keyboard.press("Enter")


def test_a_preemption_with_the_keyboard_alone_is_that_of_the_yaml(page: Page) -> None:
    page.goto("/new")
    for _ in range(3):
        press_on(page, "Add node")
    press_on(page, "Add pod")
    press_on(page, "More CPU")
    page.keyboard.press("Enter")
    for i in (1, 2, 3):
        if i > 1:
            press_on(page, "Copy")
        reach(page, page.get_by_label("Runs on"))
        page.keyboard.type(f"node-{i}")
        page.keyboard.press("Tab")
        expect(node(page, f"node-{i}").get_by_role("button", name=re.compile(f"pod-{i}"))).to_be_visible()
    reach(page, page.locator("summary", has_text="Add…"))
    page.keyboard.press("Enter")
    press_on(page, "Priority class")
    press_on(page, "Add pod")
    press_on(page, "More CPU")
    reach(page, page.get_by_label("Priority class"))
    page.keyboard.type("class-1")
    page.keyboard.press("Tab")
    press_on(page, "Run")
    page.wait_for_url("**/r/*")
    typed = scenario_of(page)
    assert typed == in_yaml(page)


def test_what_is_written_is_there_after_a_reload_and_offered_after_that(page: Page) -> None:
    page.goto("/new")
    manifests(page).fill("# mine\n" + PREEMPTION)
    page.reload()
    expect(manifests(page)).to_contain_text("# mine")
    expect(node(page, "node-3")).to_be_visible()
    page.goto("/new")
    expect(manifests(page)).not_to_contain_text("# mine")
    button(page, "Go on with it").click()
    expect(manifests(page)).to_contain_text("# mine")


LONG = "x" * 300
MANY = PREEMPTION + "".join(
    f"---\napiVersion: v1\nkind: Pod\nmetadata: {{name: many-{i}}}\n"
    f"spec:\n  containers: [{{name: c, image: {LONG}, resources: {{requests: {{cpu: 1m}}}}}}]\n"
    for i in range(14_000)
)


def test_a_draft_of_6_mb_is_read_beside_the_page_kept_and_edited(page: Page) -> None:
    page.goto("/new")
    button(page, "Import").click()
    page.get_by_label("Choose files").set_input_files([{"name": "many.yaml", "mimeType": "text/yaml", "buffer": MANY.encode()}])
    button(page, "Take it in").click(timeout=60_000)
    expect(page.get_by_text("3 Node · 14004 Pod")).to_be_visible(timeout=60_000)
    button(page, "Add node").click()
    expect(page.get_by_text("4 Node · 14004 Pod")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Draft kept in this browser")).to_be_visible()
    page.reload()
    expect(page.get_by_text("4 Node · 14004 Pod")).to_be_visible(timeout=60_000)
    button(page, "Undo").is_disabled()


def test_earlier_states_of_a_draft_come_back_and_can_be_undone(page: Page) -> None:
    page.goto("/new")
    manifests(page).fill(PREEMPTION)
    expect(page.get_by_text("Draft kept in this browser")).to_be_visible()
    page.wait_for_function("async () => (await indexedDB.databases()).length > 0")
    manifests(page).fill("# all gone\n")
    expect(node(page, "node-1")).to_have_count(0)
    button(page, "Drafts").click()
    dialog = page.get_by_role("dialog", name="Drafts in this browser")
    dialog.get_by_role("listitem").filter(has_text="3 nodes, 4 pods").last.get_by_role("button", name="Restore").click()
    expect(node(page, "node-1")).to_be_visible()
    button(page, "Undo").click()
    expect(manifests(page)).to_contain_text("# all gone")


def test_drafts_of_local_storage_move_to_the_database(page: Page) -> None:
    page.goto("/")
    states = [{"at": 5, "text": "# still older"}]
    old = {"text": "# from before\n" + PREEMPTION, "changed": 1, "parent": "", "title": "Old", "states": states}
    page.evaluate("old => localStorage.setItem('draft:abc', JSON.stringify(old))", old)
    page.goto("/new")
    button(page, "Go on with it").click()
    expect(manifests(page)).to_contain_text("# from before")
    assert page.evaluate("localStorage.getItem('draft:abc')") is None
    button(page, "Drafts").click()
    button(page, "Restore").click()
    expect(manifests(page)).to_contain_text("# still older")


def test_what_was_typed_in_the_moment_of_leaving_is_there_again(page: Page) -> None:
    page.goto("/new")
    manifests(page).fill(PREEMPTION)
    expect(page.get_by_text("Draft kept in this browser")).to_be_visible()
    manifests(page).press("Control+Home")
    page.keyboard.type("# at the last moment")
    page.reload()
    expect(manifests(page)).to_contain_text("# at the last moment")


def test_a_browser_that_has_no_room_says_so(page: Page) -> None:
    page.add_init_script(
        "IDBObjectStore.prototype.put = function () { this.transaction.abort(); return IDBObjectStore.prototype.get.call(this, 'x'); }"
    )
    page.goto("/new")
    manifests(page).fill(PREEMPTION)
    expect(page.get_by_text("There is no room in this browser for this draft")).to_be_visible()


def test_a_finger_that_rests_on_a_pod_takes_it_along(browser: Browser, site: str) -> None:
    context = browser.new_context(base_url=site, viewport={"width": 390, "height": 844}, has_touch=True, locale="en-GB")
    page = context.new_page()
    page.goto("/new")
    manifests(page).fill(PREEMPTION)
    waiting = pod(page, "pod-4")
    waiting.scroll_into_view_if_needed()
    finger = context.new_cdp_session(page)

    def touch(kind: str, x: float = 0, y: float = 0) -> None:
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    start, target = waiting.bounding_box(), node(page, "node-1").bounding_box()
    assert start
    assert target
    x, y = start["x"] + 20, start["y"] + 12
    touch("touchStart", x, y)
    expect(page.locator(".ed-ghost")).to_be_visible()
    for step in range(1, 6):
        touch("touchMove", x + step * (target["x"] + 60 - x) / 5, y + step * (target["y"] + 20 - y) / 5)
    touch("touchEnd")
    expect(node(page, "node-1").get_by_role("button", name=re.compile("pod-4"))).to_be_visible()
    expect(page.locator(".ed-ghost")).to_have_count(0)
    context.close()


def test_problems_stand_at_their_lines_as_one_types_and_keep_the_run_back(page: Page) -> None:
    page.goto("/new")
    manifests(page).fill(PREEMPTION.replace('cpu: "2"', "cpu: 2core"))
    expect(page.get_by_text("line 51")).to_be_visible()
    expect(page.locator(".cm-lint-marker-error")).to_have_count(1)
    button(page, "Run").click()
    expect(page.get_by_role("alert")).to_contain_text("2core")
    page.get_by_role("link", name="line 51").click()
    expect(page.locator(".cm-activeLine")).to_contain_text("2core")


def test_undo_and_redo_go_over_both_views(page: Page) -> None:
    page.goto("/new")
    manifests(page).fill("# keep me\n" + PREEMPTION)
    expect(node(page, "node-1")).to_be_visible()
    button(page, "Add node").click()
    expect(node(page, "node-4")).to_be_visible()
    pod(page, "pod-4").drag_to(node(page, "node-4"))
    button(page, "Undo").click()
    expect(node(page, "node-4").get_by_role("button", name=re.compile("pod-4"))).to_have_count(0)
    button(page, "Undo").click()
    expect(node(page, "node-4")).to_have_count(0)
    button(page, "Redo").click()
    expect(node(page, "node-4")).to_be_visible()
    page.get_by_role("tab", name="YAML").click()
    expect(manifests(page)).to_contain_text("# keep me")


def test_a_cluster_of_one_s_own_shows_what_fits_and_what_budgets_leave(page: Page) -> None:
    page.goto("/new")
    manifests(page).fill(DUMP.read_text(encoding="utf-8"))
    pod(page, "checkout-…v3mtp").click()
    expect(page.get_by_role("article").first).to_contain_text("does not fit by")
    expect(page.get_by_text("QoS Burstable · priority 100 000")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("PDB cart"))).to_contain_text("4 pods, allows 1")


def test_files_come_in_with_a_summary_of_what_was_left_out(page: Page) -> None:
    page.goto("/new")
    button(page, "Import").click()
    page.get_by_label("Choose files").set_input_files([str(DUMP), str(DUMP.with_name("podlist-without-nodes.json"))])
    dialog = page.get_by_role("dialog", name="What came in")
    expect(dialog).to_contain_text("from 2 files")
    expect(dialog).to_contain_text("5 Node")
    expect(dialog).to_contain_text("One node that pods are bound to is not in the text")
    dialog.get_by_label("Keep system pods (kube-system, DaemonSets)").uncheck()
    expect(dialog).to_contain_text("system pods")
    dialog.get_by_label("Replace names and labels by made-up ones").check()
    button(page, "Take it in").click()
    expect(page.get_by_role("article", name="node-1", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="Cluster")).not_to_contain_text("checkout")
    button(page, "Make them up").click()
    expect(page.get_by_text("not in the text")).to_have_count(0)


SNAPSHOT = {
    "pods": [{"metadata": {"name": "p", "namespace": "shop"}, "spec": {"nodeName": "lost", "containers": [{"name": "c"}]}}],
    "nodes": [{"metadata": {"name": "n"}, "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}}}],
    "pvs": [],
    "pvcs": [],
    "storageClasses": [],
    "namespaces": [],
    "priorityClasses": [{"metadata": {"name": "high"}, "value": 10}],
    "schedulerConfig": {"profiles": [{"schedulerName": "default-scheduler"}]},
}
KWOK = "apiVersion: v1\nkind: Node\nmetadata: {name: kwok-0}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\n"
CONFIG = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\npercentageOfNodesToScore: 40\n"
DROP = """([files, place]) => {
  const data = new DataTransfer();
  for (const [name, text] of files) data.items.add(new File([text], name));
  const here = document.querySelector(place);
  for (const type of ['dragover', 'drop']) here.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true}));
}"""


def test_dropped_snapshots_of_other_tools_become_one_cluster_with_nodes_made_up(page: Page) -> None:
    page.goto("/new")
    files = [["snapshot.json", json.dumps(SNAPSHOT)], ["kwok.yaml", KWOK], ["scheduler.yaml", CONFIG], ["broken.yaml", "a: [\nb"]]
    page.evaluate(DROP, [files, "[data-part=cluster]"])
    dialog = page.get_by_role("dialog", name="What came in")
    for text in ("from 4 files", "2 Node", "1 Pod", "the scheduler's configuration", "one Secret", "broken.yaml cannot be read"):
        expect(dialog).to_contain_text(text)
    dialog.get_by_label("Make up the nodes").check()
    button(page, "Take it in").click()
    for name in ("n", "kwok-0", "lost"):
        expect(node(page, name)).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Scheduler"))).to_contain_text("changed")


def test_a_dump_that_is_pasted_and_one_that_is_packed_come_in(page: Page) -> None:
    page.goto("/new")
    button(page, "Import").click()
    page.get_by_label("Or paste here").fill(KWOK)
    button(page, "Read it").click()
    button(page, "Take it in").click()
    expect(node(page, "kwok-0")).to_be_visible()
    button(page, "Import").click()
    page.get_by_label("Choose files").set_input_files(
        [{"name": "dump.yaml.gz", "mimeType": "application/gzip", "buffer": gzip.compress(DUMP.read_bytes())}]
    )
    page.get_by_label("this draft, beside what is there").check()
    button(page, "Take it in").click()
    expect(page.get_by_text("6 Node · 27 Pod")).to_be_visible()


def test_what_goes_out_can_come_in_again(page: Page) -> None:
    page.goto("/new")
    manifests(page).fill(PREEMPTION)
    button(page, "Export").click()
    with page.expect_download() as kubectl:
        button(page, "For kubectl apply, YAML").click()
    with page.expect_download() as scenario:
        button(page, "Scenario, YAML").click()
    assert "kwok.x-k8s.io/node" in kubectl.value.path().read_text()
    text = scenario.value.path().read_text()
    assert text.startswith("apiVersion: playground/v1") and "# three nodes of the same size" in text
    button(page, "Cancel").click()
    first = run(page)
    page.goto("/new")
    manifests(page).fill(text)
    assert run(page) == first


def test_a_step_of_a_run_opens_in_the_editor_with_the_cluster_as_it_was(page: Page) -> None:
    page.goto("/new")
    manifests(page).fill(PREEMPTION)
    run(page)
    page.goto(page.url.split("?")[0] + "/edit")
    expect(page.get_by_role("region", name="Cluster").get_by_role("article").filter(has_text="pod-4")).to_have_count(1)


@pytest.mark.parametrize(("lang", "scheme", "width"), [("en", "light", 1440), ("zh-hans", "dark", 1440), ("en", "light", 390)])
def test_the_editor_breaks_no_rule_of_accessibility(page: Page, lang: str, scheme: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(f"/new?lang={lang}")
    page.get_by_role("textbox", name="Manifests" if lang == "en" else "清单").fill(DUMP.read_text(encoding="utf-8"))
    expect(page.get_by_role("article").first).to_be_visible()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert broken_rules(page) == []
    page.get_by_role("button", name=re.compile("^checkout-…v3mtp")).click()
    expect(page.locator(".ed-verdict").first).to_be_visible()
    assert broken_rules(page) == []
    for setting in page.locator("[data-entry^='setting/']").all():
        setting.click()
        assert broken_rules(page) == [], setting.inner_text()


def broken_rules(page: Page) -> list[str]:
    found = page.evaluate("axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})")
    return [f"{each['id']}: {[part['target'] for part in each['nodes'][:3]]}" for each in found["violations"]]


def test_without_javascript_the_plain_form_runs(context: BrowserContext, site: str) -> None:
    assert context.browser
    plain = context.browser.new_context(base_url=site, java_script_enabled=False)
    page = plain.new_page()
    page.goto("/new")
    manifests(page).fill(PREEMPTION)
    button(page, "Run").click()
    page.wait_for_url("**/r/*")
    plain.close()


def test_a_form_sets_what_the_text_says_and_leaves_comments_alone(page: Page) -> None:
    page.goto("/new")
    manifests(page).fill(PREEMPTION)
    pod(page, "pod-4").click()
    page.get_by_label("Grace period, seconds").fill("5")
    page.locator("summary", has_text="Tolerations").click()
    button(page, "Toleration").click()
    page.get_by_label("Key 1").fill("gpu")
    page.locator("summary", has_text="Which nodes").click()
    page.get_by_role("group", name="Node selector").get_by_role("button", name="Label").click()
    expect(node(page, "node-1")).to_contain_text("node affinity/selector")
    page.get_by_role("tab", name="YAML").click()
    for line in ("# three nodes of the same size", "terminationGracePeriodSeconds: 5", "key: gpu", "disktype: ssd"):
        page.get_by_role("textbox", name="Manifests").evaluate(
            "(box, end) => { box.parentElement.scrollTop = end }", 100_000 if line[0] != "#" else 0
        )
        expect(manifests(page)).to_contain_text(line)


def test_what_used_to_need_yaml_has_a_form(page: Page) -> None:
    page.goto("/new")
    manifests(page).fill(PREEMPTION)
    add(page, "Generator: many alike")
    page.get_by_label("How many", exact=True).fill("4")
    button(page, "Zone").click()
    page.get_by_label("Values, in turn").fill("x, y")
    page.keyboard.press("Tab")
    expect(page.get_by_text("worker-0: x · worker-1: y")).to_be_visible()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert broken_rules(page) == []
    for kind in ("Volume claim (PVC)", "Volume (PV)", "Storage class", "Volume limits of a node (CSINode)"):
        add(page, kind)
    page.get_by_role("button", name=re.compile("^StorageClass storage-1")).click()
    page.get_by_label("When a volume is chosen").select_option("Immediate")
    expect(page.get_by_text("it may tie the pod to a full zone")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Timeline")).click()
    button(page, "A pod comes").click()
    button(page, "Something goes").click()
    page.get_by_label("Which object").select_option("Pod/pod-2")
    assert broken_rules(page) == []
    page.get_by_role("button", name=re.compile("^Extenders")).click()
    button(page, "Extender").click()
    page.get_by_label("When it fails").select_option("it is passed over")
    page.get_by_label("Gives points").check()
    page.get_by_role("group", name="Nodes and points").get_by_role("button", name="Node").click()
    page.get_by_label("Has a say in preemption").check()
    page.get_by_label("Nodes dropped from preemption").fill("node-2, node-3")
    page.keyboard.press("Tab")
    assert broken_rules(page) == []
    page.get_by_role("button", name=re.compile("^Scheduler")).click()
    page.get_by_label("Scoring strategy").select_option("MostAllocated")
    expect(page.get_by_text("pods pack tightly")).to_be_visible()
    page.get_by_label("DefaultPreemption", exact=True).uncheck()
    expect(page.get_by_text("Nobody is preempted")).to_be_visible()
    assert broken_rules(page) == []
    page.get_by_role("button", name=re.compile("^Seed and gates")).click()
    page.get_by_label("SchedulerAsyncPreemption").select_option("off")
    expect(page.get_by_text("7 Node · 4 Pod")).to_be_visible()
    with page.expect_download() as download:
        button(page, "Export").click()
        button(page, "Scenario, YAML").click()
    made = yaml.safe_load(download.value.path().read_text())
    [generator] = [each["generate"] for each in made["objects"] if "generate" in each]
    assert generator["vary"] == {"metadata.labels[topology.kubernetes.io/zone]": ["x", "y"]}
    assert [next(iter(each.keys() - {"at"})) for each in made["timeline"]] == ["create", "delete"]
    assert made["timeline"][1]["delete"] == {"kind": "Pod", "name": "pod-2"}
    [extender] = made["extenders"]
    assert extender["ignorable"] is True
    assert extender["prioritize"] == {"node-1": 10}
    assert extender["preempt"] == {"drop": ["node-2", "node-3"]}
    assert made["config"]["profiles"][0]["plugins"]["multiPoint"]["disabled"] == [{"name": "DefaultPreemption"}]
    assert made["featureGates"] == {"SchedulerAsyncPreemption": False}


def add(page: Page, what: str) -> None:
    page.locator("summary", has_text="Add…").click()
    button(page, what).click()


def test_twenty_like_this_and_a_generator_for_thousands(page: Page) -> None:
    page.goto("/new")
    button(page, "Add node").click()
    page.get_by_label("How many more").fill("19")
    button(page, "more like this").click()
    expect(node(page, "node-20")).to_be_visible()
    page.get_by_label("How many more").fill("4000")
    button(page, "more like this").click()
    expect(page.get_by_role("button", name=re.compile(r"Generator .*4000 × Node"))).to_be_visible()
    expect(page.get_by_text("4020 Node")).to_be_visible(timeout=30_000)


def test_a_step_can_be_taken_away_as_a_picture(page: Page) -> None:
    page.goto("/new")
    manifests(page).fill(PREEMPTION)
    run(page)
    page.get_by_role("article", name="node-1").wait_for()
    for kind, name in (("SVG", "svg"), ("PNG", "png")):
        page.locator(".take-out > summary").click()
        with page.expect_download() as download:
            button(page, f"This step as {kind}").click()
        content = download.value.path().read_bytes()
        assert download.value.suggested_filename.endswith(name)
        if name == "svg":
            texts = [(each.text or "").strip() for each in ElementTree.fromstring(content).iter("{http://www.w3.org/2000/svg}text")]
            assert {"node-1", "node-2", "node-3", "pod-1"} <= set(texts)
        else:
            assert content.startswith(b"\x89PNG")
    page.locator(".take-out > summary").click()
    page.get_by_role("link", name="Storyboard to print").click()
    expect(page.get_by_role("heading", name=re.compile("Cycle c1"))).to_be_visible()

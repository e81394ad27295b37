"""Links: saved here, opened there, at the same step; forks, comparisons, embeds, and all of it without JavaScript."""

from __future__ import annotations

import http.server
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

pytestmark = pytest.mark.browser
STEP = "c1/candidates/n1/reprieve/shop/search-1"
SENTENCE = re.compile("search-1.*victim|search-1.*does not fit|search-1", re.DOTALL)


def budget_scenario(page: Page) -> str:
    """The path of the gallery's scenario in which a budget beats priority."""
    page.goto("/?q=budget")
    page.get_by_role("link", name="A budget beats priority").click()
    page.wait_for_url("**/s/*")
    return "/s/" + page.url.rsplit("/", 1)[1]


@pytest.fixture
def stranger(browser: Browser, site: str) -> Iterator[Page]:
    """Somebody else, in another profile, who prefers Chinese and dark."""
    context = browser.new_context(base_url=site, locale="zh-CN", color_scheme="dark", reduced_motion="reduce")
    context.set_default_timeout(15_000)
    yield context.new_page()
    context.close()


def step_of(page: Page) -> str:
    """What the page says about the step, once it is drawn."""
    expect(page.get_by_role("region", name=re.compile("Cluster|集群")).get_by_role("article").first).to_be_visible()
    return page.locator("[data-part=step]").inner_text()


def test_a_link_brings_back_the_same_step_in_another_profile(page: Page, stranger: Page) -> None:
    path = budget_scenario(page)
    page.get_by_role("button", name="Run").click()
    page.wait_for_url("**/r/*")
    expect(page.get_by_text("finished", exact=True)).to_be_visible()
    page.goto(f"{path}?step={STEP}")
    page.wait_for_url(re.compile("/r/.*step="))
    expect(page.get_by_role("status", name="Step")).to_contain_text("search-1")
    page.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog")
    link = dialog.get_by_label("Link to this step", exact=True).input_value()
    assert link.endswith(f"{path}?step={STEP}")
    stranger.goto(f"{link}&lang=en")
    stranger.wait_for_url(re.compile("/r/.*step="))
    expect(stranger.get_by_role("status", name="Step")).to_contain_text("search-1")
    assert (
        stranger.locator("[data-behaviour=run]").get_attribute("data-path")
        == page.locator("[data-behaviour=run]").get_attribute("data-path")
        == STEP
    )
    assert step_of(stranger) == step_of(page)


def test_the_dialog_is_reached_left_and_worked_by_keyboard(page: Page) -> None:
    budget_scenario(page)
    page.get_by_role("button", name="Share").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Share")
    expect(dialog.get_by_label("Short link", exact=True)).to_be_visible()
    expect(dialog.get_by_role("img", name="QR code of the link")).to_be_visible()
    for name in ("Embed in a page", "Markdown with a picture", "curl", "Python"):
        expect(dialog.locator("summary", has_text=name)).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Share")).to_be_focused()


def test_copying_says_so(page: Page, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    budget_scenario(page)
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Copy: Short link").click()
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()").count("/") == 3


def test_another_title_is_a_fork_that_keeps_the_step(page: Page) -> None:
    path = budget_scenario(page)
    page.goto(f"{path}?step=c1/pick")
    page.wait_for_url(re.compile("/r/"))
    expect(page.get_by_role("status", name="Step")).to_contain_text("wins by rule 1")
    page.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("summary", has_text="Title and summary").click()
    dialog.get_by_label("Title", exact=True).fill("My own lesson")
    dialog.get_by_role("button", name="Save under this title").click()
    page.wait_for_url(re.compile("/r/.*step=c1/pick"))
    expect(page.get_by_role("heading", name="My own lesson")).to_be_visible()
    expect(page.get_by_role("status", name="Step")).to_contain_text("wins by rule 1")


def test_one_click_on_a_setting_compares_and_finds_the_first_divergence(page: Page) -> None:
    budget_scenario(page)
    page.get_by_role("button", name="shop/search: minAvailable 1 → 0").click()
    page.wait_for_url("**/d/*...*")
    expect(page.get_by_role("heading", name="What differs in the input")).to_be_visible()
    expect(page.get_by_text("spec.minAvailable").first).to_be_visible()
    parting = page.locator("section.parting")
    expect(parting).to_contain_text("c1/candidates/n1")
    expect(page.locator("[data-behaviour=compare][data-ready]")).to_be_visible()
    sides = [page.get_by_role("region", name=f"Run {side}", exact=True) for side in "AB"]
    page.get_by_role("slider", name="Timeline").focus()
    page.keyboard.press("End")
    for side in sides:
        expect(side.get_by_role("status")).to_contain_text("Nothing is left to do")
    page.get_by_role("button", name="First divergence").click()
    for side in sides:
        expect(side.get_by_role("status")).to_contain_text("n1")
    table = page.get_by_role("group", name="c1 shop/checkout").get_by_role("table")
    expect(table.get_by_role("row", name=re.compile("^n1"))).to_contain_text("out by rule 1")
    expect(table.get_by_role("row", name=re.compile("^n1"))).to_contain_text("wins")
    page.get_by_role("link", name="A budget beats priority").nth(1).click()
    page.get_by_role("link", name="Compare with its parent").click()
    page.wait_for_url("**/d/*...*")


def test_a_scenario_travels_in_the_address_alone_and_a_change_drops_it(page: Page, stranger: Page) -> None:
    budget_scenario(page)
    page.get_by_role("button", name="Share").click()
    box = page.get_by_role("dialog").get_by_label("Link that carries everything, stored nowhere", exact=True)
    expect(box).to_have_value(re.compile(r"/new#1\.[\w-]+$"))
    sent: list[str] = []
    stranger.on(
        "request",
        lambda request: (
            sent.append(request.url + (request.post_data or "")) if request.method == "POST" and "/check" not in request.url else None
        ),
    )
    stranger.goto(box.input_value())
    editor = stranger.get_by_role("textbox", name=re.compile("Manifests|清单"))
    expect(editor).to_contain_text("A budget beats priority")
    assert sent == []
    assert "#1." in stranger.url
    editor.press("Control+End")
    editor.press_sequentially("# mine")
    stranger.wait_for_function("location.hash === ''")


def test_editing_a_fork_drops_the_old_link_at_once(page: Page) -> None:
    budget_scenario(page)
    page.get_by_role("button", name="Fork").click()
    page.wait_for_url("**/new?fork=*")
    editor = page.get_by_role("textbox", name="Manifests")
    expect(editor).to_contain_text("A budget beats priority")
    editor.press("Control+End")
    editor.press_sequentially("# mine")
    page.wait_for_url(re.compile("/new$"))


@pytest.fixture(scope="module")
def blog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A site of another origin, and its folder."""
    folder = tmp_path_factory.mktemp("blog")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: object, **more: object) -> None:
            super().__init__(*args, directory=str(folder), **more)  # type: ignore[arg-type, misc]

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}", folder
    server.shutdown()


def test_a_blog_of_another_origin_shows_the_step_and_learns_the_height(
    page: Page, browser: Browser, site: str, blog: tuple[str, Path]
) -> None:
    path = budget_scenario(page)
    address, folder = blog
    embed = f"{site}{path.replace('/s/', '/e/')}?step=c1/pick&amp;lang=zh-hans&amp;theme=dark"
    script = "window.told=[];addEventListener('message',(event)=>told.push([event.origin,event.data]))"
    (folder / "post.html").write_text(
        f'<!doctype html><meta charset="utf-8"><script>{script}</script><iframe src="{embed}" title="x" width="800" height="520"></iframe>'
        f'<iframe src="{site}{path}" title="y"></iframe>'
    )
    reader = browser.new_context()
    post = reader.new_page()
    post.goto(f"{address}/post.html")
    frame = post.frame_locator("iframe[title=x]")
    expect(frame.get_by_role("status")).to_contain_text("凭第 1 条规则")
    expect(frame.get_by_role("article").first).to_be_visible()
    post.wait_for_function("told.length > 0")
    origin, told = post.evaluate("told.at(-1)")
    assert (origin, told["type"]) == (site, "preemption-playground:height")
    assert told["height"] > 200
    assert reader.cookies() == []
    assert not any(each.url.startswith(site + "/s/") for each in post.frames), "only embeds may be framed"
    reader.close()


def test_without_javascript_a_link_to_a_step_is_text_with_a_picture(browser: Browser, site: str, page: Page) -> None:
    path = budget_scenario(page)
    context = browser.new_context(base_url=site, java_script_enabled=False)
    plain = context.new_page()
    plain.goto(f"{path}?step=c1/pick")
    here = plain.locator("[aria-current=step]")
    expect(here).to_contain_text("n2 wins by rule 1")
    picture = plain.locator('meta[property="og:image"]').get_attribute("content") or ""
    answer = plain.request.get(picture)
    assert (answer.status, answer.headers["content-type"]) == (200, "image/png")
    plain.get_by_role("button", name="Share").click()
    expect(plain.get_by_label("Link to this step", exact=True)).to_have_value(re.compile(re.escape(f"{path}?step=c1/pick")))
    plain.goto(path)
    plain.get_by_role("button", name="shop/search: minAvailable 1 → 0").click()
    expect(plain.locator("section.parting")).to_contain_text("c1/candidates/n1")
    expect(plain.get_by_role("heading", name="Step by step")).to_be_visible()
    plain.goto("/")
    plain.get_by_label("Search the gallery", exact=True).fill("budget")
    plain.get_by_role("button", name="Find").click()
    expect(plain.get_by_role("link", name="A budget beats priority")).to_be_visible()
    expect(plain.get_by_role("link", name="A pod finds a node")).to_have_count(0)
    context.close()


def test_the_gallery_is_searched_as_one_types(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Search the gallery", exact=True).press_sequentially("budget")
    expect(page.get_by_role("link", name="A pod finds a node")).to_have_count(0)
    expect(page.get_by_role("link", name="A budget beats priority")).to_be_visible()
    page.wait_for_url("**q=budget**")
    page.get_by_label("Level", exact=True).select_option("3")
    page.wait_for_url("**level=3**")


def test_what_is_deleted_leaves_a_tombstone_and_the_link_is_the_owners_alone(page: Page, stranger: Page) -> None:
    page.goto("/new")
    page.get_by_role("textbox", name="Manifests").fill("apiVersion: v1\nkind: Node\nmetadata: {name: only-mine}\n")
    page.get_by_role("button", name="Save only").first.click()
    page.wait_for_url("**/s/*")
    address = page.url
    stranger.goto(f"{address}/share?lang=en")
    expect(stranger.get_by_label("Short link", exact=True)).to_be_visible()
    expect(stranger.get_by_label("Link that deletes it", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Share").click()
    page.goto(page.get_by_role("dialog").get_by_label("Link that deletes it", exact=True).input_value())
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="This scenario was deleted")).to_be_visible()
    stranger.goto(f"{address}?lang=en")
    expect(stranger.get_by_role("heading", name="This scenario was deleted")).to_be_visible()


AXE = Path(__file__).resolve().parent / "vendor" / "axe.min.js"


@pytest.mark.parametrize("lang", ["en", "zh-hans"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_of_sharing_has_a_barrier(browser: Browser, site: str, lang: str, scheme: str) -> None:
    context = browser.new_context(base_url=site, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"/?lang={lang}")
    path = page.locator(".gallery-card h3 a").nth(10).get_attribute("href") or ""
    page.goto(path)
    page.locator(".variations button").first.click()
    page.locator("[data-ready]").wait_for()
    comparison = page.url
    for address in (
        path,
        f"{path}/share",
        f"{path}/delete",
        f"{path}/report",
        path.replace("/s/", "/e/") + f"?lang={lang}",
        comparison,
        "/docs/api",
        "/docs/workshop",
        "/d/",
        "/?q=budget",
    ):
        page.goto(address)
        if "/e/" in address or ("/d/" in address and "..." in address):
            page.locator("[data-ready]").wait_for()
        assert _violations(page) == [], address
    page.goto(path)
    page.locator("[data-do=share]").click()
    page.get_by_role("dialog").wait_for()
    assert _violations(page) == []
    context.close()


def _violations(page: Page) -> list[str]:
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("axe.run(document, {runOnly: ['wcag2a','wcag2aa','wcag21a','wcag21aa','wcag22aa']})")
    return [f"{each['id']}: {[node['target'] for node in each['nodes']][:3]}" for each in found["violations"]]

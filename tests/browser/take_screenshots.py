"""Pictures for docs/screenshots: a running playground, the dump of tests/data, each phase once.

`python -m tests.browser.take_screenshots http://127.0.0.1:8000`. The one rule: pictures are of the real page, never touched up.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import DUMP, FLAGS, ROOT

FOLDER: Final = ROOT / "docs" / "screenshots"
NODE: Final = "c1/candidates/ip-10-0-3-9.eu-west-1.compute.internal"
LAPTOP, PROJECTOR, PHONE = (1440, 900), (1920, 1080), (390, 844)
# name, step, size, theme, language, more of the address
PICTURES: Final = (
    ("run", f"{NODE}/reprieve/reports/nightly-84b5c7d9f-u9hzl", LAPTOP, "light", "en", ""),
    ("phase-0-refresh", "c1/refresh", LAPTOP, "light", "en", ""),
    ("phase-1-eligibility", "c3/eligibility", LAPTOP, "light", "en", ""),
    ("phase-2-candidates", f"{NODE}/fit", LAPTOP, "dark", "en", ""),
    ("phase-4-best-pick", "c1/pick", LAPTOP, "light", "en", ""),
    ("phase-5-eviction", "c1/evict/reports/nightly-84b5c7d9f-u9hzl", LAPTOP, "light", "en", ""),
    ("best-pick-dark-chinese", "c1/pick", LAPTOP, "dark", "zh-hans", ""),
    ("projector", f"{NODE}/reprieve/reports/nightly-84b5c7d9f-u9hzl", PROJECTOR, "light", "en", "&view=projector"),
    ("phone", f"{NODE}/fit", PHONE, "light", "en", ""),
)


def main(site: str) -> None:
    """Run the dump once and take every picture."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        run = _run(browser, site)
        for name, step, size, theme, lang, more in PICTURES:
            _take(browser, f"{run}?lang={lang}&step={step}{more}", FOLDER / f"{name}.png", size=size, theme=theme)
        _take(browser, _veto(browser, site), FOLDER / "phase-3-extender-filtering.png", size=LAPTOP, theme="light")
        _take(browser, f"{site}/", FOLDER / "gallery.png", size=LAPTOP, theme="light")
        browser.close()


def _run(browser: Browser, site: str) -> str:
    page = browser.new_page()
    page.goto(f"{site}/")
    page.get_by_role("textbox", name="Manifests").fill(DUMP.read_text(encoding="utf-8"))
    page.get_by_role("button", name="Run").click()
    page.wait_for_url("**/r/*")
    page.get_by_text("finished", exact=True).wait_for()
    address = page.url.split("?")[0]
    page.close()
    return address


def _veto(browser: Browser, site: str) -> str:
    page = browser.new_page()
    page.goto(f"{site}/")
    page.get_by_role("link", name="The veto").first.click()
    page.get_by_role("button", name="Run").click()
    page.wait_for_url("**/r/*")
    page.get_by_text("finished", exact=True).wait_for()
    for _ in range(40):
        if page.locator("[data-behaviour=run]").get_attribute("data-chapter") == "extenders":
            break
        page.keyboard.press("PageDown")
        page.wait_for_timeout(80)
    page.wait_for_timeout(400)
    address = page.url
    page.close()
    return address


def _take(browser: Browser, address: str, file: Path, *, size: tuple[int, int], theme: Any) -> None:
    viewport: Any = {"width": size[0], "height": size[1]}
    context = browser.new_context(viewport=viewport, color_scheme=theme, reduced_motion="reduce", locale="en-GB")
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    page.wait_for_timeout(400)
    page.screenshot(path=file)
    context.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"))

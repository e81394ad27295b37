"""Pictures for docs/screenshots: a running playground, the dump of tests/data, each phase once, and large clusters.

`python -m tests.browser.take_screenshots http://127.0.0.1:8000`. The one rule: pictures are of the real page, never touched up.
"""

from __future__ import annotations

import shutil
import sys
import time
import urllib.request
from json import load
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml
from playwright.sync_api import Browser, sync_playwright

from tests.browser.bench_steps import _post, scenario
from tests.browser.conftest import DUMP, FLAGS, ROOT

FOLDER: Final = ROOT / "docs" / "screenshots"
NODE: Final = "c1/candidates/ip-10-0-3-9.eu-west-1.compute.internal"
VICTIM: Final = f"{NODE}/reprieve/reports/nightly-84b5c7d9f-u9hzl"
LAPTOP, PROJECTOR, PHONE = (1440, 900), (1920, 1080), (390, 844)


class Picture(NamedTuple):
    """One view of a run: where to stand, on what, and which keys to press first."""

    name: str
    run: str
    step: str
    size: tuple[int, int] = LAPTOP
    theme: str = "light"
    lang: str = "en"
    keys: tuple[str, ...] = ()


PICTURES: Final = (
    Picture("run", "shop", VICTIM),
    Picture("filter", "shop", "c1/filter"),
    Picture("score", "spread", "c1/score", theme="dark"),
    Picture("phase-0-refresh", "shop", "c1/refresh"),
    Picture("phase-1-eligibility", "patient", "c1/eligibility"),
    Picture("phase-2-candidates", "shop", f"{NODE}/fit", theme="dark"),
    Picture("phase-3-extender-filtering", "veto", "c1/extenders/license-server"),
    Picture("phase-4-best-pick", "shop", "c1/pick"),
    Picture("phase-5-eviction", "shop", "c1/nominated"),
    Picture("best-pick-dark-chinese", "shop", "c1/pick", theme="dark", lang="zh-hans"),
    Picture("manifest", "shop", "c1/filter", keys=("y",)),
    Picture("predict", "shop", "c1/candidates/end", keys=("p",)),
    Picture("cards-60-nodes", "60", "c1/candidates/node-50"),
    Picture("tiles-240-nodes", "240", "c1/candidates/end"),
    Picture("canvas-5000-nodes", "5000", "c1/candidates/end"),
    Picture("projector", "shop", VICTIM, size=PROJECTOR),
    Picture("phone", "shop", f"{NODE}/fit", size=PHONE),
    Picture("phone-dark-chinese", "shop", "c1/pick", size=PHONE, theme="dark", lang="zh-hans"),
)
GALLERY: Final = {"spread": "Spread out or fill up", "patient": "High priority, no elbows", "veto": "The veto"}


def main(site: str) -> None:
    """Run what is shown once and take every picture."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        runs = _runs(browser, site)
        for each in PICTURES:
            view = "&view=projector" if each.size == PROJECTOR else ""
            _take(browser, f"{site}{runs[each.run]}?lang={each.lang}&step={each.step}{view}", each)
        _take(browser, f"{site}/", Picture("gallery", "", ""))
        browser.close()


def _runs(browser: Browser, site: str) -> dict[str, str]:
    """The paths of finished runs, by the names that the pictures use."""
    shop = {
        "apiVersion": "playground/v1",
        "kind": "Scenario",
        "metadata": {"title": "Checkout needs room"},
        "objects": yaml.safe_load(DUMP.read_text(encoding="utf-8"))["items"],
    }
    saved = {"shop": _post(f"{site}/api/v1/scenarios", shop)["id"]}
    saved |= {str(nodes): _post(f"{site}/api/v1/scenarios", scenario(nodes))["id"] for nodes in (60, 240, 5000)}
    page = browser.new_page()
    for name, title in GALLERY.items():
        page.goto(f"{site}/")
        saved[name] = (page.get_by_role("link", name=title).first.get_attribute("href") or "").rsplit("/", 1)[-1]
    page.close()
    return {name: _finished(site, scenario_id) for name, scenario_id in saved.items()}


def _finished(site: str, scenario_id: str) -> str:
    run = _post(f"{site}/api/v1/runs", {"scenario": scenario_id})
    while True:
        with urllib.request.urlopen(f"{site}/api/v1/runs/{run['id']}", timeout=30) as answer:
            if load(answer)["status"] not in {"queued", "running"}:
                return str(run["url"])
        time.sleep(0.3)


def _take(browser: Browser, address: str, picture: Picture) -> None:
    viewport: Any = {"width": picture.size[0], "height": picture.size[1]}
    theme: Any = picture.theme
    context = browser.new_context(viewport=viewport, color_scheme=theme, reduced_motion="reduce", locale="en-GB")
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    for key in picture.keys:
        page.keyboard.press(key)
    page.wait_for_timeout(600)
    file: Path = FOLDER / f"{picture.name}.png"
    page.screenshot(path=file)
    context.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"))

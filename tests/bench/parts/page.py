"""What a person at a browser waits for, in real Chromium: Run to the first phase, a step, a large cluster."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.bench import clusters
from tests.bench.figures import Figure, median, quantile
from tests.bench.site import Site, site

FLAGS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PRESSES: Final = 25
STEPS: Final = 60
DUMP: Final = Path(__file__).resolve().parents[2] / "data" / "kubectl-get.yaml"

# Looks at every frame until the six phases and the nodes are drawn, and remembers when that frame was over.
_FIRST_PHASE: Final = """
window.firstPhase = new Promise((done) => {
  const look = () => {
    const drawn = ['.is-ready [data-part=phases] > *', '[data-part=cards] > *'].every((each) => document.querySelector(each));
    if (!drawn && performance.now() > 20000) { done(NaN); return; }
    if (!drawn) { requestAnimationFrame(look); return; }
    requestAnimationFrame(() => done(performance.timeOrigin + performance.now()));
  };
  if (location.pathname.startsWith('/r/')) requestAnimationFrame(look);
});
"""
_PRESS: Final = "(button) => { sessionStorage.pressed = performance.timeOrigin + performance.now(); button.click(); }"
_WAITED: Final = "async () => (await window.firstPhase) - Number(sessionStorage.pressed)"
# One step: what the key does at once, and what the next frame does, layout included.
_STEP: Final = """
([grain, way]) => new Promise((done) => {
  const { player } = globalThis.playground;
  const began = performance.now();
  player.move(grain, way);
  const moved = performance.now() - began;
  requestAnimationFrame(() => {
    document.body.getBoundingClientRect();
    const ended = performance.now();
    const marks = performance.getEntriesByName('step');
    const mark = marks[marks.length - 1];
    performance.clearMeasures('step');
    done(mark ? moved + ended - mark.startTime : moved);
  });
})
"""
# When the first event came, and when the store had all of them.
_FIRST_AND_LAST: Final = """
(() => {
  const look = () => {
    const store = globalThis.playground?.store;
    if (store?.lastSeq) window.firstEvent ??= performance.now();
    if (store && store.lastSeq > (window.seenEvents || 0)) { window.seenEvents = store.lastSeq; window.lastEvent = performance.now(); }
    setTimeout(look, 2);
  };
  look();
})();
"""
_BETWEEN: Final = "() => window.lastEvent - Math.min(window.firstEvent, window.lastEvent - 1)"
_LOADED: Final = """
(events) => new Promise((done) => {
  const began = performance.now();
  const look = () => {
    if (globalThis.playground?.store.lastSeq >= events) done(true);
    else if (performance.now() - began > 120000) done(false);
    else setTimeout(look, 10);
  };
  look();
})
"""
_GO: Final = _STEP.replace("player.move(grain, way)", "player.go(Math.floor(grain * player.last))")


def press() -> Iterator[Figure]:
    """Run pressed to the first phase on the screen, in a playground with everything embedded."""
    with site() as playground, _page(playground) as page:
        page.add_init_script(_FIRST_PHASE)
        gallery = _address_of_gallery(page, playground)
        dump = DUMP.read_text(encoding="utf-8")
        for what, prepare in (
            ("an example of the gallery", lambda: page.goto(gallery)),
            ("a pasted dump of 27 pods", lambda: _paste(page, playground, dump)),
        ):
            waits = [_pressed(page, prepare) for _ in range(PRESSES + 3)][3:]
            more = f"{what}, {PRESSES} times"
            yield Figure(
                part="press",
                what=f"Run pressed to first phase on screen, {what}: median",
                unit="ms",
                measured=median(waits),
                least=300,
                aim=120,
                more=more,
            )
            yield Figure(
                part="press",
                what=f"Run pressed to first phase on screen, {what}: 95%",
                unit="ms",
                measured=quantile(waits, 0.95),
                least=500,
                aim=250,
                more=more,
            )


def steps() -> Iterator[Figure]:
    """One step in the browser, at 60 and at 5,000 nodes; loading, and going anywhere at 5,000."""
    with site() as playground, _page(playground) as page:
        small = clusters.document(clusters.nodes(60), clusters.running(240, 60), clusters.waiting(10))
        _open(page, playground, small)
        yield from _stepping(page, "60 nodes", least=16)
        large = clusters.document(clusters.nodes(5000), clusters.running(19_950, 5000), clusters.waiting(50))
        seconds, events = _open(page, playground, large)
        heap = page.evaluate("performance.memory ? performance.memory.usedJSHeapSize / 2**20 : 0")
        more = f"{events:,} events; the page's heap is {heap:,.0f} MiB"
        yield Figure(part="steps", what="5,000 nodes and 20,000 pods: Run to everything loaded", unit="s", measured=seconds, more=more)
        yield from _stepping(page, "5,000 nodes", least=50)
        jumps = [page.evaluate(_GO, [((k * 37) % 100) / 100, 0]) for k in range(30)]
        yield Figure(
            part="steps",
            what="5,000 nodes: going anywhere in the run, 95%",
            unit="ms",
            measured=quantile(jumps, 0.95),
            more=f"median {median(jumps):.0f} ms",
        )


def browser_stream() -> Iterator[Figure]:
    """Events a second into the store of the page, decoded and folded."""
    from tests.bench.parts.stream import classroom

    with site() as playground, _page(playground) as page:
        page.add_init_script(_FIRST_AND_LAST)
        _, events = _open(page, playground, classroom(nodes=50, pods=1500))
        seconds = page.evaluate(_BETWEEN) / 1000
        yield _stream("events streamed into the page while the run runs", events / seconds, f"{events:,} events")
        page.reload()
        _wait_until_loaded(page, events)
        seconds = page.evaluate(_BETWEEN) / 1000
        more = f"a finished run, from the first event to the last in {seconds:.1f} s"
        yield _stream("events streamed to a browser, sustained", events / seconds, more, least=5000, aim=20_000)


def _stream(what: str, measured: float, more: str, *, least: float | None = None, aim: float | None = None) -> Figure:
    return Figure(part="stream", what=what, unit="events/s", measured=measured, least=least, aim=aim, is_better_high=True, more=more)


def _stepping(page: Any, where: str, *, least: float) -> Iterator[Figure]:
    page.evaluate("globalThis.playground.player.go(0)")
    times = []
    for grain in ("check", "node", "phase"):
        times += [page.evaluate(_STEP, [grain, 1]) for _ in range(STEPS)]
    more = f"{len(times)} steps of all three grains, layout included"
    yield Figure(part="steps", what=f"a step in the browser at {where}: median", unit="ms", measured=median(times), least=least, more=more)
    yield Figure(
        part="steps",
        what=f"a step in the browser at {where}: 95%",
        unit="ms",
        measured=quantile(times, 0.95),
        least=least,
        more=f"worst {max(times):.0f} ms",
    )


def _open(page: Any, playground: Site, document: dict[str, Any]) -> tuple[float, int]:
    """Run it and watch it to the end: seconds from Run on, and its events."""
    scenario = playground.save(document)
    began = time.perf_counter()
    run = playground.start(scenario)
    page.goto(f"{playground.address}/r/{run}")
    events = int(playground.finish(run)["last_seq"])
    _wait_until_loaded(page, events)
    return time.perf_counter() - began, events


def _wait_until_loaded(page: Any, events: int) -> None:
    page.wait_for_load_state()
    if not page.evaluate(_LOADED, events):
        raise RuntimeError(f"the page had not loaded all {events:,} events after two minutes")


def _pressed(page: Any, prepare: Any) -> float:
    prepare()
    page.get_by_role("button", name="Run", exact=True).first.evaluate(_PRESS)
    page.wait_for_url("**/r/*", wait_until="commit")
    waited = float(page.evaluate(_WAITED))
    if math.isnan(waited):
        raise RuntimeError("the page had drawn nothing after 20 s")
    return waited


def _paste(page: Any, playground: Site, text: str) -> None:
    page.goto(playground.address)
    page.get_by_role("textbox", name="Manifests").fill(text)


def _address_of_gallery(page: Any, playground: Site) -> str:
    page.goto(playground.address)
    return str(playground.address + page.locator("a[href^='/s/']").first.get_attribute("href"))


@contextmanager
def _page(playground: Site) -> Iterator[Any]:
    """A page of a browser that has never been here. Raises RuntimeError without Chromium."""
    from playwright.sync_api import sync_playwright

    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not found:
        raise RuntimeError("there is no Chromium (apt-get install chromium)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=[*FLAGS, "--enable-precise-memory-info"])
        try:
            page = chromium.new_page(viewport={"width": 1440, "height": 900}, base_url=playground.address)
            page.set_default_timeout(60_000)
            yield page
        finally:
            chromium.close()

"""How long a step of the player takes in a real browser, at 60 nodes and at 5,000, by check, by node, by phase and anywhere.

`python -m tests.browser.bench_steps http://127.0.0.1:8000 [nodes …]`. The one rule: a step is everything the page does for it on the
main thread up to the laid-out page: what the key does, the script of the frame, style and layout. `frame` is the same with painting, to
the end of the frame; waiting for the frame itself is not counted. Between two steps there is time enough to see one, so that motion is
part of it. `cpu` walks the same steps once more under a trace and counts the processor time of the main thread in script, style and
layout: on a machine that others use too, it is what the page itself costs.
One JSON line for each size.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
import urllib.request
from typing import Any, Final

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import FLAGS

SIZES: Final = (60, 5000)
PODS_EACH: Final = 4
TRACED: Final = ["devtools.timeline", "blink", "blink.user_timing"]
LAID_OUT: Final = {"FireAnimationFrame", "LocalFrameView::RunStyleAndLayoutLifecyclePhases", "LocalFrameView::NotifyResizeObservers"}
MEASURE: Final = """async () => {
  const { store, player } = window.playground;
  const step = (move) => new Promise((done) => {
    performance.clearMarks("step-start");
    const began = performance.now();
    move();
    const moved = performance.now() - began;
    requestAnimationFrame(() => {
      document.body.getBoundingClientRect();
      const laid = performance.now(), drawn = performance.getEntriesByName("step-start").pop();
      setTimeout(() => done(drawn ? [moved + laid - drawn.startTime, moved + performance.now() - drawn.startTime] : null), 0);
    });
  });
  const pause = () => new Promise((done) => setTimeout(done, 130));
  const walk = async (count, move) => {
    const times = [];
    for (let index = 0; index < count; index += 1) {
      const time = await step(() => move(index));
      if (time) times.push(time);
      await pause();
    }
    return times;
  };
  const by = (grain, way) => () => player.move(grain, way);
  const found = {};
  player.go(store.steps.find("c1/candidates")); await pause(); await pause();
  found.check_forward = await walk(80, by("check", 1));
  found.check_back = await walk(40, by("check", -1));
  player.go(store.steps.find("c1")); await pause(); await pause();
  found.node_forward = await walk(70, by("node", 1));
  found.node_back = await walk(40, by("node", -1));
  player.go(0); await pause(); await pause();
  found.phase_forward = await walk(40, by("phase", 1));
  found.phase_back = await walk(40, by("phase", -1));
  found.jumps = await walk(40, (index) => player.go(Math.floor((index * 7919) % store.steps.length)));
  return { places: store.steps.length, events: store.lastSeq, found };
}"""


def scenario(nodes: int) -> dict[str, Any]:
    """A full cluster, and three important pods that want in."""
    return {
        "apiVersion": "playground/v1",
        "kind": "Scenario",
        "metadata": {"title": f"{nodes} nodes"},
        "objects": [
            *(_node(number) for number in range(nodes)),
            *(
                _pod(f"web-{number}-{k}", node=f"node-{number}", priority=(10, 1000, 50)[k % 3])
                for number in range(nodes)
                for k in range(PODS_EACH)
            ),
            *(_pod(f"vip-{number}", node=None, priority=100_000, cpu="1500m") for number in range(3)),
        ],
    }


def _node(number: int) -> dict[str, Any]:
    labels = {"topology.kubernetes.io/zone": f"zone-{'abc'[number % 3]}"}
    metadata = {"name": f"node-{number}", "labels": labels}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": metadata,
        "status": {"allocatable": {"cpu": "4", "memory": "16Gi", "pods": "110"}},
    }


def _pod(name: str, *, node: str | None, priority: int, cpu: str = "900m") -> dict[str, Any]:
    container = {"name": "main", "resources": {"requests": {"cpu": cpu, "memory": "2Gi"}}}
    spec: dict[str, Any] = {"priority": priority, "containers": [container]} | ({"nodeName": node} if node else {})
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "default"}, "spec": spec}


def _post(address: str, document: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(address, json.dumps(document).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def _bench(browser: Browser, site: str, nodes: int) -> dict[str, Any]:
    saved = _post(f"{site}/api/v1/scenarios", scenario(nodes))
    run = _post(f"{site}/api/v1/runs", {"scenario": saved["id"]})
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    began = time.monotonic()
    page.goto(site + run["url"])
    page.get_by_text("finished", exact=True).wait_for(timeout=180_000)
    loaded = time.monotonic() - began
    found = page.evaluate(MEASURE)
    cpu = _cpu_times(browser, page)
    page.close()
    sizes = {"nodes": nodes, "events": found["events"], "places": found["places"], "run_and_load_s": round(loaded, 2)}
    every = [time for times in found["found"].values() for time in times]
    return {**sizes, **{name: _spread(times) for name, times in (found["found"] | {"all": every}).items()}, "cpu": cpu}


def _cpu_times(browser: Browser, page: Any) -> dict[str, Any]:
    """Processor time of the main thread for each step: of the frame in which it was drawn, up to the laid-out page."""
    browser.start_tracing(page=page, categories=TRACED)
    page.evaluate(MEASURE)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    starts = sorted(event["ts"] for event in events if event["name"] == "step-start")
    thread = next(event["tid"] for event in events if event["name"] == "step-start")
    mine = [event for event in events if event["tid"] == thread and event.get("ph") == "X"]
    frames = sorted((event["ts"], event["ts"] + event["dur"]) for event in mine if event["name"] == "WebFrameWidgetImpl::BeginMainFrame")
    work = sorted((event["ts"], event.get("tdur", 0)) for event in mine if event["name"] in LAID_OUT)
    times = []
    for start in starts:
        begin = max((frame for frame, _ in frames if frame <= start), default=start)
        end = min((frame for frame, _ in frames if frame > start), default=start + 1_000_000)
        times.append(sum(spent for at, spent in work if begin <= at < end) / 1000)
    times.sort()
    return {"steps": len(times), "p50_ms": round(times[len(times) // 2], 1), "p95_ms": round(times[int(len(times) * 0.95)], 1)}


def _spread(times: list[list[float]]) -> dict[str, float]:
    """The median, the 95th percentile and the worst of the steps; the 95th percentile of the frames."""
    steps, frames = (sorted(column) for column in zip(*times, strict=True))
    return {
        "steps": len(steps),
        "p50_ms": round(steps[len(steps) // 2], 1),
        "p95_ms": round(steps[int(len(steps) * 0.95)], 1),
        "worst_ms": round(steps[-1], 1),
        "frame_p95_ms": round(frames[int(len(frames) * 0.95)], 1),
    }


def main(site: str, sizes: list[int]) -> None:
    """Print one line for each size."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for nodes in sizes:
            print(json.dumps(_bench(browser, site, nodes)), flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), [int(each) for each in sys.argv[2:]] or list(SIZES))

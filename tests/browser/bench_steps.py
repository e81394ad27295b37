"""How long a step of the player takes in a real browser, at 60 nodes and at 5,000.

`python -m tests.browser.bench_steps http://127.0.0.1:8000 [nodes …]`. The one rule: what is measured is the drawing of one step, from
the key to the last change of the page, by the page's own marks; one JSON line for each size.
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
MEASURE: Final = """async () => {
  const { store, player } = window.playground;
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  const walk = async (moves) => {
    performance.clearMeasures();
    for (const move of moves) { move(); await frame(); }
    return performance.getEntriesByName("step").map((entry) => entry.duration);
  };
  const first = store.steps.find("c1/candidates");
  player.go(first); await frame();
  const forward = await walk(Array(80).fill(() => player.move("check", 1)));
  const back = await walk(Array(40).fill(() => player.move("check", -1)));
  const jumps = await walk(Array.from({ length: 30 }, (_, index) => () => player.go(Math.floor((index * 7919) % store.steps.length))));
  return { places: store.steps.length, events: store.lastSeq, forward, back, jumps };
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
    page.close()
    sizes = {"nodes": nodes, "events": found["events"], "places": found["places"], "run_and_load_s": round(loaded, 2)}
    return {**sizes, **{name: _spread(found[name]) for name in ("forward", "back", "jumps")}}


def _spread(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {name: round(ordered[int(len(ordered) * share)], 1) for name, share in (("p10_ms", 0.1), ("p50_ms", 0.5), ("p95_ms", 0.95))}


def main(site: str, sizes: list[int]) -> None:
    """Print one line for each size."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for nodes in sizes:
            print(json.dumps(_bench(browser, site, nodes)), flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), [int(each) for each in sys.argv[2:]] or list(SIZES))

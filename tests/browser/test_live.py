"""While a run still streams: going back stays back, a broken line heals, and nothing comes twice."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

pytestmark = pytest.mark.browser


class Line:
    """The other end of the page's WebSocket: a test says what comes, and when."""

    def __init__(self, page: Page, site: str, run: str) -> None:
        with urllib.request.urlopen(f"{site}/api/v1/runs{run.removeprefix('/r')}/events?limit=1000") as answer:
            self.events: list[dict[str, Any]] = json.load(answer)["events"]
        self.cursors: list[int] = []
        self.sockets: list[WebSocketRoute] = []
        page.route_web_socket("**/ws/runs/**", self._opened)

    def _opened(self, socket: WebSocketRoute) -> None:
        self.sockets.append(socket)
        self.cursors.append(int(socket.url.split("after=")[1].split("&")[0]))
        self._send({"type": "hello", "run": "x", "status": "running", "last_seq": len(self.events)})

    def _send(self, message: dict[str, Any]) -> None:
        self.sockets[-1].send(json.dumps(message))

    def send(self, first: int, last: int) -> None:
        """Events by seq, both ends included."""
        self._send({"type": "events", "events": self.events[first - 1 : last]})

    def end(self) -> None:
        """The run is over."""
        self._send({"type": "end", "status": "finished", "last_seq": len(self.events)})


@pytest.fixture
def line(page: Page, site: str, finished_run: str) -> Line:
    """A run whose events the test lets through."""
    line = Line(page, site, finished_run)
    page.goto(finished_run)
    expect(page.locator("[data-part=chip]")).to_have_text("running")
    return line


def test_going_back_stays_back_and_says_how_far_behind(page: Page, line: Line) -> None:
    line.send(1, 50)
    page.get_by_role("article").first.wait_for()
    page.keyboard.press("l")
    page.keyboard.press("ArrowLeft")
    live = page.get_by_role("button", name="live +")
    expect(live).to_be_visible()
    before, place = live.inner_text(), page.get_by_role("slider", name="Timeline").input_value()
    line.send(51, 60)
    expect(live).not_to_have_text(before)
    expect(page.get_by_role("slider", name="Timeline")).to_have_value(place)


def test_live_follows_what_comes(page: Page, line: Line) -> None:
    line.send(1, 45)
    page.get_by_role("article").first.wait_for()
    page.keyboard.press("l")
    line.send(46, len(line.events))
    line.end()
    expect(page.get_by_role("status", name="Step")).to_contain_text("Nothing is left to do")
    expect(page.get_by_text("finished", exact=True)).to_be_visible()


def test_after_a_break_the_page_asks_again_from_where_it_was(page: Page, line: Line) -> None:
    line.send(1, 45)
    page.get_by_role("article").first.wait_for()
    line.sockets[-1].close(code=1012)
    expect(page.get_by_text("connection lost, trying again")).to_be_visible()
    expect(page.locator("[data-part=chip]")).to_have_text("running")
    assert line.cursors == [0, 45]
    line.send(40, len(line.events))
    line.end()
    expect(page.locator("[data-part=chip]")).to_have_text("finished")
    page.keyboard.press("End")
    expect(page.get_by_role("status", name="Step")).to_contain_text("Nothing is left to do")
    assert page.evaluate("window.playground.store.lastSeq") == len(line.events)


def test_a_link_to_a_step_waits_until_the_step_comes(page: Page, site: str, finished_run: str) -> None:
    line = Line(page, site, finished_run)
    page.goto(f"{finished_run}?step=c1/pick")
    expect(page.locator("[data-part=chip]")).to_have_text("running")
    line.send(1, 45)
    page.get_by_role("article").first.wait_for()
    line.send(46, len(line.events))
    expect(page.get_by_role("table", name="Best pick")).to_be_visible()

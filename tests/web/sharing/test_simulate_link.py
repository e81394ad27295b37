"""``python -m scheduler_core simulate <link>``: what a playground answers, and what no address may do."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator

import pytest

from scheduler_core import __main__ as command
from tests.web.sharing.conftest import DOCUMENT

ANSWERS = {
    "/s/abc0123456.json": json.dumps(DOCUMENT),
    "/api/v1/runs/run0123456789a": json.dumps({"scenario": "abc0123456"}),
    "/files/cluster.yaml": "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n---\n" + json.dumps(DOCUMENT["objects"][-1]),
    "/large.json": "x" * 5_000,
}
REDIRECTS = {"/away.json": "file:///etc/hostname", "/ftp.json": "ftp://127.0.0.1/x", "/moved.json": "/s/abc0123456.json"}


class Site(http.server.BaseHTTPRequestHandler):
    """A playground as far as the command looks at it."""

    def do_GET(self) -> None:
        """Answer from the tables above."""
        if self.path in REDIRECTS:
            self.send_response(302)
            self.send_header("Location", REDIRECTS[self.path])
            self.end_headers()
            return
        found = ANSWERS.get(self.path)
        self.send_response(200 if found else 404)
        self.end_headers()
        self.wfile.write((found or "").encode())

    def log_message(self, *_: object) -> None:
        """Silent."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.mark.parametrize(
    "link",
    ["/s/abc0123456", "/s/abc0123456?step=c1/pick&lang=en", "/abc0123456", "/e/abc0123456", "/r/run0123456789a?step=c1", "/moved.json"],
)
def test_every_link_of_a_playground_is_a_scenario(site: str, link: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["simulate", site + link, "--format", "result", "--expect", 'victims == ["shop/orders-1"]']) == 0
    assert json.loads(capsys.readouterr().out)["placements"] == {"shop/checkout": "n2"}


def test_any_file_on_the_web_may_be_run(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["simulate", f"{site}/files/cluster.yaml", "--format", "result"]) == 0


@pytest.mark.parametrize("link", ["/s/nothere000", "/r/nothere0000000", "/away.json", "/ftp.json"])
def test_what_cannot_be_fetched_is_said_in_a_line(site: str, link: str) -> None:
    with pytest.raises(SystemExit, match=r"127\.0\.0\.1"):
        command.main(["simulate", site + link])


def test_an_endless_answer_is_cut_off(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "MOST_FETCHED", 1_000)
    with pytest.raises(SystemExit, match="more than 1000 bytes"):
        command.main(["simulate", f"{site}/large.json"])


@pytest.mark.parametrize("name", ["file:///etc/hostname", "ftp://127.0.0.1/x", "data:text/plain,x"])
def test_other_schemes_are_names_of_files(name: str) -> None:
    with pytest.raises(SystemExit, match="No such file"):
        command.main(["simulate", name])

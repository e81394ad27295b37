"""A real HTTP server on this machine that answers as a test tells it, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """What the server sends; ``pause`` seconds lie between the pieces of the body."""

    body: bytes = b"{}"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    pieces: int = 1
    pause: float = 0.0


def as_json(document: Any) -> Answer:
    """An answer of JSON."""
    return Answer(json.dumps(document).encode())


class ExtenderServer:
    """Answers by ``answers[path]``, an Answer or a function of the request's document; ``asked`` has (path, document)."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []
        self.answers: dict[str, Answer | Callable[[Any], Answer]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                document = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                owner.asked.append((self.path, document))
                found = owner.answers.get(self.path, Answer(status=404))
                answer = found if isinstance(found, Answer) else found(document)
                with suppress(OSError):
                    self._send(answer)

            def _send(self, answer: Answer) -> None:
                self.send_response(answer.status)
                headers = {"Content-Length": str(len(answer.body)), **answer.headers}
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                size = max(len(answer.body) // answer.pieces, 1)
                for start in range(0, len(answer.body), size):
                    time.sleep(answer.pause)
                    self.wfile.write(answer.body[start : start + size])
                    self.wfile.flush()

            def log_message(self, *args: object) -> None:
                """Keep the test's output clean."""

        return Handler

    @contextmanager
    def running(self) -> Iterator[ExtenderServer]:
        """The server, listening."""
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join(5)

"""An OpenAI-compatible embeddings endpoint on this machine, for tests.

In: what it shall answer. Out: what it was asked.
"""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.loopback import ANY_PORT, serving

DIMS = 4


class FakeEndpoint(ThreadingHTTPServer):
    """Answers with vectors whose first number is the text's length; first with the statuses in ``refusals``, if any."""

    def __init__(self) -> None:
        super().__init__(ANY_PORT, _Handler)
        self.refusals: list[tuple[int, dict[str, str]]] = []
        self.body: bytes | None = None
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []

    @property
    def url(self) -> str:
        """What stands before /embeddings."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: FakeEndpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append({"path": self.path, **body})
        self.server.keys.append(self.headers.get("Authorization"))
        if self.server.refusals:
            status, headers = self.server.refusals.pop(0)
            return self._answer(status, b'{"error": "the key was sk-secret"}', headers)
        return self._answer(200, self.server.body or _vectors(body["input"]), {})

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _vectors(texts: list[str]) -> bytes:
    data = [{"index": n, "embedding": [float(len(text)), 1.0, 0.0, 0.0]} for n, text in enumerate(texts)]
    return json.dumps({"data": data[::-1]}).encode()


def fake_endpoint() -> AbstractContextManager[FakeEndpoint]:
    """The endpoint on a free port, for as long as the block lasts."""
    return serving(FakeEndpoint())

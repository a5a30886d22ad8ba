"""An endpoint on this machine that speaks OpenAI's chat completions, for tests.

In: what it shall do with each request, in turn. Out: what it was asked. It stops by itself with the block, even
if it stalls.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event
from typing import Any, TypeAlias

from tests.loopback import ANY_PORT, serving


@dataclass(frozen=True)
class Reply:
    """An answer: status, body, headers. ``stalls_after`` bytes of the body it falls silent."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    stalls_after: int | None = None


Script: TypeAlias = Reply | Callable[[dict[str, Any]], Reply]


def says(content: Any, *, finish: str = "stop", usage: dict[str, int] | None = None, **message: Any) -> Reply:
    """A chat completion with this content; what is no string is written as JSON."""
    text = content if content is None or isinstance(content, str) else json.dumps(content)
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    document: dict[str, Any] = {"id": "chat-1", "object": "chat.completion", "choices": [choice]}
    if usage is not None:
        document["usage"] = usage
    return Reply(json.dumps(document).encode())


def refuses(status: int, param: str | None = None, **headers: str) -> Reply:
    """An error as OpenAI words it, with a key in it that must not reach anybody."""
    error = {"message": "sk-secret may not", "type": "error", "param": param, "code": None}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(json.dumps({"error": error}).encode(), status, named)


class FakeChat(ThreadingHTTPServer):
    """Follows its script, one entry a request; at its end it repeats the last."""

    def __init__(self) -> None:
        super().__init__(ANY_PORT, _Handler)
        self.script: list[Script] = []
        self.asked: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.keys: list[str | None] = []
        self.over = Event()

    @property
    def url(self) -> str:
        """What stands before /chat/completions."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that hang up: stalled ones do."""


class _Handler(BaseHTTPRequestHandler):
    server: FakeChat

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        chat = self.server
        chat.asked.append(body)
        chat.paths.append(self.path)
        chat.keys.append(self.headers.get("Authorization"))
        entry = chat.script.pop(0) if len(chat.script) > 1 else chat.script[0]
        self._send(entry if isinstance(entry, Reply) else entry(body))

    def _send(self, reply: Reply) -> None:
        if reply.stalls_after == 0:
            self.server.over.wait()
            return
        self.send_response(reply.status)
        for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body[: reply.stalls_after])
        if reply.stalls_after is not None:
            self.wfile.flush()
            self.server.over.wait()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def fake_chat() -> Iterator[FakeChat]:
    """The endpoint on a free port, for as long as the block lasts."""
    with serving(FakeChat()) as server:
        try:
            yield server
        finally:
            server.over.set()

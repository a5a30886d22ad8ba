"""A model on loopback, as OpenClaw asks one: in, its requests; out, the same short answer each time, and the asking.

It speaks as much of OpenAI's chat completions as a turn needs, listens on a free port and ends with the test.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.loopback import ANY_PORT, serving

ANSWER = "Noted, thank you."
NAME = "played"


@dataclass(slots=True)
class Model:
    """A model that keeps what it was asked; ``first`` is done once before it next answers."""

    port: int = 0
    asked: list[list[dict[str, Any]]] = field(default_factory=list)
    first: Callable[[], None] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def heard(self, messages: list[dict[str, Any]]) -> None:
        """Keep the messages of a request."""
        with self._lock:
            self.asked.append(messages)
            first, self.first = self.first, None
        if first is not None:
            first()

    def prompt(self, word: str) -> str:
        """The last message by the user that holds a word, of the last request that has one."""
        with self._lock:
            asked = list(self.asked)
        for messages in reversed(asked):
            for message in reversed(messages):
                text = json.dumps(message.get("content"), ensure_ascii=False)
                if message.get("role") == "user" and word in text:
                    return text
        raise AssertionError(f"the model was never asked {word!r}")

    def settings(self) -> dict[str, Any]:
        """The model as OpenClaw's settings name one."""
        free = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
        one = {"id": NAME, "name": "Played", "reasoning": False, "input": ["text"], "cost": free}
        return {
            "baseUrl": f"http://127.0.0.1:{self.port}/v1",
            "apiKey": "none",
            "api": "openai-completions",
            "models": [{**one, "contextWindow": 32_000, "maxTokens": 1024}],
        }


@contextmanager
def listening() -> Iterator[Model]:
    """A model that listens until the block ends."""
    model = Model()

    class Handler(_Answering):
        heard = staticmethod(model.heard)

    with serving(ThreadingHTTPServer(ANY_PORT, Handler)) as server:
        model.port = server.server_port
        yield model


class _Answering(BaseHTTPRequestHandler):
    heard: Callable[[list[dict[str, Any]]], None]

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Which models there are."""
        self._begin("application/json")
        self.wfile.write(json.dumps({"object": "list", "data": [{"id": NAME, "object": "model"}]}).encode())

    def do_POST(self) -> None:
        """One answer, as a stream."""
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        self.heard(body.get("messages", []))
        self._begin("text/event-stream")
        said = {"index": 0, "delta": {"role": "assistant", "content": ANSWER}, "finish_reason": None}
        end = {"index": 0, "delta": {}, "finish_reason": "stop"}
        for choice in (said, end):
            event = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": NAME, "choices": [choice]}
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def _begin(self, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.end_headers()

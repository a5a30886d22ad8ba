"""A model on loopback: in, what a host program asks of its model; out, the same short answer each time, and the asking.

It speaks as much of the three interfaces as the programs need for one turn: Anthropic's messages, OpenAI's responses,
Gemini's generated content. It listens on a free port and ends with the test.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.loopback import ANY_PORT, serving

ANSWER = "Noted, thank you."


@dataclass(slots=True)
class Model:
    """A model that keeps every request it was sent."""

    port: int = 0
    requests: list[tuple[str, str]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def heard(self, path: str, body: str) -> None:
        """Keep a request."""
        with self._lock:
            self.requests.append((path, body))

    def drain(self) -> list[str]:
        """The bodies that came since the last call; counting tokens and the like are left out."""
        with self._lock:
            taken, self.requests[:] = list(self.requests), []
        return [body for path, body in taken if is_turn(path)]


def is_turn(path: str) -> bool:
    """Whether a request asks the model to speak."""
    return "ount" not in path and any(part in path for part in ("/v1/messages", "/responses", "enerateContent"))


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
    heard: Any

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing on the terminal."""

    def do_HEAD(self) -> None:
        """Some ask whether anybody is there."""
        self._send(b"", "application/json")

    def do_GET(self) -> None:
        """Some ask for the list of models."""
        self._json({"object": "list", "data": [], "models": []})

    def do_POST(self) -> None:
        """Answer in the interface that the path belongs to."""
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode("utf-8", "replace")
        self.heard(self.path, body)
        if "ount" in self.path:
            self._json({"input_tokens": 10, "totalTokens": 10})
        elif "/v1/messages" in self.path:
            self._message(streamed=bool(json.loads(body).get("stream")))
        elif "/responses" in self.path:
            self._response()
        elif "enerateContent" in self.path:
            self._content(streamed="stream" in self.path)
        else:
            self._json({})

    def _message(self, *, streamed: bool) -> None:
        empty: dict[str, object] = {"id": "msg_1", "type": "message", "role": "assistant", "model": "mock"}
        empty |= {"content": [], "stop_reason": None, "stop_sequence": None}
        empty["usage"] = {"input_tokens": 10, "output_tokens": 1}
        if not streamed:
            self._json(empty | {"content": [{"type": "text", "text": ANSWER}], "stop_reason": "end_turn"})
            return
        ending = {"stop_reason": "end_turn", "stop_sequence": None}
        self._events(
            {"type": "message_start", "message": empty},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": ANSWER}},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 5}},
            {"type": "message_stop"},
        )

    def _response(self) -> None:
        text = {"type": "output_text", "text": ANSWER, "annotations": []}
        item = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [text]}
        usage: dict[str, object] = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
        usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        self._events(
            {"type": "response.created", "response": {"id": "r1"}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"id": "r1", "output": [item], "usage": usage}},
        )

    def _content(self, *, streamed: bool) -> None:
        candidate = {"content": {"role": "model", "parts": [{"text": ANSWER}]}, "finishReason": "STOP", "index": 0}
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
        shape = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "mock"}
        if streamed:
            self._send(f"data: {json.dumps(shape)}\r\n\r\n".encode(), "text/event-stream")
        else:
            self._json(shape)

    def _events(self, *events: dict[str, Any]) -> None:
        lines = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        self._send(lines.encode(), "text/event-stream")

    def _json(self, shape: dict[str, Any]) -> None:
        self._send(json.dumps(shape).encode(), "application/json")

    def _send(self, content: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

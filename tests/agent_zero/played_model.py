"""A model that is played: it hears requests on loopback and always gives the same answer (level 2 of the tests)."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.loopback import ANY_PORT, serving

ANSWER = "You prefer helix."
CALL = {"thoughts": ["easy"], "headline": "Answering", "tool_name": "response", "tool_args": {"text": ANSWER}}


class PlayedModel:
    """Its address, and what it was asked, the newest last."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[dict[str, Any]] = []

    def heard(self) -> list[str]:
        """Every request so far, each as one text: Agent Zero also asks on the side, for a chat's name."""
        return [json.dumps(one, ensure_ascii=False) for one in self.asked]


@contextmanager
def played() -> Iterator[PlayedModel]:
    """A played model for as long as it is needed."""
    model = PlayedModel()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def do_POST(self) -> None:  # the server's own name for it
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            model.asked.append(asked)
            text = json.dumps(CALL) if "tool_name" in json.dumps(asked) else "[]"
            _stream(self, text) if asked.get("stream") else _whole(self, text)

    with serving(ThreadingHTTPServer(ANY_PORT, Handler)) as server:
        model.url = f"http://127.0.0.1:{server.server_port}/v1"
        yield model


def _head(handler: BaseHTTPRequestHandler, kind: str) -> dict[str, Any]:
    handler.send_response(200)
    handler.send_header("content-type", kind)
    handler.end_headers()
    return {"id": "one", "created": int(time.time()), "model": "none"}


def _stream(handler: BaseHTTPRequestHandler, text: str) -> None:
    said = _head(handler, "text/event-stream") | {"object": "chat.completion.chunk"}
    for delta, finish in (({"role": "assistant", "content": text}, None), ({}, "stop")):
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        handler.wfile.write(f"data: {json.dumps(said | {'choices': [choice]})}\n\n".encode())
    handler.wfile.write(b"data: [DONE]\n\n")


def _whole(handler: BaseHTTPRequestHandler, text: str) -> None:
    said = _head(handler, "application/json") | {"object": "chat.completion"}
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    handler.wfile.write(json.dumps(said | {"choices": [choice], "usage": usage}).encode())

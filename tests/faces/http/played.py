"""A played language model in three protocols: in, requests; out, the same short answers, and what it was asked.

It answers whole or as a stream, with a tool call where the request offers tools, and keeps every request it was sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.loopback import ANY_PORT, serving

ANSWER = "Noted: she lives there now."
CALL = {"name": "look_up", "arguments": '{"city": "Ankara"}'}


@dataclass(slots=True)
class Played:
    """A model that keeps what it was sent: path, headers and body of each request."""

    url: str = ""
    asked: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    status: int = 200

    def bodies(self) -> list[dict[str, Any]]:
        """The bodies as JSON."""
        return [json.loads(body) for _, _, body in self.asked if body]


@contextmanager
def playing() -> Iterator[Played]:
    """A model that listens until the block ends."""
    model = Played()

    class Handler(_Answering):
        played = model

    with serving(ThreadingHTTPServer(ANY_PORT, Handler)) as server:
        model.url = f"http://127.0.0.1:{server.server_port}/base"
        yield model


class _Answering(BaseHTTPRequestHandler):
    played: Played
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing on the terminal."""

    def do_GET(self) -> None:
        """The list of models."""
        self._heard()
        self._send(json.dumps({"object": "list", "data": []}).encode(), "application/json")

    def do_POST(self) -> None:
        """Answer in the protocol that the path belongs to."""
        body = self._heard()
        try:
            request = json.loads(body)
        except (ValueError, RecursionError):
            request = {}
        streamed = isinstance(request, dict) and bool(request.get("stream"))
        events, whole = _answer(self.path.partition("?")[0], with_tool=isinstance(request, dict) and "tools" in request)
        if streamed:
            self._send(b"".join(events), "text/event-stream")
        else:
            self._send(json.dumps(whole).encode(), "application/json")

    def _heard(self) -> bytes:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        self.played.asked.append((self.path, {name.lower(): text for name, text in self.headers.items()}, body))
        return body

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(self.played.status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("x-model", "played")
        self.end_headers()
        self.wfile.write(body)


def _answer(path: str, *, with_tool: bool) -> tuple[list[bytes], dict[str, Any]]:
    if path.endswith("/chat/completions"):
        return _chat(with_tool=with_tool)
    if path.endswith("/responses"):
        return _responses()
    if path.endswith("/messages"):
        return _messages(with_tool=with_tool)
    return [], {}


def _event(data: object, name: str = "") -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n".encode()


def _halves() -> tuple[str, str]:
    return ANSWER[:9], ANSWER[9:]


def _chat(*, with_tool: bool) -> tuple[list[bytes], dict[str, Any]]:
    told: dict[str, Any] = {"id": "c1", "created": 1, "model": "played"}
    message: dict[str, Any] = {"role": "assistant", "content": ANSWER}
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": half} for half in _halves()]
    if with_tool:
        call = {"id": "t1", "type": "function", "function": CALL}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        deltas = [{"tool_calls": [call | {"index": 0}]}]
    chunks = [told | {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": one}]} for one in deltas]
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return (
        [*(_event(chunk) for chunk in chunks), b"data: [DONE]\n\n"],
        told | {"object": "chat.completion", "choices": [choice]},
    )


def _responses() -> tuple[list[bytes], dict[str, Any]]:
    text = {"type": "output_text", "text": ANSWER, "annotations": []}
    item = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [text]}
    whole: dict[str, Any] = {"id": "r1", "object": "response", "created_at": 1, "model": "played", "output": [item]}
    whole |= {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "status": "completed"}
    message, part = item | {"content": []}, text | {"text": ""}
    told: list[dict[str, Any]] = [
        {"type": "response.created", "response": whole | {"output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": message},
        {"type": "response.content_part.added", "item_id": "m1", "output_index": 0, "content_index": 0, "part": part},
    ]
    told += [
        {"type": "response.output_text.delta", "delta": half, "item_id": "m1", "output_index": 0, "content_index": 0}
        for half in _halves()
    ]
    told.append({"type": "response.completed", "response": whole})
    return [_event(one | {"sequence_number": at}, one["type"]) for at, one in enumerate(told)], whole


def _messages(*, with_tool: bool) -> tuple[list[bytes], dict[str, Any]]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    whole: dict[str, Any] = {"id": "msg_1", "type": "message", "role": "assistant", "model": "played", "usage": usage}
    whole |= {"content": [{"type": "text", "text": ANSWER}], "stop_reason": "end_turn", "stop_sequence": None}
    if with_tool:
        whole["content"].append({"type": "tool_use", "id": "t1", "name": "look_up", "input": {"city": "Ankara"}})
    told: list[dict[str, Any]] = [
        {"type": "message_start", "message": whole | {"content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": half}}
            for half in _halves()
        ),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ]
    return [_event(one, one["type"]) for one in told], whole

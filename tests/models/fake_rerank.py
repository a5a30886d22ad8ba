"""A server on this machine that speaks one of the dialects of ``/rerank``, for tests.

In: a dialect. Out: what it was asked; a text's score is its length. Each dialect refuses what the real server refuses.
"""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event
from typing import Any

from tests.loopback import ANY_PORT, serving

COHERE = {"model", "query", "documents", "top_n", "max_tokens_per_doc"}
"""Fields that Cohere's second version knows; it refuses any other."""


@dataclass
class Hostile:
    """An answer that is none: these bytes with this status, each piece only once ``goes_on`` is set."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    goes_on: Event | None = None


class FakeRerank(ThreadingHTTPServer):
    """Answers as the dialect it is told, or first with what is in ``script``."""

    daemon_threads = True

    def __init__(self, dialect: str) -> None:
        super().__init__(ANY_PORT, _Handler)
        self.dialect = dialect
        self.script: list[Hostile] = []
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []

    @property
    def url(self) -> str:
        """What stands before /rerank."""
        path = {"cohere": "/v2", "cohere-v1": "/v1", "jina": "/v1", "vllm": "", "llama.cpp": "/v1", "tei": ""}
        return f"http://127.0.0.1:{self.server_address[1]}{path[self.dialect]}"


class _Handler(BaseHTTPRequestHandler):
    server: FakeRerank

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append({"path": self.path, **body})
        self.server.keys.append(self.headers.get("Authorization"))
        if self.server.script:
            self._hostile(self.server.script.pop(0))
            return
        status, answer = _answer(self.server.dialect, body)
        self._send(status, json.dumps(answer).encode(), {})

    def _hostile(self, one: Hostile) -> None:
        if one.goes_on is not None:
            one.goes_on.wait(30)
        self._send(one.status, one.body, one.headers)

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:  # who asked has gone
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _answer(dialect: str, body: dict[str, Any]) -> tuple[int, Any]:
    if dialect == "tei":
        return _tei(body)
    texts = body.get("documents")
    if not texts or (dialect == "cohere" and not body.keys() <= COHERE):
        return 400, {"message": "invalid request"}
    if dialect in ("cohere", "cohere-v1", "jina", "vllm") and "model" not in body:
        return 422, {"detail": "model is required"}
    rows: list[dict[str, Any]] = [{"index": n, "relevance_score": float(len(text))} for n, text in enumerate(texts)]
    if dialect != "llama.cpp":  # which leaves them as they were
        rows.sort(key=lambda row: -row["relevance_score"])
    if dialect in ("jina", "vllm"):
        rows = [{**row, "document": {"text": texts[row["index"]]}} for row in rows]
    return 200, {"id": "1", "model": body.get("model"), "results": rows[: body.get("top_n")], "usage": {}}


def _tei(body: dict[str, Any]) -> tuple[int, Any]:
    if "texts" not in body:
        return 422, "Failed to deserialize the JSON body into the target type: missing field `texts`"
    if not body.get("truncate") and any(len(text) > 400 for text in body["texts"]):
        return 413, {"error": "Input validation error", "error_type": "Validation"}
    rows = [{"index": n, "score": float(len(text))} for n, text in enumerate(body["texts"])]
    return 200, sorted(rows, key=lambda row: -float(row["score"]))


def fake_rerank(dialect: str = "cohere") -> AbstractContextManager[FakeRerank]:
    """The endpoint on a free port, for as long as the block lasts."""
    return serving(FakeRerank(dialect))

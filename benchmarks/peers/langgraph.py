"""LangGraph's long-term memory: an ``InMemoryStore`` with an index over the field ``text``, ``put`` and ``search``.

Its documentation gives the store a function that embeds; this one asks the benchmark's own endpoint.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.request import Request, urlopen

from benchmarks.peers.job import Found, Job, Said

NAMESPACE = ("memories", "reader")


class LangGraph:
    """One item a message; speaker, session and time stand beside the text and are not embedded."""

    def __init__(self, job: Job) -> None:
        from langgraph.store.memory import InMemoryStore

        self._endpoint = f"{job.endpoint}/embeddings"
        self._model = job.model
        # Any: an optional package of another environment; this class is its adapter.
        self._store: Any = InMemoryStore(index={"dims": job.dims, "embed": self._embed, "fields": ["text"]})

    def tell(self, said: Sequence[Said]) -> None:
        """Put each."""
        for one in said:
            value = {"text": one.text, "speaker": one.speaker, "session": one.session, "said_at": one.at}
            self._store.put(NAMESPACE, one.id, value)

    def ask(self, question: str, depth: int) -> list[Found]:
        """What it recalls, best first."""
        found = self._store.search(NAMESPACE, query=question, limit=depth)
        return [Found((hit.key,), hit.value["text"]) for hit in found]

    def _embed(self, texts: list[str]) -> list[list[float]]:
        body = json.dumps({"model": self._model, "input": texts}).encode()
        request = Request(self._endpoint, body, {"Content-Type": "application/json"})
        with urlopen(request) as reply:
            return [entry["embedding"] for entry in json.load(reply)["data"]]

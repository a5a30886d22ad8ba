"""mem0, as its open-source quickstart sets it up: ``Memory.from_config``, ``add(…, infer=False)``, ``search``.

Its default store (Qdrant, embedded) with keyword search on; its OpenAI embedder asks the benchmark's own endpoint.
With ``infer=False`` no language model is called; mem0 wants one configured all the same. The threshold is off, because
places are counted before any cut.

Keyword search goes through fastembed's BM25 encoder, which fetches lists of stop words at first use. Without a network
mem0 would search by meaning alone, so a list of the same kind is put where fastembed keeps what it has fetched.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.peers.job import Found, Job, Said

USER = "reader"
STOP_WORDS = Path(__file__).with_name("data") / "stop-words.en.txt"


class Mem0:
    """One message a call, with its speaker's name; session and time as metadata."""

    def __init__(self, job: Job) -> None:
        from fastembed.sparse.bm25 import supported_languages
        from mem0 import Memory

        os.environ["FASTEMBED_CACHE_PATH"] = str(keyword_model(Path(job.folder) / "fastembed", supported_languages))
        served = {"openai_base_url": job.endpoint, "api_key": "none"}
        # Any: an optional package of another environment; this class is its adapter.
        self._memory: Any = Memory.from_config(
            {
                "vector_store": {
                    "provider": "qdrant",
                    "config": {"path": str(Path(job.folder) / "qdrant"), "embedding_model_dims": job.dims},
                },
                "embedder": {"provider": "openai", "config": {"model": job.model, **served}},
                "llm": {"provider": "openai", "config": served},
                "history_db_path": str(Path(job.folder) / "history.db"),
            }
        )
        self._ids: dict[str, str] = {}

    def tell(self, said: Sequence[Said]) -> None:
        """Remember each, word for word."""
        for one in said:
            message = {"role": one.role, "content": one.text, "name": one.speaker}
            metadata = {"session": one.session, "said_at": one.at}
            added = self._memory.add([message], user_id=USER, metadata=metadata, infer=False)
            for made in added["results"]:
                self._ids[made["id"]] = one.id

    def ask(self, question: str, depth: int) -> list[Found]:
        """What it recalls, best first."""
        found = self._memory.search(question, filters={"user_id": USER}, top_k=depth, threshold=0.0)
        return [Found((self._ids[hit["id"]],), hit["memory"]) for hit in found["results"]]


def keyword_model(cache: Path, languages: Iterable[str]) -> Path:
    """``cache`` with what fastembed would have fetched for its model ``Qdrant/bm25``: English stop words, no others."""
    model = cache / "models--Qdrant--bm25"
    snapshot = model / "snapshots" / "local"
    snapshot.mkdir(parents=True)
    (model / "refs").mkdir()
    (model / "refs" / "main").write_text("local")
    (snapshot / "config.json").write_text("{}")
    for language in languages:
        (snapshot / f"{language}.txt").write_text("")
    lines = STOP_WORDS.read_text(encoding="utf-8").splitlines()
    (snapshot / "english.txt").write_text("\n".join(line for line in lines if not line.startswith("#")))
    return cache

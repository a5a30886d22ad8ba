"""Asking: every question of a batch to a store in memory, and what came back as plain numbers.

In: batches. Out: one ``Asked`` a question: what it is, what the engine thinks of it and why, and the baselines' scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from benchmarks.abstain.cases import Batch
from benchmarks.embedding import affordable
from benchmarks.systems.bm25 import Bm25Index
from benchmarks.systems.reverie import message
from benchmarks.values import Question
from reverie import Reverie, Scope
from reverie.ports import Embedder
from reverie.types import FloatArray

SCOPE = Scope(agent="benchmark", user="reader", project="abstain")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question asked of one store.

    ``confidence`` is the shipped probability that an answer is there, ``evidence`` the numbers it was made of, by name;
    ``text`` and ``meaning`` are the highest BM25 and the highest cosine in the store.
    """

    set: str
    store: str
    question: str
    category: str
    kind: str
    confidence: float
    evidence: dict[str, float]
    text: float
    meaning: float


def ask(chosen: str, batch: Batch, embedder: Embedder | None) -> Iterator[Asked]:
    """Ask a batch's questions; looking is not using, so no question changes the next one's answer."""
    items, told = batch.haystack.items, 0
    model = affordable(embedder, (item.text for item in items))
    with Reverie.open(":memory:", embedder=model, background=False) as engine:
        vectors = embedder.embed_passages([item.text for item in items]) if embedder else None
        for heard, places in batch.haystack.stages():
            engine.transfer.remember_many((message(item) for item in items[told:heard]), SCOPE)
            told = heard
            engine.admin.catch_up()
            index = Bm25Index(replace(batch.haystack, items=items[:heard]))
            for question, kind in ((batch.haystack.questions[place], batch.kinds[place]) for place in places):
                found = engine.explain(question.text, SCOPE, now=question.asked_at).recollection
                yield Asked(
                    set=chosen,
                    store=batch.haystack.name,
                    question=question.id,
                    category=question.category,
                    kind=kind.value,
                    confidence=found.confidence or 0.0,
                    evidence={ground.name: ground.value for ground in found.grounds},
                    text=float(index.scores(question.text).max(initial=0.0)),
                    meaning=_nearest(question, vectors if vectors is None else vectors[:heard], embedder),
                )


def _nearest(question: Question, vectors: FloatArray | None, embedder: Embedder | None) -> float:
    if vectors is None or embedder is None:
        return 0.0
    return float((vectors @ embedder.embed_query(question.text)).max(initial=-1.0))

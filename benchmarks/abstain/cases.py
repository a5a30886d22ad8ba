"""What is asked of which store, and what came back as plain numbers.

In: a haystack, whose answerable questions are asked again of stores without their evidence. Out: batches, each one
store's items and its questions with what is known of each; and one ``Asked`` a question: what it is, what the engine
thinks of it and why, and the baselines' scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from benchmarks.embedding import affordable
from benchmarks.systems.baselines import Bm25Index
from benchmarks.systems.reverie import message
from benchmarks.values import Haystack, Question
from reverie import Reverie, Scope
from reverie.ports import Embedder
from reverie.types import FloatArray

# What is asked: a haystack's own questions, and its answerable ones again of stores without their evidence.


class Kind(StrEnum):
    """Whether a question can be answered of the store it is asked of, and if not, why."""

    ANSWERABLE = "answerable"
    REMOVED = "evidence removed"
    ADVERSARIAL = "adversarial"
    ABSTENTION = "abstention"


@dataclass(frozen=True, slots=True)
class Batch:
    """A store to build, and what is asked of it: the haystack's questions, each with its kind."""

    haystack: Haystack
    kinds: tuple[Kind, ...]


def batches(haystack: Haystack) -> Iterator[Batch]:
    """The whole haystack first, then one without the evidence sessions of each group of questions that share them.

    An answerable question without evidence is left out: nobody knows where its answer stands. So is one whose evidence
    lies in every session: nothing would be left to ask.
    """
    asked = [question for question in haystack.questions if question.labelled or not question.answerable]
    if asked:
        yield Batch(haystack.asking(asked), tuple(map(kind_of, asked)))
    session = {item.id: item.session for item in haystack.items}
    groups: dict[frozenset[str], list[Question]] = {}
    for question in asked:
        if question.answerable:
            holding = question.sessions or [session[gold] for gold in question.gold]
            groups.setdefault(frozenset(holding), []).append(question)
    for gone, questions in groups.items():
        bare = haystack.asking(questions, without=gone)
        if bare.items:
            yield Batch(bare, (Kind.REMOVED,) * len(questions))


def kind_of(question: Question) -> Kind:
    """The kind of a question asked of the whole haystack."""
    if question.answerable:
        return Kind.ANSWERABLE
    return Kind.ADVERSARIAL if question.category == Kind.ADVERSARIAL else Kind.ABSTENTION


# Asking: every question of a batch to a store in memory, and what came back as plain numbers.


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
            engine.admin.embed()
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

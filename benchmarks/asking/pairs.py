"""Pairs: the questions of a haystack beside what answers them, as recall sees both.

In: a haystack. Out: vectors, seen from the middle of the haystack. The questions' are overheard: recall hands them to
the model to learn where their answers lie.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.embedding import Behind
from benchmarks.systems.reverie import message
from benchmarks.values import Haystack, Question
from reverie import Reverie, Scope
from reverie.formulas.bend import Bend
from reverie.formulas.centring import centre, unit
from reverie.ports import Embedder
from reverie.types import FloatArray

SCOPE = Scope(agent="benchmark", user="reader", project="asking")


@dataclass(frozen=True, slots=True)
class Pairs:
    """The answerable questions of a haystack with gold.

    Attributes:
        set: the set it is of.
        haystack: its name.
        items: (n, d) unit vectors of all that was said.
        texts: the questions.
        questions: (m, d) unit vectors of the cues, as recall makes them.
        gold: for each question the rows of ``items`` that answer it.
    """

    set: str
    haystack: str
    items: FloatArray
    texts: tuple[str, ...]
    questions: FloatArray
    gold: tuple[tuple[int, ...], ...]

    @property
    def answers(self) -> FloatArray:
        """(m, d) the direction of each question's gold."""
        return unit(np.stack([self.items[list(rows)].mean(axis=0) for rows in self.gold]))


def pairs(chosen: str, haystack: Haystack, embedder: Embedder) -> Pairs | None:
    """The pairs of a haystack; None where it asks nothing that it answers."""
    asked = _overheard(haystack, embedder)
    if not asked:
        return None
    rows = embedder.embed_passages([item.text for item in haystack.items])
    places = {item.id: place for place, item in enumerate(haystack.items)}
    return Pairs(
        set=chosen,
        haystack=haystack.name,
        items=unit(rows - centre(rows.mean(axis=0), len(rows))),
        texts=tuple(question.text for question, _ in asked),
        questions=np.stack([vector for _, vector in asked]),
        gold=tuple(tuple(places[name] for name in question.gold) for question, _ in asked),
    )


def _overheard(haystack: Haystack, embedder: Embedder) -> list[tuple[Question, FloatArray]]:
    """The answerable questions with gold, and the vector of each; one without anything to embed has none."""
    listener = _Listener(embedder)
    found: list[tuple[Question, FloatArray]] = []
    with Reverie.open(":memory:", embedder=listener) as engine:
        engine.remember_many((message(item) for item in haystack.items), SCOPE)
        for question in haystack.questions:
            if question.gold and question.answerable:
                engine.explain(question.text, SCOPE, top_k=1, now=question.asked_at)
                found += [(question, vector) for vector in listener.taken()]
    return found


class _Listener(Behind):
    """A model that remembers what it was asked about last, leads nowhere and bends nothing."""

    _heard: FloatArray | None = None

    def towards_answers(self, question: FloatArray) -> FloatArray:
        self._heard = question
        return question

    def bends(self) -> tuple[Bend, ...]:
        return ()

    def taken(self) -> list[FloatArray]:
        """What was heard since the last time, if anything."""
        heard, self._heard = self._heard, None
        return [] if heard is None else [heard]

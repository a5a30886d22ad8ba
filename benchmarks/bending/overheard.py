"""Overheard: what recall saw of the first candidates of each question, as its explanations tell.

In: a haystack. Out: the candidates' signals, their scores, and which of them answer. Recall is given flat bends: it
looks at what bends would be of, and adds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.embedding import Behind
from benchmarks.systems.reverie import message, message_ids
from benchmarks.values import Haystack, Question
from reverie import Reverie, Scope
from reverie.answers import Hit
from reverie.formulas.arrays import Floats
from reverie.formulas.bend import Bend
from reverie.ports import Embedder
from reverie.types import BoolArray

SCOPE = Scope(agent="benchmark", user="reader", project="bending")

DEPTH = 60
"""Places asked for: somewhat more than recall bends, as later stages move a few."""

STANDS = "standing"
"""The signal of an order or a preference that applies: recall brings it whatever its score."""

NAMES = (
    "text",
    "meaning",
    "window",
    "speaker",
    "time",
    "telling",
    "length",
    "own words",
    "own meaning",
    "livelier neighbour",
    "quieter neighbour",
    "size",
)
"""What is bent: every signal, and what recall looks at beside them."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One question's first candidates, in the order of their scores.

    Attributes:
        set: the set it is of.
        haystack: its name.
        values: (m, NAMES) what recall saw.
        scores: (m,) without bends.
        answers: (m,) which are gold.
        gold: how many are, found or not; without what stands.
    """

    set: str
    haystack: str
    values: Floats
    scores: Floats
    answers: BoolArray
    gold: int


def overheard(chosen: str, haystack: Haystack, embedder: Embedder) -> Iterator[Ranked]:
    """Each answerable question with gold of a haystack."""
    with Reverie.open(":memory:", embedder=Flat(embedder)) as engine:
        engine.remember_many((message(item) for item in haystack.items), SCOPE)
        known = dict(message_ids(engine, SCOPE))
        for question in haystack.questions:
            if question.gold and question.answerable:
                seen = engine.explain(question.text, SCOPE, top_k=DEPTH, now=question.asked_at).recollection
                found = _ranked(chosen, haystack, question, [*seen.hits, *seen.withheld], known)
                if found is not None:
                    yield found


def _ranked(
    chosen: str, haystack: Haystack, question: Question, hits: list[Hit], known: dict[str, str]
) -> Ranked | None:
    """What was looked at; None where nothing was, as for a question without anything to embed, or all gold stands."""
    gold, rows = set(question.gold), []
    for hit in hits:
        seen = {signal.name: signal.value for signal in hit.signals}
        if STANDS in seen:
            gold.discard(known[hit.memory.id])
        elif seen.keys() >= set(NAMES):
            score = sum(signal.share for signal in hit.signals if signal.name in NAMES)
            rows.append((score, [seen[name] for name in NAMES], known[hit.memory.id]))
    if not rows or not gold:
        return None
    rows.sort(key=lambda row: -row[0])
    scores, values, ids = zip(*rows, strict=True)
    return Ranked(
        chosen,
        haystack.name,
        np.array(values, np.float64),
        np.array(scores, np.float64),
        np.array([name in gold for name in ids], np.bool_),
        len(gold),
    )


class Flat(Behind):
    """A model whose bends add nothing."""

    def bends(self) -> tuple[Bend, ...]:
        """One flat line a signal."""
        return tuple(Bend(name, np.zeros(1), np.zeros(1)) for name in NAMES)

"""Rerank: a model reads the first candidates together with the cue, and what it likes comes forward (decision 0058).

In: a quest with its candidates. Out: the same, the first of them in a new order; as they were where there is no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from reverie.answers import Signal
from reverie.formulas.logistic import rank_log_odds
from reverie.recall.deduplication import leading
from reverie.recall.state import Candidate, RecallState, ordered
from reverie.types import FloatArray

SIGNAL = "reader"
"""The signal of a hit that a reranker has read: 1 for the first by its order, 0 for the last."""


@dataclass(frozen=True, slots=True)
class Rerank:
    """Hands the first candidates' texts to the reranker, if there is one (``World.read``)."""

    name: str = "reader"

    def __call__(self, quest: RecallState) -> RecallState:
        """Reorder the first candidates by the reranker; those behind them keep their places."""
        read, limits = quest.world.read, quest.world.rerank
        if read is None:
            return quest.noted("no reranker")
        head, found = leading(quest.candidates, limits.first, quest.page.same)
        if len(head) < 2:
            return replace(quest, candidates=chain(head, found)).noted("nothing to compare")
        answer = read(quest.queries[0], [one.memory.text for one in head])
        if answer.scores is None:
            return replace(quest, candidates=chain(head, found)).noted(f"skipped: {answer.why}")
        lifted = ordered(_lifted(head, answer.scores, limits.weight))
        moved = sum(one.memory.id != other.memory.id for one, other in zip(head, lifted, strict=True))
        return replace(quest, candidates=chain(lifted, found)).noted(f"{len(head)} read, {moved} moved")


def _lifted(head: Sequence[Candidate], scores: FloatArray, weight: float) -> list[Candidate]:
    """Each with what the reranker's order adds, in the log-odds that the scores are in, from 0 to weight × ln n."""
    odds = rank_log_odds(np.asarray(scores, dtype=np.float64))
    whole = float(np.log(len(head)))
    return [_touched(one, of / whole, weight * whole) for one, of in zip(head, odds.tolist(), strict=True)]


def _touched(one: Candidate, value: float, weight: float) -> Candidate:
    """With the signal, also where it adds nothing: the last was read, too."""
    share = weight * value
    return replace(one, score=one.score + share, signals=(*one.signals, Signal(SIGNAL, value, weight, share)))

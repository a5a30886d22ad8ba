"""Rerank: a model scores the first candidates together with the cue, and its order changes theirs (decision 0058).

In: a recall state with candidates. Out: the same, the first of them in a new order; unchanged where the model fails.
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
"""Name of the signal of a hit that a reranker scored: 1 for the first by its order, 0 for the last."""


@dataclass(frozen=True, slots=True)
class Rerank:
    """A stage that reorders the first candidates by the reranker's scores, if there is one (``RecallContext.read``)."""

    name: str = "reader"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the candidates with the first ones reranked; those behind them keep their places."""
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
    """Add to each score what the reranker's order is worth: log-odds from 0 to weight × ln n for n candidates."""
    odds = rank_log_odds(np.asarray(scores, dtype=np.float64))
    whole = float(np.log(len(head)))
    return [_touched(one, of / whole, weight * whole) for one, of in zip(head, odds.tolist(), strict=True)]


def _touched(one: Candidate, value: float, weight: float) -> Candidate:
    """Add the reranker's signal to a candidate, even if it adds 0: that shows that the last one was scored too."""
    share = weight * value
    return replace(one, score=one.score + share, signals=(*one.signals, Signal(SIGNAL, value, weight, share)))

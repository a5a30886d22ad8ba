"""Co-retrieval: raise candidates that are similar to the first candidates, even if not to the cue (decision 0057).

In: a recall with its candidates. Out: the first of them in a new order; their pairwise comparison is kept for later
stages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from reverie.conflicts.pairs import SeenVectors, heads_of, numbers, statement
from reverie.conflicts.verdict import company
from reverie.formulas.centring import unit
from reverie.recall.deduplication import leading
from reverie.recall.signals import BY_SECOND
from reverie.recall.state import Candidate, Compared, RecallState, ordered
from reverie.types import FloatArray, IntArray


def compared(head: Sequence[Candidate], quest: RecallState) -> Compared:
    """Compare candidates pairwise, in their order; an earlier stage's comparison of the same ones is reused."""
    ids = tuple(one.memory.id for one in head)
    known = quest.compared
    if known is not None and len(ids) == len(known.ids):
        place = {name: number for number, name in enumerate(known.ids)}
        places = [place[name] for name in ids if name in place]
        if len(places) == len(ids):
            told = tuple(known.statements[number] for number in places)
            return Compared(ids, told, known.seen, known.numbers.among(places))
    told = tuple(statement(one.memory) for one in head)
    seen = seen_of(head, quest)
    return Compared(ids, told, seen, numbers(told, seen))


def seen_of(head: Sequence[Candidate], quest: RecallState) -> SeenVectors | None:
    """Return the candidates' centred vectors; None where no vectors were compared.

    Candidates that are not in the corpus get zero vectors.
    """
    corpus = quest.world.corpus
    if corpus.centre is None or all(one.cosine is None for one in head):
        return None
    places = np.array([one.ordinal for one in head], np.int64)
    first = _from_the_middle(corpus.vectors_of(np.maximum(places, 0)), corpus.centre, places)
    heads = heads_of(quest.world.model)
    kinds = None if heads is None else heads.log_odds(first)
    second = None
    if corpus.second is not None and by_two(head):
        second = _from_the_middle(corpus.second.of(np.maximum(places, 0)), corpus.second.mean, places)
    return SeenVectors(first, second, kinds)


def _from_the_middle(rows: FloatArray, centre: FloatArray, places: IntArray) -> FloatArray:
    """Centre vectors and normalise them to unit rows (k, dims); 0 for candidates without a vector or a place."""
    nowhere = (places < 0) | ~rows.any(axis=1)
    seen: FloatArray = unit(rows - centre)
    seen[nowhere] = 0.0
    return seen


def by_two(head: Sequence[Candidate]) -> bool:
    """Whether the search compared the second model's vectors too."""
    return any(signal.name == BY_SECOND for one in head for signal in one.signals)


SIGNAL = "company"
"""Name of the signal of a hit that is similar to other first hits; its value is what that adds to the score."""


@dataclass(frozen=True, slots=True)
class CoRetrieved:
    """A stage that compares the first ``Page.looked`` candidates pairwise and raises those similar to the best ones."""

    name: str = "company"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the candidates, the first of them ordered by score plus co-retrieval."""
        head, found = leading(quest.candidates, quest.page.looked, quest.page.same)
        if len(head) < 2:
            return replace(quest, candidates=chain(head, found)).noted("nothing to compare")
        known = compared(head, quest)
        lifts = company(known.seen).lifts(known.numbers, np.array([one.score for one in head])).tolist()
        lifted = ordered(one.touched(SIGNAL, lift, lift) for one, lift in zip(head, lifts, strict=True))
        moved = sum(one.memory.id != other.memory.id for one, other in zip(head, lifted, strict=True))
        met = replace(quest, candidates=chain(lifted, found), compared=known)
        return met.noted(f"{moved} of {len(head)} moved")

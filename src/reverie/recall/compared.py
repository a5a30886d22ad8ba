"""Compared: the first candidates two by two, once for all stages that ask (``company``, ``updates``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reverie.conflicts.heads import heads_of
from reverie.conflicts.pairs import Seen, numbers, statement
from reverie.formulas.centring import unit
from reverie.recall.fuse import BY_SECOND
from reverie.recall.quest import Candidate, Compared, Quest
from reverie.types import FloatArray, IntArray


def compared(head: Sequence[Candidate], quest: Quest) -> Compared:
    """The candidates compared; what an earlier stage compared, in this order, where it met the same."""
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


def seen_of(head: Sequence[Candidate], quest: Quest) -> Seen | None:
    """The candidates' vectors; None where none were compared.

    What was brought along, and has no place in the corpus, is like nothing.
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
    return Seen(first, second, kinds)


def _from_the_middle(rows: FloatArray, centre: FloatArray, places: IntArray) -> FloatArray:
    """(k, dims) unit rows; 0 for what has no vector or no place."""
    nowhere = (places < 0) | ~rows.any(axis=1)
    seen: FloatArray = unit(rows - centre)
    seen[nowhere] = 0.0
    return seen


def by_two(head: Sequence[Candidate]) -> bool:
    """Whether the search compared the vectors of the second model, too."""
    return any(signal.name == BY_SECOND for one in head for signal in one.signals)

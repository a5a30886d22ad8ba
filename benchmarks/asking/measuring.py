"""Measuring: how much of the gold is nearest to a question, as asked and by maps that have not seen it.

Vectors alone; what a map is worth to recall as a whole, ``retrieval --asking`` tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from benchmarks.asking.fitting import fit, folds
from benchmarks.asking.pairs import Pairs
from benchmarks.bootstrap import Values, intervals, resample
from benchmarks.results import RetrievalRow
from benchmarks.sets import SETS
from reverie.formulas.centring import unit
from reverie.types import FloatArray

AT = (10, 20)
AS_ASKED, HELD_OUT, OTHER_SETS = "as asked", "fitted on other haystacks", "fitted on other sets"


def rows(known: Sequence[Pairs], maps: Sequence[FloatArray], seed: int) -> Iterator[RetrievalRow]:
    """For each set its questions as asked, by the map of its fold, and by one that knows no question of the set.

    ``maps``: of each fold the one that was fitted without it (``fitting.held_out``).
    """
    of = folds(known)
    for name in dict.fromkeys(one.set for one in known):
        mine = [(one, fold) for one, fold in zip(known, of, strict=True) if one.set == name]
        yield from rows_of(name, AS_ASKED, (_found(one, one.questions) for one, _ in mine), seed)
        yield from rows_of(name, HELD_OUT, (_found(one, one.questions @ maps[fold].T) for one, fold in mine), seed)
        others = [one for one in known if one.set != name]
        if others:
            foreign = fit(others)
            yield from rows_of(name, OTHER_SETS, (_found(one, one.questions @ foreign.T) for one, _ in mine), seed)


def _found(one: Pairs, questions: FloatArray) -> Values:
    """(m, len(AT)) the fraction of each question's gold among the nearest items, ties to the earlier."""
    order = np.argsort(-(unit(questions) @ one.items.T), axis=1, kind="stable")[:, : max(AT)]
    return np.array(
        [
            [len(set(nearest[:at].tolist()) & set(gold)) / len(gold) for at in AT]
            for nearest, gold in zip(order, one.gold, strict=True)
        ]
    )


def rows_of(chosen: str, system: str, values: Iterable[Values], seed: int) -> Iterator[RetrievalRow]:
    """A row a depth, from the values of each haystack's questions (m, len(AT))."""
    found = np.concatenate(list(values))
    ends = intervals(found, resample(len(found), seed))
    for at, value, low, high in zip(AT, ends.mean, ends.low, ends.high, strict=True):
        figures = (round(float(figure), 4) for figure in (value, low, high))
        yield RetrievalRow(chosen, system, SETS[chosen].unit, "fraction", at, "answerable", len(found), *figures)

"""Measuring: the order of what recall looked at first, as weighed and by bends that have not seen it.

What bends are worth to recall as a whole, ``retrieval --asking`` tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from benchmarks.asking.measuring import AT, rows_of
from benchmarks.bending.fitting import bent_scores, fit
from benchmarks.bending.overheard import Ranked
from benchmarks.bootstrap import Values
from benchmarks.results import RetrievalRow
from reverie.formulas.bend import Bend

AS_WEIGHED, HELD_OUT, OTHER_SETS = "as weighed", "bent by other haystacks", "bent by other sets"


def rows(
    known: Sequence[Ranked], folds: Mapping[str, int], bends: Sequence[Sequence[Bend]], seed: int
) -> Iterator[RetrievalRow]:
    """For each set its questions as weighed, by the bends of their fold, and by those that know no question of the set.

    ``folds``: haystack → fold; ``bends``: of each fold those that were fitted without it.
    """
    for name in dict.fromkeys(one.set for one in known):
        mine = [one for one in known if one.set == name]
        yield from rows_of(name, AS_WEIGHED, [_found(mine, [()] * len(mine))], seed)
        yield from rows_of(name, HELD_OUT, [_found(mine, [bends[folds[one.haystack]] for one in mine])], seed)
        others = [one for one in known if one.set != name]
        if others:
            yield from rows_of(name, OTHER_SETS, [_found(mine, [fit(others)] * len(mine))], seed)


def _found(known: Sequence[Ranked], bends: Sequence[Sequence[Bend]]) -> Values:
    """(m, len(AT)) the fraction of each question's gold among its first candidates, ties to the earlier."""
    found = []
    for one, curves in zip(known, bends, strict=True):
        order = np.argsort(-bent_scores(one, curves), kind="stable")
        found.append([one.answers[order[:at]].sum() / one.gold for at in AT])
    return np.array(found)

"""Replacing: how likely a later statement takes an earlier one's place, of statements by themselves.

In: some statements and how like they are. Out: a probability for every two. With a cue, recall knows more
(``recall/supersession``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reverie.conflicts.pairs import OF_BOTH, Seen, Statement, is_later, numbers
from reverie.conflicts.verdict import BY_ONE, BY_THEMSELVES, shipped, verdict
from reverie.formulas.arrays import Floats

_ALIKE = OF_BOTH.index("alike")


def replacing(statements: Sequence[Statement], seen: Seen | None = None, alike: Floats | None = None) -> Floats:
    """(k, k) how likely the second replaces or takes back the first; 0 where it was not said later.

    Args:
        statements: k of them.
        seen: their vectors, where they are at hand.
        alike: (k, k) their cosines, seen from the middle of their scope, where these alone are; with neither, their
            words' cosine stands in for them.
    """
    if len(statements) < 2:
        return np.zeros((len(statements),) * 2)
    values = numbers(statements, seen)
    found = shipped()[f"{BY_THEMSELVES}, {BY_ONE}"] if seen is None else verdict(seen, asked=False)
    if seen is None:
        values.of_both[_ALIKE] = _by_words(statements) if alike is None else alike
    result: Floats = found.chances(values) * is_later(statements)
    return result


def _by_words(statements: Sequence[Statement]) -> Floats:
    """(k, k) cosines of the statements' terms, each counted once."""
    terms = [one.terms for one in statements]
    common = np.array([[float(len(one & other)) for other in terms] for one in terms])
    sizes = np.sqrt(np.maximum(common.diagonal(), 1.0))
    result: Floats = common / sizes[:, np.newaxis] / sizes[np.newaxis, :]
    return result

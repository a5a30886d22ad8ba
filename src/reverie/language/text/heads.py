"""Text heads: linear classifiers of a message's kind over its words and word pieces, without a model (decision 0060).

In: a text. Out: the log-odds of each kind. What counts was learned from labelled lives; no list of words is in it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from reverie.formulas.arrays import Floats
from reverie.formulas.logistic import probability
from reverie.language.text.letters import plain
from reverie.language.text.words import expression

PLACES = 1 << 15
"""Pieces share this many weights. 2026-11-24: half of them cost .005 AUROC of orders, twice as many gained nothing."""
TEXT_MAX = 1_500
"""Characters that are read: what a text is stands at its beginning."""
_PIECES = (3, 4, 5)
_WORDS_KEPT = 20_000
_FURTHEST = 30.0
_WEIGHTS = Path(__file__).parents[1] / "data" / "text-heads.npz"
_WORD = expression(r"\w+|[?!:]")

ORDER, ABOUT_EVERY_ANSWER, PREFERENCE = "order", "order about every answer", "preference"
ASKS_ADVICE, ASKS_RECORD, NEEDS_NOTHING = "asks advice", "asks about the record", "needs nothing"


def pieces(word: str) -> Iterator[int]:
    """Where in the table a word of plain letters counts: the word, and its pieces of three to five letters."""
    marked = f"^{word}$"
    found = [f"w{word}", *(marked[at : at + size] for size in _PIECES for at in range(len(marked) - size + 1))]
    for piece in found:
        yield zlib.crc32(piece.encode("utf-8", "surrogatepass")) % PLACES


def words_of(text: str) -> list[str]:
    """The words that are read of a text, in plain letters, with its question and exclamation marks."""
    return _WORD.findall(plain(text[:TEXT_MAX]))


@dataclass(frozen=True, slots=True, eq=False)
class TextHeads:
    """A fit: for each kind weights of pieces in whole steps, the size of a step, and an intercept.

    Attributes:
        kinds: H of them.
        steps: (PLACES, H).
        sizes: (H,) what a step adds to the log-odds of a text of one piece.
        intercepts: (H,).
    """

    kinds: tuple[str, ...]
    steps: npt.NDArray[np.int8]
    sizes: Floats
    intercepts: Floats
    _known: dict[str, tuple[npt.NDArray[np.int64], int]] = field(default_factory=dict)

    def log_odds(self, text: str) -> Floats:
        """(H,) of one text: the sum of its pieces' weights over the root of their number.

        Source: decision-0060
        """
        found = [self._of_word(word) for word in words_of(text)]
        if not found:
            return self.intercepts
        total = np.add.reduce([steps for steps, _ in found])
        count = sum(number for _, number in found)
        odds = total * self.sizes / np.sqrt(float(count)) + self.intercepts
        result: Floats = np.clip(odds, -_FURTHEST, _FURTHEST)
        return result

    def of(self, text: str, kind: str) -> float:
        """The log-odds of one kind."""
        return float(self.log_odds(text)[self.kinds.index(kind)])

    def _of_word(self, word: str) -> tuple[npt.NDArray[np.int64], int]:
        """The sum of a word's steps, and how many pieces it has."""
        known = self._known.get(word)
        if known is None:
            places = list(pieces(word))
            known = (self.steps[places].sum(axis=0, dtype=np.int64), len(places))
            if len(self._known) >= _WORDS_KEPT:
                self._known.clear()
            self._known[word] = known
        return known


@cache
def shipped() -> TextHeads:
    """The heads that come with the package."""
    with np.load(_WEIGHTS) as held:
        return TextHeads(tuple(held["kinds"].tolist()), held["steps"], held["sizes"], held["intercepts"])


def likely(text: str, kind: str) -> float:
    """The probability in (0, 1) that a text is of a kind.

    Source: cox-logistic
    """
    return probability(log_odds(text, kind), ())


def log_odds(text: str, kind: str) -> float:
    """The log-odds of a kind; a text is read once for all of them."""
    return read(text)[shipped().kinds.index(kind)]


@lru_cache(maxsize=4096)  # what is recalled once is recalled again
def read(text: str) -> tuple[float, ...]:
    """The log-odds of every kind, in the order of ``shipped().kinds``."""
    return tuple(shipped().log_odds(text).tolist())

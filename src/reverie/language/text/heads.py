"""Classify messages by learned weights of words and pieces of words, without a language model (decision 0060).

In: a text. Out: log-odds of each kind. Learned from labelled conversations; there are no word lists.
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
"""Size of the table of weights. 2026-11-24: half of it cost .005 AUROC of orders, twice as much gained nothing."""
TEXT_MAX = 1_500
"""Number of characters examined: the kind of a text shows at its beginning."""
_PIECES = (3, 4, 5)
_WORDS_KEPT = 20_000
_FURTHEST = 30.0
_WEIGHTS = Path(__file__).parents[1] / "data" / "text-heads.npz"
_WORD = expression(r"\w+|[?!:]")

ORDER, ABOUT_EVERY_ANSWER, PREFERENCE = "order", "order about every answer", "preference"
ASKS_ADVICE, ASKS_RECORD, NEEDS_NOTHING = "asks advice", "asks about the record", "needs nothing"
ASKS_REMINDER = "asks to be reminded"


def pieces(word: str) -> Iterator[int]:
    """Yield the table indices of a folded word and of its pieces of three to five letters."""
    marked = f"^{word}$"
    found = [f"w{word}", *(marked[at : at + size] for size in _PIECES for at in range(len(marked) - size + 1))]
    for piece in found:
        yield zlib.crc32(piece.encode("utf-8", "surrogatepass")) % PLACES


def words_of(text: str) -> list[str]:
    """Return the folded words of a text, with question and exclamation marks."""
    return _WORD.findall(plain(text[:TEXT_MAX]))


@dataclass(frozen=True, slots=True, eq=False)
class TextHeads:
    """Fitted weights of pieces for each kind in whole steps, with step sizes and intercepts.

    Attributes:
        kinds: names of the H kinds.
        steps: (PLACES, H) weights of pieces.
        sizes: (H,) value of a step in the log-odds of a text of one piece.
        intercepts: (H,).
    """

    kinds: tuple[str, ...]
    steps: npt.NDArray[np.int8]
    sizes: Floats
    intercepts: Floats
    _known: dict[str, tuple[npt.NDArray[np.int64], int]] = field(default_factory=dict)

    def log_odds(self, text: str) -> Floats:
        """Compute the log-odds (H,) of a text: the sum of its pieces' weights over the root of their number.

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
        """Compute the log-odds of one kind."""
        return float(self.log_odds(text)[self.kinds.index(kind)])

    def _of_word(self, word: str) -> tuple[npt.NDArray[np.int64], int]:
        """Return the sum of a word's weights, and its number of pieces."""
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
    """Load the weights that come with the package."""
    with np.load(_WEIGHTS) as held:
        return TextHeads(tuple(held["kinds"].tolist()), held["steps"], held["sizes"], held["intercepts"])


def likely(text: str, kind: str) -> float:
    """Compute the probability in (0, 1) that a text is of a kind.

    Source: cox-logistic
    """
    return probability(log_odds(text, kind), ())


def log_odds(text: str, kind: str) -> float:
    """Compute the log-odds of a kind; all kinds of a text are computed together."""
    return read(text)[shipped().kinds.index(kind)]


@lru_cache(maxsize=4096)  # recalled messages are often recalled again
def read(text: str) -> tuple[float, ...]:
    """Return the log-odds of every kind, in the order of ``shipped().kinds``."""
    return tuple(shipped().log_odds(text).tolist())

"""Pairs: what speaks for a later statement taking an earlier one's place, as plain numbers.

In: some statements, with their vectors where there are any. Out: for every two of them the numbers of ``NUMBERS``.
No number knows a word: they count overlaps, likeness, lengths, times, who says it and whether amounts differ, and how
far each lies towards what announces a change (``heads``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import chain

import numpy as np

from reverie.conflicts.heads import KINDS
from reverie.formulas.arrays import Floats
from reverie.formulas.bm25 import idf
from reverie.language.analyzer import index_terms
from reverie.types import Episode, FloatArray, Memory, Role

TEXT_MAX = 1_500
"""Characters of a statement that are compared: what a text is about stands at its beginning."""
AMONG = 40
"""Statements by which rarity is told at least, as many as the weights were learned among: of fewer, those that are
missing share no word with them."""
_AMOUNT = re.compile(r"\d+(?:[.,:]\d+)*")
_DAY_S = 86_400.0
_TOLD_BY = ((Role.USER,), (Role.ASSISTANT,), (Role.TOOL, Role.SYSTEM))
_SIDES = ("user", "assistant", "device")

ALONE = (
    "alike",
    "alike by second",
    *(f"later {kind}" for kind in KINDS),
    *(f"earlier {kind}" for kind in KINDS),
    "shared",
    "rarest shared",
    "overlap",
    "earlier kept",
    "later known",
    "earlier words",
    "later words",
    "gap",
    "same speaker",
    "same session",
    *(f"later {side}" for side in _SIDES),
    *(f"earlier {side}" for side in _SIDES),
    "later asks",
    "earlier asks",
    "amounts differ",
    "amount kept",
    "new amount",
)
"""What two statements are by themselves."""
ASKED = (
    "earlier answers",
    "later answers",
    "answers more",
    "earlier place",
    "later place",
    "earlier covers",
    "later covers",
    "earlier near",
    "later near",
)
"""And what they are to a cue: score below the best's, place, coverage of its words and likeness to it."""
NUMBERS = (*ALONE, *ASKED)


@dataclass(frozen=True, slots=True)
class Statement:
    """What is compared of one statement."""

    terms: frozenset[str]
    amounts: frozenset[str]
    words: int
    at: datetime
    seq: int
    speaker: str
    session: str
    role: Role
    asks: bool


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The vectors of some statements, unit rows seen from the middle of their scope, and what these tell.

    Attributes:
        first: (k, dims) by the quick model.
        second: (k, dims) by the one that stands beside it; None where there is none.
        kinds: (k, KINDS) log-odds of being each kind of message; None where no head knows the model.
    """

    first: FloatArray
    second: FloatArray | None = None
    kinds: Floats | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What some statements are to a cue, (k,) each: score less the best's, coverage of its words, likeness to it."""

    scores: Floats
    coverage: Floats
    likeness: Floats


def statement(told: Memory | Episode, text: str = "") -> Statement:
    """A memory as it is compared, or some other ``text`` as it was told with it."""
    terms, amounts, words, asks = _read((text or told.text)[:TEXT_MAX])
    return Statement(terms, amounts, words, told.at, told.seq, told.speaker, told.session, told.role, asks)


@lru_cache(maxsize=4096)  # the hits of one cue are hits of the next
def _read(text: str) -> tuple[frozenset[str], frozenset[str], int, bool]:
    amounts = frozenset(_AMOUNT.findall(text))
    return frozenset(index_terms(text)), amounts, len(text.split()), text.rstrip().endswith("?")


def numbers(statements: Sequence[Statement], seen: Seen | None, asked: Asked | None) -> Floats:
    """(k, k, numbers) for each earlier one (first place) and each later one; who is earlier is not looked at here.

    Args:
        statements: k of them.
        seen: their vectors; None: what they would tell counts as 0.
        asked: what they are to a cue; None: the numbers of ``ALONE`` only.
    """
    columns = [*_likeness(seen, len(statements)), *_words(statements), *_circumstances(statements)]
    return np.stack([*columns, *(() if asked is None else _to_cue(asked))], axis=2)


def is_later(statements: Sequence[Statement]) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """(k, k) whether the second was said after the first: later, or at the same moment further on in its session."""
    at = np.array([one.at.timestamp() for one in statements])
    places = np.array([one.seq for one in statements])
    sessions = np.array([one.session for one in statements], dtype=object)
    follows = (sessions[np.newaxis, :] == sessions[:, np.newaxis]) & (places[np.newaxis, :] > places[:, np.newaxis])
    same = at[np.newaxis, :] == at[:, np.newaxis]
    later: np.ndarray[tuple[int, int], np.dtype[np.bool_]] = (at[np.newaxis, :] > at[:, np.newaxis]) | (same & follows)
    return later


def _likeness(seen: Seen | None, count: int) -> list[Floats]:
    """From *alike* to what kind of message each is."""
    nothing = np.zeros((count, count))
    alike = [nothing if rows is None else _products(rows, rows) for rows in ((seen.first, seen.second) if seen else ())]
    kinds = np.zeros((count, len(KINDS))) if seen is None or seen.kinds is None else seen.kinds
    earlier = [kind[:, np.newaxis] * np.ones((count, count)) for kind in kinds.T]
    return [*(alike or [nothing, nothing]), *(kind.T for kind in earlier), *earlier]


def _words(statements: Sequence[Statement]) -> list[Floats]:
    """From *shared* to *later known*: how much, by rarity among these statements, two of them have in common."""
    many = max(len(statements), AMONG)
    often = Counter(chain.from_iterable(one.terms for one in statements))
    rarities = [float(idf(count, many)) for count in range(len(statements) + 1)]
    shared = sorted(term for term, count in often.items() if count > 1)  # what one alone holds is in common with none
    place = {term: column for column, term in enumerate(shared)}
    held = np.zeros((len(statements), max(1, len(shared))))
    for row, one in enumerate(statements):
        held[row, [place[term] for term in one.terms if term in place]] = 1.0
    weighed = held * np.array([rarities[often[term]] for term in shared] or [0.0])
    sizes = np.array([float(len(one.terms)) for one in statements])
    whole = weighed.sum(axis=1) + rarities[1] * (sizes - held.sum(axis=1))
    common, counts = _products(weighed, held), _products(held, held)
    np.fill_diagonal(common, whole)
    np.fill_diagonal(counts, sizes)
    rarest = np.stack([(weighed * row).max(axis=1) for row in held])
    either = sizes[:, np.newaxis] + sizes[np.newaxis, :] - counts
    kept = common / np.maximum(whole, 1e-9)[:, np.newaxis]
    return [common / 10.0, rarest / 5.0, counts / np.maximum(either, 1.0), kept, kept.T]


def _products(rows: Floats | FloatArray, others: Floats | FloatArray) -> Floats:
    """(k, k) scalar products. Not ``@``: for so few rows its threads cost forty times what they save."""
    result: Floats = np.einsum("ij,kj->ik", rows, others).astype(np.float64)
    return result


def _circumstances(statements: Sequence[Statement]) -> list[Floats]:
    """From *earlier words* to *new amount*."""
    count = len(statements)
    ones = np.ones((count, count))

    def earlier(values: Sequence[float]) -> Floats:
        column: Floats = np.array(values, np.float64)[:, np.newaxis] * ones
        return column

    def same(values: Sequence[str]) -> Floats:
        column = np.array(values, dtype=object)
        equal: Floats = (column[:, np.newaxis] == column[np.newaxis, :]).astype(np.float64)
        return equal

    words = earlier([float(np.log1p(one.words)) for one in statements])
    at = np.array([one.at.timestamp() for one in statements])
    gap = np.log1p(np.maximum(at[np.newaxis, :] - at[:, np.newaxis], 0.0) / _DAY_S)
    sides = [earlier([float(one.role in roles) for one in statements]) for roles in _TOLD_BY]
    asks = earlier([float(one.asks) for one in statements])
    common, has = _amounts(statements)
    differ = has[:, np.newaxis] * has[np.newaxis, :] * (common == 0.0)
    return [
        *(words, words.T, gap),
        same([one.speaker for one in statements]),
        same([one.session for one in statements]),
        *(side.T for side in sides),
        *sides,
        *(asks.T, asks),
        differ,
        (common > 0.0).astype(np.float64),
        (common < common.diagonal()[np.newaxis, :]).astype(np.float64),
    ]


def _amounts(statements: Sequence[Statement]) -> tuple[Floats, Floats]:
    """(k, k) how many amounts two statements share, and (k,) whether one has any."""
    vocabulary = sorted(frozenset().union(*(one.amounts for one in statements)))
    held = np.array([[float(amount in one.amounts) for amount in vocabulary] for one in statements])
    held = held.reshape(len(statements), len(vocabulary))
    return _products(held, held), np.asarray(held.any(axis=1), np.float64)


def _to_cue(asked: Asked) -> list[Floats]:
    """From *earlier answers* to *later near*."""
    count = len(asked.scores)
    ones = np.ones((count, count))
    places = np.empty(count)
    places[np.argsort(-asked.scores, kind="stable")] = np.log1p(np.arange(count))
    scores, place, coverage, near = (
        np.asarray(column, np.float64)[:, np.newaxis] * ones
        for column in (asked.scores, places, asked.coverage, asked.likeness)
    )
    return [scores, scores.T, scores.T - scores, place, place.T, coverage, coverage.T, near, near.T]

"""Compare statements pairwise: compute features that indicate whether a later statement replaced an earlier one.

Some features say what kind of message each statement is, computed from its vector (decision 0052).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from reverie.formulas.arrays import Floats
from reverie.formulas.bm25 import idf
from reverie.language.text.analyzer import index_terms, reading
from reverie.types import Episode, FloatArray, Memory, Role

KINDS = ("announces", "calls off", "passes")
"""Kinds of messages: one that announces a change, one that retracts something, one whose content changes later."""
_DATA = Path(__file__).with_name("data")
_FURTHEST = 12.0


@dataclass(frozen=True, slots=True, eq=False)
class Heads:
    """Linear classifiers of a message's kind by its vector: directions (KINDS, dims) and intercepts (KINDS,)."""

    directions: FloatArray
    intercepts: FloatArray

    def log_odds(self, rows: FloatArray) -> Floats:
        """Return the log-odds (k, KINDS) of each kind for unit rows (k, dims); a row of zeros counts as the mean.

        Source: cox-logistic
        """
        along = np.einsum("kd,td->kt", rows, self.directions) + self.intercepts
        result: Floats = np.clip(along.astype(np.float64), -_FURTHEST, _FURTHEST)
        return result


def learned_for(model: str, folder: Path, what: str) -> Path | None:
    """Return the file of directions that were learned for a model, by its name; None if there is none.

    The model's name is part of the file's name, so a name with other signs than letters, digits, dots and dashes has
    none.
    """
    if not model or not model.replace("-", "").replace(".", "").isalnum():
        return None
    file = folder / f"{what}-{model}.npz"
    return file if file.is_file() else None


@cache
def heads_of(model: str) -> Heads | None:
    """Load the classifiers of kinds that were learned for a model, by its name; None if there are none."""
    file = learned_for(model, _DATA, "kinds")
    if file is None:
        return None
    with np.load(file) as held:
        rows = np.stack([held[kind.replace(" ", "_")] for kind in KINDS]).astype(np.float32)
    return Heads(rows[:, :-1], rows[:, -1])


TEXT_MAX = 1_500
"""Number of characters of a statement that are compared: a text names its topic at its beginning."""
AMONG = 40
"""Fewest statements that a word's rarity is computed among, as many as in training: of fewer, the missing ones count as
sharing no word."""
_AMOUNT = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"(?<=[\w,;:] )[^\W\d_a-zçğıöşü]\w+")
"""A word that begins like a name, and not a sentence."""
SHARED_FRAME = 0.25
"""2026-11-29: by this rule 4 of 1,023 labelled changes are about other topics (decision 0095)."""
PARALLEL_MAX = 24
"""Most words of a statement that is compared word by word in order."""
SHARED_ORDER, ODD_MAX = 0.25, 2
_NOMINATIVES = frozenset(("i", "we", "you", "he", "she", "it", "they"))
_Slot: TypeAlias = tuple[Sequence[str], Sequence[str]]
_DAY_S = 86_400.0
_TOLD_BY = ((Role.USER,), (Role.ASSISTANT,), (Role.TOOL, Role.SYSTEM))
_SIDES = ("user", "assistant", "device")

OF_BOTH = (
    "alike",
    "alike by second",
    "shared",
    "rarest shared",
    "overlap",
    "earlier kept",
    "later known",
    "gap",
    "same speaker",
    "same session",
    "amounts differ",
    "amount kept",
    "new amount",
)
"""Names of the features of a pair: what the two statements have in common, and what not."""
OF_EACH = (*KINDS, "words", *_SIDES, "asks")
"""Names of the features of one statement by itself, whether it is the earlier or the later."""
TO_CUE = ("answers", "place", "covers", "near")
"""Names of the features of a statement and a cue: score less the best's, place, coverage of its words, and likeness."""
ALONE = (*OF_BOTH, *(f"earlier {name}" for name in OF_EACH), *(f"later {name}" for name in OF_EACH))
"""Names of all features of two statements without a cue."""
ASKED = (*(f"earlier {name}" for name in TO_CUE), *(f"later {name}" for name in TO_CUE), "answers more")
"""Names of the features of two statements and a cue; the last is by how much the later one's score is higher."""
NUMBERS = (*ALONE, *ASKED)


@dataclass(frozen=True, slots=True)
class Statement:
    """The properties of one statement that are compared with those of another."""

    terms: frozenset[str]
    amounts: frozenset[str]
    words: int
    at: datetime
    seq: int
    speaker: str
    session: str
    role: Role
    asks: bool
    names: frozenset[str] = frozenset()
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SeenVectors:
    """The vectors of some statements, as unit rows centred on their scope's mean, and what is computed from them.

    Attributes:
        first: (k, dims) by the fast model.
        second: (k, dims) by the second, slower model; None where there is none.
        kinds: (k, KINDS) log-odds of being each kind of message; None if no classifiers were learned for the model.
    """

    first: FloatArray
    second: FloatArray | None = None
    kinds: Floats | None = None


@dataclass(frozen=True, slots=True)
class PairSubject:
    """What a cue asks about: its terms, those that belong to a name, and those of its last word."""

    terms: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    last: frozenset[str] = frozenset()


NOTHING_ASKED = PairSubject()


@dataclass(frozen=True, slots=True, eq=False)
class PairCue:
    """How some statements match a cue, (k,) each: score less the best's, coverage of its words, likeness to it."""

    scores: Floats
    coverage: Floats
    likeness: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """The features of all pairs of k statements; what depends on one statement alone is stored once, not per pair.

    Attributes:
        of_both: (OF_BOTH, k, k) of each pair of an earlier statement (row) and a later one (column).
        of_each: (k, OF_EACH) of each statement by itself.
        to_cue: (k, TO_CUE) of each statement and the cue; None where there is no cue.
    """

    of_both: Floats
    of_each: Floats
    to_cue: Floats | None = None

    def both(self, name: str) -> Floats:
        """Return one feature (k, k) of all pairs, by its name in ``OF_BOTH``."""
        result: Floats = self.of_both[OF_BOTH.index(name)]
        return result

    def among(self, places: Sequence[int]) -> Numbers:
        """Return the features of these statements alone, in this order."""
        to_cue = None if self.to_cue is None else self.to_cue[places]
        return Numbers(self.of_both[:, places][:, :, places], self.of_each[places], to_cue)

    def asked(self, asked: PairCue) -> Numbers:
        """Return a copy with the features of each statement and a cue."""
        places = np.empty(len(asked.scores))
        places[np.argsort(-asked.scores, kind="stable")] = np.log1p(np.arange(len(places)))
        columns = (asked.scores, places, asked.coverage, asked.likeness)
        return Numbers(self.of_both, self.of_each, np.stack(columns, axis=1).astype(np.float64))

    def of(self, earlier: int, later: int) -> Floats:
        """Return the features (n,) of one pair in the order of ``NUMBERS``, or of ``ALONE`` where there is no cue."""
        parts = [self.of_both[:, earlier, later], self.of_each[earlier], self.of_each[later]]
        if self.to_cue is not None:
            first, second = self.to_cue[earlier], self.to_cue[later]
            parts += [first, second, second[:1] - first[:1]]
        return np.concatenate(parts)

    def whole(self) -> Floats:
        """Return the features (k, k, n) of all pairs, in the order of ``of``."""
        columns = [np.moveaxis(self.of_both, 0, 2), *_sides(self.of_each)]
        if self.to_cue is not None:
            first, second = _sides(self.to_cue)
            columns += [first, second, second[:, :, :1] - first[:, :, :1]]
        return np.concatenate(columns, axis=2)


def _sides(of_each: Floats) -> tuple[Floats, Floats]:
    """Spread features (k, n) of single statements over all pairs (k, k, n): those of the row, and of the column."""
    shape = (len(of_each), *of_each.shape)
    return np.broadcast_to(of_each[:, np.newaxis], shape), np.broadcast_to(of_each, shape)


def statement(told: Memory | Episode, text: str = "") -> Statement:
    """Read from a memory what is compared; ``text`` replaces its text, with the memory's time and speaker."""
    read = _read((text or told.text)[:TEXT_MAX])
    about = (told.at, told.seq, told.speaker, told.session, told.role)
    return Statement(read.terms, read.amounts, read.words, *about, read.asks, read.names, read.tokens)


@cache
def _calendar() -> frozenset[str]:
    """Return the names of days and months, which say when and not what a statement is about."""
    return frozenset((_DATA / "calendar.txt").read_text(encoding="utf-8").split())


class _Reading(NamedTuple):
    """What is read from a text alone; ``tokens`` are its terms in order, and function words as they are."""

    terms: frozenset[str]
    amounts: frozenset[str]
    words: int
    asks: bool
    names: frozenset[str]
    tokens: tuple[str, ...]


@lru_cache(maxsize=4096)  # consecutive cues often share hits
def _read(text: str) -> _Reading:
    amounts = frozenset(_AMOUNT.findall(text))
    named = [found for found in _NAME.findall(text) if found[0].isupper() and found.lower() not in _calendar()]
    names = frozenset(index_terms(" ".join(named))) if named else frozenset()
    words = text.split()
    tokens = _tokens(text, words) if len(words) <= PARALLEL_MAX else ()
    return _Reading(frozenset(index_terms(text)), amounts, len(words), text.rstrip().endswith("?"), names, tokens)


def _tokens(text: str, words: Sequence[str]) -> tuple[str, ...]:
    """Return the terms of a text in order; a word without a term stands for itself, in lower case."""
    found = zip(reading(text).chunks, words, strict=True)
    return tuple(chain.from_iterable(chunk.terms or (word.lower(),) for chunk, word in found))


def particulars(text: str) -> frozenset[str]:
    """Return the terms of the names in a text, and its amounts."""
    read = _read(text[:TEXT_MAX])
    return read.names | read.amounts


def other_topics(earlier: Statement, later: Statement) -> bool:
    """Whether two statements give an amount each of things that they name differently, and otherwise say the same.

    "We go to Lisbon, our budget is 700" and, of Dublin, 300: both name something that the other does not, their amounts
    differ, and they share at least ``SHARED_FRAME`` of the shorter one's other words. Then neither replaces the other.
    Where only the name or only the amount differs, one may be an update of the other.

    Source: decision-0095
    """
    if earlier.names <= later.names or later.names <= earlier.names:
        return False
    if not all((earlier.amounts, later.amounts)) or earlier.amounts & later.amounts:
        return False
    aside = earlier.names | later.names
    frames = [{term for term in one.terms - aside if not term.isdigit()} for one in (earlier, later)]
    least = min(len(frame) for frame in frames)
    return least > 0 and len(frames[0] & frames[1]) >= SHARED_FRAME * least


def about_another(earlier: Statement, later: Statement, asked: PairSubject) -> bool:
    """Whether one of two statements says of what the cue asks about what the other says of somebody or something else.

    "Nazlı moved to Izmir" and "Kerem moved to Bursa" are parallel: the same words in the same order, with others in
    some places. If the cue asks about one of the two, the later statement does not replace the earlier. Both must be
    short, at least ``SHARED_ORDER`` of the shorter one's words must be the same, a term among them, at least two terms
    must differ (if only one does, it is the same statement with another value), and at most ``ODD_MAX`` words may have
    no counterpart.

    Source: decision-0111
    """
    if earlier.role in _TOLD_BY[-1]:
        return False  # two commands are alike whatever they are about
    return _is_asked_alone(earlier, later, asked) or _is_asked_alone(later, earlier, asked)


def _is_asked_alone(one: Statement, other: Statement, asked: PairSubject) -> bool:
    """Whether the first of two parallel statements is about what the cue asks about, and the other is not."""
    missing = (one.terms & asked.terms) - other.terms
    if not missing or abs(len(one.tokens) - len(other.tokens)) > ODD_MAX:
        return False
    kept, slots = _aligned(one.tokens, other.tokens)
    filled = [place for place in slots if not one.terms.isdisjoint(place[0]) and not other.terms.isdisjoint(place[1])]
    if not _is_parallel(one, other, kept, slots):
        return False
    subjects = _subjects(one.tokens, missing, frozenset(kept), asked)
    return any(not _beside(own, new, subjects, asked).isdisjoint(own) for own, new in filled)


def _is_parallel(one: Statement, other: Statement, kept: Sequence[str], slots: Sequence[_Slot]) -> bool:
    """Whether two statements have enough words in the same order, at least two others, and hardly an odd one."""
    odd = sum(abs(len(own) - len(new)) for own, new in slots)
    changed = sum(min(len(one.terms.intersection(own)), len(other.terms.intersection(new))) for own, new in slots)
    least = SHARED_ORDER * min(len(one.tokens), len(other.tokens))
    return changed >= 2 and odd <= ODD_MAX and len(kept) >= least and not one.terms.isdisjoint(kept)


def _aligned(one: Sequence[str], other: Sequence[str]) -> tuple[list[str], list[_Slot]]:
    """Return the tokens that two statements have in the same order, and what stands in each of the places between."""
    from difflib import SequenceMatcher  # few recalls have two statements to align

    found = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    kept = [token for what, start, end, _, _ in found if what == "equal" for token in one[start:end]]
    return kept, [(one[a:b], other[c:d]) for what, a, b, c, d in found if what != "equal"]


def _subjects(tokens: Sequence[str], missing: Set[str], kept: Set[str], asked: PairSubject) -> frozenset[str]:
    """Return those of the missing terms that may name what the cue asks about: names, numbers, what is no predicate.

    A predicate is what the cue ends with ("Where does Lena live?", "Lena nerede yaşıyor?"), or what follows a subject
    that both statements have ("Lena lives", "we deploy").
    """
    subject = (asked.terms & kept) | _NOMINATIVES
    behind = {token for before, token in pairwise(tokens) if before in kept and before in subject}
    predicates = {token for token in asked.last | behind if token not in asked.names and not _is_amount(token)}
    return frozenset(missing - predicates)


def _beside(own: Sequence[str], new: Sequence[str], subjects: Set[str], asked: PairSubject) -> Set[str]:
    """Return the terms that may be the subject of a place: where amounts differ only names and the asked amount itself.

    Of "at 7 o'clock" and "at 5:30" "o'clock" is no subject.
    """
    if not any(_is_amount(token) for token in (*own, *new)):
        return subjects
    return {term for term in subjects if term in asked.names or _is_amount(term)}


def _is_amount(token: str) -> bool:
    return token[:1].isdigit()


def numbers(statements: Sequence[Statement], seen: SeenVectors | None) -> Numbers:
    """Compute the features of all pairs of statements, each taken as the earlier (row) and as the later one (column).

    Args:
        statements: k of them; their times do not decide here which one is earlier.
        seen: their vectors; None: the features that need vectors are 0.
    """
    count = len(statements)
    of_both = [*_likeness(seen, count), *_words(statements), *_circumstances(statements)]
    kinds = np.zeros((count, len(KINDS))) if seen is None or seen.kinds is None else seen.kinds
    own = [
        (math.log1p(one.words), *(float(one.role in roles) for roles in _TOLD_BY), float(one.asks))
        for one in statements
    ]
    of_each = np.concatenate([kinds, np.array(own).reshape(count, len(OF_EACH) - len(KINDS))], axis=1)
    return Numbers(np.array(of_both), of_each)


def is_later(statements: Sequence[Statement]) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Return a mask (k, k): the second (column) was said later than the first, or at once but later in its session."""
    at = np.array([one.at.timestamp() for one in statements])
    places = np.array([one.seq for one in statements])
    follows = _same([one.session for one in statements]) & (places[np.newaxis, :] > places[:, np.newaxis])
    same = at[np.newaxis, :] == at[:, np.newaxis]
    later: np.ndarray[tuple[int, int], np.dtype[np.bool_]] = (at[np.newaxis, :] > at[:, np.newaxis]) | (same & follows)
    return later


def _same(names: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Return a mask (k, k) of whether two names are equal."""
    numbered: dict[str, int] = {}
    codes = np.array([numbered.setdefault(name, len(numbered)) for name in names], np.int64)
    same: np.ndarray[tuple[int, int], np.dtype[np.bool_]] = codes[:, np.newaxis] == codes[np.newaxis, :]
    return same


def _likeness(seen: SeenVectors | None, count: int) -> list[Floats]:
    """Compute the cosines of all pairs, by the first and by the second model; 0 without its vectors."""
    rows = (None, None) if seen is None else (seen.first, seen.second)
    return [np.zeros((count, count)) if one is None else _products(one, one) for one in rows]


def _words(statements: Sequence[Statement]) -> list[Floats]:
    """Compute *shared* to *later known*: how many words two statements share, by rarity among these statements."""
    many = max(len(statements), AMONG)
    often = Counter(chain.from_iterable(one.terms for one in statements))
    rarities = [float(idf(count, many)) for count in range(len(statements) + 1)]
    shared = sorted((term for term, count in often.items() if count > 1), key=lambda term: (often[term], term))
    held = _held([one.terms for one in statements], shared)
    weights = np.array([rarities[often[term]] for term in shared])
    weighed = held * weights
    sizes = np.array([float(len(one.terms)) for one in statements])
    whole = weighed.sum(axis=1) + rarities[min(1, len(statements))] * (sizes - held.sum(axis=1))
    common, counts = _products(weighed, held), _products(held, held)
    np.fill_diagonal(common, whole)
    np.fill_diagonal(counts, sizes)
    either = sizes[:, np.newaxis] + sizes[np.newaxis, :] - counts
    kept = common / np.maximum(whole, 1e-9)[:, np.newaxis]
    return [common / 10.0, _rarest(held, weights) / 5.0, counts / np.maximum(either, 1.0), kept, kept.T]


def _held(sets: Sequence[frozenset[str]], names: Sequence[str]) -> Floats:
    """Return (k, names) 1 where a set contains a name, else 0."""
    place = {name: column for column, name in enumerate(names)}
    nowhere = len(names)
    columns = [place.get(name, nowhere) for one in sets for name in one]
    held = np.zeros((len(sets), nowhere + 1))
    held[np.repeat(np.arange(len(sets)), [len(one) for one in sets]), columns] = 1.0
    return held[:, :nowhere]


def _rarest(held: Floats, weights: Floats) -> Floats:
    """Return (k, k) the weight of the rarest term that two share, of terms by falling weight; 0 if they share none."""
    if not len(weights):
        return np.zeros((len(held), len(held)))
    has = held > 0.0
    together = has[:, np.newaxis, :] & has[np.newaxis, :, :]
    first = together.argmax(axis=2)
    found: Floats = weights[first] * np.take_along_axis(together, first[:, :, np.newaxis], axis=2)[:, :, 0]
    return found


def _products(rows: Floats | FloatArray, others: Floats | FloatArray) -> Floats:
    """Return the dot products (k, k) of rows; not by ``@``, whose threads take forty times longer for so few rows."""
    result: Floats = np.einsum("ij,kj->ik", rows, others).astype(np.float64)
    return result


def _circumstances(statements: Sequence[Statement]) -> list[Floats]:
    """Compute *gap* to *new amount*: time between, same speaker, same session, and the amounts."""
    at = np.array([one.at.timestamp() for one in statements])
    gap = np.log1p(np.maximum(at[np.newaxis, :] - at[:, np.newaxis], 0.0) / _DAY_S)
    same = [_same([one.speaker for one in statements]), _same([one.session for one in statements])]
    return [gap, *(found.astype(np.float64) for found in same), *_amounts([one.amounts for one in statements])]


def _amounts(amounts: Sequence[frozenset[str]]) -> tuple[Floats, Floats, Floats]:
    """Return (k, k) whether both have amounts but share none, whether they share one, if the later has a new one."""
    count = len(amounts)
    sizes = np.array([float(len(one)) for one in amounts])
    if not sizes.any():
        nothing = np.zeros((count, count))
        return nothing, nothing, nothing
    held = _held(amounts, sorted(frozenset().union(*amounts)))
    common, has = _products(held, held), sizes > 0.0
    differ = has[:, np.newaxis] & has[np.newaxis, :] & (common == 0.0)
    return differ.astype(np.float64), (common > 0.0).astype(np.float64), (common < sizes).astype(np.float64)

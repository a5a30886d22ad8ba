"""Two learned classifiers of the screen: how strongly a text tries to steer its reader, and which tokens are secrets.

In: a text. Out: a score of its most steering stretch, and log-odds of tokens. The weights were learned from texts of
many
authors (decision 0061), without word lists; no language model is needed.
"""

from __future__ import annotations

import re
import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from reverie.formulas.arrays import Floats
from reverie.language.text.letters import plain
from reverie.language.text.words import expression
from reverie.screen.secrecy import EDGES, is_placeholder
from reverie.screen.values import TextSpan

PLACES = 1 << 17
"""Size of the table of weights, shared by words, their pieces and pairs of words through hashing."""
SPAN, STRIDE = 64, 32
"""Length of a stretch in words, and the distance between the starts of two stretches."""
PIECES_LEAST = 150
"""A stretch of fewer pieces is weighed as if it had this many, since one word says little. 2026-11-25, hands left out,
where 41 % are missed: 5.0 % of near-misses held instead of 6.5."""
AROUND = 24
"""Number of words on each side of a token that show whether a secret is stated."""
NEAR = 12
BESIDE = (-4, -3, -2, -1, 1, 2, 3, 4)
"""Distances of tokens whose words are features of a token, without and with their position."""
STEERS, TELLS = 0, 1
"""Columns of the scores of a stretch: steers its reader, states a secret."""
VALUE = 0.2
"""Value of each feature of a token in its row."""
MASKS = ("[secret: ", "[personal: ")
"""Beginnings of the masks for secrets and personal data."""
_MASK = expression("|".join(map(re.escape, MASKS)))
SECRET, ALONG = -0.5, 1.0
"""Log-odds from which a token is a secret, and the smaller log-odds that a token beside it needs."""
LOOKED_AT_MAX = 200
"""Largest number of tokens examined in a part; only hostile texts have more."""
STRETCH = 1 << 18
_OVERLAP = 1 << 13
"""Longer texts are read in overlapping parts of this many characters, to limit memory. The overlap is larger than any
span of characters that belong together."""
_CUTS = ("\n", ". ", " ")
_PIECE = 4
_WORD_MAX = 40
_WORDS_KEPT, _PARTS_KEPT = 20_000, 50_000
_WEIGHTS = Path(__file__).with_name("data") / "heads.npz"
_WORD = expression(r"\w+|[?!:]")
_TOKEN = expression(r"\S+")
_PART = expression(r"\w+")
_REPEATED = expression(r"(.)\1+")
_TOKEN_MAX = 80
_ESCAPED = re.compile(r"\\u[0-9a-f]{4}")
EDGE = -0.85
"""Score of the words around a token below which it is not used in training; the lowest level."""
LOOK = -0.75
"""Score of the words around a token below which it is not examined. 2026-11-25: by the held-out author, -.85 finds one
secret of 70 more, for twice the tokens; -.7 loses two."""
LEVELS = 14.0


def place(sign: str) -> int:
    """Return the index of a feature in a table, by hashing."""
    return zlib.crc32(sign.encode("utf-8", "surrogatepass")) % PLACES


def of_word(word: str) -> list[int]:
    """Return the indices of a folded word: its own, and those of its pieces of four letters."""
    marked = f"^{word[:_WORD_MAX]}$"
    return [place(f"w{word}"), *(place(marked[at : at + _PIECE]) for at in range(len(marked) - _PIECE + 1))]


def of_pair(first: str, second: str) -> int:
    """Return the index of a pair of consecutive words."""
    return place(f"{first} {second}")


class ScreenWords(NamedTuple):
    """Words of a text, folded, and the start of each."""

    words: list[str]
    starts: list[int]


def words_of(text: str) -> ScreenWords:
    """Split a text into words, question and exclamation marks and colons."""
    found = list(_WORD.finditer(plain(text)))
    return ScreenWords([one.group() for one in found], [one.start() for one in found])


def stretches(count: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of words scored together: a whole short text, else stretches that overlap by half."""
    for start in range(0, max(1, count - SPAN + STRIDE), STRIDE):
        yield start, min(count, start + SPAN)


class TextToken(NamedTuple):
    """A part of a text between blanks, without surrounding punctuation."""

    start: int
    end: int
    told: str


def tokens_of(text: str) -> list[TextToken]:
    """Split a text into tokens, in order."""
    found = []
    for match in _TOKEN.finditer(text):
        word = match.group()
        told = word.strip(EDGES)
        if told:
            start = match.start() + len(word) - len(word.lstrip(EDGES))
            found.append(TextToken(start, start + len(told), told))
    return found


class _Known(NamedTuple):
    """Sum of weights of a word's pieces, for STEERS and TELLS, and the number of pieces."""

    steps: tuple[int, int]
    pieces: int


class ScreenReading(NamedTuple):
    """A text of n words with the weights of each word and of its pair with the word before.

    Attributes:
        starts: (n,) start of each word.
        steps: (2, n, 2) weights of the word, and of its pair, for STEERS and TELLS.
        pieces: (2, n) number of their pieces.
        before: (2, n) index of the previous occurrence, or -1.
    """

    starts: list[int]
    steps: npt.NDArray[np.int64]
    pieces: npt.NDArray[np.int64]
    before: npt.NDArray[np.int64]


def _before(said: Sequence[object]) -> list[int]:
    last: dict[object, int] = {}
    found = []
    for at, one in enumerate(said):
        found.append(last.get(one, -1))
        last[one] = at
    return found


@dataclass(frozen=True, slots=True, eq=False)
class ScreenHeads:
    """Fitted weights in whole steps, with the size of a step, and intercepts.

    Attributes:
        steps: (PLACES, 2) weights of stretches, for STEERS and TELLS.
        sizes: (2,) value of a step for a stretch of one piece.
        intercepts: (2,) intercepts of stretches.
        token_steps: (PLACES,) weights of a token's features.
        token_size: value of a step for a token's log-odds, before VALUE.
        token_intercept: intercept of a token's log-odds.
        common: (PLACES,) number of ordinary texts with a word, as a power of two.
    """

    steps: npt.NDArray[np.int8]
    sizes: Floats
    intercepts: Floats
    token_steps: npt.NDArray[np.int8]
    token_size: float
    token_intercept: float
    common: npt.NDArray[np.int8]
    _known: dict[str, _Known] = field(default_factory=dict)
    _added: dict[_Part, int] = field(default_factory=dict)

    def read(self, words: ScreenWords) -> ScreenReading:
        """Look up the weights of each word of a text and of each pair."""
        count = len(words.words)
        said = [self._of_word(word) for word in words.words]
        pairs = list(pairwise(words.words))
        steps = np.zeros((2, count, 2), np.int64)
        pieces = np.ones((2, count), np.int64)
        pieces[1, :1] = 0
        if count:
            steps[0] = [one.steps for one in said]
            pieces[0] = [one.pieces for one in said]
        if pairs:
            steps[1, 1:] = self.steps[[of_pair(*pair) for pair in pairs]]
        before = np.array([_before(words.words), _before([None, *pairs][:count])], np.int64)
        return ScreenReading(words.starts, steps, pieces, before)

    def steering(self, reading: ScreenReading) -> float:
        """Score how strongly the most steering stretch steers its reader: near 1 strongly, near -1 not at all.

        Repetitions within a stretch count once.

        Source: decision-0061
        """
        count = len(reading.starts)
        first = np.array([start for start, _ in stretches(count)])[:, np.newaxis]
        at = first + np.arange(min(SPAN, count))
        is_new = (at < count) & (reading.before[:, np.minimum(at, count - 1)] < first) if count else np.zeros((2, 1, 0))
        at = np.minimum(at, max(count - 1, 0))
        total = (reading.steps[:, at, STEERS] * is_new).sum(axis=(0, 2))
        pieces = (reading.pieces[:, at] * is_new).sum(axis=(0, 2))
        return float(self._odds(total, pieces, STEERS).max())

    def tells(self, reading: ScreenReading, tokens: Sequence[TextToken]) -> Floats:
        """Score (n,) for each token how strongly the words around it state a secret, on the scale of ``steering``.

        Source: decision-0061
        """
        added = np.append(0, reading.steps[:, :, TELLS].sum(axis=0).cumsum())
        pieces = np.append(0, reading.pieces.sum(axis=0).cumsum())
        at = np.array([bisect_left(reading.starts, token.start) for token in tokens])
        starts, ends = np.maximum(at - AROUND, 0), np.minimum(at + AROUND + 1, len(reading.starts))
        return self._odds(added[ends] - added[starts], pieces[ends] - pieces[starts], TELLS)

    def _odds(self, total: npt.NDArray[np.int64], pieces: npt.NDArray[np.int64], column: int) -> Floats:
        found: Floats = total * self.sizes[column] / np.sqrt(np.maximum(pieces, PIECES_LEAST)) + self.intercepts[column]
        return found

    def _of_word(self, word: str) -> _Known:
        known = self._known.get(word)
        if known is None:
            places = of_word(word)
            steers, tells = self.steps[places].sum(axis=0, dtype=np.int64).tolist()
            known = _Known((steers, tells), len(places))
            if len(self._known) >= _WORDS_KEPT:
                self._known.clear()
            self._known[word] = known
        return known

    def near(self, tokens: Sequence[TextToken], chosen: Iterable[int]) -> list[int]:
        """Return what each token adds to those near it, for the neighbours of the chosen ones; 0 for others."""
        added, done = [0] * len(tokens), 0
        for at in sorted(chosen):
            for other in range(max(done, at - NEAR), min(len(tokens), at + NEAR + 1)):
                added[other] = self._sum(_of_near, (tokens[other].told[:_WORD_MAX],))
            done = at + NEAR + 1
        return added

    def token_odds(self, text: str, tokens: Sequence[TextToken], at: int, tells: float, near: Sequence[int]) -> float:
        """Compute the log-odds that a token is a secret, with what ``near`` says the others add.

        Sums per group of features are cached, but for those of two words together, which hardly recur.

        Source: cox-logistic
        """
        total = sum(near[max(0, at - NEAR) : at + NEAR + 1]) - near[at]
        for part, told in parts_of(text, tokens, at, tells, self.common, near=False):
            total += self._sum(part, told)
        return total * self.token_size * VALUE + self.token_intercept

    def _sum(self, part: _Signs, told: tuple[str | int, ...]) -> int:
        added = self._added.get((part, told))
        if added is None:
            steps = self.token_steps.data  # of which single weights are read quickest
            added = sum([steps[place(sign)] for sign in part(*told)])
            if part is not _of_two:
                if len(self._added) >= _PARTS_KEPT:
                    self._added.clear()
                self._added[part, told] = added
        return added


def commonness(word: str, common: npt.NDArray[np.int8]) -> int:
    """Return how common the rarest part of a token is, from 0 to 10: a power of two of ordinary texts."""
    return min((int(common[place(part)]) for part in _PART.findall(word)), default=0)


def shape_of(told: str) -> str:
    """Return the shape of a token: 0 for digits, A and a for letters, other characters unchanged."""
    return "".join(
        "0" if sign.isdigit() else "A" if sign.isupper() else "a" if sign.isalpha() else sign for sign in told
    )


_Signs = Callable[..., Iterator[str]]
_Part = tuple[_Signs, tuple[str | int, ...]]


def parts_of(
    text: str, tokens: Sequence[TextToken], at: int, tells: float, common: npt.NDArray[np.int8], *, near: bool = True
) -> Iterator[_Part]:
    """Yield the groups of features of one token, each as a function and its arguments; ``near``: of those near it."""
    token = tokens[at]
    itself = token.told[:_TOKEN_MAX]
    yield _of_itself, (itself, commonness(itself, common))
    yield _of_telling, (min(max(round((tells - EDGE) * LEVELS), 0), 16),)
    for other in range(max(0, at - NEAR), min(len(tokens), at + NEAR + 1)) if near else ():
        if other != at:
            yield _of_near, (tokens[other].told[:_WORD_MAX],)
    for away in BESIDE:
        yield _of_beside, (tokens[at + away].told[:_WORD_MAX] if 0 <= at + away < len(tokens) else "", away)
    yield _of_marks, (text[max(0, token.start - 3) : token.start], text[token.end : token.end + 3])
    words = [one.told[:_WORD_MAX] for one in tokens[max(0, at - 2) : at + 3]]
    here = min(at, 2)
    yield _of_two, (" ".join(words[:here]), " ".join(words[here + 1 :]))


def signs_of(
    text: str, tokens: Sequence[TextToken], at: int, tells: float, common: npt.NDArray[np.int8]
) -> Iterator[int]:
    """Yield the indices of all features of one token."""
    for part, told in parts_of(text, tokens, at, tells, common):
        yield from map(place, part(*told))


def _of_itself(told: str, known: int) -> Iterator[str]:
    word, shape = plain(told), shape_of(told)
    runs = _REPEATED.sub(r"\1", shape)
    digits = shape.count("0")
    yield from (f"S{runs[:10]}", f"P{shape[:10]}", f"L{min(len(told), 16)}", f"R{min(len(runs), 9)}")
    yield from (f"C{sign}" for sign in sorted(set(runs)))
    yield from (f"D{min(digits, 10)}", *((f"N{digits}", "N") if digits == len(told) else ()))
    yield from (f"F{level}" for level in range(known + 1))
    yield from (f"F={known}", f"F={known}{runs[:4]}", f"w{word}")
    marked = f"^{word}$"
    yield from (f"g{marked[at : at + _PIECE]}" for at in range(len(marked) - _PIECE + 1))


def _of_telling(level: int) -> Iterator[str]:
    yield f"T{level}"
    yield from (f"T>{lower}" for lower in range(level + 1))


def _of_near(told: str) -> Iterator[str]:
    yield f"x{plain(told)[:5]}"


def _of_beside(told: str, away: int) -> Iterator[str]:
    word = plain(told)
    side = "-" if away < 0 else "+"
    yield from (f"{away} {word}", f"{side} {word}", f"{side}p{word[:4]}")
    if abs(away) == 1:
        yield from (f"{away}p{word[:4]}", f"{away}s{word[-4:]}", f"{away}={shape_of(told[:3])}")


def _of_marks(before: str, after: str) -> Iterator[str]:
    yield from (f"b{before[-1:]}", f"a{after[:1]}", f"ba{before[-1:]}{after[:1]}", f"b3{before}", f"a3{after}")


def _of_two(before: str, after: str) -> Iterator[str]:
    yield from (f"2 {plain(before)}", f"3 {plain(after)}")


def steering(text: str) -> float:
    """Score how strongly a folded text steers its reader, by its most steering stretch.

    Source: decision-0061
    """
    return shipped().steering(_read(text))


@lru_cache(maxsize=8)  # the same text is scored twice
def _read(text: str) -> ScreenReading:
    return shipped().read(words_of(text))


def secrets(text: str) -> Iterator[TextSpan]:
    """Find secrets stated in prose, each as a span of tokens."""
    for start, part in parts(text):
        for span in _secrets(part):
            yield TextSpan(span.kind, start + span.start, start + span.end)


def _secrets(text: str) -> Iterator[TextSpan]:
    heads, tokens = shipped(), tokens_of(text)
    if not tokens:
        return
    tells = heads.tells(_read(text), tokens)
    odds = dict.fromkeys(_looked_at(text, tokens, tells), 0.0)
    near = heads.near(tokens, odds)
    for at in odds:
        odds[at] = heads.token_odds(text, tokens, at, float(tells[at]), near)
    done = -1
    for at in sorted(odds):
        if at > done and odds[at] >= SECRET and not is_placeholder(tokens[at].told):
            first = last = at
            while first - 1 > done and odds.get(first - 1, -np.inf) >= SECRET - ALONG:
                first -= 1
            while odds.get(last + 1, -np.inf) >= SECRET - ALONG:
                last += 1
            done = last
            start, end = tokens[first].start, tokens[last].end
            yield TextSpan("password", start, end)


def may_be_secret(token: TextToken) -> bool:
    """Whether a token has a letter; numbers alone (ports, years, rooms) are left to patterns.

    An escape in JSON (``u`` and four digits for half an emoji in a tool's output) is the writing of a character.
    """
    return any(map(str.isalpha, _ESCAPED.sub("", token.told[:_TOKEN_MAX])))


def _looked_at(text: str, tokens: Sequence[TextToken], tells: Floats) -> list[int]:
    """Return the tokens whose surroundings most state a secret, except near masks, where it is already masked."""
    chosen = np.array([at for at in np.flatnonzero(tells >= LOOK).tolist() if may_be_secret(tokens[at])], np.int64)
    if len(chosen) > LOOKED_AT_MAX:
        chosen = np.sort(chosen[np.argsort(-tells[chosen], kind="stable")[:LOOKED_AT_MAX]])
    starts = [token.start for token in tokens]
    is_near = np.zeros(len(tokens), np.bool_)
    for mask in _MASK.finditer(text):
        at = bisect_left(starts, mask.start())
        is_near[max(0, at - AROUND) : at + AROUND + 1] = True
    chosen = chosen[~is_near[chosen]]
    found: list[int] = chosen.tolist()
    return found


def parts(text: str) -> Iterator[tuple[int, str]]:
    """Yield a text as (0, text), or a long one in parts with their offsets, cut after lines, sentences or words."""
    start = 0
    while len(text) - start > STRETCH:
        yield start, text[start : start + STRETCH]
        earliest, latest = start + STRETCH - 2 * _OVERLAP, start + STRETCH - _OVERLAP
        ends = (text.rfind(cut, earliest, latest) + len(cut) for cut in _CUTS)
        start = next((end for end in ends if end > earliest), latest)
    yield start, text[start:]


@cache
def shipped() -> ScreenHeads:
    """Load the weights that come with the package."""
    with np.load(_WEIGHTS) as held:
        return ScreenHeads(
            held["steps"],
            held["sizes"],
            held["intercepts"],
            held["token_steps"],
            float(held["token_size"]),
            float(held["token_intercept"]),
            held["common"],
        )

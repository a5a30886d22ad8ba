"""Learning the screen's heads: what steers its reader, where a secret is told, and which token it is.

In: texts of many hands, lives and the turns of public sets. Out: tables for ``screen/heads``, and how well they tell
texts of hands, and of sets, that they were not learned from.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks import sets
from benchmarks.lives import form
from benchmarks.screen import cases
from benchmarks.screen.cases import turns
from benchmarks.sets import labelled_in
from benchmarks.training.sparse import Rows, by_root, least_squares, logistic
from reverie.formulas.arrays import Floats
from reverie.language.text.letters import plain
from reverie.screen.heads import (
    AROUND,
    EDGE,
    PIECES_LEAST,
    PLACES,
    VALUE,
    ScreenHeads,
    TextToken,
    may_be_secret,
    of_pair,
    of_word,
    place,
    signs_of,
    stretches,
    tokens_of,
    words_of,
)

SET_WEIGHT = 150.0
"""What all ordinary texts of a public set count together, beside one text that a hand wrote: every set the same."""
UNSEEN = "xquad"
"""The set that nothing is learned from: paragraphs of an encyclopaedia, in Turkish."""
LIVED_WEIGHT = 0.2
"""And each text of a life: what people say to their agents, their own orders among it."""
RIDGE = 1e-5
TOKEN_RIDGE = 0.3
TOKEN_ORDINARY = 0.2
OURS = "hand of this project"
TOLD_IN_LIVES = (
    *("fuchsia_kettle_58", "kozlu1999", "acili2025", "kuyubaşı", "pabuc2025", "kirmizisalca77", "cemile2026"),
)
"""Secrets that people of the train lives tell: nobody learns from these texts that they are none."""
TEXT_MAX = 6_000
"""Characters that are learned from of one text."""
OF_SET = 2_500
"""Texts of a set that are learned from at most."""
TOKENS_READ = 1_500
"""Characters of a text whose tokens are learned from."""
_PART = re.compile(r"\w+")


class Kind(Enum):
    """What a text is: the hands' four kinds, and what nobody wrote for this."""

    INJECTION = "injection"
    HARMLESS = "harmless"
    SECRET = "secret"
    NO_SECRET = "no-secret"
    ORDINARY = "ordinary"


@dataclass(frozen=True, slots=True)
class Text:
    """A text, its kind, the hand, life or set it is of, and the secret in it."""

    text: str
    kind: Kind
    source: str
    secret: str = ""
    lived: bool = False
    weight: float = 1.0


def gathered(data: Path) -> list[Text]:
    """All that is learned from; the turns of public sets need their files."""
    hands = cases.written(unseen=False)
    found = [Text(one.text, Kind(one.kind), f"hand {one.hand}", one.secret) for one in hands]
    found += [Text(one.text, Kind.INJECTION, OURS) for one in cases.orders() if not one.held_out]
    found += [Text(one, Kind.HARMLESS, OURS) for one in cases.harmless()]
    for life in form.lives("train"):
        for text in (*(item.text for item in life.items), *(cue.text for cue in life.cues)):
            found.append(Text(text, Kind.ORDINARY, f"life {life.hand}", lived=True, weight=LIVED_WEIGHT))
    for name, held in ordinary(data).items():
        weight = SET_WEIGHT / len(held)
        found += [Text(text[:TEXT_MAX], Kind.ORDINARY, f"set {name}", weight=weight) for text in held]
    return found


def ordinary(data: Path) -> dict[str, list[str]]:
    """Texts of each public set that a folder and its ``labelled`` hold, at most so many of each, by chance."""
    found: dict[str, dict[str, str]] = {}
    for name, text in turns(data):
        found.setdefault(name.split("/")[0], {})[name] = text
    for one in sets.chosen(sets.labelled.NAME, labelled_in(data / "labelled")):
        for haystack in sets.load(one.set, one.paths, Counter()):
            for item in haystack.items:
                found.setdefault(one.set.name, {})[f"{one.set.name}/{haystack.name}/{item.id}"] = item.text
    del found[UNSEEN]
    return {name: _some(held) for name, held in sorted(found.items())}


def _some(held: Mapping[str, str]) -> list[str]:
    names = sorted(held, key=lambda name: (zlib.crc32(name.encode()), name))
    texts = dict.fromkeys(held[name] for name in names if held[name].strip())
    return list(islice(texts, OF_SET))


def digests(texts: Sequence[Text]) -> Iterator[tuple[str, int, str]]:
    """Each kind of text: how many, and a digest of them all."""
    for kind in Kind:
        held = [one.text for one in texts if one.kind is kind]
        whole = "".join(held).encode("utf-8", "surrogatepass")
        yield kind.value, len(held), hashlib.sha256(whole).hexdigest()[:12]


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """Texts, and in rows their stretches, the stretches around tokens, and the tokens that are looked at.

    Attributes:
        texts: T of them.
        folds: (T,) what is left out together: the texts of one hand, and some lives and sets.
        stretches, stretch_of: rows, and the text of each.
        around, around_of: the same of stretches around tokens.
    """

    texts: list[Text]
    folds: npt.NDArray[np.int64]
    stretches: Rows
    stretch_of: npt.NDArray[np.int64]
    around: Rows
    around_of: npt.NDArray[np.int64]

    @classmethod
    def of(cls, texts: list[Text]) -> Gathered:
        """The texts in rows."""
        hands = sorted({one.source for one in texts if one.kind is not Kind.ORDINARY})
        folds = [
            hands.index(one.source) if one.source in hands else zlib.crc32(one.source.encode()) % len(hands)
            for one in texts
        ]
        known: dict[str, list[int]] = {}
        whole, around = list(_stretches(texts, known)), list(_around(texts, known))
        return cls(
            texts,
            np.array(folds),
            Rows.of((row for _, row in whole), _by_pieces, PLACES),
            np.array([at for at, _ in whole]),
            Rows.of((row for _, row in around), _by_pieces, PLACES),
            np.array([at for at, _ in around]),
        )

    def is_of(self, *kinds: Kind) -> npt.NDArray[np.bool_]:
        """(T,) which texts are of these kinds."""
        return np.array([one.kind in kinds for one in self.texts])

    @property
    def is_lived(self) -> npt.NDArray[np.bool_]:
        """(T,) which are of lives."""
        return np.array([one.lived for one in self.texts])

    @property
    def is_doubtful(self) -> npt.NDArray[np.bool_]:
        """(T,) which are of lives, and tell a secret all the same."""
        return np.array([one.lived and any(secret in one.text for secret in TOLD_IN_LIVES) for one in self.texts])


def _by_pieces(counts: npt.NDArray[np.int64]) -> Floats:
    return by_root(np.maximum(counts, PIECES_LEAST))


def _row(words: Iterable[str], pairs: Iterable[tuple[str, str]], known: dict[str, list[int]]) -> list[int]:
    row: list[int] = []
    for word in words:
        if word not in known:
            known[word] = of_word(word)
        row += known[word]
    return row + [of_pair(*pair) for pair in pairs]


def _stretches(texts: Sequence[Text], known: dict[str, list[int]]) -> Iterator[tuple[int, list[int]]]:
    for at_text, one in enumerate(texts):
        words = words_of(one.text).words
        for start, end in stretches(len(words)):
            said = words[start:end]
            yield at_text, _row(dict.fromkeys(said), dict.fromkeys(pairwise(words[max(0, start - 1) : end])), known)


def _around(texts: Sequence[Text], known: dict[str, list[int]]) -> Iterator[tuple[int, list[int]]]:
    """Stretches around the secret of a text; of a text without one, side by side."""
    for at_text, one in enumerate(texts):
        words, tokens = words_of(one.text[:TOKENS_READ]), tokens_of(one.text[:TOKENS_READ])
        for at in _centres(one, tokens):
            middle = bisect_left(words.starts, tokens[at].start)
            start, end = max(0, middle - AROUND), min(len(words.words), middle + AROUND + 1)
            yield at_text, _row(words.words[start:end], pairwise(words.words[max(0, start - 1) : end]), known)


def _centres(one: Text, tokens: Sequence[TextToken]) -> Sequence[int]:
    if not tokens:
        return ()
    if one.secret:
        return [at for at, token in enumerate(tokens) if _is_secret(one, token)][:1]
    return range(min(AROUND, len(tokens) // 2), len(tokens), 2 * AROUND + 1)


def _is_secret(one: Text, token: TextToken) -> bool:
    start = one.text.find(one.secret) if one.secret else -1
    return start >= 0 and token.start < start + len(one.secret) and token.end > start


def steering(known: Gathered, chosen: npt.NDArray[np.bool_]) -> tuple[Floats, float]:
    """What of the chosen texts' stretches tells that they steer."""
    rows, of = known.stretches, known.stretch_of
    return _stretches_fit(known, rows, of, known.is_of(Kind.INJECTION), chosen)


def telling(known: Gathered, chosen: npt.NDArray[np.bool_]) -> tuple[Floats, float]:
    """What of the chosen texts tells that a secret stands there; lives that tell one are left out."""
    rows, of = known.around, known.around_of
    return _stretches_fit(known, rows, of, known.is_of(Kind.SECRET), chosen & ~known.is_doubtful)


def _stretches_fit(
    known: Gathered,
    rows: Rows,
    text_of: npt.NDArray[np.int64],
    is_wanted: npt.NDArray[np.bool_],
    chosen: npt.NDArray[np.bool_],
) -> tuple[Floats, float]:
    mask = chosen[text_of]
    weights = np.array([one.weight for one in known.texts])[text_of[mask]]
    return least_squares(rows.chosen(mask).scaled(), np.where(is_wanted[text_of[mask]], 1.0, -1.0), weights, RIDGE)


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """Tokens around which the text tells of a secret: their rows, the text of each, and whether it is one."""

    rows: Rows
    text_of: npt.NDArray[np.int64]
    is_secret: npt.NDArray[np.bool_]
    is_seen: npt.NDArray[np.bool_]
    """Whether a memory would look at it at all."""

    @classmethod
    def of(cls, known: Gathered, common: npt.NDArray[np.int8]) -> Tokens:
        """What the words around tell is learned without the fold that a text is of."""
        heads = [
            made((np.zeros(PLACES), 0.0), telling(known, known.folds != fold), (np.zeros(PLACES), 0.0), common)
            for fold in range(int(known.folds.max()) + 1)
        ]
        signs, text_of, is_secret, is_seen = [], [], [], []
        for at_text, one in enumerate(known.texts):
            text = one.text[:TOKENS_READ]
            tokens = tokens_of(text)
            head = heads[known.folds[at_text]]
            for at, told in enumerate(head.tells(head.read(words_of(text)), tokens) if tokens else ()):
                is_it = _is_secret(one, tokens[at])
                if may_be_secret(tokens[at]) and (told >= EDGE or is_it):
                    signs.append(np.fromiter(signs_of(text, tokens, at, float(told), common), np.int32))
                    text_of.append(at_text)
                    is_secret.append(is_it)
                    is_seen.append(told >= EDGE)
        rows = Rows.of(signs, lambda counts: np.full(len(counts), VALUE), PLACES)
        return cls(rows, np.array(text_of), np.array(is_secret), np.array(is_seen))


def of_tokens(known: Gathered, tokens: Tokens, chosen: npt.NDArray[np.bool_]) -> tuple[Floats, float]:
    """Which tokens of the chosen texts are secrets."""
    mask = (chosen & ~known.is_doubtful)[tokens.text_of]
    weights = np.where(known.is_of(Kind.ORDINARY) & ~known.is_lived, TOKEN_ORDINARY, 1.0)[tokens.text_of[mask]]
    return logistic(tokens.rows.chosen(mask).scaled(), tokens.is_secret[mask].astype(float), weights, TOKEN_RIDGE)


def commonness(texts: Iterable[Text]) -> npt.NDArray[np.int8]:
    """(PLACES,) how many ordinary texts hold a word, as a power of two up to ten; one alone is none."""
    held = np.zeros(PLACES)
    for one in texts:
        if one.kind is Kind.ORDINARY:
            for word in set(_PART.findall(plain(one.text))):
                held[place(word)] += 1.0
    found: npt.NDArray[np.int8] = (np.minimum(np.log2(held + 1.0), 10.0) * (held >= 2)).astype(np.int8)
    return found


Fitted = tuple[Floats, float]
SAVED = ("steps", "sizes", "intercepts", "token_steps", "token_size", "token_intercept", "common")
"""What is kept of the heads."""


def made(steers: Fitted, tells: Fitted, token: Fitted, common: npt.NDArray[np.int8]) -> ScreenHeads:
    """Heads of weights (PLACES,) and intercepts, in steps of a 127th of the greatest."""
    weights = np.stack([steers[0], tells[0]], axis=1)
    sizes = np.maximum(np.abs(weights).max(axis=0), 1e-9) / 127.0
    size = max(float(np.abs(token[0]).max()), 1e-9) / 127.0
    return ScreenHeads(
        np.rint(weights / sizes).astype(np.int8),
        sizes,
        np.array([steers[1], tells[1]]),
        np.rint(token[0] / size).astype(np.int8),
        size,
        token[1],
        common,
    )


def learned(known: Gathered, tokens: Tokens, common: npt.NDArray[np.int8]) -> ScreenHeads:
    """The heads from all texts."""
    every = np.ones(len(known.texts), np.bool_)
    return made(steering(known, every), telling(known, every), of_tokens(known, tokens, every), common)


def left_out(known: Gathered, tokens: Tokens) -> Iterator[str]:
    """How well texts of hands, lives and sets are told that were left out, by thresholds."""
    count = len(known.texts)
    steers, told = np.full(count, -9.0), np.full(count, -99.0)
    for fold in range(int(known.folds.max()) + 1):
        is_out = known.folds == fold
        weights, intercept = steering(known, ~is_out)
        mask = is_out[known.stretch_of]
        np.maximum.at(steers, known.stretch_of[mask], known.stretches.chosen(mask).times(weights) + intercept)
        weights, intercept = of_tokens(known, tokens, ~is_out)
        mask = is_out[tokens.text_of] & tokens.is_seen
        counts = mask & (tokens.is_secret | ~known.is_of(Kind.SECRET)[tokens.text_of])
        odds = tokens.rows.chosen(counts).times(weights) + intercept
        np.maximum.at(told, tokens.text_of[counts], odds)
    lettered = np.array([not one.secret or any(map(str.isalpha, one.secret)) for one in known.texts])
    yield f"secrets with a letter: {lettered[known.is_of(Kind.SECRET)].sum()} of {known.is_of(Kind.SECRET).sum()}"
    told[~lettered] = np.nan
    yield from _told("steers", steers, known, Kind.INJECTION, (0.0, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.6))
    yield from _told("tells a secret", told, known, Kind.SECRET, (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5))


def _told(what: str, scores: Floats, known: Gathered, wanted: Kind, edges: Sequence[float]) -> Iterator[str]:
    """The share of its kind that is missed from each threshold on, and of each other kind that is touched."""
    lived = known.is_lived
    for edge in edges:
        wanted_scores = scores[known.is_of(wanted)]
        missed = (wanted_scores[~np.isnan(wanted_scores)] < edge).mean()
        touched = {kind.value: known.is_of(kind) & ~lived for kind in Kind if kind is not wanted} | {"lives": lived}
        shares = ", ".join(f"{name} {100 * (scores[of] >= edge).mean():.2f}" for name, of in touched.items())
        yield f"{what}, hands left out, from {edge}: {100 * missed:.1f} % missed; touched, %: {shares}"

"""Learning text heads: which words and pieces of words tell a kind of text, from labelled lives and texts.

In: what is labelled, as ``Labelled`` texts of one kind. Out: a table of weights for ``language/text_heads``, and how
well it tells each kind in texts of hands that it was not learned from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.abstain.measures import auroc
from benchmarks.lives import form
from benchmarks.lives.form import Category
from reverie.formulas.arrays import Floats
from reverie.language.text_heads import ABOUT_EVERY_ANSWER, NEEDS_NOTHING, ORDER, PLACES, TextHeads, pieces, words_of
from reverie.types import Role

RIDGE = 0.1
"""2026-11-24: .03 to 1, AUROC of orders of other hands within .005."""
NEWTON, CONJUGATE = 15, 60
"""Steps of the fit at most, and of solving one of them."""
CLOSE = 1e-4
"""Of the first gradient: what is left of it at the end."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text, who wrote it, and whether it is of a kind."""

    text: str
    hand: str
    is_of_kind: bool


def orders(part: str, *reaches: str) -> Iterator[Labelled]:
    """What the person of each life said, and whether it is an order of one of these reaches."""
    for life in form.lives(part):
        of = {order.id: order.reach for order in life.orders}
        for item in life.items:
            if item.role is Role.USER:
                yield Labelled(item.text, life.hand, of.get(item.id, "") in reaches)


def cues(part: str) -> Iterator[Labelled]:
    """All that was asked, and whether nothing in a memory matters to it."""
    for life in form.lives(part):
        for cue in life.cues:
            yield Labelled(cue.text, life.hand, cue.category is Category.NOTHING)


KINDS: dict[str, Callable[[str], Iterator[Labelled]]] = {
    ORDER: lambda part: orders(part, "every", "topic"),
    ABOUT_EVERY_ANSWER: lambda part: orders(part, "every"),
    NEEDS_NOTHING: cues,
}
"""Each head, and what it is learned from."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Texts as rows of a matrix: the places of all their pieces one after the other, and where each text's begin."""

    places: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Rows:
        """Each text by its pieces; a text without a word has one that says nothing."""
        known: dict[str, list[int]] = {}
        found: list[list[int]] = []
        for text in texts:
            row: list[int] = []
            for word in words_of(text):
                if word not in known:
                    known[word] = list(pieces(word))
                row += known[word]
            found.append(row or list(pieces("")))
        counts = np.array([len(row) for row in found], np.int64)
        return cls(np.concatenate([np.array(row, np.int64) for row in found]), np.cumsum(counts) - counts, counts)

    def times(self, weights: Floats) -> Floats:
        """(n,) of weights (PLACES,)."""
        found: Floats = np.add.reduceat(weights[self.places], self.starts) / np.sqrt(self.counts)
        return found

    def back(self, values: Floats) -> Floats:
        """(PLACES,) of values (n,)."""
        spread = np.repeat(values / np.sqrt(self.counts), self.counts)
        found: Floats = np.bincount(self.places, weights=spread, minlength=PLACES)
        return found


def fit(rows: Rows, labels: Floats) -> tuple[Floats, float]:
    """Weights and intercept of a logistic regression with a ridge, by Newton's steps.

    Source: cox-logistic
    """
    weights = np.zeros(PLACES + 1)  # the intercept last; it bears no ridge
    ridge = np.append(np.full(PLACES, RIDGE), 0.0)

    def odds(at: Floats) -> Floats:
        return rows.times(at[:-1]) + at[-1]

    def loss(at: Floats) -> float:
        found = odds(at)
        return float(np.logaddexp(0.0, found).sum() - labels @ found + 0.5 * (ridge * at * at).sum())

    first = 0.0
    for _ in range(NEWTON):
        likely = 1.0 / (1.0 + np.exp(-odds(weights)))
        gradient = _back(rows, likely - labels) + ridge * weights
        first = first or float(np.linalg.norm(gradient))
        if float(np.linalg.norm(gradient)) <= CLOSE * first:
            break
        spread = likely * (1.0 - likely)
        step = _solved(lambda v, s=spread: _back(rows, s * odds(v)) + ridge * v, -gradient)
        size, before = 1.0, loss(weights)
        while loss(weights + size * step) > before and size > 1e-3:
            size /= 2.0
        weights = weights + size * step
    return weights[:-1], float(weights[-1])


def _back(rows: Rows, values: Floats) -> Floats:
    return np.append(rows.back(values), values.sum())


def _solved(product: Callable[[Floats], Floats], wanted: Floats) -> Floats:
    """Nearly x where product(x) = wanted, by conjugate gradients."""
    found = np.zeros_like(wanted)
    left = wanted.copy()
    way, square = left.copy(), float(left @ left)
    enough = 1e-4 * square
    for _ in range(CONJUGATE):
        turned = product(way)
        length = square / float(way @ turned)
        found += length * way
        left -= length * turned
        now = float(left @ left)
        if now <= enough:
            break
        way, square = left + now / square * way, now
    return found


def learned(part: str, without: str = "") -> TextHeads:
    """The heads from all but one hand's texts."""
    columns, intercepts = [], []
    for told in KINDS.values():
        texts = [one for one in told(part) if one.hand != without]
        weights, intercept = fit(Rows.of(one.text for one in texts), _labels(texts))
        columns.append(weights)
        intercepts.append(intercept)
    return made(tuple(KINDS), np.stack(columns, axis=1), np.array(intercepts))


def made(kinds: tuple[str, ...], weights: Floats, intercepts: Floats) -> TextHeads:
    """Heads of weights (PLACES, kinds), in steps of a 127th of the greatest."""
    sizes = np.maximum(np.abs(weights).max(axis=0), 1e-9) / 127.0
    return TextHeads(kinds, np.rint(weights / sizes).astype(np.int8), sizes, intercepts)


def told(part: str, heads: TextHeads) -> list[str]:
    """How well each head tells its kind from everything else in another part's texts."""
    lines = []
    for place, (kind, of) in enumerate(KINDS.items()):
        texts = list(of(part))
        odds = np.array([heads.log_odds(one.text)[place] for one in texts])
        value = float(auroc(odds, _labels(texts), np.ones((1, len(odds))))[0])
        lines.append(f"{kind}: AUROC {value:.3f} of {sum(one.is_of_kind for one in texts)} among {len(texts)}")
    return lines


def _labels(texts: Sequence[Labelled]) -> Floats:
    return np.array([float(one.is_of_kind) for one in texts])


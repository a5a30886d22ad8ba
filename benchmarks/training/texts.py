"""Learning text heads: which words and pieces of words tell a kind of text, from labelled lives and texts.

In: what is labelled, as ``Labelled`` texts of one kind. Out: a table of weights for ``language/text/heads``, and how
well it tells each kind in texts of hands that it was not learned from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import numpy as np

from benchmarks.lives import form
from benchmarks.lives.form import Category
from benchmarks.statistics import auroc
from benchmarks.training.sparse import CLOSE, Rows, by_root, solved
from reverie.formulas.arrays import Floats
from reverie.language.classify.categories import category
from reverie.language.orders import standing
from reverie.language.text import heads as text_heads
from reverie.language.text.heads import (
    ABOUT_EVERY_ANSWER,
    ASKS_ADVICE,
    ASKS_RECORD,
    ASKS_REMINDER,
    NEEDS_NOTHING,
    ORDER,
    PLACES,
    PREFERENCE,
    TextHeads,
    pieces,
    words_of,
)
from reverie.types import Role

RIDGE = 0.1
"""2026-11-24: .03 to 1, AUROC of orders of other hands within .005."""
NEWTON, ROUGHLY = 15, 1e-2
"""Steps of the fit at most, and the error that is left of solving one of them."""
EDGE = 0.25
"""How likely a text must be of a kind to count as found."""

_DATA = Path(__file__).with_name("data")
WRITTEN, UNSEEN = _DATA / "kinds", _DATA / "kinds-test.jsonl"
"""Sentences by kind: of three hands that are learned from, and of one that is only ever measured on."""
MESSAGES = ("order-every", "order-topic", "order", "preference", "neither")
CUES = ("asks-advice", "asks-record", "asks-fact")
REMINDERS = ("asks-reminder", "no-reminder")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text, who wrote it, and whether it is of a kind."""

    text: str
    hand: str
    is_of_kind: bool


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a head is learned from: sentences of some kinds, some of which it tells, and lives where they label it.

    Attributes:
        among: the kinds of sentences that are read.
        kinds: those it tells from the others.
        lived: the same of a part of the lives.
    """

    among: tuple[str, ...]
    kinds: tuple[str, ...]
    lived: Callable[[str], Iterator[Labelled]] | None = None

    def texts(self, part: str, files: Iterable[Path]) -> list[Labelled]:
        """The sentences of some files and the lives of a part; a file's name is its hand."""
        found = [] if self.lived is None else list(self.lived(part))
        for path in files:
            for line in path.read_text(encoding="utf-8").splitlines():
                told = json.loads(line)
                if told["kind"] in self.among:
                    found.append(Labelled(told["text"], path.stem, told["kind"] in self.kinds))
        return found


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


LESSONS = {
    ORDER: Lesson(MESSAGES, MESSAGES[:3], lambda part: orders(part, "every", "topic")),
    ABOUT_EVERY_ANSWER: Lesson((*MESSAGES[:2], *MESSAGES[3:]), MESSAGES[:1], lambda part: orders(part, "every")),
    PREFERENCE: Lesson(MESSAGES, ("preference",)),
    ASKS_ADVICE: Lesson(CUES, ("asks-advice",)),
    ASKS_RECORD: Lesson(CUES, ("asks-record",)),
    NEEDS_NOTHING: Lesson((), (), cues),
    ASKS_REMINDER: Lesson((*REMINDERS, *MESSAGES, *CUES), REMINDERS[:1]),
}
"""Each head, and what it is learned from."""


def rows_of(texts: Iterable[str]) -> Rows:
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
    return Rows.of(found, by_root, PLACES)


def fit(rows: Rows, labels: Floats) -> tuple[Floats, float]:
    """Weights and intercept of a logistic regression with a ridge, by Newton's steps.

    Source: cox-logistic
    """
    weights = np.zeros(PLACES + 1)  # the intercept last; it bears no ridge
    ridge = np.append(np.full(PLACES, RIDGE), 0.0)

    def odds(at: Floats) -> Floats:
        found: Floats = rows.times(at[:-1]) + at[-1]
        return found

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
        step = solved(partial(_turned, rows, likely * (1.0 - likely), ridge), -gradient, ROUGHLY)
        size, before = 1.0, loss(weights)
        while loss(weights + size * step) > before and size > 1e-3:
            size /= 2.0
        weights = weights + size * step
    return weights[:-1], float(weights[-1])


def _turned(rows: Rows, spread: Floats, ridge: Floats, way: Floats) -> Floats:
    """The curvature of the loss along a way."""
    return _back(rows, spread * (rows.times(way[:-1]) + way[-1])) + ridge * way


def _back(rows: Rows, values: Floats) -> Floats:
    found: Floats = np.append(rows.back(values), values.sum())
    return found


_UNKNOWN = (np.zeros(PLACES), 0.0)
"""Of what nobody labelled nothing is told."""


@cache
def without(hand: str) -> TextHeads:
    """The heads from the train part's lives by all but this hand; by all where it wrote none."""
    return learned("train", hand)


@contextmanager
def told_without(hand: str) -> Iterator[None]:
    """Kinds of texts told by heads that have not seen a hand's texts, as those of a life nobody has seen are."""
    shipped = text_heads.shipped
    text_heads.shipped = lambda: without(hand)  # type: ignore[assignment]  # the same but for its cache
    try:
        _forget()
        yield
    finally:
        text_heads.shipped = shipped
        _forget()


def _forget() -> None:
    for cached in (text_heads.read, standing, category):
        cached.cache_clear()


def learned(part: str, without: str = "") -> TextHeads:
    """The heads from all but one hand's texts."""
    columns, intercepts = [], []
    for lesson in LESSONS.values():
        texts = [one for one in lesson.texts(part, sorted(WRITTEN.glob("*.jsonl"))) if one.hand != without]
        weights, intercept = fit(rows_of(one.text for one in texts), _labels(texts)) if texts else _UNKNOWN
        columns.append(weights)
        intercepts.append(intercept)
    return made(tuple(LESSONS), np.stack(columns, axis=1), np.array(intercepts))


def made(kinds: tuple[str, ...], weights: Floats, intercepts: Floats) -> TextHeads:
    """Heads of weights (PLACES, kinds), in steps of a 127th of the greatest."""
    sizes = np.maximum(np.abs(weights).max(axis=0), 1e-9) / 127.0
    return TextHeads(kinds, np.rint(weights / sizes).astype(np.int8), sizes, intercepts)


def told(part: str, heads: TextHeads) -> list[str]:
    """How well each head tells its kind from everything else, in another part's lives and by a hand of its own."""
    lines = []
    for kind, lesson in LESSONS.items():
        written = replace(lesson, lived=None).texts("", [UNSEEN])
        for where, texts in ((part, lesson.texts(part, ())), ("another hand", written)):
            labels = _labels(texts)
            if labels.any():
                odds = np.array([heads.of(one.text, kind) for one in texts])
                chosen = odds >= np.log(EDGE / (1.0 - EDGE))
                right, found = labels[chosen].mean(), labels[chosen].sum() / labels.sum()
                value = float(auroc(odds, labels, np.ones((1, len(odds))))[0])
                of = f"from {EDGE} on {100 * right:.0f} % right, {100 * found:.0f} % found"
                lines.append(f"{kind}, {where}: AUROC {value:.3f} of {int(labels.sum())} among {len(texts)}; {of}")
    return lines


def _labels(texts: Sequence[Labelled]) -> Floats:
    return np.array([float(one.is_of_kind) for one in texts])

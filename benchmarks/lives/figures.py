"""What a life's answers are worth: each figure's value for one answer, and rows with intervals over lives.

In: lives and their answers. Out: ``LivesRow``s. A value is None where a figure does not ask about an answer. Intervals
are of the bootstrap over lives, since cues of one life are not independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks.lives.answers import AUTOMATIC, BY_HAND, FILLED, Answer
from benchmarks.lives.form import NEEDLESS, Category, Cue, Life
from benchmarks.results import LivesRow
from benchmarks.statistics import LEVEL, Values, auroc, resample

PAGE = 10
"""Places that a reader sees."""
NEWER = (Category.UPDATE, Category.RETRACTION)
Value = Callable[[Life, Answer], float | None]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: its name, the way of asking it is of, the kind of cue (None: both), and how an answer counts."""

    name: str
    ways: tuple[str, ...]
    prompt: bool | None
    value: Value


def _of(wanted: Category, inner: Callable[[Answer], float | None]) -> Value:
    """A figure that asks about cues of one category."""
    return lambda _, answer: inner(answer) if answer.cue.category is wanted else None


def needed(answer: Answer, cut: int | None = None) -> float | None:
    """The share of what is needed that came, within so many places."""
    if not answer.cue.needs:
        return None
    there = {one for place in answer.places[:cut] for one in place}
    return float(np.mean([not need.isdisjoint(there) for need in answer.cue.needs]))


def whole(answer: Answer, cut: int | None = None) -> float | None:
    """1 if everything needed came."""
    share = needed(answer, cut)
    return None if share is None else float(share == 1.0)


def above(answer: Answer) -> float | None:
    """1 if what is needed came, above what would mislead (the stale, or the look-alike)."""
    wrong = answer.cue.older | answer.cue.trap
    if not answer.cue.needs or not wrong:
        return None
    first = _first(answer, frozenset().union(*answer.cue.needs))
    other = _first(answer, wrong)
    return float(first is not None and (other is None or first < other))


def stale_alone(answer: Answer) -> float | None:
    """1 if what no longer holds came, and nothing of what does."""
    if not answer.cue.older:
        return None
    there = {one for place in answer.places for one in place}
    return float(bool(there & answer.cue.older) and not needed(answer))


def something(answer: Answer) -> float:
    """1 if anything came."""
    return float(bool(answer.places))


def _first(answer: Answer, wanted: Iterable[str]) -> int | None:
    found = frozenset(wanted)
    return next((place for place, ids in enumerate(answer.places) if not found.isdisjoint(ids)), None)


def marked_rightly(life: Life, answer: Answer) -> float | None:
    """Of the pairs marked on the page the share that really is a change; None where nothing is marked."""
    if not answer.marked:
        return None
    return float(np.mean([_is_change(life, answer.cue, pair) for pair in answer.marked]))


def _is_change(life: Life, cue: Cue, pair: tuple[str, str]) -> bool:
    older, newer = pair
    said = {item.id for item in life.items[: cue.heard]}
    return any(
        older in change.older and (not newer or newer in change.newer) and not said.isdisjoint(change.newer)
        for change in life.changes
        if change.kind != "trap"
    )


def older_marked(answer: Answer) -> float | None:
    """Of the stale messages on the page of a question about a change, the share that is marked."""
    if answer.cue.category not in NEWER:
        return None
    there = [one for place in answer.places[:PAGE] for one in place if one in answer.cue.older]
    marks = {older for older, _ in answer.marked}
    return float(np.mean([one in marks for one in there])) if there else None


FIGURES: tuple[Figure, ...] = (
    *(
        Figure(f"{one.value}: right above wrong", (BY_HAND,), None, _of(one, above))
        for one in (Category.UPDATE, Category.RETRACTION, Category.TRAP)
    ),
    Figure("marks that are right", (BY_HAND,), None, marked_rightly),
    Figure("stale on the page, marked", (BY_HAND,), None, lambda _, answer: older_marked(answer)),
    *(
        Figure(f"{one.value} @10", (BY_HAND,), None, _of(one, partial(needed, cut=PAGE)))
        for one in (Category.ORDER_EVERY, Category.ORDER_TOPIC)
    ),
    *(Figure(f"fact @{cut}", (BY_HAND,), None, _of(Category.FACT, partial(needed, cut=cut))) for cut in (1, 5, PAGE)),
    Figure("multi-hop, all @10", (BY_HAND,), None, _of(Category.MULTI_HOP, partial(whole, cut=PAGE))),
    Figure("several, all @10", (BY_HAND,), None, _of(Category.SEVERAL, partial(whole, cut=PAGE))),
    Figure("time @5", (BY_HAND,), None, _of(Category.TIME, partial(needed, cut=5))),
    *(
        figure
        for prompt in (True, False)
        for figure in (
            Figure("what is needed", (AUTOMATIC, FILLED), prompt, lambda _, answer: needed(answer)),
            *(
                Figure(one.value, (AUTOMATIC, FILLED), prompt, _of(one, whole))
                for one in Category
                if one not in NEEDLESS
            ),
            *(Figure(f"{one.value}: stale alone", (AUTOMATIC, FILLED), prompt, _of(one, stale_alone)) for one in NEWER),
            *(Figure(f"{one.value}: something", (AUTOMATIC, FILLED), prompt, _of(one, something)) for one in NEEDLESS),
            Figure("tokens", (AUTOMATIC, FILLED), prompt, lambda _, answer: float(answer.tokens)),
        )
    ),
)


def rows(part: str, answered: Mapping[str, tuple[Life, list[Answer]]], seed: int) -> Iterator[LivesRow]:
    """Every figure of every system, way and budget, over the lives of a part."""
    asked = [(name, life, answer) for name, (life, found) in answered.items() for answer in found]
    keys = dict.fromkeys((answer.system, answer.way, answer.budget) for _, _, answer in asked)
    for system, way, budget in keys:
        of = [row for row in asked if (row[2].system, row[2].way, row[2].budget) == (system, way, budget)]
        for figure in FIGURES:
            if way in figure.ways:
                yield from _row(part, (system, way, budget), figure, of, seed)
        if way == BY_HAND and any(answer.confidence is not None for _, _, answer in of):
            yield from _auroc(part, system, of, seed)


def _row(
    part: str, key: tuple[str, str, int], figure: Figure, of: list[tuple[str, Life, Answer]], seed: int
) -> Iterator[LivesRow]:
    values: dict[str, list[float]] = {}
    for name, life, answer in of:
        if figure.prompt is None or answer.cue.prompt is figure.prompt:
            value = figure.value(life, answer)
            if value is not None:
                values.setdefault(name, []).append(value)
    if values:
        sums = np.array([[sum(found), len(found)] for found in values.values()])
        weights = resample(len(values), seed) @ sums
        low, high = _ends(weights[:, 0] / weights[:, 1])
        kind = {True: "prompts", False: "questions", None: "all"}[figure.prompt]
        total, n = sums.sum(axis=0)
        yield LivesRow(part, *key, kind, figure.name, int(n), float(total / n), low, high)


def _auroc(part: str, system: str, of: list[tuple[str, Life, Answer]], seed: int) -> Iterator[LivesRow]:
    """Whether it knows: answerable questions against those that nothing answers."""
    kept = [(name, answer) for name, _, answer in of if not answer.cue.prompt]
    scores = np.array([answer.confidence or 0.0 for _, answer in kept])
    labels = np.array([float(bool(answer.cue.needs)) for _, answer in kept])
    names = list(dict.fromkeys(name for name, _ in kept))
    place = np.array([names.index(name) for name, _ in kept])
    drawn = (resample(len(names), seed) * len(names))[:, place]
    value = float(auroc(scores, labels, np.ones((1, len(kept))))[0])
    low, high = _ends(auroc(scores, labels, drawn))
    yield LivesRow(part, system, BY_HAND, 0, "questions", "answerable, AUROC", len(kept), value, low, high)


def _ends(values: Values) -> tuple[float, float]:
    tail = (1.0 - LEVEL) / 2.0
    low, high = np.nanquantile(values, [tail, 1.0 - tail])
    return float(low), float(high)

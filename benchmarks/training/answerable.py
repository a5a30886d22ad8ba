"""Learning to know when nothing matters: from cues of lives and sets, some of which nothing answers.

In: lessons and a model. Out: the weights of a section of ``recall/data/answerable.txt``, and how well they tell the two
apart in lessons that were left out.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.embedding import affordable
from benchmarks.statistics import Fit, auroc, fitted
from benchmarks.training import texts
from benchmarks.training.cues import LARGE, SMALL, Cue, Lesson, large
from benchmarks.training.engines import Heard
from reverie.formulas.arrays import Floats
from reverie.formulas.logistic import probability
from reverie.ports import Embedder

FOREIGN = 6
"""Of what is asked of the next lesson every so many-th cue is asked here as well."""
DEPTH = 10
"""Hits that are asked for: the stage reads the first ten."""
RIDGE = 0.01
SMALL_WEIGHT = 0.3
"""What small stores count against another set: made of our lives, they would outweigh these."""
LARGE_WEIGHT = 0.1
"""What large stores count: so little that the sets themselves lose nothing that they measure (decision 0108)."""
MADE = {SMALL: SMALL_WEIGHT, LARGE: LARGE_WEIGHT}
STAGES = frozenset({"search", "answerable"})


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """One cue: its numbers by name, and whether anything answers it."""

    set: str
    group: str
    numbers: Mapping[str, float]
    is_answered: bool


def gathered(lessons: Sequence[Lesson], embedder: Embedder | None) -> list[Judged]:
    """Every cue of the lessons, of sets in which some are answered and some are not."""
    found: list[Judged] = []
    both = {name for name in {one.set for one in lessons} if len(_kinds(lessons, name)) > 1}
    for place, lesson in enumerate(lessons):
        if lesson.set in both and _is_read_by(embedder, lesson):
            cues = [*lesson.cues, *_foreign(lessons[(place + 1) % len(lessons)], lesson)]
            with texts.told_without(lesson.group), Heard(lesson.items, embedder, STAGES) as heard:
                for cue in sorted(cues, key=lambda cue: cue.heard):
                    answer = heard.answer(cue.text, cue.at, cue.heard, DEPTH)
                    numbers = {ground.name: ground.value for ground in answer.grounds}
                    if numbers:
                        found.append(Judged(lesson.set, lesson.group, numbers, bool(cue.gold)))
            if lesson.set != SMALL:
                print(f"train: {lesson.set} {lesson.group}, {len(found)} cues judged", file=sys.stderr, flush=True)
    return found


def among_others(lessons: Sequence[Lesson], embedder: Embedder | None) -> Iterator[Lesson]:
    """The lessons that a second model reads in minutes, in large stores."""
    return large([one for one in lessons if _is_read_by(embedder, one)])


def _is_read_by(embedder: Embedder | None, lesson: Lesson) -> bool:
    """Whether a second model reads it in minutes; what one alone has seen says nothing of two."""
    return lesson.set == LARGE or affordable(embedder, (item.text for item in lesson.items)) is embedder


def _foreign(other: Lesson, lesson: Lesson) -> list[Cue]:
    """What is asked of somebody else, asked here, where nothing answers it: a cue's shape must not tell by itself."""
    end = lesson.items[-1].at
    return [Cue(cue.text, end, len(lesson.items), frozenset()) for cue in other.cues[::FOREIGN] if cue.gold]


def _kinds(lessons: Sequence[Lesson], name: str) -> set[bool]:
    return {bool(cue.gold) for one in lessons if one.set == name for cue in one.cues}


def names_of(judged: Sequence[Judged]) -> tuple[str, ...]:
    """The numbers, in their order."""
    return tuple(judged[0].numbers)


def fit(judged: Sequence[Judged]) -> Fit:
    """The weights, each set counting as the root of its cues."""
    counts: dict[str, int] = defaultdict(int)
    for one in judged:
        counts[one.set] += 1
    weights = np.array([counts[one.set] ** -0.5 * MADE.get(one.set, 1.0) for one in judged])
    return fitted(_rows(judged), _labels(judged), weights / weights.mean(), RIDGE * len(judged))


def left_out(judged: Sequence[Judged]) -> dict[str, tuple[int, float]]:
    """Per set, its cues and the AUROC, each group judged by what has not seen it."""
    chances = _unseen(judged)
    told = {}
    for name in dict.fromkeys(one.set for one in judged):
        rows = [place for place, one in enumerate(judged) if one.set == name]
        labels = _labels([judged[place] for place in rows])
        told[name] = (len(rows), float(auroc(chances[rows], labels, np.ones((1, len(rows))))[0]))
    return told


def _unseen(judged: Sequence[Judged]) -> Floats:
    """The chance of each by a fit that has not seen its group."""
    groups = list(dict.fromkeys(one.group for one in judged))
    chances = np.zeros(len(judged))
    for fold in range(_FOLDS):
        out = {group for place, group in enumerate(groups) if place % _FOLDS == fold}
        rows = [place for place, one in enumerate(judged) if one.group in out]
        found = fit([one for one in judged if one.group not in out])
        values = _rows([judged[place] for place in rows])
        chances[rows] = [
            probability(found.intercept, [t.log_odds(v) for t, v in zip(found.terms, row, strict=True)])
            for row in values.tolist()
        ]
    return chances


_FOLDS = 5


def _rows(judged: Sequence[Judged]) -> Floats:
    return np.array([list(one.numbers.values()) for one in judged], np.float64)


def _labels(judged: Sequence[Judged]) -> Floats:
    return np.array([float(one.is_answered) for one in judged])

"""Learning company: how much it speaks for a candidate that it lies near the first of what was found.

In: lessons and a model. Out: the weights of a section of ``conflicts/data/company.txt``, and what they find in lessons
that were left out.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.embedding import affordable
from benchmarks.training.cues import Lesson
from benchmarks.training.engines import Heard
from benchmarks.training.listwise import Choice, fitted
from benchmarks.training.ranking import folds, importances
from reverie.conflicts.pairs import numbers, statement
from reverie.conflicts.verdict import NAMES, features
from reverie.formulas.arrays import Floats
from reverie.ports import Embedder

LOOKED = 40
"""Hits of a cue that are compared two by two, as the default recipe does."""
RIDGE = 0.002
OF_SECOND = frozenset(name for name in NAMES if name.startswith("alike by second"))
OF_MEANING = frozenset(name for name in NAMES if name.startswith("alike"))


@dataclass(frozen=True, slots=True, eq=False)
class Met:
    """One cue's first hits: scores (m,), features (m, NAMES), which are evidence (m,), how much evidence there is."""

    set: str
    group: str
    scores: Floats
    values: Floats
    is_evidence: Floats
    needed: int
    by_two: bool

    def without(self, gone: Collection[str]) -> Met:
        """As if nothing was known of these features."""
        return replace(self, values=self.values * np.array([name not in gone for name in NAMES]))


def gathered(lessons: Sequence[Lesson], embedder: Embedder | None) -> list[Met]:
    """The first hits of every cue of all lessons."""
    found: list[Met] = []
    for lesson in lessons:
        found += _met(lesson, embedder)
        print(f"train: {lesson.set} {lesson.group}, {len(found)} cues met", file=sys.stderr, flush=True)
    return found


def _met(lesson: Lesson, embedder: Embedder | None) -> Iterator[Met]:
    with Heard(lesson.items, affordable(embedder, (item.text for item in lesson.items))) as heard:
        for cue in sorted((cue for cue in lesson.cues if cue.gold), key=lambda cue: cue.heard):
            hits = heard.ask(cue.text, cue.at, cue.heard, LOOKED)
            is_evidence = np.array([float(heard.known[hit.memory.id] in cue.gold) for hit in hits])
            if is_evidence.any() and not is_evidence.all():
                seen = heard.seen(hits, None)
                scores = np.array([hit.score for hit in hits])
                values = features(numbers([statement(hit.memory) for hit in hits], seen), scores)
                by_two = seen is not None and seen.second is not None
                yield Met(lesson.set, lesson.group, scores, values, is_evidence, len(cue.gold), by_two)


def fit(met: Sequence[Met]) -> Floats:
    """(NAMES,) what each feature adds to a score, in the score's own measure."""
    choices = [
        Choice(np.column_stack([one.scores, one.values]), one.is_evidence, importance)
        for one, importance in importances(met)
    ]
    weights = fitted(choices, RIDGE)
    result: Floats = weights[1:] / weights[0]
    return result


def left_out(met: Sequence[Met]) -> dict[str, tuple[int, float, float]]:
    """Per set, its cues and the share of evidence among the first ten, before and by weights that have not seen it."""
    of = folds(met, whole_sets=False)
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for fold in sorted(set(of)):
        weights = fit([one for one, place in zip(met, of, strict=True) if place != fold])
        for one, place in zip(met, of, strict=True):
            if place == fold:
                found[one.set].append((_among(one, one.scores), _among(one, one.scores + one.values @ weights)))
    told = {}
    for name, pairs in found.items():
        before, after = np.mean(pairs, axis=0).tolist()
        told[name] = (len(pairs), before, after)
    return told


def _among(one: Met, scores: Floats) -> float:
    order = np.argsort(-scores, kind="stable")
    return float(one.is_evidence[order[:10]].sum()) / one.needed

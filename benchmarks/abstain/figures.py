"""Rows out of what was asked: each system's figures by kind of unanswerable question, with bootstrap intervals.

Questions are resampled, each with all that was asked of it: a question and its twin without evidence are one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks import statistics
from benchmarks.abstain import regression
from benchmarks.abstain.cases import Asked, Kind
from benchmarks.results import AbstainRow
from benchmarks.statistics import LEVEL, Values, resample

THRESHOLD = 0.5
"""Above it, "the store can answer this" is the better bet."""
COVERAGES = (0.2, 0.4, 0.6, 0.8, 1.0)
SHIPPED, CROSS_VALIDATED, JOINTLY, ELSEWHERE = (
    "reverie",
    "cross-validated",
    "cross-validated jointly",
    "fitted elsewhere",
)
BASELINES = ("top-text", "top-meaning")
ALL = "all"

Measure = Callable[[Values, Values, Values], Values]


@dataclass(frozen=True, slots=True)
class Judged:
    """A system's scores, one a question; ``is_chance``: they are probabilities."""

    system: str
    scores: Values
    is_chance: bool


def judged(asked: Sequence[Asked], others: Sequence[Asked]) -> Iterator[Judged]:
    """The baselines, the shipped weights, and weights fitted without the conversation or the set they are tried on."""
    yield Judged(BASELINES[0], np.array([one.text for one in asked]), is_chance=False)
    yield Judged(BASELINES[1], np.array([one.meaning for one in asked]), is_chance=False)
    yield Judged(SHIPPED, np.array([one.confidence for one in asked]), is_chance=True)
    known, beside = regression.answerable(asked), regression.answerable(others)
    yield Judged(CROSS_VALIDATED, _filled(asked, regression.cross_validated(known)), is_chance=True)
    if beside:
        yield Judged(JOINTLY, _filled(asked, regression.cross_validated(known, beside)), is_chance=True)
        yield Judged(ELSEWHERE, _filled(asked, regression.chances(regression.fit(beside), known)), is_chance=True)


def _filled(asked: Sequence[Asked], chances: Values) -> Values:
    """Probabilities for all: 0 where nothing was found."""
    result = np.zeros(len(asked))
    result[[place for place, one in enumerate(asked) if one.evidence]] = chances
    return result


def measured(name: str, asked: Sequence[Asked], systems: Sequence[Judged], seed: int) -> Iterator[AbstainRow]:
    """Every row of a set."""
    for category, places in categories(asked):
        some = [asked[place] for place in places]
        labels, weights = regression.labels(some), question_weights(some, seed)
        for judgement in systems:
            scores = judgement.scores[places]
            for metric, at, measure in _measures(category, is_chance=judgement.is_chance):
                value = float(measure(scores, labels, np.ones((1, len(some))))[0])
                low, high = _interval(measure(scores, labels, weights))
                yield AbstainRow(name, judgement.system, metric, at, category, len(some), value, low, high)


def _measures(category: str, *, is_chance: bool) -> Iterator[tuple[str, float, Measure]]:
    yield "auroc", 0.0, statistics.auroc
    if category == ALL:
        yield "auprc", 0.0, statistics.auprc
        yield from (("risk", at, partial(statistics.risk, coverage=at)) for at in COVERAGES)
    if category == ALL and is_chance:
        yield "ece", float(statistics.BINS), statistics.calibration_error
        yield "accuracy", THRESHOLD, partial(statistics.accuracy, threshold=THRESHOLD)


def categories(asked: Sequence[Asked]) -> Iterator[tuple[str, list[int]]]:
    """All; each kind against what can be answered; and without evidence each category of questions for itself."""
    yield ALL, list(range(len(asked)))
    for kind in (Kind.REMOVED, Kind.ADVERSARIAL, Kind.ABSTENTION):
        if any(one.kind == kind for one in asked):
            yield kind.value, _places(asked, (kind, Kind.ANSWERABLE))
    of_removed = dict.fromkeys(one.category for one in asked if one.kind == Kind.REMOVED)
    for category in of_removed if len(of_removed) > 1 else ():
        both = _places(asked, (Kind.REMOVED, Kind.ANSWERABLE))
        yield f"{Kind.REMOVED.value}: {category}", [place for place in both if asked[place].category == category]


def _places(asked: Sequence[Asked], kinds: Sequence[Kind]) -> list[int]:
    return [place for place, one in enumerate(asked) if one.kind in kinds]


def question_weights(asked: Sequence[Asked], seed: int) -> Values:
    """(resamples, n) how often each question is drawn, all that was asked of it together."""
    place: dict[tuple[str, str], int] = {}
    for one in asked:
        place.setdefault((one.set, one.question), len(place))
    drawn = resample(len(place), seed) * len(place)
    result: Values = drawn[:, [place[one.set, one.question] for one in asked]]
    return result


def _interval(values: Values) -> tuple[float, float]:
    tail = (1.0 - LEVEL) / 2.0
    low, high = np.nanquantile(values, [tail, 1.0 - tail])
    return float(low), float(high)

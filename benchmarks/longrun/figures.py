"""Scoring: from the calls of each arm's lives to rows with intervals, and to paired differences.

Every metric of a call is a ratio of two sums over calls (a mean is one over the number of calls), so that one
bootstrap, over questions and the same for all arms, serves them all. Questions of one life are not independent:
intervals are narrow. The size of the store is one number a life, and drawn by life.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from benchmarks.longrun.simulation import Call, Lived
from benchmarks.results import LongRow, PairedLongRow
from benchmarks.statistics import LEVEL, Values, resample

ANSWERABLE = "answerable"
ALL = "all"
Part: TypeAlias = Callable[[Call], float]


@dataclass(frozen=True, slots=True)
class Metric:
    """A ratio of sums times ``scale``; ``better`` is 1 where more is better, −1 where less is; over which calls."""

    above: Part
    below: Part
    better: int
    answerable: bool
    scale: float = 1.0


def _one(call: Call) -> float:
    del call
    return 1.0


METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        "evidence_per_1000_tokens": Metric(lambda c: c.found, lambda c: c.tokens, 1, True, 1000.0),
        "evidence": Metric(lambda c: c.found / c.gold, _one, 1, True),
        "lost_to_forgetting": Metric(lambda c: c.lost / c.gold, _one, -1, True),
        "tokens": Metric(lambda c: c.tokens, _one, -1, False),
        "stale_injected": Metric(lambda c: c.stale, _one, -1, False),
        "junk_share": Metric(lambda c: c.junk_tokens, lambda c: c.tokens, -1, False),
        "junk_tokens": Metric(lambda c: c.junk_tokens, _one, -1, False),
        "repeat_share": Metric(lambda c: c.repeat_tokens, lambda c: c.tokens, -1, False),
    }
)
"""What is measured of the calls at the end of the lives."""

SIZES: Mapping[str, Callable[[Lived], int]] = MappingProxyType(
    {"live": lambda life: life.live, "kept": lambda life: life.kept}
)
"""What is measured of the stores at the end of the lives; less is better."""

HELPFUL = (
    "evidence_per_1000_tokens",
    "evidence",
    "lost_to_forgetting",
    "stale_injected",
    "junk_share",
    "junk_tokens",
    "repeat_share",
    "live",
    "kept",
)
"""The metrics on one of which a mechanism must help."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One arm at one level of noise and one capacity, over every life."""

    arm: str
    at: str
    lives: tuple[Lived, ...]

    @property
    def calls(self) -> list[Call]:
        """Every call, in the order of the lives."""
        return [call for life in self.lives for call in life.calls]


def rows(cell: Cell, seed: int) -> Iterator[LongRow]:
    """The figures of one cell: each metric overall, evidence by category, and size and time without intervals."""
    calls = cell.calls
    for name, metric in METRICS.items():
        kept = [call for call in calls if call.gold or not metric.answerable]
        yield _row(cell, name, ANSWERABLE if metric.answerable else ALL, kept, seed)
    for category in sorted({call.category for call in calls}):
        of = [call for call in calls if call.category == category]
        yield _row(cell, "evidence" if of[0].gold else "tokens", category, of, seed)
    yield from _sizes(cell)


def _sizes(cell: Cell) -> Iterator[LongRow]:
    """Size and time."""
    lives, took = len(cell.lives), float(np.median([call.took_ms for call in cell.calls]))
    means = {name: sum(size(life) for life in cell.lives) / lives for name, size in SIZES.items()}
    means["seconds_a_life"] = sum(life.seconds for life in cell.lives) / lives
    for name, value in means.items():
        yield LongRow(cell.arm, name, cell.at, ALL, lives, value, value, value)
    yield LongRow(cell.arm, "recall_p50_ms", cell.at, ALL, len(cell.calls), took, took, took)


def _row(cell: Cell, name: str, category: str, calls: Sequence[Call], seed: int) -> LongRow:
    metric = METRICS[name]
    drawn = _ratio(metric, *_sums(metric, calls), resample(len(calls), seed))
    value = _ratio(metric, *_sums(metric, calls), np.full((1, len(calls)), 1.0))[0]
    low, high = _ends(drawn)
    return LongRow(cell.arm, name, cell.at, category, len(calls), float(value), low, high)


def paired(cell: Cell, against: Cell, seed: int) -> Iterator[PairedLongRow]:
    """What an arm has over another on the same calls: difference and ratio of each metric, with intervals."""
    for name, metric in METRICS.items():
        pairs = [
            (mine, other)
            for mine, other in zip(cell.calls, against.calls, strict=True)
            if mine.gold or not metric.answerable
        ]
        ours, theirs = [mine for mine, _ in pairs], [other for _, other in pairs]
        weights = _weights(len(pairs), seed)
        one, other = (_ratio(metric, *_sums(metric, calls), weights) for calls in (ours, theirs))
        yield _pair((cell, against), name, len(pairs), (one, other), metric.better)
    weights = _weights(len(cell.lives), seed)
    for name, size in SIZES.items():
        one, other = (weights @ np.array([size(life) for life in of.lives], np.float64) for of in (cell, against))
        yield _pair((cell, against), name, len(cell.lives), (one, other), -1)


def _weights(n: int, seed: int) -> Values:
    """Means of n values: first of all, then of each drawing."""
    result: Values = np.vstack([np.full((1, n), 1.0 / n), resample(n, seed)])
    return result


def _pair(cells: tuple[Cell, Cell], name: str, n: int, values: tuple[Values, Values], better: int) -> PairedLongRow:
    """A metric of two arms; of each its value first, then each drawing."""
    (cell, against), (one, other) = cells, values
    apart, times = one - other, np.divide(one, other, out=np.full_like(one, np.inf), where=other > 0)
    low, high = _ends(apart[1:])
    times_low, times_high = _ends(times[1:])
    return PairedLongRow(
        system=cell.arm,
        against=against.arm,
        metric=name,
        at=cell.at,
        n=n,
        difference=float(apart[0]),
        low=low,
        high=high,
        ratio=_finite(times[0]),
        ratio_low=_finite(times_low),
        ratio_high=_finite(times_high),
        better=better,
    )


def _sums(metric: Metric, calls: Sequence[Call]) -> tuple[Values, Values]:
    above = np.array([metric.above(call) for call in calls], np.float64)
    return above, np.array([metric.below(call) for call in calls], np.float64)


def _ratio(metric: Metric, above: Values, below: Values, weights: Values) -> Values:
    over, under = weights @ above, weights @ below
    result: Values = metric.scale * np.divide(over, under, out=np.zeros_like(over), where=under > 0)
    return result


def _ends(drawn: Values) -> tuple[float, float]:
    tail = (1.0 - LEVEL) / 2.0
    low, high = np.quantile(drawn, [tail, 1.0 - tail], method="nearest")
    return float(low), float(high)


def _finite(value: float) -> float | None:
    """A ratio to nothing has no value."""
    return float(value) if np.isfinite(value) else None

"""``python -m benchmarks stale``: does the newer fact stand first, is the older one marked, do both sides come back?

In: a set and its files. Out: rows with bootstrap intervals over questions. Every question's value is kept as well, so
that sets can be pooled.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.bootstrap import intervals, resample
from benchmarks.results import Extras, StaleRow
from benchmarks.sets import load
from benchmarks.stale import measures
from benchmarks.stale.seen import Shower, Shown
from benchmarks.values import BenchmarkSet, Change, Notes, Question
from reverie.errors import InvalidInput

DEPTH = 200
"""Places looked at; only for what stands above what do more than ten count."""
Measure = Callable[[Shown, Question], float | None]
METRICS: Mapping[tuple[str, int, str], Measure] = {
    ("newer-above-older", DEPTH, Change.UPDATE.value): measures.newer_above,
    ("still-above", DEPTH, Change.TRAP.value): measures.still_above,
    ("older-marked", measures.TOP, Change.UPDATE.value): measures.older_marked,
    ("both-sides", measures.TOP, Change.CONTRADICTION.value): measures.both_sides,
    ("both-sides-marked", measures.TOP, Change.CONTRADICTION.value): measures.both_marked,
    ("rightly-opposed", measures.TOP, Change.CONTRADICTION.value): measures.rightly_opposed,
    ("wrongly-outdated", measures.TOP, "others"): measures.wrongly_outdated,
    ("wrongly-opposed", measures.TOP, "others"): measures.wrongly_opposed,
}
"""Metric, places and category → how one question is measured."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to run; ``limit`` takes only the first haystacks."""

    set: BenchmarkSet
    data: tuple[Path, ...]
    limit: int | None = None
    seed: int = 0


def run(request: Request, systems: Sequence[Shower]) -> tuple[list[StaleRow], Extras]:
    """Measure the systems on a set.

    Raises:
        InvalidExport: a file is not of the set's form.
        InvalidInput: the set has neither updates nor contradictions.
    """
    notes: Notes = Counter()
    values: dict[tuple[str, str, int, str], dict[str, float]] = {}
    for haystack in load(request.set, request.data, notes, request.limit):
        for system in systems:
            for question, shown in zip(haystack.questions, system.show(haystack, DEPTH), strict=True):
                for (metric, at, category), measure in METRICS.items():
                    value = measure(shown, question)
                    if value is not None:
                        values.setdefault((system.name, metric, at, category), {})[question.id] = value
        print(f"stale: {haystack.name}", file=sys.stderr, flush=True)
    if not any(metric != "wrongly-outdated" and metric != "wrongly-opposed" for _, metric, _, _ in values):
        raise InvalidInput(
            f"{request.set.name} has neither updates nor contradictions.",
            "Use longmemeval, beam, updates, or labelled lives with older and newest evidence.",
        )
    rows = [_row(request, *key, np.array(list(found.values()))) for key, found in values.items()]
    kept = [{"system": key[0], "metric": key[1], "values": found} for key, found in values.items()]
    return rows, {"seed": request.seed, "counts": dict(sorted(notes.items())), "questions": kept}


def _row(
    request: Request,
    system: str,
    metric: str,
    at: int,
    category: str,
    values: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> StaleRow:
    found = intervals(values[:, np.newaxis], resample(len(values), request.seed))
    ends = (round(float(end[0]), 4) for end in (found.mean, found.low, found.high))
    return StaleRow(request.set.name, system, metric, at, category, len(values), *ends)

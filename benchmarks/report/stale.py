"""What changed and what is denied, as a table: each figure set by set and pooled, every system beside the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.report.retrieval import TITLES
from benchmarks.report.text import percent, points, table
from benchmarks.statistics import difference, intervals, resample

TOLD = {
    "newer-above-older": "the newer stands above the older",
    "still-above": "what still holds stands above what only looks newer",
    "older-marked": "the older, among the first ten, is marked",
    "both-sides": "both sides of a contradiction among the first ten",
    "both-sides-marked": "both sides there, and marked",
    "rightly-opposed": "of what is marked there, evidence",
    "wrongly-outdated": "evidence of other questions marked as outdated",
    "wrongly-opposed": "evidence of other questions marked as contradicted",
}
"""What each metric says."""
FEWER = ("wrongly-outdated", "wrongly-opposed")
"""Metrics of which less is better."""
OURS = "reverie"
Found = Mapping[tuple[str, str], Mapping[str, float]]
"""By system and metric, the value of each question."""


def section(contents: Sequence[Mapping[str, Any]]) -> str:
    """The result files of several sets; nothing for none."""
    if not contents:
        return ""
    found = dict(map(_found, contents))
    names = list(dict.fromkeys(system for of in found.values() for system, _ in of))
    systems, without = ([name for name in names if name.startswith("-") is out] for out in (False, True))
    seed = int(contents[0]["seed"])
    rows = [row for metric in TOLD for row in _rows(metric, systems, found, seed)]
    said = "Percent of the questions, with 95 % intervals; pooled: the questions of the public sets together."
    parts = [said, table(["what", "set", "n", *systems], rows)]
    if without and OURS in systems:
        parts += [
            "What each mechanism is worth: points that `reverie` has over itself without it, paired by question; ✓: "
            "wholly on the better side, ✗: on the worse.",
            _worths(without, found, seed),
        ]
    return "\n\n".join(parts)


def _found(content: Mapping[str, Any]) -> tuple[str, Found]:
    """A set's title and what was found in it."""
    name = str(content["rows"][0]["set"])
    return TITLES.get(name, name), {(one["system"], one["metric"]): one["values"] for one in content["questions"]}


def _worths(without: Sequence[str], found: Mapping[str, Found], seed: int) -> str:
    rows = [
        [TOLD[metric], name, *(_worth(metric, one, among, seed) for one in without)]
        for metric in TOLD
        for name, among in _groups(metric, [OURS], found)
    ]
    return table(["what", "set", *(name[1:] for name in without)], rows)


def _groups(metric: str, systems: Sequence[str], found: Mapping[str, Found]) -> list[tuple[str, list[Found]]]:
    """Each set that has the metric, and the public ones together where there are several."""
    sets = [name for name, of in found.items() if any((system, metric) in of for system in systems)]
    public = [name for name in sets if name != TITLES["updates"]]
    pooled = [("pooled", [found[name] for name in public])] if len(public) > 1 else []
    return [*((name, [found[name]]) for name in sets), *pooled]


def _worth(metric: str, without: str, among: Sequence[Found], seed: int) -> str:
    pairs = [
        (value, other)
        for of in among
        for question, value in of.get((OURS, metric), {}).items()
        if (other := of.get((without, metric), {}).get(question)) is not None
    ]
    if not pairs:
        return "–"
    ours, theirs = np.array(pairs, np.float64).T
    apart = difference(ours, theirs, resample(len(pairs), seed))
    better = -1 if metric in FEWER else 1
    mark = " ✓" if min(better * apart.low, better * apart.high) > 0 else ""
    mark = " ✗" if max(better * apart.low, better * apart.high) < 0 else mark
    return f"{points(apart.mean)} ({points(apart.low)} … {points(apart.high)}){mark}"


def _rows(metric: str, systems: Sequence[str], found: Mapping[str, Found], seed: int) -> Iterator[list[str]]:
    for name, among in _groups(metric, systems, found):
        values = [[v for of in among for v in of.get((system, metric), {}).values()] for system in systems]
        counts = (
            f"{min(map(len, values))}–{max(map(len, values))}" if len({*map(len, values)}) > 1 else f"{len(values[0])}"
        )
        yield [TOLD[metric], name, counts, *(_cell(of, seed) for of in values)]


def _cell(values: Sequence[float], seed: int) -> str:
    if not values:
        return ""
    ends = intervals(np.array(values)[:, None], resample(len(values), seed))
    return f"{percent(ends.mean[0])} ({percent(ends.low[0])}–{percent(ends.high[0])})"

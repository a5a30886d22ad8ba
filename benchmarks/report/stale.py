"""What changed and what is denied, as a table: each figure set by set and pooled, every system beside the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.bootstrap import intervals, resample
from benchmarks.report.retrieval import TITLES
from benchmarks.report.text import percent, table

TOLD = {
    "newer-above-older": "the newer stands above the older",
    "older-marked": "the older, among the first ten, is marked",
    "both-sides": "both sides of a contradiction among the first ten",
    "both-sides-marked": "both sides there, and marked",
    "rightly-opposed": "of what is marked there, evidence",
    "wrongly-outdated": "evidence of other questions marked as outdated",
    "wrongly-opposed": "evidence of other questions marked as contradicted",
}
"""What each metric says."""
Found = Mapping[tuple[str, str], Mapping[str, float]]
"""By system and metric, the value of each question."""


def section(contents: Sequence[Mapping[str, Any]]) -> str:
    """The result files of several sets; nothing for none."""
    if not contents:
        return ""
    found: dict[str, Found] = {}
    for content in contents:
        name = str(content["rows"][0]["set"])
        found[TITLES.get(name, name)] = {(one["system"], one["metric"]): one["values"] for one in content["questions"]}
    systems = list(dict.fromkeys(system for of in found.values() for system, _ in of))
    rows = [row for metric in TOLD for row in _rows(metric, systems, found, int(contents[0]["seed"]))]
    said = "Percent of the questions, with 95 % intervals; pooled: the questions of all sets together."
    return "\n\n".join([said, table(["what", "set", "n", *systems], rows)])


def _rows(metric: str, systems: Sequence[str], found: Mapping[str, Found], seed: int) -> Iterator[list[str]]:
    sets = [name for name, of in found.items() if any((system, metric) in of for system in systems)]
    pooled = [("pooled", sets)] if len(sets) > 1 else []
    for name, among in [*((one, [one]) for one in sets), *pooled]:
        values = [[v for one in among for v in found[one].get((system, metric), {}).values()] for system in systems]
        counts = (
            f"{min(map(len, values))}–{max(map(len, values))}" if len({*map(len, values)}) > 1 else f"{len(values[0])}"
        )
        yield [TOLD[metric], name, counts, *(_cell(of, seed) for of in values)]


def _cell(values: Sequence[float], seed: int) -> str:
    if not values:
        return ""
    ends = intervals(np.array(values)[:, None], resample(len(values), seed))
    return f"{percent(ends.mean[0])} ({percent(ends.low[0])}–{percent(ends.high[0])})"

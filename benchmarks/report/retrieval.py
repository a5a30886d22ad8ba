"""The retrieval part of the report: what each system finds, by set, unit and category, and by how much they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from benchmarks.report.text import percent, points, table
from benchmarks.results import PairedRow, RetrievalRow, paired_rows, retrieval_rows
from benchmarks.summary import PAIRED

Key: TypeAlias = tuple[str, str, str, str, int]
"""System, category, unit, metric, at."""

TITLES = {
    "locomo": "LoCoMo",
    "longmemeval": "LongMemEval-S",
    "beam": "BEAM 100K",
    "xquad": "XQuAD, Turkish",
}
MAIN = (
    ("R@1", "fraction", 1),
    ("R@5", "fraction", 5),
    ("R@10", "fraction", 10),
    ("R@20", "fraction", 20),
    ("any@10", "any", 10),
    ("all@10", "all", 10),
    ("MRR@10", "mrr", 10),
    ("in 500 tokens", "tokens", 500),
    ("in 1,000", "tokens", 1000),
    ("in 2,000", "tokens", 2000),
)


@dataclass(frozen=True, slots=True)
class Result:
    """One result file, ready to be looked up."""

    set: str
    rows: Mapping[Key, RetrievalRow]
    paired: Sequence[PairedRow]
    content: Mapping[str, Any]

    @property
    def systems(self) -> list[str]:
        """In the order they were run."""
        return list(dict.fromkeys(row.system for row in self.rows.values()))

    @property
    def units(self) -> list[str]:
        """The set's own unit first."""
        return list(dict.fromkeys(row.unit for row in self.rows.values()))

    @property
    def categories(self) -> list[str]:
        """The set's own categories, without "all" and "answerable"."""
        names = dict.fromkeys(row.category for row in self.rows.values())
        return [name for name in names if name not in ("all", "answerable")]

    @property
    def headline(self) -> str:
        """The category the main tables show: the answerable questions where the set tells them apart."""
        return "answerable" if any(row.category == "answerable" for row in self.rows.values()) else "all"


def result(content: Mapping[str, Any]) -> Result:
    """A result file's content, indexed."""
    rows = retrieval_rows(content)
    index = {(row.system, row.category, row.unit, row.metric, row.at): row for row in rows}
    return Result(rows[0].set if rows else "", index, paired_rows(content), content)


def section(found: Result) -> str:
    """Everything about one set."""
    parts = [f"#### {TITLES.get(found.set, found.set)}", about(found)]
    parts += [main_table(found, unit) for unit in found.units]
    parts += [_by_category(found)] if found.categories else []
    parts += [_differences(found)] if found.paired else []
    return "\n\n".join(parts)


def about(found: Result) -> str:
    """What was measured, in counts."""
    counts = found.content.get("counts", {})
    told = [f"{name}: {value:,}" for name, value in counts.items() if isinstance(value, int)]
    model = found.content.get("model")
    told += [f"embedding model: `{model}`"] if model else []
    return "; ".join(told) + "." if told else ""


def main_table(found: Result, unit: str) -> str:
    """Every system's figures by one unit."""
    columns = [column for column in MAIN if (found.systems[0], found.headline, unit, *column[1:]) in found.rows]
    n = next(row.n for key, row in found.rows.items() if key[1] == found.headline)
    rows = []
    for system in found.systems:
        cells = [found.rows[system, found.headline, unit, metric, at] for _, metric, at in columns]
        rows.append([system, *(_cell(row) for row in cells)])
    caption = f"By {unit}, {found.headline} questions (n = {n}), in %; in brackets the 95 % interval."
    return caption + "\n\n" + table([unit, *(name for name, _, _ in columns)], rows)


def _cell(row: RetrievalRow) -> str:
    shown = percent(row.value)
    if (row.metric, row.at) in (("fraction", 10), ("tokens", 1000)):
        shown += f" [{percent(row.low)}–{percent(row.high)}]"
    return shown


def _by_category(found: Result) -> str:
    unit = found.units[0]
    rows = []
    for category in found.categories:
        cells = [found.rows[system, category, unit, "fraction", 10] for system in found.systems]
        best = max(row.value for row in cells)
        shown = [f"**{percent(row.value)}**" if row.value == best else percent(row.value) for row in cells]
        rows.append([category, str(cells[0].n), *shown])
    return f"R@10 by {unit} and category, in %.\n\n" + table(["category", "n", *found.systems], rows)


def _differences(found: Result) -> str:
    rows = _ours_against_each(found)
    caption = f"Differences on the same questions ({found.headline})."
    return f"{caption}\n\n{difference_table(rows)}" if rows else ""


def difference_table(differences: Sequence[PairedRow]) -> str:
    """A row a difference, with its interval and how many questions went which way."""
    rows = [
        [
            f"{row.system} − {row.against}",
            f"{row.metric}@{row.at}",
            f"{points(row.difference)} [{points(row.low)}, {points(row.high)}]",
            str(row.better),
            str(row.worse),
        ]
        for row in differences
    ]
    return table(["difference", "metric", "points [95 %]", "questions better", "worse"], rows)


def _ours_against_each(found: Result) -> list[PairedRow]:
    ours = "reverie" if "reverie" in found.systems else found.systems[-1]
    return [
        row
        for row in found.paired
        if row.system == ours and row.category == found.headline and (row.metric, row.at) in PAIRED
    ]

"""The retrieval part of the report: what each system finds, by set, unit and category, and by how much they differ.

The recipes' part has a row for each recipe, and how far each lies from the words alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
    "updates": "everyday updates",
}
BY_RANK = (
    ("R@1", "fraction", 1),
    ("R@5", "fraction", 5),
    ("R@10", "fraction", 10),
    ("R@20", "fraction", 20),
    ("MRR@10", "mrr", 10),
)
BEYOND = (
    ("any@10", "any", 10),
    ("all@5", "all", 5),
    ("all@10", "all", 10),
    ("all@20", "all", 20),
    ("in 500 tokens", "tokens", 500),
    ("in 1,000", "tokens", 1000),
    ("in 2,000", "tokens", 2000),
)
OURS = ("reverie", "observed")
"""The row whose differences to the others are told: the first of these that there is, else the last row."""


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
    parts = [f"#### {title(found)}", about(found)]
    parts += [main_table(found, unit) for unit in found.units]
    parts += [_by_category(found)] if found.categories else []
    parts += _differences(found)
    return "\n\n".join(part for part in parts if part)


def title(found: Result) -> str:
    """The set's name, and how much of it was measured where that is not all."""
    limit = found.content.get("limit")
    counted = "haystacks" if limit != 1 else "haystack"
    return TITLES.get(found.set, found.set) + (f", the first {limit} {counted}" if limit else "")


def about(found: Result) -> str:
    """What was left out or mended, which embedding model was used, and the releases of systems that are not ours."""
    counts = found.content.get("counts", {})
    told = [f"{name}: {value:,}" for name, value in counts.items() if isinstance(value, int)]
    model = found.content.get("model")
    told += [f"embedding model: `{model}`"] if model else []
    told += [f"`{name}` is {version}" for name, version in found.content.get("systems", {}).items()]
    return "; ".join(told) + "." if told else ""


def main_table(found: Result, unit: str) -> str:
    """Every system's figures by one unit, each with its interval."""
    n = next(row.n for key, row in found.rows.items() if key[1] == found.headline)
    caption = f"By {unit}, {found.headline} questions (n = {n}), in %; in brackets the 95 % interval."
    return "\n\n".join([caption, *(_figures(found, unit, columns) for columns in (BY_RANK, BEYOND))])


def _figures(found: Result, unit: str, wanted: Sequence[tuple[str, str, int]]) -> str:
    columns = [column for column in wanted if (found.systems[0], found.headline, unit, *column[1:]) in found.rows]
    rows = []
    for system in found.systems:
        cells = [found.rows[system, found.headline, unit, metric, at] for _, metric, at in columns]
        rows.append([system, *(f"{percent(row.value)} [{percent(row.low)}–{percent(row.high)}]" for row in cells)])
    return table([unit, *(name for name, _, _ in columns)], rows)


def _by_category(found: Result) -> str:
    unit = found.units[0]
    rows = []
    for category in found.categories:
        cells = [found.rows[system, category, unit, "fraction", 10] for system in found.systems]
        best = max(row.value for row in cells)
        shown = [f"**{percent(row.value)}**" if row.value == best else percent(row.value) for row in cells]
        rows.append([category, str(cells[0].n), *shown])
    return f"R@10 by {unit} and category, in %.\n\n" + table(["category", "n", *found.systems], rows)


def _differences(found: Result) -> list[str]:
    ours = next((name for name in OURS if name in found.systems), found.systems[-1])
    against = [row for row in (_of(ours, row) for row in found.paired) if row and (row.metric, row.at) in PAIRED]
    shown = [row for row in against if row.category == found.headline and row.unit == found.units[0]]
    if not shown:
        return []
    caption = f"Differences on the same questions ({found.headline}), in points; in brackets the 95 % interval."
    return [f"{caption}\n\n{_wide(found, ours, shown)}", verdict(found, ours, against)]


def _of(ours: str, row: PairedRow) -> PairedRow | None:
    """A difference as ours minus the other's, whichever way round it was worked out; None if it is not of ours."""
    if row.against != ours:
        return row if row.system == ours else None
    return replace(
        row,
        system=ours,
        against=row.system,
        difference=-row.difference,
        low=-row.high,
        high=-row.low,
        better=row.worse,
        worse=row.better,
    )


def _wide(found: Result, ours: str, shown: Sequence[PairedRow]) -> str:
    index = {(row.against, row.metric, row.at): row for row in shown}
    rows = []
    for other in [system for system in found.systems if system != ours]:
        cells = [index[other, *figure] for figure in PAIRED]
        rows.append([f"{ours} − {other}", *(difference(row) for row in cells)])
    return table(["difference", *(f"{metric}@{at}" for metric, at in PAIRED)], rows)


def difference(row: PairedRow) -> str:
    """A difference with its interval, and how many questions went which way."""
    return f"{points(row.difference)} [{points(row.low)}, {points(row.high)}] ({row.better}:{row.worse})"


def verdict(found: Result, ours: str, against: Sequence[PairedRow]) -> str:
    """How many intervals lie wholly above 0 and which below, over the main questions and over the categories."""
    main = [row for row in against if row.category == found.headline]
    below = [row for row in against if row.high < 0.0]
    told = "; ".join(f"{row.against}, {row.category}, {row.metric}@{row.at}" for row in below) or "none"
    above, under = sum(row.low > 0.0 for row in main), sum(row.high < 0.0 for row in main)
    return (
        f"In round brackets: questions better and worse. Of {len(main)} intervals of `{ours}` against the others, "
        f"{above} lie wholly above 0 and {under} wholly below; over all groups of questions "
        f"({len(against)} intervals) wholly below: {told}."
    )


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


# The recipes' part of the report: a row for each, and how far each lies from the words alone.


BEFORE = "reverie"
"""The row that keeps the words alone: what there was before memories were formed."""

DEFAULT = "observed"


def recipes_section(found: Result) -> str:
    """Everything about one set."""
    parts = [f"#### {TITLES.get(found.set, found.set)}, by recipe", about(found), main_table(found, found.units[0])]
    against = [row for row in found.paired if row.against == BEFORE and (row.metric, row.at) in PAIRED]
    shown = [row for row in against if row.category == found.headline]
    if shown:
        parts += [recipes_verdict([row for row in against if row.system == DEFAULT], found.headline)]
        parts += [f"Differences on the same questions ({found.headline}).\n\n{difference_table(shown)}"]
    return "\n\n".join(part for part in parts if part)


def recipes_verdict(rows: Sequence[PairedRow], headline: str) -> str:
    """Whether any interval of the default recipe against before lies wholly below 0."""
    if not rows:
        return ""
    below = [row for row in rows if row.high < 0.0]
    main = [row for row in rows if row.category == headline]
    told = "; ".join(f"{row.category} {row.metric}@{row.at}" for row in below) or "none"
    return (
        f"`{DEFAULT}` against `{BEFORE}`: {len(main)} intervals over the {headline} questions and "
        f"{len(rows) - len(main)} over other groups of them; wholly below 0: {told}."
    )

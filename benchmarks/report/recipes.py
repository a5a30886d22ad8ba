"""The recipes' part of the report: a row for each, and how far each lies from the words alone."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.report.retrieval import TITLES, Result, about, difference_table, main_table
from benchmarks.results import PairedRow
from benchmarks.summary import PAIRED

BEFORE = "reverie"
"""The row that keeps the words alone: what there was before memories were formed."""

DEFAULT = "observed"


def section(found: Result) -> str:
    """Everything about one set."""
    parts = [f"#### {TITLES.get(found.set, found.set)}, by recipe", about(found), main_table(found, found.units[0])]
    against = [row for row in found.paired if row.against == BEFORE and (row.metric, row.at) in PAIRED]
    shown = [row for row in against if row.category == found.headline]
    if shown:
        parts += [verdict([row for row in against if row.system == DEFAULT], found.headline)]
        parts += [f"Differences on the same questions ({found.headline}).\n\n{difference_table(shown)}"]
    return "\n\n".join(part for part in parts if part)


def verdict(rows: Sequence[PairedRow], headline: str) -> str:
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

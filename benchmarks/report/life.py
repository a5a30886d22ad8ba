"""Whole lives, as tables: each law with what was looked at and what broke it, and the counts behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.report.retrieval import TITLES
from benchmarks.report.text import table
from benchmarks.results import law_rows


def section(content: Mapping[str, Any]) -> str:
    """One result file."""
    rows = law_rows(content)
    if not rows:
        return ""
    stores = len({row.store for row in rows})
    laws = []
    for law in dict.fromkeys(row.law for row in rows):
        of = [row for row in rows if row.law == law]
        laws.append([law, f"{sum(row.checked for row in of):,}", f"{sum(row.broken for row in of):,}"])
    counted = [[name, f"{value:,}"] for name, value in content.get("counts", {}).items() if isinstance(value, int)]
    name = TITLES.get(rows[0].set, rows[0].set)
    heading = f"#### {name}, recipe `{rows[0].recipe}`"
    model = f"{stores} conversations; embedding model: `{content.get('model')}`."
    return "\n\n".join([heading, model, table(["law", "checked", "broken"], laws), table(["what", "count"], counted)])

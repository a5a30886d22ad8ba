"""Dreams over large stores, as a table of every figure measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.report.speed import machine, millis
from benchmarks.report.text import table


def section(content: Mapping[str, Any]) -> str:
    """One result file."""
    rows = [
        [f"{row['size']:,}", name.replace("_", " "), millis(value)]
        for row in content["rows"]
        for name, value in row["figures"].items()
    ]
    return f"{machine(content)}.\n\n{table(['formed memories', 'figure', 'value'], rows)}"

"""Speed with everything on, as tables: each operation and recipe, what it may take, and the model's own time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.report.speed import machine, megabytes, millis
from benchmarks.report.text import table
from benchmarks.results import whole_rows
from benchmarks.speed.whole import EMBEDDING, MUSTS, RECIPES

HEADER = [
    "operation",
    "memories",
    "recipe",
    "p50 ms",
    "p95 ms",
    "processor p50",
    "processor p95",
    "at most",
    "memory MB",
]


def section(content: Mapping[str, Any]) -> str:
    """One result file."""
    limits = {(must.op, must.size, RECIPES[0]): must.most_ms for must in MUSTS}
    rows = [
        [
            row.op,
            f"{row.size:,}",
            "the model alone" if row.recipe == EMBEDDING else row.recipe,
            *(millis(value) for value in (row.p50_ms, row.p95_ms, row.cpu_p50_ms, row.cpu_p95_ms)),
            millis(limits[row.op, row.size, row.recipe]) if (row.op, row.size, row.recipe) in limits else "",
            megabytes(row.rss_mb),
        ]
        for row in sorted(whole_rows(content), key=lambda row: (row.op, row.size))
    ]
    caption = (
        f"{machine(content)}. Formed memories and episodes together; wall and processor time without the embedding, "
        "which stands beside as the model alone takes it for the same texts."
    )
    return f"{caption}\n\n{table(HEADER, rows)}"

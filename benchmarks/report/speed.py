"""The speed part of the report: operations, the same with everything on, and dreams over large stores, as tables.

A result file comes in, a section goes out. Operations stand beside those of others with the ratio within the run; with
everything on, each recipe stands beside what it may take and the model's own time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.report.text import table
from benchmarks.results import SpeedRow, speed_rows, whole_rows
from benchmarks.speed.whole import EMBEDDING, MUSTS, RECIPES

# The speed part of the report: each operation at each size, ours beside others, and the ratio within the run.


OURS = "reverie"


def section(content: Mapping[str, Any]) -> str:
    """One result file."""
    rows = speed_rows(content)
    notes = [f"{note}." for note in content.get("notes", [])]
    caption = "Milliseconds; memory above a bare interpreter's; ratio = the other's p50 over ours in the same run."
    return "\n\n".join([" ".join([f"{machine(content)}.", caption, *notes]), _table(rows)])


def machine(content: Mapping[str, Any]) -> str:
    """What it was measured on, and how busy that was."""
    about = content.get("machine", {})
    told = (about.get("processor"), f"{about.get('cores')} cores", f"load {about.get('load')} before the run")
    return ", ".join(str(value) for value in told if value)


def _table(rows: Sequence[SpeedRow]) -> str:
    ours = {(row.op, row.size): row for row in rows if row.system == OURS}
    shown = sorted(rows, key=lambda row: (list(dict.fromkeys(r.op for r in rows)).index(row.op), row.size))
    header = ["operation", "memories", "system", "p50 ms", "p95 ms", "ratio", "memory MB", "disk MB"]
    return table(header, [_line(row, ours.get((row.op, row.size))) for row in shown])


def _line(row: SpeedRow, ours: SpeedRow | None) -> list[str]:
    ratio = f"{row.p50_ms / ours.p50_ms:.1f}" if ours and row.system != OURS and ours.p50_ms > 0 else ""
    return [
        row.op,
        f"{row.size:,}" if row.size else "",
        row.system,
        millis(row.p50_ms),
        millis(row.p95_ms),
        ratio,
        megabytes(row.rss_mb),
        megabytes(row.disk_mb),
    ]


def millis(value: float) -> str:
    """Three figures that count."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def megabytes(value: float | None) -> str:
    """Whole megabytes, or nothing."""
    return "" if value is None else f"{value:,.0f}"


# Speed with everything on, as tables: each operation and recipe, what it may take, and the model's own time.


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


def whole_section(content: Mapping[str, Any]) -> str:
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


# Dreams over large stores, as a table of every figure measured.


def dream_section(content: Mapping[str, Any]) -> str:
    """One result file."""
    rows = [
        [f"{row['size']:,}", name.replace("_", " "), millis(value)]
        for row in content["rows"]
        for name, value in row["figures"].items()
    ]
    return f"{machine(content)}.\n\n{table(['formed memories', 'figure', 'value'], rows)}"

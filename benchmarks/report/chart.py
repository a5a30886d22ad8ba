"""The chart: evidence found by rank, evidence found by tokens, and the speed of recall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from benchmarks.metrics import BUDGETS
from benchmarks.report.retrieval import TITLES, Result
from benchmarks.results import speed_rows
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes
else:
    Axes: TypeAlias = Any

PANELS_A_ROW = 3

COLOURS = ("#9aa5b1", "#e69f00", "#56b4e9", "#009e73", "#cc79a7")
"""Told apart also by those who see fewer colours (Okabe and Ito)."""


def draw(path: Path, results: Sequence[Result], speeds: Sequence[Mapping[str, Any]]) -> None:
    """Write the chart.

    Raises:
        InvalidInput: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InvalidInput("The chart needs matplotlib.", "pip install 'reverie[bench]'") from None
    panels = (1 + len(results) if results else 0) + bool(speeds)
    rows, columns = max(1, -(-panels // PANELS_A_ROW)), max(1, min(panels, PANELS_A_ROW))
    figure = Figure(figsize=(4.2 * columns, 3.6 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    for unused in grid[panels:]:
        unused.set_axis_off()
    axes = iter(grid)
    if results:
        _bars(next(axes), results)
        for found in results:
            _tokens(next(axes), found)
    if speeds:
        _recall(next(axes), speeds)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def _bars(axes: Axes, results: Sequence[Result]) -> None:
    systems = list(dict.fromkeys(name for found in results for name in found.systems))
    width = 0.8 / len(systems)
    for place, system in enumerate(systems):
        rows = [found.rows.get((system, found.headline, found.units[0], "fraction", 10)) for found in results]
        drawn = [(at, row) for at, row in enumerate(rows) if row is not None]
        axes.bar(
            [at + (place - (len(systems) - 1) / 2) * width for at, _ in drawn],
            [100 * row.value for _, row in drawn],
            width,
            yerr=[[100 * (r.value - r.low) for _, r in drawn], [100 * (r.high - r.value) for _, r in drawn]],
            color=COLOURS[place % len(COLOURS)],
            error_kw={"elinewidth": 0.8},
            label=system,
        )
    axes.set_xticks(range(len(results)), [TITLES.get(found.set, found.set) for found in results], fontsize=8)
    axes.set(title="Evidence in the first ten, %", ylim=(0, 119))  # the legend's place is above the bars
    axes.legend(fontsize=8, ncols=len(systems), loc="upper center", handlelength=1.2, columnspacing=1.0)


def _tokens(axes: Axes, found: Result) -> None:
    for place, system in enumerate(found.systems):
        values = [
            100 * found.rows[system, found.headline, found.units[0], "tokens", budget].value for budget in BUDGETS
        ]
        axes.plot(BUDGETS, values, marker="o", color=COLOURS[place % len(COLOURS)], label=system)
    axes.set_xticks(BUDGETS)
    axes.set(title=f"{TITLES.get(found.set, found.set)}: evidence, %", xlabel="injected tokens", ylim=(0, 100))


def _recall(axes: Axes, speeds: Sequence[Mapping[str, Any]]) -> None:
    rows = sorted((r for content in speeds for r in speed_rows(content) if r.op == "recall"), key=lambda r: r.size)
    for place, system in enumerate(sorted({row.system for row in rows}, reverse=True)):
        of = [row for row in rows if row.system == system]
        colour = COLOURS[(3 + place) % len(COLOURS)]
        axes.plot([r.size for r in of], [r.p50_ms for r in of], marker="o", color=colour, label=system)
        axes.fill_between(
            [r.size for r in of], [r.p50_ms for r in of], [r.p95_ms for r in of], color=colour, alpha=0.15
        )
    axes.set(title="Recall, ms (p50, shaded to p95)", xlabel="memories", xscale="log", yscale="log")
    axes.legend(fontsize=8)

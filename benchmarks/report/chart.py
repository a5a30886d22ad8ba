"""The chart: evidence found by rank, evidence found by tokens, and the speed of recall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from benchmarks.metrics import BUDGETS
from benchmarks.report.merged import in_line
from benchmarks.report.retrieval import Result, title
from benchmarks.results import speed_rows
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes
else:
    Axes: TypeAlias = Any

PANELS_A_ROW = 3

COLOURS = {
    "bm25": "#c9ced6",
    "dense": "#9aa5b1",
    "rrf": "#6b7683",
    "mem0": "#f5d48f",
    "mempalace": "#e69f00",
    "langgraph": "#b36b00",
    "reverie": "#009e73",
    "reverie-search": "#7fcfb5",
    "observed": "#005c43",
    "v9": "#a6d5f5",
    "exocortex": "#56b4e9",
    "openclaw": "#0072b2",
    "ocean": "#003f66",
    "lancedb": "#cc79a7",
}
"""Families of shades (after Okabe and Ito): baselines grey, others' systems orange, ours green, other recipes blue."""
OTHER = "#cc79a7"


def draw(path: Path, results: Sequence[Result], speeds: Sequence[Mapping[str, Any]]) -> None:
    """Write the chart: bars over the whole width, below them a panel a set, then speed.

    Raises:
        InvalidInput: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InvalidInput("The chart needs matplotlib.", "pip install 'path/to/reverie[bench]'") from None
    panels = len(results) + bool(speeds)
    small, columns = -(-panels // PANELS_A_ROW), max(1, min(panels, PANELS_A_ROW))
    rows = small + bool(results)
    figure = Figure(figsize=(4.2 * columns, 3.6 * max(rows, 1)), layout="constrained")
    grid = figure.add_gridspec(max(rows, 1), columns)
    if results:
        _bars(figure.add_subplot(grid[0, :]), results)
    places = [(row, column) for row in range(bool(results), rows) for column in range(columns)]
    for found, place in zip(results, places, strict=False):
        _tokens(figure.add_subplot(grid[place]), found)
    if speeds:
        _recall(figure.add_subplot(grid[places[len(results)]]), speeds)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def _bars(axes: Axes, results: Sequence[Result]) -> None:
    systems = in_line(dict.fromkeys(name for found in results for name in found.systems))
    width = 0.8 / len(systems)
    for place, system in enumerate(systems):
        rows = [found.rows.get((system, found.headline, found.units[0], "fraction", 10)) for found in results]
        drawn = [(at, row) for at, row in enumerate(rows) if row is not None]
        axes.bar(
            [at + (place - (len(systems) - 1) / 2) * width for at, _ in drawn],
            [100 * row.value for _, row in drawn],
            width,
            yerr=[[100 * (r.value - r.low) for _, r in drawn], [100 * (r.high - r.value) for _, r in drawn]],
            color=COLOURS.get(system, OTHER),
            error_kw={"elinewidth": 0.8},
            label=system,
        )
    axes.set_xticks(range(len(results)), [title(found) for found in results], fontsize=8)
    axes.set(title="Evidence in the first ten, %", ylim=(0, 122))  # the legend's place is above the bars
    axes.legend(fontsize=7, ncols=min(len(systems), 6), loc="upper center", handlelength=1.2, columnspacing=1.0)


def _tokens(axes: Axes, found: Result) -> None:
    for system in found.systems:
        values = [
            100 * found.rows[system, found.headline, found.units[0], "tokens", budget].value for budget in BUDGETS
        ]
        axes.plot(BUDGETS, values, marker="o", markersize=3, color=COLOURS.get(system, OTHER), label=system)
    axes.set_xticks(BUDGETS)
    axes.set_title(f"{title(found)}: evidence, %", fontsize=9)
    axes.set(xlabel="injected tokens", ylim=(0, 100))


def _recall(axes: Axes, speeds: Sequence[Mapping[str, Any]]) -> None:
    rows = sorted((r for content in speeds for r in speed_rows(content) if r.op == "recall"), key=lambda r: r.size)
    for system in sorted({row.system for row in rows}, reverse=True):
        of = [row for row in rows if row.system == system]
        colour = COLOURS.get(system, OTHER)
        sizes, half = [r.size for r in of], [r.p50_ms for r in of]
        axes.plot(sizes, half, marker="o", color=colour, label=system)
        axes.fill_between(sizes, half, [r.p95_ms for r in of], color=colour, alpha=0.15)
    axes.set(title="Recall, ms (p50, shaded to p95)", xlabel="memories", xscale="log", yscale="log")
    axes.legend(fontsize=8)

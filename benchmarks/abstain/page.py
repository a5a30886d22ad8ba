"""The page about knowing when it does not know: tables and curves, written between the markers of a document.

In: result files, which hold what was asked. Out: the document, its generated part replaced, and a picture beside it: a
reliability diagram and a risk-coverage curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from benchmarks.abstain.cases import Asked, Kind
from benchmarks.abstain.figures import (
    ALL,
    BASELINES,
    CROSS_VALIDATED,
    ELSEWHERE,
    JOINTLY,
    SHIPPED,
    Judged,
    judged,
    measured,
)
from benchmarks.abstain.regression import labels
from benchmarks.abstain.run import asked_in
from benchmarks.report.retrieval import TITLES
from benchmarks.report.text import between_markers, table
from benchmarks.results import AbstainRow
from benchmarks.statistics import Values, reliability
from reverie.errors import InvalidInput

# The picture of the page: a reliability diagram and a risk-coverage curve.


if TYPE_CHECKING:
    from matplotlib.axes import Axes
else:
    Axes: TypeAlias = Any

GREY = "#9aa5b1"
COLOURS = ("#e69f00", "#56b4e9", "#009e73", "#cc79a7")
"""Told apart also by those who see fewer colours (Okabe and Ito)."""


def draw(path: Path, asked: Sequence[Asked], systems: Sequence[Judged]) -> None:
    """Write the picture.

    Raises:
        InvalidInput: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InvalidInput("The chart needs matplotlib.", "pip install 'path/to/reverie[bench]'") from None
    figure = Figure(figsize=(8.4, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    _reliability(left, asked, systems)
    _risk(right, asked, systems)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def _reliability(axes: Axes, asked: Sequence[Asked], systems: Sequence[Judged]) -> None:
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle="--")
    for place, judgement in enumerate(systems):
        if judgement.is_chance:
            points = reliability(judgement.scores, labels(asked))
            said, true = [mean for mean, _, _ in points], [share for _, share, _ in points]
            axes.plot(said, true, marker="o", color=COLOURS[place % len(COLOURS)], label=judgement.system)
    axes.set(title="Reliability", xlabel="probability said", ylabel="share that can be answered")
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.legend(fontsize=8)


def _risk(axes: Axes, asked: Sequence[Asked], systems: Sequence[Judged]) -> None:
    wrong = 1.0 - labels(asked)
    covered = np.arange(1, len(wrong) + 1) / len(wrong)
    for place, judgement in enumerate(systems):
        surest = np.argsort(-judgement.scores, kind="stable")
        risks = np.cumsum(wrong[surest]) / np.arange(1, len(wrong) + 1)
        begin = len(wrong) // 50  # the first few questions say nothing of a share
        axes.plot(covered[begin:], risks[begin:], color=COLOURS[place % len(COLOURS)], label=judgement.system)
    axes.set(title="Risk and coverage", xlabel="share of questions answered, the surest first")
    axes.set(ylabel="share of them that cannot be answered", ylim=(0, None))
    axes.legend(fontsize=8)


SYSTEMS = (*BASELINES, CROSS_VALIDATED, JOINTLY, ELSEWHERE)
"""Not the shipped weights: they have seen these questions."""

GATES = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5)
POOLED = "pooled"


def write(document: Path, paths: Sequence[Path], seed: int) -> None:
    """Measure what was asked in several runs, set by set and pooled, and write it down.

    Raises:
        InvalidInput: the files hold a single set, so that nothing can be fitted elsewhere.
    """
    by_set = _by_set(paths)
    parts = []
    for name, asked in by_set.items():
        others = [one for other, rest in by_set.items() if other != name for one in rest]
        rows = list(measured(name, asked, _unseen(asked, others), seed))
        parts.append(f"### {TITLES.get(name, name)}\n\n{_auroc(rows)}\n\n{_calibration(rows)}")
    everything = [one for asked in by_set.values() for one in asked]
    systems = _unseen(everything, ())
    rows = [row for row in measured(POOLED, everything, systems, seed) if ":" not in row.category]
    chances = next(system.scores for system in systems if system.system == CROSS_VALIDATED)
    picture = document.parent / "images" / f"{document.stem}.png"
    draw(picture, everything, systems)
    head = [
        f"![Reliability diagram and risk-coverage curve](images/{picture.name})",
        f"### All sets together\n\n{_auroc(rows)}\n\n{_calibration(rows)}\n\n{_gates(everything, chances)}",
    ]
    old = document.read_text(encoding="utf-8") if document.exists() else ""
    document.write_text(between_markers(old, "\n\n".join([*head, *parts])), encoding="utf-8")


def _unseen(asked: Sequence[Asked], others: Sequence[Asked]) -> list[Judged]:
    return [system for system in judged(asked, others) if system.system != SHIPPED]


def _auroc(rows: Sequence[AbstainRow]) -> str:
    """AUROC, a kind of question a row and a system a column."""
    found = {(row.category, row.system): row for row in rows if row.metric == "auroc"}
    systems = [name for name in SYSTEMS if any(system == name for _, system in found)]
    body = []
    for category in dict.fromkeys(category for category, _ in found):
        of = [found[category, system] for system in systems]
        body.append([category, str(of[0].n), *(f"{row.value:.3f} ({row.low:.2f}–{row.high:.2f})" for row in of)])
    return table(["AUROC against what can be answered", "n", *systems], body)


def _by_set(paths: Sequence[Path]) -> dict[str, list[Asked]]:
    by_set: dict[str, list[Asked]] = {}
    for path in paths:
        for one in asked_in(path):
            by_set.setdefault(one.set, []).append(one)
    if len(by_set) == 1:
        raise InvalidInput("The files hold one set.", "Give the files of at least two.")
    return by_set


def _calibration(rows: Sequence[AbstainRow]) -> str:
    """The other figures over all questions, a system a row."""
    found = {(row.system, row.metric, row.at): row for row in rows if row.category == ALL and row.metric != "auroc"}
    columns = list(dict.fromkeys((metric, at) for _, metric, at in found))
    body = []
    known = {system for system, _, _ in found}
    for system in filter(known.__contains__, SYSTEMS):
        cells = [found.get((system, *column)) for column in columns]
        body.append([system, *(f"{row.value:.3f} ({row.low:.2f}–{row.high:.2f})" if row else "" for row in cells)])
    return table(["system", *(f"{metric} at {at:g}" if at else metric for metric, at in columns)], body)


def _gates(asked: Sequence[Asked], chances: Values) -> str:
    """What a gate at each probability would hold back, of what can be answered and of each kind that cannot."""
    body = []
    for gate in GATES:
        shares = []
        for kind in Kind:
            of = chances[[one.kind == kind for one in asked]]
            shares.append(f"{100.0 * float((of < gate).mean()):.1f}" if len(of) else "")
        body.append([f"{gate:g}", *shares])
    return table(["held back below, % of", *(kind.value for kind in Kind)], body)

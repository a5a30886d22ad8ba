"""The picture of the page: a reliability diagram and a risk-coverage curve."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from benchmarks.abstain.asking import Asked
from benchmarks.abstain.fitting import labels
from benchmarks.abstain.measures import reliability
from benchmarks.abstain.measuring import Judged
from reverie.errors import InvalidInput

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
        raise InvalidInput("The chart needs matplotlib.", "pip install 'reverie[bench]'") from None
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

"""Learning what asks for tool calls: a direction in the model's space towards cues that ask what was done.

In: sentences of ours by kind, the cues of the lives' train part, which ask for something else, and a model. Out: the
direction with its intercept; how well it does on kinds left out, and how often on lives by hands it has not seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.lives import form
from benchmarks.statistics import auroc, direction
from reverie.formulas.arrays import Floats
from reverie.ports import Embedder

RIDGE = 30.0
"""2026-11-24: 1 to 30, AUROC of kinds left out .91 to .92."""
LIKELY = 0.3
_SENTENCES = Path(__file__).with_name("data") / "done.txt"


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Cues: unit vectors (n, dims), whether each asks what was done, and the kind of each."""

    rows: Floats
    is_done: Floats
    kinds: tuple[str, ...]


def made_up(embedder: Embedder) -> Asked:
    """Our own sentences."""
    lines = [line.split(" | ", 2) for line in _SENTENCES.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    rows = _vectors([text for _, _, text in lines], embedder)
    return Asked(rows, np.array([float(label == "done") for _, label, _ in lines]), tuple(kind for kind, _, _ in lines))


def cues(part: str, embedder: Embedder) -> Floats:
    """(n, dims) the cues of a part of the lives, which ask for what people said, but for a handful."""
    return _vectors([cue.text for life in form.lives(part) for cue in life.cues], embedder)


def fit(asked: Asked, others: Floats) -> Floats:
    """(dims + 1,) the direction and its intercept."""
    labels = np.concatenate([asked.is_done, np.zeros(len(others))])
    return direction(np.vstack([asked.rows, others]), labels, RIDGE)


def told(asked: Asked, others: Floats, unseen: Floats) -> list[str]:
    """How well the direction tells sentences of kinds left out, and how many cues of unseen hands it takes wrongly."""
    odds = np.zeros(len(asked.rows))
    for kind in sorted(set(asked.kinds)):
        kept = np.array([one != kind for one in asked.kinds])
        head = fit(Asked(asked.rows[kept], asked.is_done[kept], ()), others)
        odds[~kept] = asked.rows[~kept] @ head[:-1] + head[-1]
    edge = np.log(LIKELY / (1.0 - LIKELY))
    value = float(auroc(odds, asked.is_done, np.ones((1, len(odds))))[0])
    chosen = odds >= edge
    right, found = asked.is_done[chosen].mean(), asked.is_done[chosen].sum() / asked.is_done.sum()
    head = fit(asked, others)
    wrong = int((unseen @ head[:-1] + head[-1] >= edge).sum())
    return [
        f"kinds left out: AUROC {value:.3f}; from {LIKELY} on {100 * right:.0f} % right, {100 * found:.0f} % found",
        f"development lives: {wrong} of {len(unseen)} cues taken for it",
    ]


def _vectors(texts: list[str], embedder: Embedder) -> Floats:
    return np.stack([embedder.embed_query(text) for text in texts]).astype(np.float64)

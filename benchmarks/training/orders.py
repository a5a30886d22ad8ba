"""Learning orders: a direction in the model's space towards which standing orders lie, from labelled lives.

In: the lives of a part, and a model. Out: two directions with their intercepts, of any standing order and of one about
every answer; and how well they find the orders of another part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.abstain.measures import auroc
from benchmarks.lives import form
from reverie.formulas.arrays import Floats
from reverie.formulas.centring import centre, unit
from reverie.ports import Embedder
from reverie.types import Role

RIDGE = 100.0
"""2026-11-24: 3 to 100, AUROC of two hands left out .91 to .94 for any order, .96 to .97 for every answer's."""
EVERY, TOPIC = "every", "topic"


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """What the people of some lives said: unit vectors (n, dims) from the middle of each life, and what each orders."""

    rows: Floats
    reach: tuple[str, ...]

    def labels(self, *wanted: str) -> Floats:
        """(n,) 1 where a message orders one of these."""
        return np.array([float(reach in wanted) for reach in self.reach])


def said(part: str, embedder: Embedder) -> Said:
    """All that the person of each life of a part said."""
    rows, reach = [], list[str]()
    for life in form.lives(part):
        labels = {order.id: order.reach for order in life.orders}
        vectors = embedder.embed_passages([item.text for item in life.items])
        seen = unit(vectors - centre(vectors.mean(axis=0), len(vectors)))
        own = [place for place, item in enumerate(life.items) if item.role is Role.USER]
        rows.append(seen[own])
        reach += [labels.get(life.items[place].id, "") for place in own]
    return Said(np.concatenate(rows).astype(np.float64), tuple(reach))


def told(heads: Sequence[tuple[str, Floats, tuple[str, ...]]], asked: Said) -> list[str]:
    """How well each direction tells its orders from everything else of other lives."""
    lines = []
    for name, head, wanted in heads:
        odds = asked.rows @ head[:-1] + head[-1]
        labels = asked.labels(*wanted)
        value = float(auroc(odds, labels, np.ones((1, len(odds))))[0])
        chosen = odds >= np.log(0.25 / 0.75)
        right, found = labels[chosen].mean(), labels[chosen].sum() / labels.sum()
        lines.append(f"{name}: AUROC {value:.3f}; from .25 on {100 * right:.0f} % right, {100 * found:.0f} % found")
    return lines

"""The score breakdown of a recall: in, a recollection; out, a bar a hit, made of what each signal added."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reverie.faces.plots.canvas import COLOURS, drawing, label
from reverie.formulas.arrays import Floats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from reverie.answers import Hit, Recollection


MOST = 20
_LEAST = 1e-9


def shares(hits: Sequence[Hit]) -> dict[str, Floats]:
    """Signal → what it added to each hit, (n,); in the order in which they first appear, without those that added
    nothing to any.
    """
    found: dict[str, Floats] = {}
    for row, hit in enumerate(hits):
        for signal in hit.signals:
            found.setdefault(signal.name, np.zeros(len(hits)))[row] += signal.share
    return {name: added for name, added in found.items() if np.abs(added).max() > _LEAST}


def draw(answer: Recollection) -> Figure:
    """The picture: the best hit on top; what was taken off a score stands to the left of zero."""
    hits = answer.hits[:MOST]
    rows = np.arange(len(hits))
    up, down = np.zeros(len(hits)), np.zeros(len(hits))
    with drawing(9.0, 1.4 + 0.42 * max(len(hits), 2)) as (figure, axes):
        for number, (name, added) in enumerate(shares(hits).items()):
            base = np.where(added >= 0.0, up, down)
            colour = COLOURS[number % len(COLOURS)]
            hatch = "" if number < len(COLOURS) else "//"
            axes.barh(rows, added, left=base, color=colour, hatch=hatch, height=0.66, label=name)
            up += np.maximum(added, 0.0)
            down += np.minimum(added, 0.0)
        for row, hit in enumerate(hits):
            axes.text(up[row], row, f" {hit.score:.2f}", va="center", fontsize=8)
        axes.set_yticks(rows, [f"{label(hit.memory.text, 44)}  {hit.rank}" for hit in hits])
        axes.invert_yaxis()
        axes.margins(x=0.08)
        axes.set_xlabel("score, by what each signal added")
        axes.set_title(f"Why “{label(answer.cue.text, 48)}” recalls these", loc="left")
        if hits:
            axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8)
    return figure

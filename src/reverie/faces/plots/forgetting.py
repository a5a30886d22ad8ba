"""The forgetting curve of a memory: in, the engine's curve; out, the picture, with what was asked for when."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reverie.faces.plots.canvas import COLOURS, GREY, drawing, label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from reverie.answers import Curve

_DAY_S = 86_400.0


def draw(curve: Curve) -> Figure:
    """The picture: the curve so far, its accesses, and how it goes on if nobody asks for the memory."""
    begin = curve.points[0].at
    lived = (curve.at - begin).total_seconds() / _DAY_S
    days = np.array([point.days for point in curve.points])
    left = np.array([point.retrievability for point in curve.points])
    with drawing(8.0, 4.2) as (figure, axes):
        past = days <= lived
        axes.plot(days[past], left[past], color=COLOURS[0], linewidth=1.8, label="retention")
        axes.plot(days[~past], left[~past], color=COLOURS[0], linewidth=1.4, linestyle="--", label="if not recalled")
        at = np.array([(access - begin).total_seconds() / _DAY_S for access in curve.accesses])
        axes.plot(at, np.ones_like(at), "v", color=COLOURS[5], markersize=6, label=f"{len(at)} accesses", clip_on=False)
        axes.axvline(lived, color=GREY, linewidth=0.8)
        side = "left" if lived < days[-1] / 2.0 else "right"
        axes.text(lived, 1.06, f" now: {curve.now:.2f} ", ha=side, color=GREY)
        axes.set_xlabel(f"days since it was formed ({begin:%Y-%m-%d})")
        axes.set_ylabel(f"retention ({curve.law} curve)")
        axes.set_ylim(0.0, 1.02)
        axes.set_xlim(0.0, max(float(days[-1]), 1e-6))
        axes.set_title(f"How “{label(curve.memory.text, 56)}” fades", loc="left", pad=20)
        axes.legend(frameon=False, loc="best")
    return figure

"""The relation graph around a memory or an entity: in, memories and their links; out, where each lies, and the picture.

Where they lie is worked out from the links alone, in a fixed number of steps without chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from reverie.faces.plots.canvas import COLOURS, GREY, drawing, label
from reverie.formulas.arrays import Floats
from reverie.types import Kind, RelationKind, State

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from reverie.types import Memory, Relation

MOST = 40
"""Memories that are drawn; more are no picture any more."""
_STEPS = 200
_ARROWS = {RelationKind.SUPERSEDES, RelationKind.CAUSES, RelationKind.ELABORATES}
"""Kinds that run from one to the other; the others hold both ways."""


def layout(count: int, links: Sequence[tuple[int, int]]) -> Floats:
    """(n, 2) places in [−1, 1]: linked memories draw near, all push one another away (Fruchterman and Reingold).

    The first one begins in the middle, the others on a circle around it.
    """
    angles = 2.0 * np.pi * np.arange(count) / max(count - 1, 1)
    places: Floats = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    places[:1] = 0.0
    if count < 2:
        return places
    near = np.zeros((count, count))
    for start, end in links:
        near[start, end] = near[end, start] = 1.0
    ideal = 1.6 / np.sqrt(count)
    for step in range(_STEPS):
        apart = places[:, None, :] - places[None, :, :]
        distance = np.maximum(np.linalg.norm(apart, axis=2), 1e-3)
        force = ideal**2 / distance**2 - near * distance / ideal
        shift = (apart * force[:, :, None]).sum(axis=1)
        length = np.maximum(np.linalg.norm(shift, axis=1, keepdims=True), 1e-9)
        places += shift / length * np.minimum(length, 0.2 * (1.0 - step / _STEPS))
    places -= places.mean(axis=0)
    scaled: Floats = places / max(float(np.abs(places).max()), 1e-9)
    return scaled.round(6)


def draw(start: str, memories: Sequence[Memory], relations: Sequence[Relation]) -> Figure:
    """The picture: a point a memory, with its words; a line a link, with its kind."""
    shown = list(memories[:MOST])
    rows = {memory.id: row for row, memory in enumerate(shown)}
    edges = [edge for edge in relations if edge.source in rows and edge.target in rows]
    places = layout(len(shown), [(rows[edge.source], rows[edge.target]) for edge in edges])
    kinds = [kind for kind in Kind if any(memory.kind is kind for memory in shown)]
    with drawing(9.0, 7.0) as (figure, axes):
        for edge in edges:
            _edge(axes, edge, places[rows[edge.source]], places[rows[edge.target]])
        for kind in kinds:
            _points(axes, kind, [(memory, places[row]) for row, memory in enumerate(shown) if memory.kind is kind])
        for row, memory in enumerate(shown):
            axes.annotate(
                label(memory.text, 34),
                tuple(places[row]),
                xytext=(0, -9),
                textcoords="offset points",
                ha="center",
                va="top",
                fontsize=7.5,
            )
        left_out = f", {len(memories) - len(shown)} more not shown" if len(memories) > len(shown) else ""
        axes.set_title(
            f"What is linked with “{label(start, 40)}”: {len(shown)} memories, {len(edges)} links{left_out}", loc="left"
        )
        axes.set_xlim(-1.35, 1.35)
        axes.set_ylim(-1.2, 1.15)
        axes.set_axis_off()
        axes.legend(frameon=False, loc="lower right", fontsize=8)
    return figure


def _points(axes: Axes, kind: Kind, placed: Sequence[tuple[Memory, Floats]]) -> None:
    """The memories of one kind: what sleeps or was superseded is hollow, what matters more is larger."""
    colour = COLOURS[tuple(Kind).index(kind) % len(COLOURS)]
    awake = {State.ACTIVE, State.FADING}
    axes.scatter(
        [place[0] for _, place in placed],
        [place[1] for _, place in placed],
        s=[60.0 + 180.0 * memory.standing.importance for memory, _ in placed],
        facecolors=[colour if memory.standing.state in awake else "white" for memory, _ in placed],
        edgecolors=colour,
        linewidths=1.5,
        zorder=3,
        label=str(kind),
    )


def _edge(axes: Axes, edge: Relation, start: Floats, end: Floats) -> None:
    style = "-|>" if edge.kind in _ARROWS else "-"
    width = 0.6 + 1.4 * edge.confidence
    arrow = {"arrowstyle": style, "color": GREY, "linewidth": width, "shrinkA": 8, "shrinkB": 8}
    axes.annotate("", tuple(end), xytext=tuple(start), arrowprops=arrow)
    middle = (start + end) / 2.0
    words = str(edge.kind).replace("_", " ")
    axes.text(float(middle[0]), float(middle[1]), words, color=GREY, fontsize=7, ha="center", va="center")

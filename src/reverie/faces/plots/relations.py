"""The relation graph around a memory or an entity: in, memories and their links; out, where each lies, and the picture.

Where they lie is worked out from the links alone, in a fixed number of steps without chance.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np

from reverie.faces.plots.canvas import COLOURS, GREY, drawing, label
from reverie.formulas.arrays import Floats
from reverie.types import KIND_CODES, Kind, RelationKind, State

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from reverie.types import Memory, Relation

MOST = 40
"""Memories that are drawn; more are no picture any more."""
_LINE = 20
"""Characters of a line under a point."""
_ROOMY = 10
"""Points whose words have room on the smallest picture; with more it grows, so that each keeps as much."""
_STEPS = 200
_PULL = 0.5
_ARROWS = {RelationKind.SUPERSEDES, RelationKind.CAUSES, RelationKind.ELABORATES}
"""Kinds that run from one to the other; the others hold both ways."""


def layout(count: int, links: Sequence[tuple[int, int]]) -> Floats:
    """(n, 2) places in [−1, 1]: linked ones draw near, all push one another away (Fruchterman and Reingold).

    The first one begins in the middle, the others on a circle around it; a pull to the middle keeps together what is
    not linked.
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
        shift = (apart * force[:, :, None]).sum(axis=1) - _PULL * places
        length = np.maximum(np.linalg.norm(shift, axis=1, keepdims=True), 1e-9)
        places += shift / length * np.minimum(length, 0.2 * (1.0 - step / _STEPS))
    places -= (places.max(axis=0) + places.min(axis=0)) / 2.0
    scaled: Floats = places / np.maximum(np.abs(places).max(axis=0), 1e-9)
    return scaled.round(6)


def draw(start: str, memories: Sequence[Memory], relations: Sequence[Relation], naming: Collection[str] = ()) -> Figure:
    """The picture: a point a memory, with its words; a line a link, with its kind.

    ``naming`` are the ids of the memories that name ``start``, where that is an entity: it is then a point of its own.
    """
    shown = list(memories[:MOST])
    rows = {memory.id: row for row, memory in enumerate(shown)}
    edges = [edge for edge in relations if edge.source in rows and edge.target in rows]
    links = [(rows[edge.source], rows[edge.target]) for edge in edges]
    named = [row for row, memory in enumerate(shown) if memory.id in naming]
    hub = len(shown)
    places = layout(hub + bool(named), [*links, *((hub, row) for row in named)])
    scale = max(1.0, float(np.sqrt(len(places) / _ROOMY)))
    with drawing(9.0 * scale, 7.0 * scale) as (figure, axes):
        for row in named:
            axes.plot(*np.stack([places[hub], places[row]], axis=1), color=GREY, linewidth=0.7, linestyle=":")
        for edge in edges:
            _edge(axes, edge, places[rows[edge.source]], places[rows[edge.target]])
        for kind in [kind for kind in Kind if any(memory.kind is kind for memory in shown)]:
            _points(axes, kind, [(memory, places[row]) for row, memory in enumerate(shown) if memory.kind is kind])
        for row, memory in enumerate(shown):
            _words(axes, label(memory.text, 34), places[row])
        if named:
            axes.scatter(places[hub, 0], places[hub, 1], s=120, marker="D", color="black", zorder=3)
            _words(axes, label(start, 34), places[hub])
        more = f", {len(memories) - hub} more not shown" if len(memories) > hub else ""
        what = f"{hub} memories, {len(edges)} links{more}"
        axes.set_title(f"What is linked with “{label(start, 40)}”: {what}", loc="left")
        axes.set_xlim(-1.4, 1.4)
        axes.set_ylim(-1.25, 1.15)
        axes.set_axis_off()
        axes.legend(frameon=False, loc="upper right", fontsize=8)
    return figure


def _words(axes: Axes, text: str, place: Floats) -> None:
    """A point's words under it, in lines short enough not to reach the next point."""
    axes.annotate(
        "\n".join(wrap(text, _LINE)),
        tuple(place),
        xytext=(0, -9),
        textcoords="offset points",
        ha="center",
        va="top",
        fontsize=7.5,
        linespacing=1.0,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.5},
        zorder=4,
    )


def _points(axes: Axes, kind: Kind, placed: Sequence[tuple[Memory, Floats]]) -> None:
    """The memories of one kind: what sleeps or was superseded is hollow, what matters more is larger.

    There are more kinds than colours: those beyond them are squares.
    """
    number = KIND_CODES[kind]
    colour, marker = COLOURS[number % len(COLOURS)], "o" if number < len(COLOURS) else "s"
    awake = {State.ACTIVE, State.FADING}
    axes.scatter(
        [place[0] for _, place in placed],
        [place[1] for _, place in placed],
        s=[60.0 + 180.0 * memory.standing.importance for memory, _ in placed],
        facecolors=[colour if memory.standing.state in awake else "white" for memory, _ in placed],
        edgecolors=colour,
        linewidths=1.5,
        marker=marker,
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
    behind = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
    place = float(middle[0]), float(middle[1])
    axes.text(*place, words, color=GREY, fontsize=7, ha="center", va="center", bbox=behind, zorder=2)

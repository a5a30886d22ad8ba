"""Charts of a memory: a recall's score breakdown, a memory's forgetting curve, the relation graph around it."""

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

    from reverie.answers import Curve, Hit, Recollection
    from reverie.types import Memory, Relation


MOST_HITS = 20
_LEAST = 1e-9


def shares(hits: Sequence[Hit]) -> dict[str, Floats]:
    """Map each signal to what it added to each hit, (n,), in the order in which they first appear; without signals that
    added nothing to any.
    """
    found: dict[str, Floats] = {}
    for row, hit in enumerate(hits):
        for signal in hit.signals:
            found.setdefault(signal.name, np.zeros(len(hits)))[row] += signal.share
    return {name: added for name, added in found.items() if np.abs(added).max() > _LEAST}


def draw_breakdown(answer: Recollection) -> Figure:
    """Draw the score breakdown, the best hit on top; negative contributions extend to the left of zero."""
    hits = answer.hits[:MOST_HITS]
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


_DAY_S = 86_400.0


def draw_forgetting(curve: Curve) -> Figure:
    """Draw the forgetting curve so far with its accesses, and its future without further recall."""
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


MOST = 40
"""Most memories that are drawn."""
_LINE = 20
"""Most characters of one line of a point's label."""
_ROOMY = 10
"""Points whose labels fit on the smallest picture; with more points the picture grows."""
_STEPS = 200
_PULL = 0.5
_ARROWS = {RelationKind.SUPERSEDES, RelationKind.CAUSES, RelationKind.ELABORATES}
"""Kinds with a direction; the others hold both ways."""


def layout(count: int, links: Sequence[tuple[int, int]]) -> Floats:
    """Return (n, 2) positions in [−1, 1]: linked points attract, all repel each other (Fruchterman and Reingold).

    The first point starts in the middle, the others on a circle around it; a pull to the middle keeps unlinked points
    together.
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


def _memories(axes: Axes, shown: Sequence[Memory], places: Floats) -> None:
    """Draw the points of all memories, kind by kind, and then their labels."""
    for kind in [kind for kind in Kind if any(memory.kind is kind for memory in shown)]:
        _points(axes, kind, [(memory, places[row]) for row, memory in enumerate(shown) if memory.kind is kind])
    for row, memory in enumerate(shown):
        _words(axes, label(memory.text, 34), places[row])


def draw_relations(
    start: str, memories: Sequence[Memory], relations: Sequence[Relation], naming: Collection[str] = ()
) -> Figure:
    """Draw the relation graph: a labelled point for each memory, a line with its kind for each link.

    ``naming`` are the ids of the memories that name ``start``, if that is an entity: it is then a point of its own.
    """
    shown = list(memories[:MOST])
    rows = {memory.id: row for row, memory in enumerate(shown)}
    edges = [edge for edge in relations if {edge.source, edge.target} <= rows.keys()]
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
        _memories(axes, shown, places)
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
    """Write a point's label under it, in lines short enough not to reach the next point."""
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
    """Draw the memories of one kind: sleeping or superseded ones hollow, more important ones larger.

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

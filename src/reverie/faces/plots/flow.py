"""The tier flow of a dream: how many memories it moved from which tier and state to which, drawn as bands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reverie.errors import NotFound
from reverie.events import Change, Changed, DreamStage, Dreamt, Erased, Formed, Recalled
from reverie.faces.plots.canvas import GREY, drawing, label
from reverie.types import State, Tier

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from reverie.events import Event


NEW = "new"
_BAR = 0.03
_GAP = 0.04
"""Bar width and gap, as shares of the picture's width and height."""


@dataclass(frozen=True, slots=True)
class FlowPlace:
    """A memory's tier and state."""

    tier: Tier
    state: State

    def __str__(self) -> str:
        return f"{self.tier}, {self.state}"


_BLUES = ("#0072B2", "#56B4E9", "#9BC9E6", "#C9DDEA", "#E0E8EE")
_ORANGES = ("#D55E00", "#E69F00", "#F0C36D", "#F5DDB0", "#F8ECD8")
_SHADES = {
    str(FlowPlace(tier, state)): shades[number]
    for tier, shades in ((Tier.SEMANTIC, _BLUES), (Tier.EPISODIC, _ORANGES))
    for number, state in enumerate(State)
}
"""A hue for each tier; the further a state is from being recalled, the paler."""
ORDER = (*(str(FlowPlace(tier, state)) for tier in reversed(Tier) for state in State), NEW)
"""Places from top to bottom."""


@dataclass(frozen=True, slots=True)
class Flow:
    """A dream's flow: how many memories went from one place to another, its id, its period and its stage."""

    cycle: str
    period: str
    stage: DreamStage
    counts: Counter[tuple[str, str]]

    @property
    def moved(self) -> int:
        """How many memories ended in another place than they began."""
        return sum(count for (start, end), count in self.counts.items() if start != end)


def _begun(dreams: Sequence[tuple[Event, Dreamt]], cycle: str | None) -> tuple[Event, Dreamt]:
    """Return the last event in which a dream (the one named ``cycle``, or any) began. Raises NotFound."""
    begun = [one for one in dreams if one[1].stage is DreamStage.BEGUN and cycle in (None, one[1].cycle)]
    if not begun:
        raise NotFound("There is no such dream in this scope." if cycle else "No dream has been here.", "Dream first.")
    return begun[-1]


def flow_of(events: Sequence[Event], cycle: str | None = None) -> Flow:
    """Return the flow of a dream, by default the newest. What others wrote meanwhile is left out.

    Raises:
        NotFound: there is no such dream.
    """
    dreams = [(event, event.payload) for event in events if isinstance(event.payload, Dreamt)]
    start, dream = _begun(dreams, cycle)
    own = f"dream {dream.cycle}: "
    before = _folded({}, (event for event in events if event.seq < start.seq))
    after = _folded(dict(before), (event for event in events if event.seq > start.seq and event.why.startswith(own)))
    counts = Counter((str(before.get(name, NEW)), str(place)) for name, place in after.items())
    stage = [payload.stage for _, payload in dreams if payload.cycle == dream.cycle][-1]
    return Flow(dream.cycle, dream.period, stage, counts)


def _folded(places: dict[str, FlowPlace], events: Iterable[Event]) -> dict[str, FlowPlace]:
    """Return the places of the formed memories after these events."""
    for event in events:
        match event.payload:
            case Formed(added, removed):
                _remove(places, [memory.id for memory in removed])
                places |= {memory.id: FlowPlace(memory.standing.tier, memory.standing.state) for memory in added}
            case Changed(changes) | Recalled(_, changes):
                _move(places, changes)
            case Erased(memories):
                _remove(places, memories)
            case _:
                pass
    return places


def _remove(places: dict[str, FlowPlace], names: Iterable[str]) -> None:
    for name in names:
        places.pop(name, None)


def _move(places: dict[str, FlowPlace], changes: Iterable[Change]) -> None:
    moves = [(one.memory, f.name, str(f.after)) for one in changes for f in one.fields if one.memory in places]
    for name, field, after in moves:
        if field == "tier":
            places[name] = replace(places[name], tier=Tier(after))
        elif field == "state":
            places[name] = replace(places[name], state=State(after))


def draw(flow: Flow, scope: str) -> Figure:
    """Draw the flow: where memories were before the dream on the left, and after it on the right."""
    total = sum(flow.counts.values())
    starts = _bars(Counter({place: sum(n for (a, _), n in flow.counts.items() if a == place) for place in ORDER}))
    ends = _bars(Counter({place: sum(n for (_, b), n in flow.counts.items() if b == place) for place in ORDER}))
    with drawing(8.0, 4.8) as (figure, axes):
        for number, bars in enumerate((starts, ends)):
            for place, (top, height, count) in bars.items():
                _bar(axes, number, place, top, height, count)
        _bands(axes, flow, starts, ends)
        taken = ", taken back since" if flow.stage is DreamStage.UNDONE else ""
        period = label(flow.period.removesuffix("T00:00+00:00"))
        moved = f"{flow.moved} of {total} memories{taken}"
        axes.set_title(f"What the dream of {period} moved in {label(scope)}: {moved}", loc="left")
        axes.set_xlim(-0.32, 1.32)
        axes.set_ylim(1.02, -0.06)
        axes.text(0.0, -0.03, "before", ha="center", color=GREY)
        axes.text(1.0, -0.03, "after", ha="center", color=GREY)
        axes.set_axis_off()
    return figure


def _bars(counts: Counter[str]) -> dict[str, tuple[float, float, int]]:
    """Return top, height and count of each non-empty place, from 0 at the top to 1."""
    held = [(place, counts[place]) for place in ORDER if counts[place]]
    total = sum(count for _, count in held)
    room = 1.0 - _GAP * max(len(held) - 1, 0)
    bars, top = {}, 0.0
    for place, count in held:
        height = room * count / total
        bars[place] = (top, height, count)
        top += height + _GAP
    return bars


def _colour(place: str) -> str:
    return _SHADES.get(place, GREY)


def _bar(axes: Axes, x: int, place: str, top: float, height: float, count: int) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((x - _BAR / 2, top), _BAR, height, color=_colour(place)))
    side = -1 if x == 0 else 1
    align = "right" if x == 0 else "left"
    axes.text(x + side * _BAR, top + height / 2, f"{place} ({count})", ha=align, va="center")


def _bands(
    axes: Axes, flow: Flow, starts: dict[str, tuple[float, float, int]], ends: dict[str, tuple[float, float, int]]
) -> None:
    left = {place: top for place, (top, _, _) in starts.items()}
    right = {place: top for place, (top, _, _) in ends.items()}
    pairs = [(start, end) for start in ORDER for end in ORDER if flow.counts[start, end]]
    for start, end in pairs:
        count = flow.counts[start, end]
        heights = starts[start][1] * count / starts[start][2], ends[end][1] * count / ends[end][2]
        _band(axes, (left[start], heights[0]), (right[end], heights[1]), _colour(start), still=start == end)
        left[start] += heights[0]
        right[end] += heights[1]


def _band(axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str, *, still: bool) -> None:
    """Draw a curved band from one bar to another."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    (a, ha), (b, hb) = start, end
    x, z = _BAR / 2, 1.0 - _BAR / 2
    points = [(x, a), (0.5, a), (0.5, b), (z, b), (z, b + hb), (0.5, b + hb), (0.5, a + ha), (x, a + ha), (x, a)]
    codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
    axes.add_patch(PathPatch(Path(points, codes), facecolor=colour, alpha=0.25 if still else 0.6, linewidth=0))

"""The tier flow of a dream: in, a scope's journal and a dream; out, how many memories went from where to where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reverie.consolidate.cycles import reason
from reverie.errors import InvalidInput, NotFound
from reverie.events import Change, Changed, Dreamt, Formed, Recalled, Stage
from reverie.faces.plots.canvas import COLOURS, GREY, drawing
from reverie.types import State, Tier

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from reverie.events import Event

NEW = "formed by the dream"
_LEFT, _RIGHT = 0.0, 1.0
_BAR = 0.03
_GAP = 0.03
"""Share of the picture's height between two bands."""


@dataclass(frozen=True, slots=True)
class Flow:
    """A dream's flow: how many memories stood at (from, to), its id and its period."""

    cycle: str
    period: str
    counts: Counter[tuple[str, str]]


def flow_of(events: Iterable[Event], cycle: str | None) -> Flow:
    """The flow of a dream, the newest where none is named.

    Raises:
        NotFound: there is no such dream.
    """
    journal = list(events)
    chosen = _chosen(journal, cycle)
    places: dict[str, str] = {}
    before: dict[str, str] | None = None
    moved: set[str] = set()
    mark = reason(chosen.cycle, "").rstrip() if False else f"dream {chosen.cycle}: "
    for event in journal:
        is_own = event.why.startswith(mark)
        if is_own and before is None:
            before = dict(places)
        _fold(places, event)
        if is_own:
            moved.update(places)
    return _flow(chosen, before, places, journal, mark)

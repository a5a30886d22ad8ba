"""Route: what kind of question this is, and which lane it takes (D18): weights, limit, special handling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice

from reverie.recall.lanes import Intent, Lanes, lane_of
from reverie.recall.quest import Quest, ordered


@dataclass(frozen=True, slots=True)
class Route:
    """Finds the intent, by the model where there is one or else by ``read``, and takes its lane.

    The caller's own ``top_k`` stands.
    """

    lanes: Lanes
    read: Callable[[str], Intent]
    name: str = "route"

    def __call__(self, quest: Quest) -> Quest:
        """The quest with its intent and its lane."""
        said = quest.world.route(quest.request.text)
        intent = Intent(said) if said else self.read(quest.request.text)
        lane = lane_of(self.lanes, intent)
        request = replace(quest.request, past=quest.request.past or lane.latest)
        limit = quest.request.top_k or lane.limit
        by = "the model" if said else "its words"
        routed = replace(quest, request=request, intent=intent, lane=lane, limit=limit)
        return routed.noted(f"{intent}, by {by}: at most {limit}")


@dataclass(frozen=True, slots=True)
class UtilityBoost:
    """Adds to a score what the lane gives for having been of use."""

    name: str = "utility boost"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, boosted."""
        share = quest.lane.utility if quest.lane else 0.0
        if not share:
            return quest.noted("not in this lane")
        found = [c.touched("utility", u := c.memory.standing.utility, share * u, share) for c in quest.candidates]
        return replace(quest, candidates=ordered(found)).noted(f"{len(found)} weighed")


@dataclass(frozen=True, slots=True)
class Newest:
    """In a lane that asks for it, what was chosen stands by when it became true, the newest first."""

    name: str = "newest first"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates; those about to be handed over in the order of time."""
        if not (quest.lane and quest.lane.latest):
            return quest.noted("not in this lane")
        found = iter(quest.candidates)
        chosen = sorted(islice(found, quest.limit), key=lambda candidate: candidate.memory.valid_from, reverse=True)
        return replace(quest, candidates=[*chosen, *found]).noted(f"{len(chosen)} by time")

"""Outdated: an episode of which what is asked for has been superseded does not stand above what superseded it.

What was said stays findable word for word, but what holds stands before it, and the hit says that it is outdated. For a
point in time (``as_of``) the same, with what had been said and held then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from reverie.recall.held import holds
from reverie.recall.quest import Candidate, Quest
from reverie.recall.replaced import touched, trail
from reverie.types import STATE_CODES, Kind, Memory, State

MARK = "superseded"
"""The signal of an outdated hit; it adds nothing to the score, and names the latest of what took its place."""
_SUPERSEDED = STATE_CODES[State.SUPERSEDED]


@dataclass(frozen=True, slots=True)
class Outdated:
    """Looks at the first ``times`` as many candidates as are wanted; does nothing where nothing was ever superseded.

    What supersedes comes up to the outdated episode's place, in front of it, and is brought where it was not found.
    Sending the episode down instead would lose it wherever a contradiction was seen wrongly.
    """

    times: int
    name: str = "outdated"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, what holds before what it superseded."""
        request, world = quest.request, quest.world
        if request.past:
            return quest.noted("the past is asked for")
        if not (world.corpus.states == _SUPERSEDED).any():
            return quest.noted("nothing is superseded")
        found = iter(quest.candidates)
        head = list(islice(found, quest.limit * self.times))
        episodes = touched([c.memory for c in head if c.memory.kind is Kind.EPISODE], quest)
        trails = {episode.id: later for episode in episodes if (later := trail(episode, quest)) is not None}
        newer = {name: [m for m in later if holds(m, request)] for name, later in trails.items()}
        ordered = list(_Order(head, trails, newer))
        raised = {candidate.memory.id for candidate in ordered}
        rest = (candidate for candidate in found if candidate.memory.id not in raised)
        return replace(quest, candidates=chain(ordered, rest)).noted(f"{len(trails)} outdated")


class _Order:
    """Walks the head in order, before each outdated candidate those that say what came after it."""

    def __init__(
        self, head: Sequence[Candidate], trails: Mapping[str, Sequence[Memory]], newer: Mapping[str, Sequence[Memory]]
    ) -> None:
        self._head = head
        self._trails = trails
        self._newer = newer
        self._passed: set[str] = set()

    def __iter__(self) -> Iterator[Candidate]:
        for candidate in self._head:
            yield from self._passing(candidate, candidate.score)

    def _passing(self, candidate: Candidate, score: float, before: Candidate | None = None) -> Iterator[Candidate]:
        """A candidate, lifted to ``score`` where it comes up before an outdated one, and shown where that one is."""
        if candidate.memory.id in self._passed:
            return
        self._passed.add(candidate.memory.id)
        later = self._trails.get(candidate.memory.id)
        tellers = [] if later is None else self._tellers(later, self._newer[candidate.memory.id])
        for teller in tellers:
            yield from self._passing(teller, score, candidate)
        if before is not None and not before.withheld:  # what no longer holds is never handed over alone
            candidate = replace(candidate, withheld="")
        elif before is not None and candidate.ordinal < 0:  # nor is anything brought for what is withheld
            candidate = replace(candidate, withheld=before.withheld)
        lifted = candidate.touched("supersedes", 1.0, max(0.0, score - candidate.score))
        yield lifted if later is None else lifted.marked(MARK, tellers[0].memory.id if tellers else "")

    def _tellers(self, later: Sequence[Memory], newer: Sequence[Memory]) -> list[Candidate]:
        """The candidates that say what came after, the latest first; where there are none, what holds now itself."""
        tells = {name: place for place, memory in enumerate(later) for name in (memory.id, *memory.sources)}
        found = [candidate for candidate in self._head if candidate.memory.id in tells]
        found.sort(key=lambda candidate: -tells[candidate.memory.id])
        return found or [Candidate(-1, memory, 0.0) for memory in newer]

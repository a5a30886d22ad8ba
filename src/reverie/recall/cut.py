"""Cut: where a host asks on its own for every message, what lies far below the best is not worth its tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from reverie.recall.bend import is_bent
from reverie.recall.quest import Candidate, Quest


@dataclass(frozen=True, slots=True)
class Cut:
    """Withholds what scores below ``share`` of the best, unless somebody asked by hand.

    ``bent_share`` is the same for what was scored by bends: those scores lie closer together.
    """

    share: float
    bent_share: float
    name: str = "cut"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, those below the cut marked as withheld."""
        if not quest.request.automatic:
            return quest.noted("asked by hand")
        told = f"cut at {self.share:g} of the best, {self.bent_share:g} of bent scores"
        return replace(quest, candidates=self._cut(quest)).noted(told)

    def _cut(self, quest: Quest) -> Iterator[Candidate]:
        best = 0.0
        for candidate in quest.candidates:
            if not candidate.withheld:
                best = max(best, candidate.score)
            share = self.bent_share if is_bent(candidate) else self.share
            low = candidate.score < share * best and not candidate.withheld
            yield replace(candidate, withheld="far below the best") if low else candidate

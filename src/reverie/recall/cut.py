"""Cut: where a host asks on its own for every message, what lies far below the best is not worth its tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from reverie.recall.quest import Candidate, Quest


@dataclass(frozen=True, slots=True)
class Cut:
    """Withholds what scores below ``share`` of the best, unless somebody asked by hand."""

    share: float
    name: str = "cut"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, those below the cut marked as withheld."""
        if not quest.request.automatic:
            return quest.noted("asked by hand")
        return replace(quest, candidates=self._cut(quest)).noted(f"cut at {self.share:g} of the best")

    def _cut(self, quest: Quest) -> Iterator[Candidate]:
        best = 0.0
        for candidate in quest.candidates:
            if not candidate.withheld:
                best = max(best, candidate.score)
            low = candidate.score < self.share * best and not candidate.withheld
            yield replace(candidate, withheld="far below the best") if low else candidate

"""Company: what lies near the first of what was found comes forward, though it is not near the cue (decision 0057).

In: a quest with its candidates. Out: the same, the first of them in a new order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from reverie.conflicts.company import company
from reverie.recall.collapse import leading
from reverie.recall.compared import compared
from reverie.recall.quest import Quest, ordered

SIGNAL = "company"
"""The signal of a hit that lies near others of the first; its value is what that adds to the score."""


@dataclass(frozen=True, slots=True)
class InCompany:
    """Compares the first ``looked`` candidates, two by two.

    Attributes:
        looked: candidates compared.
        share: of a formed memory and an episode of which it holds this share, one is looked at.
    """

    looked: int
    share: float
    name: str = "company"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, those in good company before others."""
        head, found = leading(quest.candidates, self.looked, self.share)
        if len(head) < 2:
            return replace(quest, candidates=chain(head, found)).noted("nothing to compare")
        known = compared(head, quest)
        lifts = company(known.seen).lifts(known.numbers, np.array([one.score for one in head])).tolist()
        lifted = ordered(one.touched(SIGNAL, lift, lift) for one, lift in zip(head, lifts, strict=True))
        moved = sum(one.memory.id != other.memory.id for one, other in zip(head, lifted, strict=True))
        met = replace(quest, candidates=chain(lifted, found), compared=known)
        return met.noted(f"{moved} of {len(head)} moved")

"""Updates: what a later message replaced or took back stands behind it, and is marked as possibly outdated.

In: a quest with its candidates. Out: the same, each earlier one behind the later one that most likely took its place
(``reverie.conflicts``, decision 0052). What is certain was written down when it was said (``outdated``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from reverie.conflicts.pairs import Asked, Numbers, is_later
from reverie.conflicts.verdict import Verdict, verdict
from reverie.formulas.arrays import Floats
from reverie.recall.collapse import leading
from reverie.recall.compared import compared
from reverie.recall.held import held_then
from reverie.recall.outdated import MARK as SUPERSEDED
from reverie.recall.quest import Candidate, Quest
from reverie.recall.tool_calls import is_tool_call
from reverie.types import PEOPLE

MARK = "outdated"
"""The signal of a hit that was probably true once: a later one, which it names, most likely took its place."""
LIFTED = "newer"
"""The signal of a hit that was lifted above an older one, and by how much."""


@dataclass(frozen=True, slots=True)
class Updates:
    """Compares the first ``looked`` candidates, two by two.

    Attributes:
        looked: candidates compared.
        order: how likely a later one must have replaced an earlier one to stand before it.
        mark: how likely, for the earlier one to be marked.
        share: of a formed memory and an episode of which it holds this share, one is looked at.
    """

    looked: int
    order: float
    mark: float
    share: float
    name: str = "updates"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, each that was probably replaced behind what replaced it."""
        if quest.request.past:
            return quest.noted("the past is asked for")
        head, found = leading(quest.candidates, self.looked, self.share)
        if len(head) < 2:
            return replace(quest, candidates=chain(head, found)).noted("nothing to compare")
        judged = _judged(head, quest)
        chances = judged.chances
        over = {place: int(chances[place].argmax()) for place in range(len(head)) if chances[place].max() >= self.order}
        marked = {place for place, later in over.items() if chances[place, later] >= self.mark}
        merged = _ordered(head, over, {place: float(chances[place, over[place]]) for place in marked})
        told = f"{len(over)} behind what was said later, {len(marked)} possibly outdated"
        reasons = [judged.why(head, place, over[place]) for place in sorted(marked) if place < quest.limit]
        return replace(quest, candidates=chain(merged, found)).noted("; ".join([told, *reasons]))


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """(k, k) how likely the second replaced the first, and what that rests on."""

    chances: Floats
    by: Verdict
    numbers: Numbers

    def why(self, head: Sequence[Candidate], earlier: int, later: int) -> str:
        """Which of two is probably outdated, by which, how surely, and what weighed most."""
        older, newer = head[earlier].memory.id, head[later].memory.id
        sure = self.chances[earlier, later]
        return f"{older} by {newer} with probability {sure:.2f}: {self.by.told(self.numbers, earlier, later)}"


def _judged(head: Sequence[Candidate], quest: Quest) -> _Judged:
    """Of every two how likely one replaced the other; 0 where it was not said later, or does not come."""
    known = compared(head, quest)
    scores = np.array([one.score for one in head])
    asked = Asked(scores - scores.max(), _signal(head, "coverage"), _signal(head, "own meaning"))
    by, numbers = verdict(known.seen, asked=True), known.numbers.asked(asked)
    may = np.array([_may_replace(one, quest) for one in head])
    is_open = np.array([all(signal.name != SUPERSEDED for signal in one.signals) for one in head])
    chances = by.chances(numbers) * is_later(known.statements) * may[np.newaxis, :] * is_open[:, np.newaxis]
    calls = np.array([is_tool_call(one.memory) for one in head])
    people = np.array([one.memory.role in PEOPLE for one in head])
    chances[np.ix_(people, calls)] = 0.0  # what a tool gave back takes the place of nothing that a person said
    return _Judged(chances, by, numbers)


def _signal(head: Sequence[Candidate], name: str) -> Floats:
    return np.array([next((s.value for s in one.signals if s.name == name), 0.0) for one in head])


def _may_replace(one: Candidate, quest: Quest) -> bool:
    """Whether a candidate is heard, and held at the moment asked for."""
    as_of = quest.request.as_of
    return not one.withheld and (as_of is None or held_then(one.memory, as_of))


def _ordered(head: Sequence[Candidate], over: Mapping[int, int], marked: Mapping[int, float]) -> list[Candidate]:
    """In order, before each that was replaced what replaced it, lifted to its score; the marked say how likely."""
    order: list[Candidate] = []
    passed: set[int] = set()

    def take(place: int, score: float) -> None:
        if place in passed:
            return
        passed.add(place)
        if place in over:
            take(over[place], score)
        one = head[place].touched(LIFTED, 1.0, max(0.0, score - head[place].score))
        if place in marked:
            one = one.marked(MARK, head[over[place]].memory.id, marked[place])
        order.append(one)

    for place, one in enumerate(head):
        take(place, one.score)
    return order

"""Overtaken: of two messages of one person that both answer, the later that says something is new stands first.

In: a quest that asks how things are now. Out: the same, what probably no longer holds behind what took its place, and
marked as possibly outdated (decision 0023). What is certain was written down when it was said (``outdated``); amounts
and times are compared by ``newer``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from reverie.language.overtaken import TEXT_MAX, asks_now, renews, replaces, tells_news
from reverie.recall.collapse import leading
from reverie.recall.held import held_then
from reverie.recall.newer import LIFTED, MARK
from reverie.recall.outdated import MARK as SUPERSEDED
from reverie.recall.quest import Candidate, Quest
from reverie.types import PEOPLE


@dataclass(frozen=True, slots=True)
class Overtaken:
    """Compares the first ``looked`` candidates, two by two, if the same person says both.

    Attributes:
        looked: candidates compared.
        renewed: share of the earlier one's score that the later one must have which says anew what is asked.
        replaced: the same for one that says something new of what the earlier one answered with.
        share: of a formed memory and an episode of which it holds this share, one is looked at.
    """

    looked: int
    renewed: float
    replaced: float
    share: float
    name: str = "overtaken"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, each that was overtaken behind what overtook it."""
        if quest.request.past or len(quest.request.text) > TEXT_MAX or not asks_now(quest.request.text):
            return quest.noted("it is not asked how things are now")
        head, found = leading(quest.candidates, self.looked, self.share)
        telling = [place for place, one in enumerate(head) if _tells(one, quest)]
        over = {
            place: best for place in range(len(head)) if (best := self._over(place, telling, head, quest)) is not None
        }
        if not over:
            return replace(quest, candidates=chain(head, found)).noted("nothing is overtaken")
        return replace(quest, candidates=chain(_ordered(head, over), found)).noted(f"{len(over)} possibly outdated")

    def _over(self, place: int, telling: Sequence[int], head: Sequence[Candidate], quest: Quest) -> int | None:
        """The place of the best candidate that overtakes the one at a place; None where none does."""
        older = head[place]
        later = [other for other in telling if _follows(head[other], older)]
        if not later or any(signal.name == SUPERSEDED for signal in older.signals):
            return None
        found = [other for other in later if self._overtakes(head[other], older, quest)]
        return max(found, key=lambda other: (head[other].score, -other), default=None)

    def _overtakes(self, one: Candidate, older: Candidate, quest: Quest) -> bool:
        asked, earlier, later = quest.request.text, older.memory.text, one.memory.text
        if one.score >= self.renewed * older.score and renews(earlier, later, asked):
            return True
        return one.score >= self.replaced * older.score and replaces(earlier, later, asked)


def _tells(one: Candidate, quest: Quest) -> bool:
    """Whether a candidate is of somebody who says something new, and is heard."""
    memory, as_of = one.memory, quest.request.as_of
    if memory.role not in PEOPLE or one.withheld or not tells_news(memory.text):
        return False
    return (as_of is None or held_then(memory, as_of)) and all(signal.name != MARK for signal in one.signals)


def _follows(one: Candidate, older: Candidate) -> bool:
    """Whether the same person said this at a later moment."""
    return one.memory.speaker == older.memory.speaker and one.memory.at > older.memory.at


def _ordered(head: Sequence[Candidate], over: dict[int, int]) -> list[Candidate]:
    """In order, before each that was overtaken what overtook it, raised to its score; the overtaken marked."""
    order: list[Candidate] = []
    passed: set[int] = set()

    def take(place: int, score: float) -> None:
        if place in passed:
            return
        passed.add(place)
        if place in over:
            take(over[place], score)
        one = head[place].touched(LIFTED, 1.0, max(0.0, score - head[place].score))
        is_marked = any(signal.name == MARK for signal in one.signals)
        order.append(one.marked(MARK, head[over[place]].memory.id) if place in over and not is_marked else one)

    for place, one in enumerate(head):
        take(place, one.score)
    return order

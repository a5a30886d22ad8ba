"""Once is enough: of a formed memory and the episode it was formed from one is handed over, and no text twice.

Softer diversity (MMR, session coverage) cost evidence on every development set, so the default does not use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from reverie.recall.quest import Candidate, Quest
from reverie.types import Kind, Memory


@dataclass(frozen=True, slots=True)
class Collapse:
    """Withholds what an earlier candidate says already: word for word, or in what was formed from it, or it from that.

    An episode is never hidden by a memory that holds less than ``share`` of its words: the rest would be lost.
    """

    share: float
    name: str = "collapse"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, repeats marked as withheld."""
        return quest.noted("repeats are withheld", self._marked(quest.candidates))

    def _marked(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        passed = Passed(self.share)
        for place, candidate in enumerate(candidates, start=1):
            earlier = None if candidate.withheld else passed.says(candidate.memory, place)
            yield candidate if earlier is None else replace(candidate, withheld=f"repeats number {earlier}")


def leading(candidates: Iterable[Candidate], count: int, share: float) -> tuple[list[Candidate], Iterator[Candidate]]:
    """The first so many that are handed over once, and all others behind them; twice as many are looked at, at most.

    What is withheld, and of a formed memory and its episode the second, takes nobody's place among the first: it stands
    right behind them, where ``Collapse`` finds it.
    """
    passed, head, aside = Passed(share), list[Candidate](), list[Candidate]()
    found = iter(candidates)
    looked = islice(found, 2 * count)
    while len(head) < count and (one := next(looked, None)) is not None:
        again = one.withheld or passed.derived(one.memory, len(head)) is not None
        (aside if again else head).append(one)
    return head, chain(aside, found)


@dataclass(frozen=True, slots=True)
class BelowFormed:
    """An episode that stood before the best memory formed from it stands right behind it, in its own place.

    So neither is lost: the formed one comes up to where the episode was (reading 26).
    """

    name: str = "formed first"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, what was formed before the episodes it was formed from."""
        found = list(quest.candidates)
        best: dict[str, Candidate] = {}
        for candidate in found:
            if candidate.memory.kind is not Kind.EPISODE and not candidate.withheld:
                for source in candidate.memory.sources:
                    best.setdefault(source, candidate)
        order: dict[str, Candidate] = {}
        raised = 0
        for candidate in found:
            formed = best.get(candidate.memory.id) if candidate.memory.kind is Kind.EPISODE else None
            if formed is not None and formed.memory.id not in order:
                order[formed.memory.id] = formed
                raised += 1
            order.setdefault(candidate.memory.id, candidate)
        return replace(quest, candidates=list(order.values())).noted(f"{raised} before their episodes")


class Passed:
    """What has passed, in rank order."""

    def __init__(self, share: float) -> None:
        self._share = share
        self._texts: dict[tuple[str, str], int] = {}
        self._episodes: dict[str, int] = {}
        self._formed: dict[str, tuple[int, int]] = {}

    def says(self, memory: Memory, place: int) -> int | None:
        """The place of the earlier memory that says the same; None where this is the first to say it."""
        key = (memory.speaker, " ".join(memory.text.split()).casefold())
        earlier = self._texts.setdefault(key, place)
        return earlier if earlier != place else self.derived(memory, place)

    def derived(self, memory: Memory, place: int) -> int | None:
        """The place of the episode that it was formed from, or of what was formed from it and says as much."""
        if memory.kind is Kind.EPISODE:
            return self._episode(memory, place)
        if len(memory.sources) == 1 and memory.sources[0] in self._episodes:
            return self._episodes[memory.sources[0]]
        for source in memory.sources:
            self._formed.setdefault(source, (place, len(memory.text)))
        return None

    def _episode(self, memory: Memory, place: int) -> int | None:
        self._episodes[memory.id] = place
        formed = self._formed.get(memory.id)
        return formed[0] if formed and formed[1] >= self._share * len(memory.text) else None

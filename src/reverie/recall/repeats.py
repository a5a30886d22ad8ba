"""Repeats: of what one speaker said several times in nearly the same words the newest is injected, where a host asks.

Nobody asked by hand, so every token must earn its place: a repeat tells nothing new, and what the newest of several
near-repeats says otherwise is what holds now (decision 0024); of a contradiction both sides come (decision 0023). Asked
by hand, everything comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, islice

from reverie.language.expressions import expression
from reverie.language.sentences import is_question
from reverie.recall import opposed
from reverie.recall.quest import Candidate, Quest

_WORD = expression(r"\w+")
_COMPARED = 8_000
"""Characters of a text that are compared: a megabyte would take longer than all else."""
_SHORT = 3
"""Words of so many letters or fewer, in both languages mostly function words, are left out where longer ones are."""


@dataclass(frozen=True, slots=True)
class Repeats:
    """Withholds all but the newest of near-repeats, among the first ``times`` as many candidates as are wanted.

    Two are near-repeats where at least ``share`` of the longer one's distinct words are in the other.
    """

    times: int
    share: float
    name: str = "repeats"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates; of each group the newest, where the best of them stood, and what is withheld behind them."""
        if not quest.request.automatic:
            return quest.noted("asked by hand")
        found = iter(quest.candidates)
        head = list(islice(found, quest.limit * self.times))
        groups = self._groups([candidate for candidate in head if not candidate.withheld])
        kept = [group.standing for group in groups]
        behind = [candidate for candidate in head if candidate.withheld]
        behind += [candidate for group in groups for candidate in group.older]
        # Packing stops after as many withheld as are wanted, so what is withheld here comes last.
        return replace(quest, candidates=chain(kept, found, behind)).noted(f"{len(behind)} withheld")

    def _groups(self, head: Sequence[Candidate]) -> list[_Group]:
        groups: list[_Group] = []
        for candidate in head:
            words = words_of(candidate.memory.text)
            group = next((one for one in groups if self._is_repeat(one, candidate, words)), None)
            if group is None:
                groups.append(_Group([candidate], words))
            else:
                group.take(candidate, words)
        return groups

    def _is_repeat(self, group: _Group, candidate: Candidate, words: frozenset[str]) -> bool:
        if group.told[0].memory.speaker != candidate.memory.speaker or group.is_opposed(candidate):
            return False
        if is_question(group.newest.memory.text[:_COMPARED]) != is_question(candidate.memory.text[:_COMPARED]):
            return False  # whoever asks for what was said repeats its words, and says nothing of it
        return len(group.words & words) >= self.share * max(len(group.words), len(words), 1)


@dataclass(slots=True)
class _Group:
    """Near-repeats in rank order, and the words of the newest."""

    told: list[Candidate]
    words: frozenset[str]

    def take(self, candidate: Candidate, words: frozenset[str]) -> None:
        """One more; compared is always the newest."""
        if _age(candidate) > _age(self.newest):
            self.words = words
        self.told.append(candidate)

    def is_opposed(self, candidate: Candidate) -> bool:
        """Whether a candidate and one of these are marked as saying the opposite of each other: both sides come."""
        held = {one.memory.id for one in self.told}
        named = {signal.about for one in self.told for signal in one.signals if signal.name == opposed.MARK}
        against = {signal.about for signal in candidate.signals if signal.name == opposed.MARK}
        return candidate.memory.id in named or not held.isdisjoint(against)

    @property
    def newest(self) -> Candidate:
        return max(self.told, key=_age)

    @property
    def standing(self) -> Candidate:
        """The newest with what the best of them scored."""
        newest, best = self.newest, self.told[0]
        return newest.touched("repeats", 1.0, max(0.0, best.score - newest.score))

    @property
    def older(self) -> list[Candidate]:
        newest = self.newest
        return [replace(one, withheld=f"told again in {newest.memory.id}") for one in self.told if one is not newest]


def _age(candidate: Candidate) -> tuple[datetime, datetime]:
    return candidate.memory.at, candidate.memory.recorded_at


def spoken(text: str) -> list[str]:
    """The words of a text as they follow one another, whatever their case and what stands between."""
    return _WORD.findall(text[:_COMPARED].lower())


def words_of(text: str) -> frozenset[str]:
    """The distinct words of a text that tell something: the longer ones, or all where there are none.

    A very long text is known by its beginning.
    """
    words = frozenset(spoken(text))
    return frozenset(word for word in words if len(word) > _SHORT) or words

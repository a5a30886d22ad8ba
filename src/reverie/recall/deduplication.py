"""Deduplication: nothing is injected twice, neither verbatim nor nearly so.

In: a recall with its candidates. Out: the same, repeats withheld.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, islice

from reverie.language.text.patterns import is_question
from reverie.language.text.words import expression
from reverie.recall.state import CONTRADICTS, Candidate, RecallState
from reverie.types import Kind, Memory

# Once is enough: of a formed memory and the episode it was formed from one is handed over, and no text twice.


@dataclass(frozen=True, slots=True)
class Deduplication:
    """Withholds what an earlier candidate says already: word for word, or in what was formed from it, or it from that.

    An episode is never hidden by a memory that holds less of its words than ``Page.same``: the rest would be lost.
    """

    name: str = "collapse"

    def __call__(self, quest: RecallState) -> RecallState:
        """The candidates, repeats marked as withheld."""
        return quest.noted("repeats are withheld", self._marked(quest))

    def _marked(self, quest: RecallState) -> Iterator[Candidate]:
        passed = Passed(quest.page.same)
        for place, candidate in enumerate(quest.candidates, start=1):
            earlier = None if candidate.withheld else passed.says(candidate.memory, place)
            yield candidate if earlier is None else replace(candidate, withheld=f"repeats number {earlier}")


def leading(candidates: Iterable[Candidate], count: int, share: float) -> tuple[list[Candidate], Iterator[Candidate]]:
    """Return the first distinct candidates, followed by all others; at most twice as many are examined.

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
    """Move an episode that ranks above the best memory formed from it to the place right after that memory.

    So neither is lost: the formed one comes up to where the episode was (reading 26).
    """

    name: str = "formed first"

    def __call__(self, quest: RecallState) -> RecallState:
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
    """The candidates accepted so far, in rank order."""

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
        """Return the place of the episode a candidate was formed from, or of an equivalent formed memory."""
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


# Repeats: of what one speaker said several times in nearly the same words the newest is injected, where a host asks.


_WORD = expression(r"\w+")
_COMPARED = 8_000
"""Characters of a text that are compared: a megabyte would take longer than all else."""
_SHORT = 3
"""Words of so many letters or fewer, in both languages mostly function words, are left out where longer ones are."""


@dataclass(frozen=True, slots=True)
class NearDuplicates:
    """Withholds all but the newest of near-repeats, among the first ``times`` as many candidates as are wanted.

    Two are near-repeats where at least ``share`` of the longer one's distinct words are in the other.
    """

    times: int
    share: float
    name: str = "repeats"

    def __call__(self, quest: RecallState) -> RecallState:
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
        named = {signal.about for one in self.told for signal in one.signals if signal.name == CONTRADICTS}
        against = {signal.about for signal in candidate.signals if signal.name == CONTRADICTS}
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
    """Return the words of a text in order, ignoring case and punctuation."""
    return _WORD.findall(text[:_COMPARED].lower())


def words_of(text: str) -> frozenset[str]:
    """Return a text's distinct significant words: the longer ones, or all if there are none.

    A very long text is known by its beginning.
    """
    words = frozenset(spoken(text))
    return frozenset(word for word in words if len(word) > _SHORT) or words


# Echoes: where a host asks on its own, what only says the cue again is no answer to it.


WHY = "says only what is asked"


@dataclass(frozen=True, slots=True)
class QueryDuplicates:
    """Withhold candidates that repeat the query, and questions that share at least ``share`` of their words with it.

    Looked at are the first ``times`` as many candidates as are wanted. Asked by hand, everything comes.
    """

    times: int
    share: float
    name: str = "echoes"

    def __call__(self, quest: RecallState) -> RecallState:
        """The candidates, the echoes among them withheld and behind the others."""
        if not quest.request.automatic:
            return quest.noted("asked by hand")
        found = iter(quest.candidates)
        head = list(islice(found, quest.limit * self.times))
        heard = [candidate for candidate in head if self._repeats(candidate, quest.request.text)]
        if not heard:
            return replace(quest, candidates=chain[Candidate](head, found)).noted("none")
        kept = [candidate for candidate in head if candidate not in heard]
        behind = [replace(candidate, withheld=WHY) for candidate in heard]
        return replace(quest, candidates=chain[Candidate](kept, found, behind)).noted(f"{len(behind)} withheld")

    def _repeats(self, candidate: Candidate, cue: str) -> bool:
        return not candidate.withheld and is_echo(candidate.memory.text, cue, self.share)


def is_echo(text: str, cue: str, share: float) -> bool:
    """Whether a text is the cue word for word, or a question that shares so much of the longer one's words with it.

    A statement of the same words is none: "I do like tea" answers "Do I like tea?".
    """
    said = spoken(text)
    if said and said == spoken(cue):
        return True
    words, asked = words_of(text), words_of(cue)
    return text.rstrip().endswith("?") and len(words & asked) >= share * max(len(words), len(asked), 1)

"""Deduplication: withhold candidates that repeat an earlier one, or the cue, in the same or nearly the same words.

In: a recall with its candidates. Out: the same, repeats withheld.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, islice

from reverie.conflicts.pairs import particulars
from reverie.language.claims import asks_whether
from reverie.language.text.analyzer import index_terms, query_terms, stems
from reverie.language.text.patterns import is_question, sentences
from reverie.language.text.words import expression
from reverie.recall.state import CONTRADICTS, Candidate, RecallState
from reverie.types import Kind, Memory


@dataclass(frozen=True, slots=True)
class Deduplication:
    """A stage that withholds repeats of earlier candidates: the same text, or one was formed from the other.

    A formed memory hides its episode only if it has at least the share ``Page.same`` of its length; otherwise the rest
    of the episode would be lost.
    """

    name: str = "collapse"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the candidates in the same order, repeats withheld."""
        return quest.noted("repeats are withheld", self._marked(quest))

    def _marked(self, quest: RecallState) -> Iterator[Candidate]:
        passed = Passed(quest.page.same)
        for place, candidate in enumerate(quest.candidates, start=1):
            earlier = None if candidate.withheld else passed.says(candidate.memory, place)
            yield candidate if earlier is None else replace(candidate, withheld=f"repeats number {earlier}")


def leading(candidates: Iterable[Candidate], count: int, share: float) -> tuple[list[Candidate], Iterator[Candidate]]:
    """Split candidates into the first ``count`` without repeats, and all others; at most twice as many are read for it.

    Withheld candidates, and the second of a formed memory and its episode, do not count: they come right behind the
    first ones, where ``Deduplication`` finds them.
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
    """A stage that moves the best memory formed from an episode up to the place right before that episode (reading 26).

    Neither of the two is lost.
    """

    name: str = "formed first"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the candidates, with the best formed memory of each episode before the episode."""
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
    """The memories seen so far in rank order, to recognise a later one that repeats one of them."""

    def __init__(self, share: float) -> None:
        self._share = share
        self._texts: dict[tuple[str, str], int] = {}
        self._episodes: dict[str, int] = {}
        self._formed: dict[str, tuple[int, int]] = {}

    def says(self, memory: Memory, place: int) -> int | None:
        """Add a memory; return the place of an earlier one with the same speaker and content, None if there is none."""
        key = (memory.speaker, " ".join(memory.text.split()).casefold())
        earlier = self._texts.setdefault(key, place)
        return earlier if earlier != place else self.derived(memory, place)

    def derived(self, memory: Memory, place: int) -> int | None:
        """Add a memory; return the place of its episode, or of a formed memory that says most of it; None without."""
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


# Near-duplicates and query duplicates, in automatic recalls.


_WORD = expression(r"\w+")
_COMPARED = 8_000
"""Number of characters of a text that are compared: a megabyte would take longer than the rest of a recall."""
_CLAUSE = re.compile(r"[,;:–—\n]\s|(?<=[.!?…])\s")
_MODAL = re.compile(r"\W*(?:can|could|may|might|must|shall|should|will|would)\b", re.IGNORECASE)
_SURE = 0.9
"""2026-11-29: of 50 questions that were asked before in other words the cosines of 48 are as sure, of 5 others none."""
_SHORT = 3
"""Words of at most so many letters, mostly function words in both languages, are left out if there are longer ones."""


@dataclass(frozen=True, slots=True)
class NearDuplicates:
    """A stage of automatic recalls that withholds all but the newest of each speaker's near-duplicates.

    Two texts are near-duplicates if at least ``share`` of the longer one's distinct words are in the other, and the
    newer has every word of the cue that the older has. The first ``times`` × limit candidates are compared.
    """

    times: int
    share: float
    name: str = "repeats"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the candidates: of each group the newest at the place of the best, the withheld ones at the end."""
        if not quest.request.automatic:
            return quest.noted("asked by hand")
        found = iter(quest.candidates)
        head = list(islice(found, quest.limit * self.times))
        asked = words_of(quest.request.text)
        groups = self._groups([candidate for candidate in head if not candidate.withheld], asked)
        kept = [group.standing for group in groups]
        behind = [candidate for candidate in head if candidate.withheld]
        behind += [candidate for group in groups for candidate in group.older]
        # Packing stops after as many withheld as are wanted, so what is withheld here comes last.
        return replace(quest, candidates=chain(kept, found, behind)).noted(f"{len(behind)} withheld")

    def _groups(self, head: Sequence[Candidate], asked: frozenset[str]) -> list[_Group]:
        groups: list[_Group] = []
        for candidate in head:
            words = words_of(candidate.memory.text)
            group = next((one for one in groups if self._is_repeat(one, candidate, words, asked)), None)
            if group is None:
                groups.append(_Group([candidate], words))
            else:
                group.take(candidate, words)
        return groups

    def _is_repeat(self, group: _Group, candidate: Candidate, words: frozenset[str], asked: frozenset[str]) -> bool:
        if len(group.words & words) < self.share * max(len(group.words), len(words), 1):
            return False
        older, newer = (group.words, words) if _age(candidate) > _age(group.newest) else (words, group.words)
        if not asked & older <= newer:
            return False  # it says the same of something else: the port of another database
        if group.told[0].memory.speaker != candidate.memory.speaker or group.is_opposed(candidate):
            return False
        # a question repeats the words of the statement it asks about, but does not state it
        return is_question(group.newest.memory.text[:_COMPARED]) == is_question(candidate.memory.text[:_COMPARED])


@dataclass(slots=True)
class _Group:
    """A group of near-duplicates in rank order, and the words of the newest."""

    told: list[Candidate]
    words: frozenset[str]

    def take(self, candidate: Candidate, words: frozenset[str]) -> None:
        """Add a candidate; the group's words are always those of the newest."""
        if _age(candidate) > _age(self.newest):
            self.words = words
        self.told.append(candidate)

    def is_opposed(self, candidate: Candidate) -> bool:
        """Whether a candidate is marked as contradicting one of the group; then both are returned."""
        held = {one.memory.id for one in self.told}
        named = {signal.about for one in self.told for signal in one.signals if signal.name == CONTRADICTS}
        against = {signal.about for signal in candidate.signals if signal.name == CONTRADICTS}
        return candidate.memory.id in named or not held.isdisjoint(against)

    @property
    def newest(self) -> Candidate:
        return max(self.told, key=_age)

    @property
    def standing(self) -> Candidate:
        """The newest of the group, with the score of the best."""
        newest, best = self.newest, self.told[0]
        return newest.touched("repeats", 1.0, max(0.0, best.score - newest.score))

    @property
    def older(self) -> list[Candidate]:
        newest = self.newest
        return [replace(one, withheld=f"told again in {newest.memory.id}") for one in self.told if one is not newest]


def _age(candidate: Candidate) -> tuple[datetime, datetime]:
    return candidate.memory.at, candidate.memory.recorded_at


def spoken(text: str) -> list[str]:
    """Return the words of a text in order, in lower case and without punctuation."""
    return _WORD.findall(text[:_COMPARED].lower())


def words_of(text: str) -> frozenset[str]:
    """Return the distinct words of a text that carry content: the longer ones, or all if there are none.

    Of a very long text only the beginning is read.
    """
    words = frozenset(spoken(text))
    return frozenset(word for word in words if len(word) > _SHORT) or words


WHY = "says only what is asked"


@dataclass(frozen=True, slots=True)
class QueryDuplicates:
    """A stage of automatic recalls that withholds query duplicates: memories that only repeat the cue.

    So it does in a manual recall that asks for it (``Request.without_repeats``). These are texts with the cue's words
    in its order, and questions that ask the same (``is_echo``): they share ``share`` of their terms or, if they ask for
    what is unknown, have to do with the cue with a confidence of at least ``_SURE``. The first ``times`` × limit
    candidates are compared.
    """

    times: int
    share: float
    name: str = "echoes"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the candidates, with the query duplicates withheld and behind the others."""
        if not (quest.request.automatic or quest.request.without_repeats):
            return quest.noted("asked by hand")
        found = iter(quest.candidates)
        head = list(islice(found, quest.limit * self.times))
        heard = [candidate for candidate in head if self._repeats(candidate, quest)]
        if not heard:
            return replace(quest, candidates=chain[Candidate](head, found)).noted("none")
        kept = [candidate for candidate in head if candidate not in heard]
        behind = [replace(candidate, withheld=WHY) for candidate in heard]
        return replace(quest, candidates=chain[Candidate](kept, found, behind)).noted(f"{len(behind)} withheld")

    def _repeats(self, candidate: Candidate, quest: RecallState) -> bool:
        if candidate.withheld:
            return False
        text, cue = candidate.memory.text, quest.request.text
        if is_echo(text, cue, self.share):
            return True
        is_near = candidate.cosine is not None and candidate.sure(quest.world) >= _SURE
        return is_near and _seeks(text) and not (asks_whether(cue) or _tells_more(text, cue))


def is_echo(text: str, cue: str, share: float) -> bool:
    """Whether a text repeats the cue: its words in order, or a question that asks the same and says nothing more.

    A question does so if it names nobody and no amount that the cue does not, each has ``share`` of the other's terms,
    and it has at most one term of its own where it asks for what is unknown ("where", "who"), and none where it asks
    whether something is so ("Is it in Izmir?"). A statement in other words is no repeat: "I do like tea" answers "Do I
    like tea?".
    """
    said = spoken(text)
    if said and said == spoken(cue):
        return True
    return text.rstrip().endswith("?") and not _tells_more(text, cue) and _asks_the_same(text, cue, share)


def _asks_the_same(text: str, cue: str, share: float) -> bool:
    """Whether a text is questions that share their terms with the cue, and have at most one of their own."""
    own, wanted = ([frozenset(stems(term)) for term in query_terms(one)] for one in (text, cue))
    known, common = _shared(own, wanted), _shared(wanted, own)
    if not common or known < share * len(own) or common < share * len(wanted):
        return False
    may_add = int(_seeks(text))
    return len(own) - known <= may_add and all(is_question(sentence) for sentence in sentences(text[:_COMPARED]))


def _shared(terms: Sequence[frozenset[str]], others: Sequence[frozenset[str]]) -> int:
    """Count the terms of which one of the others has a stem."""
    return sum(any(forms & stems for stems in others) for forms in terms)


def _tells_more(text: str, cue: str) -> bool:
    """Whether a text has a name or an amount that the cue does not have."""
    return not particulars(text[:_COMPARED]) <= {*particulars(cue), *index_terms(cue)}


def _seeks(text: str) -> bool:
    """Whether a text is one question for what is unknown: it asks not whether, and no clause before it tells something.

    "I eat no meat, what shall I cook?" tells something.
    """
    parts = [part for part in _CLAUSE.split(text[:_COMPARED].strip()) if part.strip()]
    return len(parts) == 1 and is_question(text) and not (asks_whether(text) or _MODAL.match(text))

"""Newer: of two tellings of one amount the newer stands above the older, which is marked as possibly outdated.

In: a quest that asks for an amount or a time. Out: the same, newer tellings lifted above older ones (decision 0023).
For a point in time (``as_of``) only what had been said and held then counts.
Where the rule is certain, supersession was written down when it was said; ``outdated`` reads that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, islice

from reverie.language.amounts import TEXT_MAX, Asked, Told, amounts, asked_amount, best_told
from reverie.language.analyzer import stems
from reverie.language.overtaken import people
from reverie.language.sentences import sentences
from reverie.recall.held import held_then
from reverie.recall.quest import Candidate, Quest
from reverie.recall.search import rarities
from reverie.types import PEOPLE

MARK = "outdated"
"""The signal of a hit that was probably true once: a newer one tells another amount of the same; it names that one."""
LIFTED = "newer"
"""The signal of a hit that was lifted above an older one, and by how much."""
_PLAIN = frozenset({"number", "span"})


@dataclass(frozen=True, slots=True)
class Newer:
    """Compares the first ``looked`` candidates, two by two, if the same person says both.

    Attributes:
        looked: candidates compared.
        anchor: share of the question's terms, by weight, that must stand around the older amount, unless both amounts
            count what the question counts.
        same: share of that coverage which the newer must have as well, unless it says that something has changed.
        least: share of the question's terms that must stand around the newer amount in any case.
        uncounted: share of the terms around both where one does not repeat what is counted but says that it changed.
    """

    looked: int
    anchor: float
    same: float
    least: float
    uncounted: float
    name: str = "newer"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, what is told anew before what was told before it."""
        asked = asked_amount(quest.request.text)
        if asked is None or quest.request.past:
            return quest.noted("no amount of now is asked for")
        found = iter(quest.candidates)
        head = list(islice(found, self.looked))
        tellings = _tellings(quest, asked, head)
        later = {place: self._later(place, tellings, asked) for place in range(len(head)) if tellings[place].told}
        later = {place: _not_of_others(head, place, others, quest, asked.kinds) for place, others in later.items()}
        later = {place: others for place, others in later.items() if others}
        if not later:
            return replace(quest, candidates=chain(head, found)).noted("nothing is told twice")
        merged = list(_lifted(head, later))
        return replace(quest, candidates=chain(merged, found)).noted(f"{len(later)} possibly outdated")

    def _later(self, place: int, tellings: Sequence[_Telling], asked: Asked) -> tuple[int, ...]:
        """The places of what tells the same of a later time, the best first."""
        older = tellings[place]
        return tuple(
            other for other, newer in enumerate(tellings) if newer.follows(older) and self._updates(older, newer, asked)
        )

    def _updates(self, older: _Telling, newer: _Telling, asked: Asked) -> bool:
        pairs = ((was, now) for was in older.told for now in newer.told)
        return any(_comparable(was, now) and self._replaces(was, now, asked, older.most) for was, now in pairs)

    def _replaces(self, was: Told, now: Told, asked: Asked, most: float) -> bool:
        """Whether the newer amount is another amount of what the older one is of."""
        both_count, changed = was.counts and now.counts, now.amount.changed
        if asked.counted and not both_count:
            if not changed or min(was.covered, now.covered) < self.uncounted * most:
                return False
        elif not asked.counted and not _same_noun(was, now) and not changed:
            return False
        if was.covered < self.anchor * most and not both_count:
            return False
        return now.covered >= self.least * most and (changed or now.covered >= self.same * was.covered)


def _not_of_others(
    head: Sequence[Candidate], place: int, others: tuple[int, ...], quest: Quest, kinds: frozenset[str]
) -> tuple[int, ...]:
    """Those of the newer tellings that do not tell of somebody of whom neither the older nor the question speaks."""
    if not others:
        return others
    known = people(head[place].memory.text) | people(quest.request.text)
    return tuple(other for other in others if not _tells_of_others(head[other].memory.text, known, kinds))


def _tells_of_others(text: str, known: frozenset[str], kinds: frozenset[str]) -> bool:
    if people(text) <= known:
        return False
    told = [sentence for sentence in sentences(text[:TEXT_MAX]) if amounts(sentence, kinds)]
    return bool(told) and all(people(sentence) - known for sentence in told)


@dataclass(frozen=True, slots=True)
class _Telling:
    """A candidate as it is compared: who said it and when, its amounts, and the weight of all the question's terms."""

    speaker: str
    session: str
    said: tuple[datetime, int]
    told: tuple[Told, ...]
    most: float

    def follows(self, older: _Telling) -> bool:
        """Whether the same person said this later: at a later moment, or further on in the session.

        What bears one moment in several sessions, as imported documents do, is of one time.
        """
        if not self.told or self.speaker != older.speaker:
            return False
        return self.said[0] > older.said[0] or (self.session == older.session and self.said > older.said)


def _tellings(quest: Quest, asked: Asked, head: Sequence[Candidate]) -> list[_Telling]:
    rare = rarities(quest.world.corpus, quest.cue.terms)
    told_of = ((frozenset(stems(term)), weight) for term, weight in rare.items())
    weights = [(forms, weight) for forms, weight in told_of if asked.asking.isdisjoint(forms)]
    most, as_of = sum(weight for _, weight in weights), quest.request.as_of

    def telling(one: Candidate) -> _Telling:
        memory = one.memory
        is_known = as_of is None or held_then(memory, as_of)
        told = amounts(memory.text, asked.kinds) if is_known and memory.role in PEOPLE and most > 0.0 else ()
        best = tuple(best_told(told, asked, weights))
        return _Telling(memory.speaker, memory.session, (memory.at, memory.seq), best, most)

    return [telling(one) for one in head]


def _comparable(was: Told, now: Told) -> bool:
    """Whether two amounts are of one kind and unit, and differ."""
    one, other = was.amount, now.amount
    return (one.kind, one.unit) == (other.kind, other.unit) and one.value != other.value


def _same_noun(was: Told, now: Told) -> bool:
    """Whether what follows the amounts is the same; what is written with its unit says of itself what it is."""
    one, other = was.amount, now.amount
    return one.kind not in _PLAIN or bool(one.unit) or not one.after.isdisjoint(other.after)


def _lifted(head: Sequence[Candidate], later: Mapping[int, tuple[int, ...]]) -> list[Candidate]:
    """In order, before each older telling those that came after it, raised to its score; the older marked."""
    order: list[Candidate] = []
    passed: set[int] = set()
    for place, one in enumerate(head):
        if place in passed:
            continue
        for other in (*later.get(place, ()), place):
            if other in passed:
                continue
            passed.add(other)
            order.append(_placed(head, other, one.score, later))
    return order


def _placed(head: Sequence[Candidate], place: int, score: float, later: Mapping[int, tuple[int, ...]]) -> Candidate:
    one = head[place]
    lifted = one.touched(LIFTED, 1.0, max(0.0, score - one.score))
    return lifted.marked(MARK, head[later[place][0]].memory.id) if place in later else lifted

"""Opposed: both sides of a contradiction come back, each marked with the other; neither is preferred (decision 0023).

In: a quest that asks whether something is so. Out: the same, and where one candidate denies it, those that affirm it
come among the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from reverie.language.analyzer import index_terms, stems
from reverie.language.denials import asks_whether, denials
from reverie.recall.quest import Candidate, Quest
from reverie.recall.search import rarities
from reverie.recall.speaker import TELLERS

MARK = "contradicts"
"""The signal of a hit that says the opposite of another, which it names."""
BROUGHT = "other side"
"""The signal of a hit that was lifted onto the page because it takes a side, and by how much."""


@dataclass(frozen=True, slots=True)
class Opposed:
    """Looks for a denial among the first ``page``, and for what the same person affirmed among the first ``looked``.

    Attributes:
        page: hits among which both sides should be.
        looked: candidates that are looked at for the other side.
        denied: share of the question's terms, by weight, that a clause must deny.
        affirmed: share of the denied terms that the other side must hold, unless it is among the nearest in meaning.
        most: candidates that are brought onto the page, in place of the last that take no side.
    """

    page: int
    looked: int
    denied: float
    affirmed: float
    most: int
    name: str = "opposed"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, both sides among the first and marked."""
        if not asks_whether(quest.request.text):
            return quest.noted("it is not asked whether")
        found = iter(quest.candidates)
        head = list(islice(found, self.looked))
        rare = rarities(quest.world.corpus, quest.cue.terms)
        weights = {stem: weight for term, weight in rare.items() for stem in stems(term)}
        least = self.denied * sum(rare.values())
        denying = {place: terms for place, one in enumerate(head) if (terms := _denied(one, weights, least))}
        first = next(iter(denying), self.page)
        affirming = self._affirming(head, first, denying, weights) if first < self.page else []
        if not affirming:
            return replace(quest, candidates=chain(head, found)).noted("nothing is both denied and affirmed")
        merged = self._merged(head, [place for place in denying if place < self.page], affirming)
        return replace(quest, candidates=chain(merged, found)).noted(f"{len(affirming)} say the opposite")

    def _affirming(
        self,
        head: Sequence[Candidate],
        first: int,
        denying: Mapping[int, frozenset[str]],
        weights: Mapping[str, float],
    ) -> list[int]:
        """The places of what the same person says of the denied terms, or near them in meaning, without denying it."""
        speaker, denied = head[first].memory.speaker, denying[first]
        least = self.affirmed * _weight(denied, weights)
        near = self._near(head)
        return [
            place
            for place, one in enumerate(head)
            if place not in denying
            and one.memory.speaker == speaker
            and (place in near or _weight(denied.intersection(index_terms(one.memory.text)), weights) >= least)
        ]

    def _near(self, head: Sequence[Candidate]) -> frozenset[int]:
        """The places nearest to the question in meaning, as many as a page holds."""
        return frozenset(sorted(range(len(head)), key=lambda place: -_meaning(head[place]))[: self.page])

    def _merged(self, head: Sequence[Candidate], denying: Sequence[int], affirming: Sequence[int]) -> list[Candidate]:
        """The page with both sides on it, then the rest; a denial names the best affirmation, and they the denial.

        What is nearest in meaning is brought first; who takes no side gives way, then who takes one in words alone.
        """
        first, rest = range(min(self.page, len(head))), range(self.page, len(head))
        sides = {*denying, *affirming}
        near = self._near(head)
        idle = [place for place in first if place not in sides][::-1]
        vague = [place for place in first if place in affirming and place not in near][::-1]
        nearest = sorted((place for place in affirming if place in rest), key=lambda place: -_meaning(head[place]))
        room = len(idle) + min(len(vague), len(near.intersection(nearest)))
        brought = nearest[: min(self.most, room)]
        leaving = [*idle, *vague][: len(brought)]
        page = [*(place for place in first if place not in leaving), *brought]
        order = [*page, *sorted(leaving), *(place for place in rest if place not in brought)]
        floor = head[page[-1 - len(brought)]].score if len(page) > len(brought) else 0.0
        shown = sides.intersection(page)
        named = next((place for place in page if place in affirming), affirming[0])
        about = {place: head[named if place in denying else denying[0]].memory.id for place in shown}
        return [
            _marked(head[place], about[place], floor if place in brought else 0.0) if place in shown else head[place]
            for place in order
        ]


def _denied(one: Candidate, weights: Mapping[str, float], least: float) -> frozenset[str]:
    """The stems of the question that a candidate denies; none where they weigh less than so much."""
    if one.memory.role not in TELLERS:
        return frozenset()
    asked = [clause & weights.keys() for clause in denials(one.memory.text)]
    best = max(asked, key=lambda terms: _weight(terms, weights), default=frozenset[str]())
    return best if best and _weight(best, weights) >= least else frozenset()


def _marked(one: Candidate, about: str, floor: float) -> Candidate:
    lifted = one.touched(BROUGHT, 1.0, max(0.0, floor - one.score))
    return lifted.marked(MARK, about)


def _meaning(one: Candidate) -> float:
    return -1.0 if one.cosine is None else one.cosine


def _weight(terms: Iterable[str], weights: Mapping[str, float]) -> float:
    return sum(weights[term] for term in terms)

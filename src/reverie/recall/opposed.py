"""Opposed: both sides of a contradiction come back, each marked with the other; neither is preferred (decision 0023).

In: a quest that asks whether something is so. Out: the same, and where one candidate denies it, those that affirm it
come among the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from reverie.formulas.bm25 import idf
from reverie.language.analyzer import index_terms, stems
from reverie.language.denials import asks_whether, denials
from reverie.recall.quest import Candidate, Quest
from reverie.recall.search import match_terms
from reverie.types import Role

MARK = "contradicts"
"""The signal of a hit that says the opposite of another, which it names."""
BROUGHT = "other side"
"""The signal of a hit that was lifted onto the page because it takes a side, and by how much."""
_TELLERS = frozenset({Role.USER, Role.PERSON})


@dataclass(frozen=True, slots=True)
class Opposed:
    """Looks for a denial among the first ``page``, and for what the same person affirmed among the first ``looked``.

    Attributes:
        page: hits among which both sides should be.
        looked: candidates that are looked at for the other side.
        denied: share of the question's terms, by weight, that a clause must deny.
        affirmed: share of the denied terms that the other side must hold.
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
        weights = _weights(quest)
        place, denied = self._denial(head[: self.page], weights)
        if not denied:
            return replace(quest, candidates=chain(head, found)).noted("nothing is denied")
        sides = [place, *self._affirming(head, place, denied, weights)]
        if len(sides) == 1:
            return replace(quest, candidates=chain(head, found)).noted("nothing affirms what is denied")
        merged = self._merged(head, sides)
        return replace(quest, candidates=chain(merged, found)).noted(f"{len(sides) - 1} say the opposite")

    def _denial(self, head: Sequence[Candidate], weights: dict[str, float]) -> tuple[int, frozenset[str]]:
        """The first candidate that denies what is asked, and the terms it denies."""
        for place, one in enumerate(head):
            denied = self._denied(one, weights)
            if denied:
                return place, denied
        return -1, frozenset()

    def _denied(self, one: Candidate, weights: dict[str, float]) -> frozenset[str]:
        if one.memory.role not in _TELLERS:
            return frozenset()
        asked = [clause & weights.keys() for clause in denials(one.memory.text)]
        best = max(asked, key=lambda terms: _weight(terms, weights), default=frozenset())
        is_enough = _weight(best, weights) >= self.denied * _weight(weights.keys(), weights)
        return frozenset(best) if is_enough else frozenset()

    def _affirming(
        self, head: Sequence[Candidate], place: int, denied: frozenset[str], weights: dict[str, float]
    ) -> list[int]:
        """The places of what the same person says of the denied terms without denying it."""
        speaker, least = head[place].memory.speaker, self.affirmed * _weight(denied, weights)
        return [
            other
            for other, one in enumerate(head)
            if other != place
            and one.memory.speaker == speaker
            and _weight(denied.intersection(index_terms(one.memory.text)), weights) >= least
            and not self._denied(one, weights)
        ]

    def _merged(self, head: Sequence[Candidate], sides: Sequence[int]) -> list[Candidate]:
        """The page with both sides on it, then the rest; the denial names the best affirmation, and they the denial."""
        first, rest = range(min(self.page, len(head))), range(self.page, len(head))
        idle = [place for place in first if place not in sides]
        brought = [place for place in rest if place in sides][: min(self.most, len(idle))]
        leaving = idle[len(idle) - len(brought) :]
        page = [*(place for place in first if place not in leaving), *brought]
        order = [*page, *leaving, *(place for place in rest if place not in brought)]
        marked = frozenset(sides) & frozenset(page)
        floor = head[page[-1 - len(brought)]].score if len(page) > len(brought) else 0.0
        about = dict.fromkeys(sides, head[sides[0]].memory.id) | {sides[0]: head[sides[1]].memory.id}
        return [
            _marked(head[place], about[place], floor if place in brought else 0.0) if place in marked else head[place]
            for place in order
        ]


def _marked(one: Candidate, about: str, floor: float) -> Candidate:
    lifted = one.touched(BROUGHT, 1.0, max(0.0, floor - one.score))
    return lifted.marked(MARK, about)


def _weights(quest: Quest) -> dict[str, float]:
    """Stem → how much it says, of the question's terms."""
    corpus, terms = quest.world.corpus, quest.cue.terms
    often = {match.term: match.frequency for match in match_terms(corpus, terms)}
    return {stem: float(idf(often.get(term, 0), corpus.size)) for term in terms for stem in stems(term)}


def _weight(terms: Iterable[str], weights: dict[str, float]) -> float:
    return sum(weights[term] for term in terms)

"""Contradictions: return both sides of a contradiction, each marked with the other's id, without preferring one.

In: a recall whose cue is a yes-no question. Out: the same; if a candidate denies what is asked, those that affirm it
are moved to the first page (decision 0023).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from reverie.formulas.bm25 import idf
from reverie.language.claims import asks_whether, denials
from reverie.language.text.analyzer import index_terms, stems
from reverie.recall.deduplication import leading
from reverie.recall.search import match_terms
from reverie.recall.state import CONTRADICTS, Candidate, RecallState
from reverie.types import PEOPLE

MARK = CONTRADICTS
"""Name of the signal of a hit that contradicts another; it holds the other's id."""
BROUGHT = "other side"
"""Name of the signal of a hit that was moved to the first page because it takes a side; its share is by how much."""


@dataclass(frozen=True, slots=True)
class Contradictions:
    """A stage that finds a denial on the first page, and what the same person affirmed, and puts both on that page.

    Attributes:
        looked: number of first candidates that are searched for the other side.
        denied: share of the question's terms, by weight, that a clause must deny.
        affirmed: share of the denied terms, by weight, that the other side must contain.
        near: the same for candidates among the nearest to the question by cosine.
        most: most candidates that are moved to the page, in place of the last that take no side.
    """

    looked: int
    denied: float
    affirmed: float
    near: float
    most: int
    name: str = "opposed"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the candidates, with both sides on the first page and marked."""
        if not asks_whether(quest.request.text):
            return quest.noted("it is not asked whether")
        head, found = leading(quest.candidates, self.looked, quest.page.same)
        asked = _Asked.of(quest, self.denied)
        denying = {place: terms for place, one in enumerate(head) if (terms := _denied(one, asked))}
        page = quest.page.size
        against = self._against(head, page, denying, asked)
        if not against:
            return replace(quest, candidates=chain(head, found)).noted("nothing is both denied and affirmed")
        merged = self._merged(head, page, against)
        said = sum(len(affirming) for affirming in against.values())
        return replace(quest, candidates=chain(merged, found)).noted(f"{said} say the opposite")

    def _against(
        self, head: Sequence[Candidate], size: int, denying: Mapping[int, frozenset[str]], asked: _Asked
    ) -> dict[int, list[int]]:
        """Map each denial on the page, or of a name, to the places of what the same person affirms about its terms."""
        near = _near(head, size)
        found = {}
        for first, denied in denying.items():
            must = denied & asked.names
            if first >= size and not must:
                continue
            whole, said = asked.weight(denied), _affirmed(head, first, denying)
            shares = {place: asked.weight(held) / whole for place, held in said.items() if not must or held & must}
            least = {place: self.near if place in near else self.affirmed for place in shares}
            if affirming := [place for place, share in shares.items() if share >= least[place]]:
                found[first] = affirming
        return found

    def _merged(self, head: Sequence[Candidate], size: int, against: Mapping[int, Sequence[int]]) -> list[Candidate]:
        """Return the page with both sides on it, then the rest; denials and affirmations are marked with each other."""
        brought, leaving = self._moved(head, size, against)
        page = [*(place for place in range(min(size, len(head))) if place not in leaving), *brought]
        order = [*page, *sorted(leaving), *(place for place in range(size, len(head)) if place not in brought)]
        floor = head[page[-1 - len(brought)]].score if len(page) > len(brought) else 0.0
        about = {place: head[other].memory.id for place, other in _opposites(against, page).items()}
        shown = about.keys() & page
        return [
            _marked(head[place], about[place], floor if place in brought else 0.0) if place in shown else head[place]
            for place in order
        ]

    def _moved(
        self, head: Sequence[Candidate], size: int, against: Mapping[int, Sequence[int]]
    ) -> tuple[list[int], list[int]]:
        """Return the places of candidates that move to the page, and of those that leave it for them.

        The nearest by cosine move first. Those without a side leave first, the nearest by cosine last of them; then
        those that affirm in words but are not near.
        """
        affirming = sorted(set(chain.from_iterable(against.values())))
        first, rest = range(min(size, len(head))), range(size, len(head))
        sides = {*against, *affirming}
        near = _near(head, size)
        idle = sorted((place for place in first if place not in sides), key=lambda place: (place in near, -place))
        vague = [place for place in first if place in affirming and place not in near][::-1]
        nearest = sorted((place for place in sides if place in rest), key=lambda place: -_meaning(head[place]))
        room = len(idle) + min(len(vague), len(near.intersection(nearest)))
        brought = nearest[: min(self.most, room)]
        return brought, [*idle, *vague][: len(brought)]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question's stems with weights, the stems of names, and the least weight of a denial without a name."""

    weights: Mapping[str, float]
    names: frozenset[str]
    least: float

    @classmethod
    def of(cls, quest: RecallState, denied: float) -> _Asked:
        """Read a question, with only the stems that occur in the corpus: nobody can have denied the others."""
        corpus = quest.world.corpus
        heard = match_terms(corpus, quest.cue.terms)
        rare = {match.term: float(idf(match.frequency, corpus.size)) for match in heard}
        weights = {stem: weight for term, weight in rare.items() for stem in stems(term)}
        named = {stem for name in quest.cue.entities for stem in index_terms(name)}
        names = frozenset(stem for term in rare if not named.isdisjoint(stems(term)) for stem in stems(term))
        return cls(weights, names, denied * sum(rare.values()))

    def weight(self, terms: Iterable[str]) -> float:
        """Return the sum of the weights of some stems."""
        return sum(self.weights[term] for term in terms)


def _near(head: Sequence[Candidate], size: int) -> frozenset[int]:
    """Return the ``size`` places nearest to the question by cosine."""
    return frozenset(sorted(range(len(head)), key=lambda place: -_meaning(head[place]))[:size])


def _opposites(against: Mapping[int, Sequence[int]], page: Sequence[int]) -> dict[int, int]:
    """Map each denial to its first affirmation on the page, and each affirmation to its first denial."""
    found: dict[int, int] = {}
    for denial, affirming in against.items():
        found[denial] = next((place for place in page if place in affirming), affirming[0])
        for place in affirming:
            found.setdefault(place, denial)
    return found


def _affirmed(
    head: Sequence[Candidate], denial: int, denying: Mapping[int, frozenset[str]]
) -> dict[int, frozenset[str]]:
    """Map places to the denied terms that the same speaker uses there without denying them."""
    return {
        place: denying[denial].intersection(index_terms(one.memory.text))
        for place, one in enumerate(head)
        if place not in denying and one.memory.speaker == head[denial].memory.speaker
    }


def _denied(one: Candidate, question: _Asked) -> frozenset[str]:
    """Return the question's stems that a candidate denies; none if they weigh too little and include no name."""
    if one.memory.role not in PEOPLE:
        return frozenset()
    asked = [clause & question.weights.keys() for clause in denials(one.memory.text)]
    best = max(asked, key=question.weight, default=frozenset[str]())
    return best if best and (question.weight(best) >= question.least or best & question.names) else frozenset()


def _marked(one: Candidate, about: str, floor: float) -> Candidate:
    lifted = one.touched(BROUGHT, 1.0, max(0.0, floor - one.score))
    return lifted.marked(MARK, about)


def _meaning(one: Candidate) -> float:
    return -1.0 if one.cosine is None else one.cosine

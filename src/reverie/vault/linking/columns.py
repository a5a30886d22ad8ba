"""The columns that a linked vault is searched by: in, what each file says; out, scores of all of them at once.

The numbers are those of the vault's own search: a file scores here what it scores there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import numpy as np
import numpy.typing as npt

from reverie.formulas import tfidf
from reverie.formulas.freshness import freshness
from reverie.formulas.max_age import effective_max_age
from reverie.types import BoolArray
from reverie.vault.laws import Laws

Numbers = npt.NDArray[np.float64]
Ordinals = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Row:
    """What search knows of a file: its words counted, and what it says beside them. ``agent`` "": it is shared."""

    agent: str
    name: str
    path: Path
    importance: float
    created: date
    max_age_days: float
    promoted: bool
    body: str
    terms: Ordinals
    counts: Numbers


@dataclass(frozen=True, slots=True)
class Look:
    """Whose observations on which day: which rows are looked at, how fresh each is, and what each term weighs."""

    among: BoolArray
    fresh: Numbers
    idfs: Numbers
    lengths: Numbers


@dataclass(slots=True)
class Columns:
    """Every row, in order of its path, and the words of all of them."""

    rows: Sequence[Row]
    words: Mapping[str, int]
    laws: Laws
    _looks: dict[tuple[str | None, date], Look] = field(default_factory=dict)
    _terms: Ordinals = field(init=False)
    _counts: Numbers = field(init=False)
    _importance: Numbers = field(init=False)
    _aging: list[tuple[date, float, float]] = field(init=False)
    _docs: Ordinals = field(init=False)

    def __post_init__(self) -> None:
        """Put the words of all rows one after the other, and by term."""
        sizes = np.array([len(row.terms) for row in self.rows], np.int64)
        self._terms = np.concatenate([np.empty(0, np.int64), *(row.terms for row in self.rows)])
        self._counts = np.concatenate([np.empty(0), *(row.counts for row in self.rows)])
        self._aging = [(row.created, row.max_age_days, row.importance) for row in self.rows]
        self._importance = np.array([row.importance for row in self.rows])
        self._docs = np.repeat(np.arange(len(self.rows)), sizes)

    def best(self, asked: Counter[str], agent: str | None, today: date, most: int) -> list[tuple[Row, float, float]]:
        """The best rows with score and freshness, as the vault's own search ranks them; ``agent`` None: everybody's."""
        look = self._look(agent, today)
        numbers = {self.words[term]: count for term, count in asked.items() if term in self.words}
        weights = {number: float(count * look.idfs[number]) for number, count in numbers.items()}
        wanted = {number: weight for number, weight in weights.items() if weight > 0.0}
        near = self._near(wanted, look, most)
        exact = [(self._exactly(int(place), wanted, look), int(place)) for place in near]
        ordered = sorted(exact, key=lambda one: (-one[0], -self.rows[one[1]].created.toordinal(), one[1]))
        return [(self.rows[place], score, float(look.fresh[place])) for score, place in ordered[:most]]

    def _near(self, wanted: Mapping[int, float], look: Look, most: int) -> Ordinals:
        """The rows that may be among the best: sums in another order may differ in their last digits."""
        dots = np.zeros(len(self.rows))
        for number, weight in wanted.items():
            held = np.flatnonzero(self._terms == number)
            dots[self._docs[held]] += self._counts[held] * look.idfs[number] * weight
        found = np.flatnonzero((dots > 0.0) & look.among)
        scores = dots[found] / look.lengths[found] * look.fresh[found] * self._importance[found]
        if len(found) <= most:
            return found
        edge = np.partition(scores, len(scores) - most)[len(scores) - most]
        near: Ordinals = found[scores >= edge * (1.0 - 1e-9)]
        return near

    def _exactly(self, place: int, wanted: Mapping[int, float], look: Look) -> float:
        row = self.rows[place]
        weights = (row.counts * look.idfs[row.terms]).tolist()
        text = {str(number): weight for number, weight in zip(row.terms.tolist(), weights, strict=True)}
        query = {str(number): weight for number, weight in wanted.items()}
        return tfidf.score(query, text, row.importance, float(look.fresh[place]))

    def _look(self, agent: str | None, today: date) -> Look:
        known = self._looks.get((agent, today))
        if known is None:
            if len(self._looks) >= _LOOKS:
                self._looks.clear()
            known = self._looks[agent, today] = self._made(agent, today)
        return known

    def _made(self, agent: str | None, today: date) -> Look:
        known = {law: self._freshness(*law, today) for law in set(self._aging)}
        fresh = np.array([known[law] for law in self._aging])
        among = (fresh >= 0.0) & self._once(agent)
        held = among[self._docs]
        frequency = np.bincount(self._terms[held], minlength=len(self.words))
        size = int(among.sum())
        weights = {int(number): tfidf.idf(int(number), size) for number in np.unique(frequency) if number}
        idfs = np.zeros(len(self.words))
        for number, weight in weights.items():
            idfs[frequency == number] = weight
        squares = np.bincount(self._docs, (self._counts * idfs[self._terms]) ** 2, minlength=len(self.rows))
        return Look(among, fresh, idfs, np.sqrt(squares))

    def _freshness(self, created: date, max_age_days: float, importance: float, today: date) -> float:
        """How fresh what was made so is; −1 where search does not look at it."""
        age = float(max(0, (today - created).days))
        limit = effective_max_age(max_age_days, importance, self.laws.extensions)
        if not tfidf.is_searchable(importance, age, limit, self.laws.search_floor):
            return -1.0
        return freshness(age, limit, self.laws.least_freshness)

    def _once(self, agent: str | None) -> BoolArray:
        """Which rows are anybody's that are asked for, without copies whose originals are there as well."""
        originals: dict[str, list[str]] = {}
        for row in self.rows:
            if row.agent and row.promoted and agent in (None, row.agent):
                originals.setdefault(row.body, []).append(f"-{row.name}")
        once = np.array([not row.agent or agent in (None, row.agent) for row in self.rows], np.bool_)
        for place, row in enumerate(self.rows):
            if not row.agent and row.name.endswith(tuple(originals.get(row.body, ()))):
                once[place] = False
        return once


_LOOKS = 16
"""Agents and days that are kept at hand."""

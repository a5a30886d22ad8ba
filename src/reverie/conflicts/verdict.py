"""Verdicts on pairs: how likely a later statement replaces or takes back an earlier one, and if two belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from reverie.conflicts.pairs import (
    ALONE,
    NOTHING_ASKED,
    NUMBERS,
    OF_BOTH,
    OF_EACH,
    TO_CUE,
    Numbers,
    PairSubject,
    SeenVectors,
    Statement,
    about_another,
    is_later,
    numbers,
    other_topics,
)
from reverie.formulas.arrays import Floats
from reverie.formulas.logistic import fitted_rows

_WEIGHTS = Path(__file__).with_name("data") / "verdict.txt"
WITH_CUE, BY_THEMSELVES = "with a cue", "by themselves"
BY_TWO, BY_ONE, BY_TEXT = "by two models", "by one model", "by text alone"
_FURTHEST = 30.0
_ENDS = np.cumsum([len(OF_BOTH), len(OF_EACH), len(OF_EACH), len(TO_CUE), len(TO_CUE)]).tolist()
"""Where in ``NUMBERS`` each group ends: of both, of the earlier, of the later, of the earlier and the cue, of the later
and the cue."""


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """A logistic model of whether a statement replaced another: intercept, and per feature mean, deviation, weight."""

    intercept: float
    means: Floats
    deviations: Floats
    weights: Floats

    def parts(self, numbers: Floats) -> Floats:
        """Return what each feature of a pair adds to the log-odds (…, features).

        Source: decision-0052
        """
        result: Floats = self.weights * (numbers - self.means) / np.where(self.deviations > 0, self.deviations, 1.0)
        return result

    def probabilities(self, numbers: Floats) -> Floats:
        """Return the probability (…) in (0, 1) that the later one replaced the earlier, for (…, features).

        Source: cox-logistic
        """
        return _likely(self.intercept + self.parts(numbers).sum(axis=-1))

    def chances(self, numbers: Numbers) -> Floats:
        """Return the probabilities (k, k) in (0, 1) for all pairs, faster than ``probabilities`` on each.

        Source: cox-logistic
        """
        slopes = self.weights / np.where(self.deviations > 0, self.deviations, 1.0)
        start = self.intercept - float(np.einsum("n,n->", slopes, self.means))
        both, earlier, later, *to_cue = np.split(slopes, _ENDS[: 2 if numbers.to_cue is None else 5])
        rows = np.einsum("kn,n->k", numbers.of_each, earlier)
        columns = np.einsum("kn,n->k", numbers.of_each, later)
        if numbers.to_cue is not None:
            first, second, (more,) = to_cue
            answers = more * numbers.to_cue[:, 0]
            rows = rows + np.einsum("kn,n->k", numbers.to_cue, first) - answers
            columns = columns + np.einsum("kn,n->k", numbers.to_cue, second) + answers
        odds = np.einsum("n,nij->ij", both, numbers.of_both)
        return _likely(start + odds + rows[:, np.newaxis] + columns[np.newaxis, :])

    def told(self, numbers: Numbers, earlier: int, later: int, most: int = 5) -> str:
        """Describe the ``most`` features that counted most for a pair: name, value, and what each added."""
        values = numbers.of(earlier, later)
        parts = self.parts(values).tolist()
        weightiest = sorted(range(len(parts)), key=lambda place: -abs(parts[place]))[:most]
        return ", ".join(f"{NUMBERS[place]} {values[place]:.2f} ({parts[place]:+.2f})" for place in weightiest)


def _likely(odds: Floats) -> Floats:
    result: Floats = 1.0 / (1.0 + np.exp(-np.clip(odds, -_FURTHEST, _FURTHEST)))
    return result


def verdict(seen: SeenVectors | None, *, asked: bool) -> Verdict:
    """Return the model that fits the data: vectors by two models, by one or by none, and with a cue or without."""
    return shipped()[f"{WITH_CUE if asked else BY_THEMSELVES}, {how_seen(seen)}"]


def how_seen(seen: SeenVectors | None) -> str:
    """Return the name of the case: vectors by two models, by one, or text alone."""
    return BY_TEXT if seen is None else BY_ONE if seen.second is None else BY_TWO


@cache
def shipped() -> dict[str, Verdict]:
    """Load the models that come with the package, by name: with a cue or without, by which vectors."""
    return read_verdicts(_WEIGHTS.read_text(encoding="utf-8"))


def read_verdicts(text: str) -> dict[str, Verdict]:
    """Read models from their file: ``[section]``, ``intercept: b``, ``name: mean deviation weight``; ``#`` comments."""
    return {
        name: _verdict(found, ALONE if name.startswith(BY_THEMSELVES) else NUMBERS)
        for name, found in fitted_rows(text).items()
    }


def _verdict(rows: dict[str, list[float]], names: tuple[str, ...]) -> Verdict:
    columns = np.array([rows[name] for name in names])
    return Verdict(rows["intercept"][0], columns[:, 0], columns[:, 1], columns[:, 2])


_ALIKE = OF_BOTH.index("alike")


def replacing(statements: Sequence[Statement], seen: SeenVectors | None = None, alike: Floats | None = None) -> Floats:
    """Return how likely (k, k) the second (column) replaces or takes back the first; 0 where it was not said later.

    Args:
        statements: k of them.
        seen: their vectors, if available.
        alike: (k, k) their centred cosines, if only these are available; without both, the cosine of their words is
            used.
    """
    if len(statements) < 2:
        return np.zeros((len(statements),) * 2)
    values = numbers(statements, seen)
    found = shipped()[f"{BY_THEMSELVES}, {BY_ONE}"] if seen is None else verdict(seen, asked=False)
    if seen is None:
        values.of_both[_ALIKE] = _by_words(statements) if alike is None else alike
    result: Floats = found.chances(values) * is_later(statements)
    return result


LEAST = 0.1
"""Chances below this decide nothing, so the statements are not compared any further."""


def apart(chances: Floats, statements: Sequence[Statement], asked: PairSubject = NOTHING_ASKED) -> Floats:
    """Return the chances (k, k) with 0 for pairs of which the later one is about something else.

    It is about another topic (``pairs.other_topics``), or not about what the cue asks about (``pairs.about_another``).
    """
    count = sum(bool(one.names and one.amounts) for one in statements)
    if count < 2 and not any(one.terms & asked.terms for one in statements if one.tokens):
        return chances
    for earlier, later in np.argwhere(chances >= LEAST).tolist():
        one, other = statements[earlier], statements[later]
        if other_topics(one, other) or about_another(one, other, asked):
            chances[earlier, later] = 0.0
    return chances


def _by_words(statements: Sequence[Statement]) -> Floats:
    """Return the cosines (k, k) of the statements' terms, each counted once."""
    terms = [one.terms for one in statements]
    common = np.array([[float(len(one & other)) for other in terms] for one in terms])
    sizes = np.sqrt(np.maximum(common.diagonal(), 1.0))
    result: Floats = common / sizes[:, np.newaxis] / sizes[np.newaxis, :]
    return result


# Co-retrieval: how much a candidate belongs with the first ones (decision 0057).


_COMPANY_WEIGHTS = Path(__file__).with_name("data") / "company.txt"
FIRST = 3
"""How many of the first candidates the others are compared with, as most probably relevant."""
LIKE = ("alike", "alike by second", "shared", "rarest shared")
"""Names of the features of a pair that co-retrieval uses."""
NAMES = (*(f"{name} with one of the first" for name in LIKE), *(f"{name} with what was found" for name in LIKE))


@dataclass(frozen=True, slots=True, eq=False)
class CoRetrieval:
    """A linear model of co-retrieval: how much each feature in ``NAMES`` adds to a candidate's score."""

    weights: Floats

    def lifts(self, numbers: Numbers, scores: Floats) -> Floats:
        """Return what co-retrieval adds to each candidate's score (k,).

        Args:
            numbers: the features of all pairs of k candidates (``pairs.numbers``).
            scores: (k,) of the candidates, falling.

        Source: decision-0057
        """
        result: Floats = features(numbers, scores) @ self.weights
        return result


def features(numbers: Numbers, scores: Floats) -> Floats:
    """Compute each candidate's similarities (k, NAMES): the highest with one of the first, the mean with all others.

    The mean is weighted by e^score, so that candidates that are probably relevant count more.
    """
    count = len(scores)
    raised = np.exp(scores - scores.max(initial=0.0))
    others = np.ones((count, count)) - np.eye(count)
    share = others * raised[np.newaxis, :]
    share /= np.maximum(share.sum(axis=1, keepdims=True), 1e-12)
    columns = [np.maximum(of, of.T) * others for of in map(numbers.both, LIKE)]
    nearest = [column[:, :FIRST].max(axis=1, initial=0.0) for column in columns]
    return np.stack([*nearest, *((column * share).sum(axis=1) for column in columns)], axis=1)


def company(seen: SeenVectors | None) -> CoRetrieval:
    """Return the co-retrieval weights that fit the data: vectors by two models, by one or by none."""
    return shipped_company()[how_seen(seen)]


@cache
def shipped_company() -> Mapping[str, CoRetrieval]:
    """Load the co-retrieval weights that come with the package, by name: by which vectors."""
    found = fitted_rows(_COMPANY_WEIGHTS.read_text(encoding="utf-8"))
    return {section: CoRetrieval(np.array([rows[name][0] for name in NAMES])) for section, rows in found.items()}

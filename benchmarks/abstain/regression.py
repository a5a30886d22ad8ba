"""Fitting the weights: from what was asked to an intercept and a weight for each piece of evidence.

Every set counts the same. In it, what can be answered counts as much as what cannot; and of that, a kind of question
that the set itself calls unanswerable counts twice as much as the same questions asked without their evidence, some of
which another session still answers. A kind of fewer than ten questions counts by the question, as the made ones do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from zlib import crc32

import numpy as np

from benchmarks.abstain.cases import Asked, Kind
from benchmarks.statistics import Fit, Values, fitted
from reverie.formulas.logistic import probability

RIDGE = 2.0
FOLDS = 5
SET_COUNTS = 500.0
"""What the answerable questions of one set count together, and the others of it."""
OWN_COUNTS = 2.0
FEW = 10


def labels(asked: Sequence[Asked]) -> Values:
    """(n,) 1 where the question can be answered."""
    return np.array([float(one.kind == Kind.ANSWERABLE) for one in asked])


def importance(asked: Sequence[Asked]) -> Values:
    """(n,) what each question counts."""
    counts = Counter((one.set, one.kind) for one in asked)
    shares: dict[tuple[str, str], float] = {}
    for name in {one.set for one in asked}:
        kinds = {kind: number for (of, kind), number in counts.items() if of == name and kind != Kind.ANSWERABLE}
        worth = {kind: _worth(kind, number, kinds) for kind, number in kinds.items()}
        total = sum(worth.values())
        shares |= {(name, kind): SET_COUNTS * worth[kind] / total / kinds[kind] for kind in kinds}
        shares[name, Kind.ANSWERABLE] = SET_COUNTS / max(counts[name, Kind.ANSWERABLE], 1)
    return np.array([shares[one.set, one.kind] for one in asked])


def _worth(kind: str, number: int, kinds: dict[str, int]) -> float:
    if kind == Kind.REMOVED:
        return 1.0
    return OWN_COUNTS if number >= FEW else number / max(kinds.get(Kind.REMOVED, number), 1)


def rows(asked: Sequence[Asked]) -> Values:
    """(n, columns) the evidence, columns in the order the engine names them."""
    return np.array([list(one.evidence.values()) for one in asked], np.float64)


def fit(asked: Sequence[Asked]) -> Fit:
    """The weights for some questions: fitted by importance, then made true for how often each is asked."""
    ranking = fitted(rows(asked), labels(asked), importance(asked), RIDGE)
    odds = log_odds(ranking, asked)
    scale = fitted(odds[:, np.newaxis], labels(asked), evenly(asked), RIDGE)
    (term,) = scale.terms
    slope = term.weight / term.deviation if term.deviation > 0.0 else 0.0
    terms = tuple(replace(one, weight=slope * one.weight) for one in ranking.terms)
    return Fit(scale.intercept + slope * (ranking.intercept - term.mean), terms)


def evenly(asked: Sequence[Asked]) -> Values:
    """(n,) the same for every question of a set, and for every set."""
    counts = Counter(one.set for one in asked)
    return np.array([2.0 * SET_COUNTS / counts[one.set] for one in asked])


def log_odds(found: Fit, asked: Sequence[Asked]) -> Values:
    """(n,) what a fit says in log-odds."""
    told = [[t.log_odds(v) for t, v in zip(found.terms, row, strict=True)] for row in rows(asked).tolist()]
    result: Values = found.intercept + np.array(told, np.float64).sum(axis=1)
    return result


def chances(found: Fit, asked: Sequence[Asked]) -> Values:
    """(n,) the probabilities that a fit gives."""
    return np.array([probability(odds, []) for odds in log_odds(found, asked).tolist()])


def folds(asked: Sequence[Asked]) -> Values:
    """(n,) the fold of each question: whole conversations, and where a set is a single one, question by question.

    A question and its twin without evidence always share a fold.
    """
    stores: dict[str, dict[str, int]] = {}
    for one in asked:
        stores.setdefault(one.set, {}).setdefault(one.store, len(stores[one.set]))
    return np.array(
        [
            (stores[one.set][one.store] if len(stores[one.set]) > 1 else crc32(one.question.encode())) % FOLDS
            for one in asked
        ]
    )


def cross_validated(asked: Sequence[Asked], beside: Sequence[Asked] = ()) -> Values:
    """(n,) probabilities of each question by weights fitted without its conversation, with ``beside`` wholly."""
    fold = folds(asked)
    result = np.zeros(len(asked))
    for number in range(FOLDS):
        test = np.flatnonzero(fold == number)
        train = [one for one, of in zip(asked, fold, strict=True) if of != number]
        if len(test):
            result[test] = chances(fit([*train, *beside]), [asked[place] for place in test.tolist()])
    return result


def answerable(asked: Sequence[Asked]) -> list[Asked]:
    """Those that the engine gave evidence for: a store in which nothing is found has none."""
    return [one for one in asked if one.evidence]


def weights_file(sections: Mapping[str, Sequence[Asked]], provenance: Sequence[str]) -> Iterator[str]:
    """The lines of the weights' data file: where they come from, then a fit a section."""
    yield from (f"# {line}".rstrip() for line in provenance)
    for section, asked in sections.items():
        found = fit(answerable(asked))
        yield f"[{section}]"
        yield f"intercept: {found.intercept:.4f}"
        for name, term in zip(answerable(asked)[0].evidence, found.terms, strict=True):
            yield f"{name}: {term.mean:.4f} {term.deviation:.4f} {term.weight:.4f}"

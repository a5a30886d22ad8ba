"""How sure a cosine of a question and a passage is of an answer: fits a model's calibration for the confidence bands.

In: questions whose answers are known. Each gives the cosines, as ``v9`` compares, of the nearest of its answers and of
passages drawn by chance from what had been said. Out: slope and intercept of a logistic regression in which every set
counts the same, and for each set the share of its pairs in each band by the fit of the other sets.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import results
from benchmarks.embedding import cached_embedder
from benchmarks.sets import SETS, Chosen, chosen, labelled, labelled_in, load, sets_in
from benchmarks.statistics import fitted
from benchmarks.values import Haystack, Question
from reverie.errors import InvalidInput
from reverie.formulas.arrays import Floats
from reverie.formulas.centring import centroid
from reverie.formulas.gates import Band, band
from reverie.formulas.similarity_scales import Answering
from reverie.ports import Embedder
from reverie.recipes.published.v9.recall import variants
from reverie.types import FloatArray

CHANCE = 4
"""Passages drawn by chance for a question."""
GOLD = 8
"""Answers of a question that are looked at, the first of them."""
RIDGE = 1.0
FULL, SUMMARY = 0.7, 0.4
"""The document's bands (D26)."""
RIGHT, UNRELATED = "right", "unrelated"


@dataclass(frozen=True, slots=True)
class Known:
    """The cosines of one set: (n,) of each question with its nearest answer, (n · CHANCE,) with other passages."""

    set: str
    right: Floats
    unrelated: Floats


def bands(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Fit, and tell what the fit of the other sets gives to each.

    Raises:
        InvalidInput: there is no model, or not two sets to fit on.
    """
    embedder = cached_embedder(options)
    if embedder is None:
        raise InvalidInput("Without a model there are no cosines.", "Leave --embedder out, or name a model.")
    known = [_cosines(one, embedder, options.each, random.Random(options.seed)) for one in _sets(options.data)]
    known = [one for one in known if len(one.right)]
    if len(known) < 2:
        raise InvalidInput("A calibration needs questions of two sets.", "Give folders with more files (--data DIR).")
    rows = [row for one in known for row in _rows(one, fit([other for other in known if other is not one]))]
    law = fit(known)
    extras = {"model": embedder.info.key, "slope": law.slope, "intercept": law.intercept}
    results.write(options.out, rows, {**extras, **results.surroundings(given)})
    for row in rows:
        print(f"{row.set:18} {row.pairs:10} n {row.n:5}  {row.full:.2f} {row.summary:.2f} {row.withheld:.2f}")
    print(f"all sets: slope {law.slope:.2f}, intercept {law.intercept:.2f}\nwrote {options.out}")


def fit(known: Sequence[Known]) -> Answering:
    """The calibration that makes right and unrelated pairs likeliest, either side of every set counting the same.

    Source: cox-logistic
    """
    sides = [side for one in known for side in (one.right, one.unrelated)]
    labels = np.concatenate([np.full(len(side), 1.0 - n % 2) for n, side in enumerate(sides)])
    importance = np.concatenate([np.full(len(side), 100.0 / len(side)) for side in sides])
    found = fitted(np.concatenate(sides)[:, np.newaxis], labels, importance, RIDGE)
    (term,) = found.terms
    slope = term.weight / term.deviation
    return Answering(slope, found.intercept - slope * term.mean)


def _rows(one: Known, law: Answering) -> Iterator[results.BandsRow]:
    for name, cosines in ((RIGHT, one.right), (UNRELATED, one.unrelated)):
        counts = Counter(band(law.confidence(cosine), FULL, SUMMARY) for cosine in cosines.tolist())
        shares = [counts[each] / len(cosines) for each in (Band.FULL, Band.SUMMARY, Band.WITHHELD)]
        yield results.BandsRow(one.set, name, len(cosines), *shares)


def _sets(folders: Sequence[Path]) -> Iterator[Chosen]:
    for folder in folders:
        yield from (Chosen(SETS[name], tuple(paths)) for name, paths in sets_in(folder).items())
        lives = labelled_in(folder)
        yield from chosen(labelled.NAME, lives) if lives else ()


def _cosines(one: Chosen, embedder: Embedder, most: int, rng: random.Random) -> Known:
    """The cosines of so many of a set's questions."""
    print(f"bands: {one.set.name}", file=sys.stderr, flush=True)
    asked = [
        (haystack, question)
        for haystack in load(one.set, one.paths, Counter())
        for question in haystack.questions
        if question.gold and question.answerable
    ]
    right: list[float] = []
    unrelated: list[float] = []
    for haystack, question in rng.sample(asked, min(most, len(asked))):
        gold, others = _passages(haystack, question, rng)
        if gold and others:
            cosines = (embedder.embed_passages([*gold, *others]) @ _asked(question, embedder)).tolist()
            right.append(max(cosines[: len(gold)]))
            unrelated += cosines[len(gold) :]
    return Known(one.set.name, np.array(right), np.array(unrelated))


def _asked(question: Question, embedder: Embedder) -> FloatArray:
    """What ``v9`` compares with: the middle of the question and its hypothetical answers."""
    return centroid(np.stack([embedder.embed_query(text) for text in (question.text, *variants(question.text))]))


def _passages(haystack: Haystack, question: Question, rng: random.Random) -> tuple[list[str], list[str]]:
    """The first answers, and others drawn by chance from what had been said when it was asked."""
    wanted = set(question.gold)
    gold = [item.text for item in haystack.items if item.id in wanted]
    others = [item.text for item in haystack.items[: question.heard] if item.id not in wanted]
    return gold[:GOLD], rng.sample(others, min(CHANCE, len(others)))

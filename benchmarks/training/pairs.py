"""Learning verdicts: whether a later statement took an earlier one's place, from labelled changes and look-alikes.

In: lives with labelled pairs, other sets whose questions label an older and a newest side, and a model. Out: the
weights of both sections of ``conflicts/data/verdict.txt``, and what they find in the lives of hands left out.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np

from benchmarks.abstain.logistic_fit import Fit, fitted
from benchmarks.lives import form
from benchmarks.sets import SETS, labelled
from benchmarks.training.engines import Heard
from benchmarks.values import Change, Haystack, Item
from reverie.answers import Hit
from reverie.conflicts.pairs import NUMBERS, Asked, is_later, numbers, statement
from reverie.conflicts.verdict import Verdict
from reverie.formulas.arrays import Floats
from reverie.ports import Embedder

OF_MEANING = ("alike", "earlier near", "later near")
"""Numbers that are 0 where no vectors are compared."""
LOOKED = 40
"""Hits of a cue that are compared two by two, as the default recipe does."""
EVERY = 16
"""Of the pairs that are no change every so many-th is kept, and counts as many: two million say no more than these."""
RIDGE = 10.0
EDGES = (0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
"""Probabilities from which a pair counts as a change, to choose a use's own from."""
HAYSTACKS_MAX, QUESTIONS_MAX = 8, 60
SET_WEIGHT = 0.3
"""What a pair of another set counts against one of the lives: only one pair of a question is labelled there."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is labelled: pairs (earlier, later) that are changes."""

    group: str
    items: tuple[Item, ...]
    changes: frozenset[tuple[str, str]]
    cues: tuple[tuple[str, datetime, int], ...]
    importance: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The pairs of one group: numbers (n, all), which are changes (n,), and what each counts (n,)."""

    group: str
    values: Floats
    is_change: Floats
    importance: Floats


def taught(part: str, folder: Path | None) -> Iterator[Told]:
    """The lives of a part, and the sets of a folder that label changes."""
    for life in form.lives(part):
        pairs = {
            (older, newer)
            for change in life.changes
            if change.kind != "trap"
            for older in change.older
            for newer in change.newer
        }
        cues = tuple((cue.text, cue.at, cue.heard) for cue in life.cues)
        yield Told(life.hand, life.items, frozenset(pairs), cues)
    if folder is not None:
        for name, haystack in _haystacks(folder):
            yield from _of_set(name, haystack)


def _haystacks(folder: Path) -> Iterator[tuple[str, Haystack]]:
    from benchmarks.commands import labelled_in

    for haystack in SETS["updates"].load([SETS_DATA], Counter()):
        yield "updates", haystack
    beside = folder / "labelled"
    for path in labelled_in(beside) if beside.is_dir() else ():
        for name, paths in labelled.by_set([path]).items():
            for place, haystack in enumerate(labelled.load(paths, Counter())):
                if place < HAYSTACKS_MAX and any(q.change is Change.UPDATE for q in haystack.questions):
                    yield name, haystack


SETS_DATA = Path(__file__).parent.parent / "sets" / "data" / "updates.jsonl"


def _of_set(name: str, haystack: Haystack) -> Iterator[Told]:
    asked = [one for one in haystack.questions if one.change in (Change.UPDATE, Change.TRAP)][:QUESTIONS_MAX]
    pairs = {
        (older, newer)
        for one in asked
        if one.change is Change.UPDATE
        for older in one.sides[0]
        for newer in one.sides[-1]
    }
    everything = len(haystack.items)
    cues = tuple((one.text, one.asked_at, everything if one.heard is None else one.heard) for one in asked)
    yield Told(name, haystack.items, frozenset(pairs), cues, SET_WEIGHT)


def gathered(told: Iterable[Told], embedder: Embedder | None) -> list[Compared]:
    """Every pair among the first hits of every cue."""
    found = []
    for one in told:
        rows, labels = [], []
        with Heard(one.items, embedder) as heard:
            for text, at, count in sorted(one.cues, key=lambda cue: cue[2]):
                hits = heard.ask(text, at, count, LOOKED)
                values, is_change = _pairs(hits, heard, one.changes)
                rows.append(values)
                labels.append(is_change)
        if rows:
            values, is_change = np.concatenate(rows), np.concatenate(labels)
            kept = (is_change > 0) | (np.arange(len(values)) % EVERY == 0)
            weight = np.where(is_change > 0, one.importance, one.importance * EVERY)[kept]
            found.append(Compared(one.group, values[kept], is_change[kept], weight))
            print(f"train: {one.group}, {int(is_change.sum())} of {len(values)}", file=sys.stderr, flush=True)
    return found


def _pairs(hits: Sequence[Hit], heard: Heard, changes: frozenset[tuple[str, str]]) -> tuple[Floats, Floats]:
    if len(hits) < 2:
        return np.zeros((0, len(NUMBERS))), np.zeros(0)
    told = [statement(hit.memory) for hit in hits]
    scores = np.array([hit.score for hit in hits])
    asked = Asked(scores - scores.max(), _signal(hits, "coverage"), _signal(hits, "own meaning"))
    values = numbers(told, heard.vectors(hits), asked)
    later = is_later(told)
    ids = [heard.known[hit.memory.id] for hit in hits]
    labels = np.array([[float((a, b) in changes) for b in ids] for a in ids])
    return values[later], labels[later]


def _signal(hits: Sequence[Hit], name: str) -> Floats:
    return np.array([next((s.value for s in hit.signals if s.name == name), 0.0) for hit in hits])


def without_meaning(one: Compared) -> Compared:
    """As if no vectors had been compared."""
    silent = np.array([name not in OF_MEANING for name in NUMBERS])
    return Compared(one.group, one.values * silent, one.is_change, one.importance)


def fit(compared: Sequence[Compared], columns: int) -> Fit:
    """The weights of the first so many numbers."""
    values = np.concatenate([one.values[:, :columns] for one in compared])
    is_change = np.concatenate([one.is_change for one in compared])
    return fitted(values, is_change, np.concatenate([one.importance for one in compared]), RIDGE)


def chances(found: Fit, values: Floats) -> Floats:
    """(n,) the probability of each row."""
    terms = found.terms
    columns = [np.array([getattr(term, name) for term in terms]) for name in ("mean", "deviation", "weight")]
    return Verdict(found.intercept, *columns).probabilities(values)


def left_out(compared: Sequence[Compared], columns: int, groups: Sequence[str]) -> Mapping[float, tuple[float, float]]:
    """Threshold → (precision, recall) over the pairs of these groups, each judged by what has not seen it."""
    scores, judged = [], list[Compared]()
    for group in groups:
        found = fit([one for one in compared if one.group != group], columns)
        judged += (asked := [one for one in compared if one.group == group])
        scores += [chances(found, one.values[:, :columns]) for one in asked]
    score, label = np.concatenate(scores), np.concatenate([one.is_change for one in judged])
    weight = np.concatenate([one.importance for one in judged])
    found_by = {}
    for edge in EDGES:
        chosen = score >= edge
        right = float((label * weight)[chosen].sum())
        found_by[edge] = (right / max(1e-9, float(weight[chosen].sum())), right / float((label * weight).sum()))
    return found_by

"""Learning verdicts: whether a later statement took an earlier one's place, from labelled changes and look-alikes.

In: lives with labelled pairs, other sets whose questions label an older and a newest side, and a model. Out: the
weights of both sections of ``conflicts/data/verdict.txt``, and what they find in the lives of hands left out.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import numpy as np

from benchmarks.embedding import affordable
from benchmarks.lives import form
from benchmarks.sets import SETS, labelled, labelled_in
from benchmarks.statistics import Fit, auroc, direction, fitted
from benchmarks.training.engines import Heard
from benchmarks.values import Change, Haystack, Item
from reverie.answers import Hit
from reverie.conflicts.pairs import KINDS, NUMBERS, Heads, PairCue, SeenVectors, is_later, numbers, statement
from reverie.conflicts.verdict import Verdict
from reverie.formulas.arrays import Floats
from reverie.formulas.centring import centre, unit
from reverie.ports import Embedder
from reverie.types import FloatArray

OF_SECOND = ("alike by second",)
"""Numbers that are 0 where no second model is asked."""
OF_MEANING = (
    *("alike", "earlier near", "later near", *OF_SECOND),
    *(f"{side} {kind}" for side in ("earlier", "later") for kind in KINDS),
)
"""And where no vectors are compared."""
OF_KINDS = {"announces": ("update", "retraction"), "calls off": ("retraction",), "passes": ("update", "retraction")}
"""The changes whose newer messages are of a kind; of what passes, whose older."""
HEADS_RIDGE = 300.0
"""2026-11-24: 100 to 1,000 gave the same within .01 AUROC."""
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
    """The pairs of one group: numbers (n, all), which are changes (n,), and what each counts (n,).

    ``by_two``: a second model was asked.
    """

    group: str
    values: Floats
    is_change: Floats
    importance: Floats
    by_two: bool


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


def heads(part: str, embedder: Embedder | None) -> dict[str, Heads]:
    """Heads learned from the lives of a part: "" from all, and by hand from all but that hand's."""
    if embedder is None:
        return {}
    lives = [(life, _from_the_middle(life, embedder)) for life in form.lives(part)]
    found = {}
    for out in ("", *sorted({life.hand for life, _ in lives})):
        told = [one for one in lives if one[0].hand != out]
        if not told:
            continue
        rows = np.concatenate([vectors for _, vectors in told]).astype(np.float64)
        fits = []
        for kind in KINDS:
            labels = np.concatenate([_is_of_kind(life, kind) for life, _ in told])
            fits.append(direction(rows, labels, HEADS_RIDGE))
        learned = np.stack(fits).astype(np.float32)
        found[out] = Heads(learned[:, :-1], learned[:, -1])
    return found


def told(part: str, embedder: Embedder, learned: Heads) -> list[str]:
    """How well heads tell each kind from everything else in another part's lives."""
    lives = list(form.lives(part))
    odds = np.concatenate([learned.log_odds(_from_the_middle(life, embedder)) for life in lives])
    lines = []
    for place, kind in enumerate(KINDS):
        labels = np.concatenate([_is_of_kind(life, kind) for life in lives])
        lines.append(f"{kind}: AUROC {float(auroc(odds[:, place], labels, np.ones((1, len(odds))))[0]):.3f}")
    return lines


def _from_the_middle(life: form.Life, embedder: Embedder) -> FloatArray:
    vectors = embedder.embed_passages([item.text for item in life.items])
    return unit(vectors - centre(vectors.mean(axis=0), len(vectors)))


def _is_of_kind(life: form.Life, kind: str) -> Floats:
    sides = [one.older if kind == "passes" else one.newer for one in life.changes if one.kind in OF_KINDS[kind]]
    said = {name for side in sides for name in side}
    return np.array([float(item.id in said) for item in life.items])


def gathered(told: Iterable[Told], embedder: Embedder | None, heads: Mapping[str, Heads]) -> list[Compared]:
    """Every pair among the first hits of every cue; a hand's lives are seen with heads that have not seen them."""
    found = []
    for one in told:
        rows, labels, by_two = [], list[Floats](), False
        kinds = heads.get(one.group, heads.get(""))
        with Heard(one.items, affordable(embedder, (item.text for item in one.items))) as heard:
            for text, at, count in sorted(one.cues, key=lambda cue: cue[2]):
                hits = heard.ask(text, at, count, LOOKED)
                seen = heard.seen(hits, kinds)
                by_two = seen is not None and seen.second is not None
                values, is_change = _pairs(hits, seen, heard.known, one.changes)
                rows.append(values)
                labels.append(is_change)
        if rows:
            values, is_change = np.concatenate(rows), np.concatenate(labels)
            kept = (is_change > 0) | (np.arange(len(values)) % EVERY == 0)
            weight = np.where(is_change > 0, one.importance, one.importance * EVERY)[kept]
            found.append(Compared(one.group, values[kept], is_change[kept], weight, by_two))
            print(f"train: {one.group}, {int(is_change.sum())} of {len(values)}", file=sys.stderr, flush=True)
    return found


def _pairs(
    hits: Sequence[Hit], seen: SeenVectors | None, known: Mapping[str, str], changes: frozenset[tuple[str, str]]
) -> tuple[Floats, Floats]:
    if len(hits) < 2:
        return np.zeros((0, len(NUMBERS))), np.zeros(0)
    told = [statement(hit.memory) for hit in hits]
    scores = np.array([hit.score for hit in hits])
    asked = PairCue(scores - scores.max(), _signal(hits, "coverage"), _signal(hits, "own meaning"))
    values = numbers(told, seen).asked(asked).whole()
    later = is_later(told)
    ids = [known[hit.memory.id] for hit in hits]
    labels = np.array([[float((a, b) in changes) for b in ids] for a in ids])
    return values[later], labels[later]


def _signal(hits: Sequence[Hit], name: str) -> Floats:
    return np.array([next((s.value for s in hit.signals if s.name == name), 0.0) for hit in hits])


def without(one: Compared, gone: Collection[str]) -> Compared:
    """As if nothing was known of these numbers."""
    silent = np.array([name not in gone for name in NUMBERS])
    return replace(one, values=one.values * silent)


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

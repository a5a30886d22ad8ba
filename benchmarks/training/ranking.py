"""Learning to rank: how much each signal counts for a cue, from what ``explain`` shows of each candidate.

In: lessons and a model. Out: the weights of both sections of ``recall/data/ranking.txt``, and what they find in lessons
that were left out.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np

from benchmarks.embedding import SECOND_READS, SHARED_READS, affordable
from benchmarks.training.cues import LARGE, LIVES, Lesson
from benchmarks.training.engines import Heard
from benchmarks.training.listwise import Choice, fitted
from benchmarks.training.texts import told_without
from reverie.answers import Hit
from reverie.formulas.arrays import Floats
from reverie.ports import Embedder

SIGNALS = (
    *("text", "window", "coverage", "meaning", "own meaning", "second likeness", "second meaning", "speaker", "time"),
    *("dated", "telling", "length", "size", "recency", "user", "assistant", "device", "order", "taste"),
)
"""The names of ``recall.signals.SIGNALS``, in their order; the benchmarks may not import them."""
BY_SECOND = "second likeness"
DEPTH = 200
KEPT = 60
"""Of a cue's candidates so many are compared with the evidence: the rest decides nothing."""
RIDGE = 0.002
"""2026-11-24: .0005 to .005 gave the same within a point on lessons left out."""
RIDGE_BESIDE = 0.01
"""2026-11-24, sets left out whole: .002, .01, .03 and .1 gave BEAM 64, 63, 63 and 61, LoCoMo 69, 72, 73 and 73."""
OWN_WEIGHT = 3.0
"""So many times as much as another set our own lives count: they alone hold what people type to an agent. 2026-11-24,
evidence @10 of the development lives, and of folds left out of LoCoMo, BEAM and LifeBench: once 63.2, 83, 59, 57; three
times 67.4, 85, 63, 61; lives alone 66.8."""
LARGE_WEIGHT = 0.3
"""So many times as much as another set lives amid thousands of messages of others count. 2026-11-29, evidence @20 of
the development lives, questions and prompts, alone and amid others: none 87 85, 46 24; .3 87 86, 75 72."""
WEIGHTS = {LIVES: OWN_WEIGHT, LARGE: LARGE_WEIGHT}
CUES_MAX = 300
"""Cues of a set that a fit sees at most, evenly spread; a set counts as the root of them."""
FOLDS = 3
OF_SECOND = frozenset({"second likeness", "second meaning", "second likest", "second peak"})
"""Signals and traits that are silent where no second model is asked."""
OF_MEANING = frozenset({"meaning", "own meaning", "agreement", "likest", "peak"}) | OF_SECOND
"""And where no vectors are compared."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One cue's candidates: signals (m, signals), traits (t,), which are evidence (m,), how much evidence there is.

    ``by_two``: a second model was asked.
    """

    set: str
    group: str
    signals: Floats
    traits: Floats
    is_evidence: Floats
    needed: int
    by_two: bool

    def rows(self) -> Floats:
        """(m, signals · traits) every signal times every trait."""
        crossed: Floats = self.signals[:, :, np.newaxis] * self.traits[np.newaxis, np.newaxis, :]
        return crossed.reshape(len(self.signals), -1)

    def without(self, names: Names, gone: Collection[str]) -> Seen:
        """As if these signals and traits were silent."""
        signals = self.signals * np.array([name not in gone for name in names.signals])
        traits = self.traits * np.array([name not in gone for name in names.traits])
        return replace(self, signals=signals, traits=traits, by_two=self.by_two and not gone)

    def choice(self, importance: float) -> Choice:
        """As the fit sees it: the best candidates by the mean of all signals, not by old weights, and all evidence."""
        kept = self.is_evidence > 0
        kept[np.argsort(-self.signals.mean(axis=1), kind="stable")[:KEPT]] = True
        return Choice(self.rows()[kept], self.is_evidence[kept], importance)


class Judged(Protocol):
    """What is learned from: of a set, and of a group that must not be on both sides of a test."""

    @property
    def set(self) -> str:
        """Its set."""

    @property
    def group(self) -> str:
        """Its group."""

    @property
    def by_two(self) -> bool:
        """Whether a second model was asked."""


OfSet = TypeVar("OfSet", bound=Judged)


@dataclass(frozen=True, slots=True)
class Names:
    """The signals and traits, in the order of the columns."""

    signals: tuple[str, ...]
    traits: tuple[str, ...]


def _signals(hit: Hit) -> dict[str, float]:
    return {signal.name: signal.value for signal in hit.signals}


def _affordable(embedder: Embedder | None, lesson: Lesson) -> Embedder | None:
    most = SHARED_READS if lesson.set == LARGE else SECOND_READS
    return affordable(embedder, (item.text for item in lesson.items), most)


def watched(lesson: Lesson, embedder: Embedder | None) -> Iterator[tuple[Names, Seen]]:
    """Each cue of a lesson, asked of a store that has heard what was said before it."""
    with Heard(lesson.items, _affordable(embedder, lesson)) as heard:
        for cue in sorted((cue for cue in lesson.cues if cue.gold), key=lambda cue: cue.heard):
            answer = heard.answer(cue.text, cue.at, cue.heard, DEPTH)
            is_evidence = np.array([float(heard.known[hit.memory.id] in cue.gold) for hit in answer.hits])
            if is_evidence.any():
                names = Names(SIGNALS, tuple(t.name for t in answer.traits))
                told = [_signals(hit) for hit in answer.hits]
                signals = np.array([[one.get(name, 0.0) for name in SIGNALS] for one in told])
                traits = np.array([trait.value for trait in answer.traits])
                by_two = BY_SECOND in told[0]
                yield names, Seen(lesson.set, lesson.group, signals, traits, is_evidence, len(cue.gold), by_two)


def gathered(lessons: Sequence[Lesson], embedder: Embedder | None) -> tuple[Names, list[Seen]]:
    """All cues of all lessons."""
    seen: list[Seen] = []
    columns = Names((), ())
    for lesson in lessons:
        with told_without(lesson.group):
            for names, one in watched(lesson, embedder):
                columns = names
                seen.append(one)
        print(f"train: {lesson.set} {lesson.group}, {len(seen)} cues seen", file=sys.stderr, flush=True)
    return columns, seen


def fit(seen: Sequence[Seen]) -> Floats:
    """(signals, traits) the weights.

    Where a second model was asked, which it was of fewer sets, they start from what all of them say without it.
    """
    alone = [one for one in seen if not one.by_two]
    choices = [one.choice(importance) for one, importance in importances(alone or seen)]
    weights = fitted(choices, RIDGE)
    two = [one for one in seen if one.by_two] if alone else []
    if two:
        weights = fitted([one.choice(importance) for one, importance in importances(two)], RIDGE_BESIDE, weights)
    return weights.reshape(seen[0].signals.shape[1], -1)


def importances(seen: Sequence[OfSet]) -> list[tuple[OfSet, float]]:
    """Cues with how much each counts: each set as the root of its cues, by its weight; of a great many some."""
    by_set: dict[str, list[OfSet]] = defaultdict(list)
    for one in seen:
        by_set[one.set].append(one)
    found = []
    for name, cues in by_set.items():
        kept = cues if name == LIVES else cues[:: max(1, len(cues) // CUES_MAX)]
        importance = min(len(kept), CUES_MAX) ** 0.5 / len(kept) * WEIGHTS.get(name, 1.0)
        found += [(one, importance) for one in kept]
    return found


def left_out(seen: Sequence[Seen], *, whole_sets: bool) -> dict[str, tuple[int, float]]:
    """Per set, its cues and the share of evidence among the first ten, by weights that have not seen them.

    Where a second model was asked of some, these alone are counted.
    """
    two = any(one.by_two for one in seen)
    of_each = folds(seen, whole_sets=whole_sets)
    found: dict[str, list[float]] = defaultdict(list)
    for fold in sorted(set(of_each)):
        weights = fit([one for one, of in zip(seen, of_each, strict=True) if of != fold])
        for one, of in zip(seen, of_each, strict=True):
            if of == fold and one.by_two is two:
                order = np.argsort(-(one.signals @ (weights @ one.traits)), kind="stable")
                found[one.set].append(float(one.is_evidence[order[:10]].sum()) / one.needed)
    return {name: (len(values), float(np.mean(values))) for name, values in found.items()}


def folds(seen: Sequence[Judged], *, whole_sets: bool) -> list[int]:
    """The fold of each cue: its set's place, or its group's place in its set; of a set of one group, the cue's."""
    sets = list(dict.fromkeys(one.set for one in seen))
    if whole_sets:
        return [sets.index(one.set) for one in seen]
    groups = {name: sorted({one.group for one in seen if one.set == name}) for name in sets}
    counts: Counter[tuple[str, bool]] = Counter()
    places = []
    for one in seen:
        counts[one.set, one.by_two] += 1
        members = groups[one.set]
        places.append((members.index(one.group) if len(members) > 1 else counts[one.set, one.by_two]) % FOLDS)
    return places

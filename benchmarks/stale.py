"""``python -m benchmarks stale``: does the newer fact stand first, is the older one marked, do both sides come back?

In: a set and its files. A system shows places in order, each with the marks it put on it (BM25 and cosine mark
nothing); a measure gives a question a value in [0, 1], or None where it has none. Out: rows with bootstrap intervals
over questions. Every question's value is kept as well, so that sets can be pooled.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np

from benchmarks import results, systems
from benchmarks.embedding import NO_MODEL, affordable, cached_embedder
from benchmarks.mechanisms import without
from benchmarks.results import Extras, StaleRow
from benchmarks.sets import chosen, load
from benchmarks.statistics import intervals, resample
from benchmarks.systems.reverie import ObservedSystem, ReverieSystem, entry
from benchmarks.values import BenchmarkSet, Change, Haystack, Notes, Question
from reverie import Reverie, Scope
from reverie.errors import InvalidInput
from reverie.ports import Embedder

# What a system shows for a question: places in order, each with the marks the system put on it.


NAMES = ("bm25", "dense", "reverie", "observed")
"""The systems compared; ``observed`` is ``reverie`` that hears the conversation through ``observe``."""
MARKING = ("updates", "outdated", "opposed")
"""What of the default's read path puts the newer first, marks the older, and brings both sides."""
WITHOUT = tuple(f"-{name}" for name in MARKING)
"""Rows of ``reverie`` with one of these taken out (``benchmarks.mechanisms``)."""
OUTDATED = frozenset({"outdated", "superseded"})
"""Marks that say a fact was true once: possibly so, or certainly."""
OPPOSED = frozenset({"contradicts"})
"""Marks that say something else says the opposite."""
_SCOPE = Scope(agent="benchmark", user="reader", project="stale")


@dataclass(frozen=True, slots=True)
class Place:
    """The items that one place stands for, and its marks."""

    ids: tuple[str, ...]
    marks: frozenset[str] = frozenset()


Shown: TypeAlias = tuple[Place, ...]
"""Best first, what is withheld left out."""


class Shower(Protocol):
    """Something that shows."""

    @property
    def name(self) -> str:
        """As in the rows."""
        ...

    def show(self, haystack: Haystack, depth: int) -> list[Shown]:
        """One answer a question, in the order of the questions."""
        ...


def showers(embedder: Embedder | None, names: Sequence[str] = NAMES) -> list[Shower]:
    """The systems of these names.

    Raises:
        InvalidInput: a name is unknown.
    """
    unknown = [name for name in names if name not in (*NAMES, *WITHOUT)]
    if unknown:
        raise InvalidInput(f"There is no system {unknown[0]!r} here.", f"Choose from {', '.join((*NAMES, *WITHOUT))}.")
    return [_shower(name, embedder) for name in names]


def _shower(name: str, embedder: Embedder | None) -> Shower:
    if name == "reverie":
        return _Remembering(embedder)
    if name in WITHOUT:
        return _Remembering(embedder, name, without(name[1:]))
    return _Observing(embedder, name, "reverie") if name == "observed" else _Ranking(name, embedder)


class _Ranking:
    """A system that only ranks."""

    def __init__(self, name: str, embedder: Embedder | None) -> None:
        self.name = name
        (self._system,) = systems.build([name], embedder)

    def show(self, haystack: Haystack, depth: int) -> list[Shown]:
        return [tuple(Place(one.ids) for one in ranking) for ranking in self._system.rank(haystack, depth)]


class _Marking(ReverieSystem):
    """Reverie: what it injects, with the signals that mark it."""

    def show(self, haystack: Haystack, depth: int) -> list[Shown]:
        found: dict[int, Shown] = {}
        with self._open(affordable(self.embedder, (item.text for item in haystack.items))) as engine:
            for place, known in self._asked(engine, haystack, _SCOPE):
                found[place] = tuple(_places(engine, haystack.questions[place], depth, known))
        return [found[place] for place in range(len(haystack.questions))]


class _Remembering(_Marking):
    """Words alone."""


class _Observing(_Marking, ObservedSystem):
    """What was formed of them beside."""


def _places(engine: Reverie, question: Question, depth: int, known: dict[str, str]) -> Iterator[Place]:
    answer = engine.explain(question.text, _SCOPE, top_k=depth, budget_tokens=None, now=question.asked_at).recollection
    for hit in (*answer.standing, *answer.hits):
        yield Place(entry(hit, known).ids, frozenset(signal.name for signal in hit.signals))


# What counts as keeping up with what changed: numbers for one question.


TOP = 10
"""Places that a reader sees."""


def newer_above(shown: Shown, question: Question) -> float | None:
    """1 if the newest evidence stands above all older evidence, each by its best place; what is not found stands last.

    None unless something was overtaken: a side that shares a message with a later one has not been.
    """
    sides = overtaken(question)
    if not sides:
        return None
    newest = _place(shown, question.sides[-1])
    return float(newest is not None and all(_stands_above(newest, _place(shown, side)) for side in sides))


def still_above(shown: Shown, question: Question) -> float | None:
    """1 if what still holds stands above the later message that only looks as if it took its place."""
    if question.change is not Change.TRAP or len(question.sides) < 2:
        return None
    holds, later = (_place(shown, side) for side in question.sides)
    return float(holds is not None and _stands_above(holds, later))


def older_marked(shown: Shown, question: Question) -> float | None:
    """Of the overtaken evidence among the first ten the share that is marked; None where none is there."""
    old = {one for side in overtaken(question) for one in side}
    return _share_marked(shown, old, OUTDATED)


def wrongly_outdated(shown: Shown, question: Question) -> float | None:
    """Of the evidence of a question about nothing that changed, among the first ten, the share marked as outdated."""
    is_about_change = question.change in (Change.UPDATE, Change.CONTRADICTION)
    return None if is_about_change else _share_marked(shown, question.gold, OUTDATED)


def wrongly_opposed(shown: Shown, question: Question) -> float | None:
    """Of the evidence of a question about no contradiction, among the first ten, the share marked as contradicted."""
    return None if question.change is Change.CONTRADICTION else _share_marked(shown, question.gold, OPPOSED)


def rightly_opposed(shown: Shown, question: Question) -> float | None:
    """Of what a question about a contradiction finds marked among the first ten, the share that is its evidence.

    A low bound: the sets name one message a side, and others that say the same are counted as wrong.
    """
    marked = [one for place in shown[:TOP] if place.marks & OPPOSED for one in place.ids]
    if question.change is not Change.CONTRADICTION or not marked:
        return None
    return sum(one in question.gold for one in marked) / len(marked)


def both_sides(shown: Shown, question: Question) -> float | None:
    """1 if something of each side of a contradiction is among the first ten."""
    if question.change is not Change.CONTRADICTION or len(question.sides) < 2:
        return None
    there = {one for place in shown[:TOP] for one in place.ids}
    return float(all(not there.isdisjoint(side) for side in question.sides))


def both_marked(shown: Shown, question: Question) -> float | None:
    """1 if something of each side of a contradiction is among the first ten and marked as contradicted."""
    if question.change is not Change.CONTRADICTION or len(question.sides) < 2:
        return None
    marked = {one for place in shown[:TOP] if place.marks & OPPOSED for one in place.ids}
    return float(all(not marked.isdisjoint(side) for side in question.sides))


def overtaken(question: Question) -> list[tuple[str, ...]]:
    """The older sides of a knowledge update."""
    if question.change is not Change.UPDATE or not question.sides:
        return []
    newest = frozenset(question.sides[-1])
    return [side for side in question.sides[:-1] if side and newest and newest.isdisjoint(side)]


def _place(shown: Shown, side: Sequence[str]) -> int | None:
    wanted = frozenset(side)
    return next((number for number, place in enumerate(shown) if not wanted.isdisjoint(place.ids)), None)


def _stands_above(place: int, other: int | None) -> bool:
    return other is None or place < other


def _share_marked(shown: Shown, wanted: Collection[str], marks: frozenset[str]) -> float | None:
    there = [(one, bool(place.marks & marks)) for place in shown[:TOP] for one in place.ids if one in wanted]
    return sum(marked for _, marked in there) / len(there) if there else None


# The benchmark itself.

DEPTH = 200
"""Places looked at; only for what stands above what do more than ten count."""
Measure = Callable[[Shown, Question], float | None]
METRICS: Mapping[tuple[str, int, str], Measure] = {
    ("newer-above-older", DEPTH, Change.UPDATE.value): newer_above,
    ("still-above", DEPTH, Change.TRAP.value): still_above,
    ("older-marked", TOP, Change.UPDATE.value): older_marked,
    ("both-sides", TOP, Change.CONTRADICTION.value): both_sides,
    ("both-sides-marked", TOP, Change.CONTRADICTION.value): both_marked,
    ("rightly-opposed", TOP, Change.CONTRADICTION.value): rightly_opposed,
    ("wrongly-outdated", TOP, "others"): wrongly_outdated,
    ("wrongly-opposed", TOP, "others"): wrongly_opposed,
}
"""Metric, places and category → how one question is measured."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to run; ``limit`` takes only the first haystacks."""

    set: BenchmarkSet
    data: tuple[Path, ...]
    limit: int | None = None
    seed: int = 0


def run(request: Request, systems: Sequence[Shower]) -> tuple[list[StaleRow], Extras]:
    """Measure the systems on a set.

    Raises:
        InvalidExport: a file is not of the set's form.
        InvalidInput: the set has neither updates nor contradictions.
    """
    notes: Notes = Counter()
    values: dict[tuple[str, str, int, str], dict[str, float]] = {}
    for haystack in load(request.set, request.data, notes, request.limit):
        for system in systems:
            for question, shown in zip(haystack.questions, system.show(haystack, DEPTH), strict=True):
                for (metric, at, category), measure in METRICS.items():
                    value = measure(shown, question)
                    if value is not None:
                        values.setdefault((system.name, metric, at, category), {})[question.id] = value
        print(f"stale: {haystack.name}", file=sys.stderr, flush=True)
    if not any(metric != "wrongly-outdated" and metric != "wrongly-opposed" for _, metric, _, _ in values):
        raise InvalidInput(
            f"{request.set.name} has neither updates nor contradictions.",
            "Use longmemeval, beam, updates, or labelled lives with older and newest evidence.",
        )
    rows = [_row(request, *key, np.array(list(found.values()))) for key, found in values.items()]
    kept = [{"system": key[0], "metric": key[1], "values": found} for key, found in values.items()]
    return rows, {"seed": request.seed, "counts": dict(sorted(notes.items())), "questions": kept}


def _row(
    request: Request,
    system: str,
    metric: str,
    at: int,
    category: str,
    values: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> StaleRow:
    found = intervals(values[:, np.newaxis], resample(len(values), request.seed))
    ends = (round(float(end[0]), 4) for end in (found.mean, found.low, found.high))
    return StaleRow(request.set.name, system, metric, at, category, len(values), *ends)


# ``stale`` as a command: from parsed options to a result file.


def stale(options: argparse.Namespace, given: Sequence[str]) -> None:
    """A result file for each set."""
    embedder = cached_embedder(options)
    model = {"model": embedder.info.key if embedder else NO_MODEL}
    for one in chosen(options.set, options.data):
        request = Request(one.set, one.paths, options.limit, options.seed)
        rows, extras = run(request, showers(embedder, options.systems))
        out = one.out(options.out)
        results.write(out, rows, {**extras, **model, **results.surroundings(given)})
        for row in rows:
            interval = f"{row.value:.3f} [{row.low:.3f}, {row.high:.3f}]"
            print(f"{row.set:18} {row.system:9} {row.metric:18} @{row.at:<4} n {row.n:4} {interval}")
        print(f"wrote {out}")

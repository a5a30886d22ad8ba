"""``python -m benchmarks replay``: whether replaying sequences of memories in the dream brings evidence.

In: files of lives of a year and more. Each is thinned to some questions, their evidence, and other sessions drawn by
seed, so that it lasts as long as before. Facts change in it, half of its questions are also asked along the way, with
feedback, and a dream runs each week. Out: for each recipe without replay, with it, and with a random one of the same
budget: evidence and stale answers among the first ten, and how far memories drift that were in no sequence. Intervals
are bootstrapped over lives. Decision 0076 tells what came of it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from time import perf_counter
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from benchmarks import results, sets
from benchmarks.embedding import NO_MODEL, KeptVectors, cached_embedder
from benchmarks.longrun.arms import Arm
from benchmarks.longrun.generator import Noise, write
from benchmarks.longrun.run import remembering
from benchmarks.longrun.script import Asked, Script
from benchmarks.longrun.sequences import SequenceReplay, replaying, stepping
from benchmarks.longrun.simulation import SCOPE, Life, contents, living
from benchmarks.results import LongRow, PairedLongRow
from benchmarks.statistics import LEVEL, Values, resample
from benchmarks.values import Haystack, Item, Notes
from reverie.ports import Embedder
from reverie.recipes.capacity import within
from reverie.recipes.recipe import Recipe, recipe

TOP = 10
NIGHTS_APART = 7
YEAR = timedelta(days=365)
GOLD_MOST = 6
"""Questions with more evidence than this are left out: a life has few messages."""
NONE, REPLAY, RANDOM = "none", "replay", "random"
ARMS: Mapping[str, SequenceReplay | None] = MappingProxyType(
    {
        NONE: None,
        REPLAY: SequenceReplay(),
        RANDOM: SequenceReplay(by_priority=False),
        "replay, no edges": SequenceReplay(confidence=0.0),
        "replay, all before are causes": SequenceReplay(confidence=0.0, along=1.0),
    }
)
"""Without replay, with it, and with less or more of it; the first is what the others are compared with."""
MOVED = ("stability_days", "utility", "importance", "storage", "state", "tier")
"""The fields of which the drift is taken."""
Key: TypeAlias = tuple[str, ...]
"""What a formed memory is known by in every arm: kind, text, time and session, and its number among equals."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One question at the end: the share of its evidence among the first ten, and how many of these told what is stale.

    ``before``: it had been asked along the way; ``page``: the first ten themselves.
    """

    before: bool
    page: tuple[str, ...]
    evidence: float
    stale: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a life: its answers, the fields of its memories, and which of them were replayed."""

    answers: tuple[Answered, ...]
    fields: Mapping[Key, tuple[object, ...]]
    replayed: frozenset[Key]


Figure: TypeAlias = Callable[[Ended, Ended], tuple[float, float]]
"""Numerator and denominator of a life, given its end and its end without replay."""


def _evidence(of: Callable[[Answered], bool]) -> Figure:
    def figure(end: Ended, _: Ended) -> tuple[float, float]:
        kept = [one for one in end.answers if of(one)]
        return 100.0 * sum(one.evidence for one in kept), len(kept)

    return figure


def _drift(end: Ended, none: Ended) -> tuple[float, float]:
    """Memories that were in no sequence and have other fields than without replay, be it by rounding, of a hundred."""
    shared = (end.fields.keys() & none.fields.keys()) - end.replayed
    return 100.0 * sum(end.fields[key] != none.fields[key] for key in shared), len(shared)


def _pages(end: Ended, none: Ended) -> tuple[float, float]:
    """Questions with another first ten, or in another order, than without replay, of a hundred."""
    pairs = list(zip(end.answers, none.answers, strict=True))
    return 100.0 * sum(one.page != other.page for one, other in pairs), len(pairs)


FIGURES: Mapping[str, tuple[Figure, int]] = MappingProxyType(
    {
        "evidence@10": (_evidence(lambda _: True), 1),
        "evidence@10, asked before": (_evidence(lambda one: one.before), 1),
        "evidence@10, first asked": (_evidence(lambda one: not one.before), 1),
        "stale@10": (lambda end, _: (float(sum(one.stale for one in end.answers)), len(end.answers)), -1),
        "other pages, %": (_pages, -1),
        "drift of the untouched, %": (_drift, -1),
        "replayed, %": (lambda end, _: (100.0 * len(end.replayed), len(end.fields)), 1),
    }
)
"""What is measured, and 1 where more is better, −1 where less is."""


def thinned(haystack: Haystack, questions: int, messages: int, chance: random.Random) -> Haystack:
    """So many questions with all their evidence; the rest are whole sessions, those of the evidence before others.

    The last message is kept, and one of a year before it, so that the life lasts a year where it did.
    """
    fit = [one for one in haystack.questions if one.answerable and 0 < len(one.gold) <= GOLD_MOST]
    asked = chance.sample(fit, min(questions, len(fit)))
    gold = {name for one in asked for name in one.gold}
    sessions: dict[str, list[str]] = {}
    for item in haystack.items:
        sessions.setdefault(item.session, []).append(item.id)
    drawn = chance.sample(sorted(sessions), len(sessions))
    kept = gold | _ends(haystack.items)
    for session in sorted(drawn, key=lambda name: gold.isdisjoint(sessions[name])):
        if len(kept.union(sessions[session])) <= messages:
            kept.update(sessions[session])
    items = tuple(item for item in haystack.items if item.id in kept)
    return replace(haystack, items=items, questions=tuple(replace(one, heard=None) for one in asked))


def _ends(items: Sequence[Item]) -> set[str]:
    """The last message, and the latest one that is a year older, or else the first."""
    last = items[-1]
    first = max((one for one in items if one.at <= last.at - YEAR), key=_said, default=items[0])
    return {first.id, last.id}


def _said(item: Item) -> datetime:
    return item.at


def run(options: argparse.Namespace, given: Sequence[str]) -> None:
    """A result file for each set; the figures of each recipe are printed as they come."""
    model = cached_embedder(options)
    name = model.info.key if model else NO_MODEL
    embedder = None if model is None else KeptVectors(model)
    for one in sets.chosen(options.set, options.data):
        notes: Notes = Counter()
        haystacks = list(sets.load(one.set, one.paths, notes))[: options.limit]
        scripts = [_script(haystack, options) for haystack in haystacks]
        rows: list[LongRow] = []
        pairs: list[PairedLongRow] = []
        with remembering():
            for of in options.recipes:
                ends: dict[str, list[Ended]] = {arm: [] for arm in ARMS}
                for script in scripts:
                    for arm, ended in _ended(script, _recipe(of, options.capacity), embedder, options.seed):
                        ends[arm].append(ended)
                rows += _rows(of, ends, options.seed)
                pairs += _pairs(of, ends, options.seed)
        for pair in pairs:
            print(
                f"{pair.at} {pair.system} - {pair.against}, {pair.metric}: {pair.difference:+.2f} "
                f"({pair.low:+.2f} … {pair.high:+.2f})"
            )
        extras = {"paired": [asdict(pair) for pair in pairs], "model": name, "lives": [one.name for one in scripts]}
        out = one.out(options.out)
        results.write(out, rows, {**extras, "notes": dict(notes), **results.surroundings(given)})
        print(f"wrote {out}")


def _script(haystack: Haystack, options: argparse.Namespace) -> Script:
    chance = random.Random(f"{haystack.name}/{options.seed}")
    thin = thinned(haystack, options.questions, options.messages, chance)
    return write(thin, [], Noise(0, options.seed), len(thin.items))


def _recipe(name: str, capacity: int | None) -> Recipe:
    return recipe(name) if capacity is None else within(recipe(name), capacity, words=False)


def _ended(script: Script, base: Recipe, embedder: Embedder | None, seed: int) -> Iterator[tuple[str, Ended]]:
    """The end of a life in every arm."""
    for name, settings in ARMS.items():
        started = perf_counter()
        with stepping(settings or SequenceReplay()) as touched:
            arm = Arm(name, base if settings is None else replaying(base))
            with living(script, arm, embedder, seed, NIGHTS_APART) as life:
                yield name, _end(life, touched)
        print(
            f"replay: {base.name} {script.name} {name}: {perf_counter() - started:.0f} s", file=sys.stderr, flush=True
        )


def _end(life: Life, touched: set[str]) -> Ended:
    keys: dict[str, Key] = {}
    fields: dict[Key, tuple[object, ...]] = {}
    seen: Counter[Key] = Counter()
    formed = life.engine._context.store.formed(SCOPE)
    for memory in sorted(formed, key=lambda one: (one.recorded_at, one.seq, one.id)):
        same = (memory.kind, memory.text, str(memory.at), memory.session)
        keys[memory.id] = (*same, str(seen[same]))
        seen[same] += 1
        fields[keys[memory.id]] = tuple(getattr(memory.standing, name) for name in MOVED)
    last = [one for one in life.script.asked if one.last and one.gold]
    before = {one.id for one in life.script.asked if not one.last}
    life.clock.at = last[0].at
    life.engine.admin.embed()
    answers = tuple(_answered(life, one, one.id in before) for one in last)
    return Ended(answers, fields, frozenset(keys[one] for one in touched if one in keys))


def _answered(life: Life, asked: Asked, before: bool) -> Answered:
    """Looking is not using: no question changes the next one's answer."""
    now = life.clock.at
    answer = life.engine.explain(asked.text, SCOPE, top_k=TOP, budget_tokens=None).recollection
    told = [contents(life, hit.memory, hit.shown) for hit in (*answer.standing, *answer.hits)[:TOP]]
    wanted = {life.script.current(content, now) for content in asked.gold}
    found = wanted & set[str]().union(*told)
    stale = sum(bool(one) and all(life.script.is_stale(content, now) for content in one) for one in told)
    page = tuple(hit.memory.text for hit in (*answer.standing, *answer.hits)[:TOP])
    return Answered(before, page, len(found) / len(wanted), stale)


# Figures over lives.


def _ratios(ends: Sequence[Ended], none: Sequence[Ended], figure: Figure, seed: int) -> Values:
    """The figure of all lives first, then of each drawing of lives."""
    above, below = np.array([figure(*pair) for pair in zip(ends, none, strict=True)], np.float64).T
    weights = np.vstack([np.full((1, len(ends)), 1.0 / len(ends)), resample(len(ends), seed)])
    over, under = weights @ above, weights @ below
    result: Values = np.divide(over, under, out=np.zeros_like(over), where=under > 0)
    return result


def _between(drawn: Values) -> tuple[float, float]:
    tail = (1.0 - LEVEL) / 2.0
    low, high = np.quantile(drawn, [tail, 1.0 - tail], method="nearest")
    return float(low), float(high)


def _rows(of: str, ends: Mapping[str, Sequence[Ended]], seed: int) -> Iterator[LongRow]:
    for arm, found in ends.items():
        for metric, (figure, _) in FIGURES.items():
            values = _ratios(found, ends[NONE], figure, seed)
            yield LongRow(arm, metric, of, "all", len(found), float(values[0]), *_between(values[1:]))


def _pairs(of: str, ends: Mapping[str, Sequence[Ended]], seed: int) -> Iterator[PairedLongRow]:
    for arm, against in ((REPLAY, RANDOM), *((name, NONE) for name in ends if name != NONE)):
        for metric, (figure, better) in FIGURES.items():
            one, other = (_ratios(ends[name], ends[NONE], figure, seed) for name in (arm, against))
            apart = one - other
            low, high = _between(apart[1:])
            yield PairedLongRow(
                arm, against, metric, of, len(ends[arm]), float(apart[0]), low, high, None, None, None, better
            )

"""``python -m benchmarks skills``: what skill memory is worth: choosing a skill, finding workflows, earlier tasks.

Three measures, each a mean with a 95 % bootstrap interval. *Regret*: tasks on which another version of a skill would
have worked more often, by choosing the highest lower bound, the newest version, or the one used most, on seeded traces
whose success rates drift. *Workflows*: F1 of the planted ones among those found, with a fifth of the steps dropped,
replaced or followed by others. *Earlier tasks*: whether a cue finds the session that it continues among the first k,
from a run recorded for each session, or from the sessions' messages word for word.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

import numpy as np

from benchmarks.embedding import NO_MODEL, affordable, cached_embedder
from benchmarks.lives.form import lives
from benchmarks.sets import labelled
from benchmarks.statistics import Values, difference, intervals, resample
from benchmarks.values import Item
from reverie import Message, Question, Reverie, Role, Scope, SkillRun
from reverie.consolidate.runs import HALF_LIFE, weighed
from reverie.consolidate.skills import SUPPORT, Steps, closed_sequences, workflows
from reverie.formulas.beta import lower_bound, posterior_mean
from reverie.ports import Embedder

TRACES, TASKS, VERSIONS, TRIED = 200, 300, 5, 3
"""Traces; tasks of each; versions of the skill, which appear evenly over it; times that each is tried first."""
DRIFT = 0.03
"""Standard deviation of a success rate's daily step; it is reflected at the ends of its range."""
RANGE = (0.05, 0.95)
LIVES, PLANTED, RUNS, NOISE, OTHERS = 200, 3, 10, 0.2, 40
"""Planted cases; workflows in each; runs of each workflow; share of noisy steps; steps that noise is made of."""
KS = (1, 3, 5)
DEPTH = 60
_SCOPE = Scope(agent="benchmark", user="worker", project="skills")

Chooser: TypeAlias = Callable[[Sequence[Sequence[bool]], Sequence[int]], int]
"""From each version's outcomes so far, and the versions used so far, the version to use next."""


def run(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Print the three tables; what cannot be measured here is named on the error stream."""
    del given
    _table("regret a task, by choice", regrets(options.seed))
    _table("F1 of planted workflows", planted(options.seed))
    embedder = cached_embedder(options)
    tasks = {f"lives, {options.part}": [*_own(options.part)], **dict(_real(options.data))}
    for name, found in tasks.items():
        hits = earlier(found, embedder)
        _table(f"earlier task of {name}, model {embedder.info.name if embedder else NO_MODEL}", hits)


def _table(title: str, columns: dict[str, list[float]]) -> None:
    """Print each column's mean and interval, and its paired difference from the first."""
    first = next(iter(columns))
    count = len(columns[first])
    weights = resample(count, 0)
    print(f"\n{title} (n = {count})")
    for name, values in columns.items():
        one: Values = np.array(values)
        found = intervals(one[:, np.newaxis], weights)
        told = f"{name:34} {found.mean[0]:6.3f} [{found.low[0]:.3f}, {found.high[0]:.3f}]"
        _, at, k = name.rpartition("@")
        against = f"{first.rpartition('@')[0]}@{k}" if at else first
        if name != against:
            delta = difference(one, np.array(columns[against]), weights)
            told += f"   {delta.mean:+.3f} [{delta.low:+.3f}, {delta.high:+.3f}] against {against}"
        print(told)


# Regret: which version of a skill to use.


def _bound(half_life: float) -> Chooser:
    bound = lru_cache(maxsize=64)(lambda outcomes: lower_bound(*weighed(outcomes, half_life)))
    return lambda outcomes, _: _highest([bound(tuple(one)) for one in outcomes])


def _mean(outcomes: Sequence[Sequence[bool]], _: Sequence[int]) -> int:
    return _highest([posterior_mean(*weighed(one)) for one in outcomes])


def _most_used(outcomes: Sequence[Sequence[bool]], used: Sequence[int]) -> int:
    return _highest([used.count(version) for version in range(len(outcomes))])


def _highest(values: Sequence[float]) -> int:
    """Return the place of the highest value, the newest among equals."""
    return max(range(len(values)), key=lambda place: (values[place], place))


CHOOSERS: dict[str, Chooser] = {
    "lower bound": _bound(HALF_LIFE),
    "lower bound, runs never fade": _bound(1e9),
    "posterior mean": _mean,
    "always latest": lambda outcomes, _: len(outcomes) - 1,
    "most frequent": _most_used,
}


def regrets(seed: int, traces: int = TRACES) -> dict[str, list[float]]:
    """Return each chooser's mean regret a task on each trace."""
    return {
        name: [regret(choose, random.Random(f"{seed} {trace}")) for trace in range(traces)]
        for name, choose in CHOOSERS.items()
    }


def regret(choose: Chooser, chance: random.Random) -> float:
    """Return how much more often the best version of the moment would have worked, on the mean over a trace."""
    rates = [chance.uniform(*RANGE) for _ in range(VERSIONS)]
    outcomes: list[list[bool]] = []
    used: list[int] = []
    lost = 0.0
    for task in range(TASKS):
        rates = [_drifted(rate, chance) for rate in rates]
        luck = chance.random()  # the same for every chooser
        if task % (TASKS // VERSIONS) == 0:
            outcomes.append([])
        untried = next((at for at, one in enumerate(outcomes) if len(one) < TRIED), None)
        version = choose(outcomes, used) if untried is None else untried
        outcomes[version].append(luck < rates[version])
        used.append(version)
        lost += max(rates[: len(outcomes)]) - rates[version]
    return lost / TASKS


def _drifted(rate: float, chance: random.Random) -> float:
    low, high = RANGE
    moved = rate + chance.gauss(0.0, DRIFT)
    moved = 2.0 * low - moved if moved < low else moved
    return 2.0 * high - moved if moved > high else moved


# Workflows that were planted.


def planted(seed: int, cases: int = LIVES) -> dict[str, list[float]]:
    """Return the F1 of each way to find workflows, by case: a found one counts if it is a planted one exactly."""
    found: dict[str, list[float]] = {"workflows": [], "all closed sequences": [], "runs as they are": []}
    for case in range(cases):
        wanted, runs = plant(random.Random(f"{seed} {case}"))
        alike = {tuple(one) for one in runs if runs.count(one) >= SUPPORT}
        found["workflows"].append(f1({one.steps for one in workflows(runs)}, wanted))
        found["all closed sequences"].append(f1(set(closed_sequences(runs, SUPPORT)), wanted))
        found["runs as they are"].append(f1(alike, wanted))
    return found


def plant(chance: random.Random) -> tuple[set[Steps], list[Steps]]:
    """Return planted workflows of four to six steps, and noisy runs of each, shuffled; they may share steps."""
    names = [f"step {number}" for number in range(12)]
    wanted = {tuple(chance.sample(names, chance.randint(4, 6))) for _ in range(PLANTED)}
    runs = [tuple(_noisy(steps, chance)) for steps in sorted(wanted) for _ in range(RUNS)]
    chance.shuffle(runs)
    return wanted, runs


def _noisy(steps: Steps, chance: random.Random) -> Iterator[str]:
    """Yield the steps, of which a share is dropped, replaced, or followed by another."""
    for step in steps:
        other = f"other {chance.randrange(OTHERS)}"
        kind = chance.choice(("drop", "replace", "add")) if chance.random() < NOISE else ""
        if kind in ("", "add"):
            yield step
        if kind in ("replace", "add"):
            yield other


def f1(found: set[Steps], wanted: set[Steps]) -> float:
    """Return the harmonic mean of precision and recall; 0 if nothing is found."""
    return 2.0 * len(found & wanted) / (len(found) + len(wanted))


# Earlier tasks: the session that a cue continues.


@dataclass(frozen=True, slots=True)
class Asked:
    """A cue, how many messages precede it, and the earlier sessions that it needs."""

    text: str
    heard: int
    sessions: frozenset[str]


@dataclass(frozen=True, slots=True)
class Worked:
    """Messages in order of time, and cues in order of what they heard."""

    items: tuple[Item, ...]
    asked: tuple[Asked, ...]


def _own(part: str) -> Iterator[Worked]:
    """Yield the lives of coding agents: those in which a tool speaks in three sessions."""
    for life in lives(part):
        if len({item.session for item in life.items if item.role is Role.TOOL}) >= 3:
            of = {item.id: item.session for item in life.items}
            needs = [(cue.text, cue.heard, {of[one] for need in cue.needs for one in need}) for cue in life.cues]
            yield Worked(life.items, tuple(_asked(life.items, needs)))


def _real(folder: Path | None) -> Iterator[tuple[str, list[Worked]]]:
    files = sorted((folder / "labelled").glob("realmem-*.jsonl.gz")) if folder else []
    if not files:
        print("note: no labelled/realmem-*.jsonl.gz (--data DIR): its earlier tasks are not measured", file=sys.stderr)
    for file in files:
        found = []
        for haystack in labelled.load([file], Counter()):
            heard = [len(haystack.items) if one.heard is None else one.heard for one in haystack.questions]
            needs = [(one.text, at, set(one.sessions)) for one, at in zip(haystack.questions, heard, strict=True)]
            found.append(Worked(haystack.items, tuple(_asked(haystack.items, needs))))
        yield file.name.partition(".")[0], found


def _asked(items: Sequence[Item], needs: Sequence[tuple[str, int, set[str]]]) -> Iterator[Asked]:
    """Yield the cues that need an earlier session than the one they are asked in."""
    for text, heard, sessions in sorted(needs, key=lambda one: one[1]):
        before = {item.session for item in items[:heard]}
        earlier_ones = (sessions & before) - {item.session for item in items[max(0, heard - 1) : heard]}
        if earlier_ones:
            yield Asked(text, heard, frozenset(earlier_ones))


def earlier(tasks: Sequence[Worked], embedder: Embedder | None) -> dict[str, list[float]]:
    """Return for each k and each way whether one of the needed sessions is among the first k, cue by cue."""
    hits: dict[str, list[float]] = {f"{name}@{k}": [] for k in KS for name in ("raw episodes", "runs")}
    for one in tasks:
        ranked = {"raw episodes": _ranked(one, embedder, runs=False), "runs": _ranked(one, embedder, runs=True)}
        for name, rankings in ranked.items():
            for asked, sessions in zip(one.asked, rankings, strict=True):
                for k in KS:
                    hits[f"{name}@{k}"].append(float(not asked.sessions.isdisjoint(sessions[:k])))
    return hits


def _ranked(worked: Worked, embedder: Embedder | None, *, runs: bool) -> list[list[str]]:
    """Return the sessions found for each cue, the best first, without the one it is asked in."""
    found: list[list[str]] = []
    model = affordable(embedder, (item.text for item in worked.items))
    with Reverie.open(":memory:", embedder=model, background=False) as engine:
        known: dict[str, str] = {}
        done = 0
        for asked in worked.asked:
            known |= dict(_told(engine, worked.items, done, asked.heard, runs=runs))
            done = asked.heard
            last = worked.items[asked.heard - 1]
            answer = engine.recall(Question(asked.text), _SCOPE, top_k=DEPTH, budget_tokens=None, now=last.at)
            sessions = dict.fromkeys(known[hit.memory.id] for hit in answer.hits if hit.memory.id in known)
            found.append([session for session in sessions if session != last.session])
    return found


def _told(engine: Reverie, items: Sequence[Item], start: int, end: int, *, runs: bool) -> Iterator[tuple[str, str]]:
    """Write what was said from ``start`` to ``end``; yield the id of each memory with its session."""
    if not runs:
        for item in items[start:end]:
            message = Message(item.text, item.speaker, item.role, item.session, item.at)
            yield engine.remember(message, _SCOPE).id, item.session
        return
    place = 0
    for session, said in groupby(items, key=lambda item: item.session):
        first, *rest = said
        place += 1 + len(rest)
        if start <= place < end:  # the session that is still going on is no run yet
            name = " ".join(first.text.split())[:200].encode("utf-8", "replace").decode()
            steps = [item.text for item in rest]
            run = SkillRun(name or "session", "succeeded", steps=steps, at=[first, *rest][-1].at, id=first.id)
            yield engine.admin.record_run(run, _SCOPE).id, session

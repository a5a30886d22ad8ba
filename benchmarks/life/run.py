"""``python -m benchmarks life``: every conversation of a set lives through a recipe, each in a store of its own.

In: a set, its files, a recipe. Out: a row a conversation and law, and counts over all of them: what was formed,
decided, changed by dreams, held back.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from time import perf_counter

from benchmarks.life.laws import judged
from benchmarks.life.simulation import SCOPE, Life, live
from benchmarks.results import Extras, LawRow
from benchmarks.sets import load
from benchmarks.values import BenchmarkSet, Haystack, Notes
from reverie import FixedClock, RandomIds, Reverie
from reverie.errors import ReverieError
from reverie.ports import Embedder

# What a life came to, in numbers: what was formed, decided, changed by dreams, held back.


ALWAYS = ("gate: supersede", "gate: update", "gate: reinforce", "screen: mask", "screen: quarantine")
"""Counts that are told where they are 0, too."""


def summed(total: Counter[str]) -> dict[str, int]:
    """Counts by name, in order of the alphabet."""
    return dict(sorted((dict.fromkeys(ALWAYS, 0) | total).items()))


def counts(life: Life) -> Counter[str]:
    """Counts by plain-words name, as things stand after the dreams and before they are taken back."""
    engine = life.engine
    whole = {
        "messages": len(life.said),
        "questions asked": life.asked,
        "protected memories": len(life.wards),
        "episodes in quarantine": len(engine.admin.quarantined(SCOPE)),
        "events": len(engine.admin.events(SCOPE)),
    }
    named = Counter(chain(_decided(life), _standing(life)))
    named.update(f"edge: {relation.kind}" for relation in engine.admin.relations(SCOPE))
    return Counter(whole) + named + _dreamt(life)


def _decided(life: Life) -> Iterator[str]:
    """What the screen and the gate decided, and what the observer and its pre-gate passed over."""
    for decision in (decision for said in life.said for decision in said.receipt.decisions):
        if decision.stage in ("screen", "gate"):
            yield f"{decision.stage}: {decision.verdict}"
        elif decision.verdict == "pass over":
            yield f"passed over by {decision.stage}"


def _standing(life: Life) -> Iterator[str]:
    for memory in life.engine.admin.formed(SCOPE):
        yield f"formed: {memory.kind}"
        yield f"state: {memory.standing.state}"
        yield f"tier: {memory.standing.tier}"


def _dreamt(life: Life) -> Counter[str]:
    found: Counter[str] = Counter()
    for night in life.nights:
        for step in night.report.steps:
            found[f"dream: {step.name} changed"] += step.changed
            found[f"dream: {step.name} formed"] += step.formed
            found[f"dream: {step.name} related"] += step.related
    return found


# The run itself.

BROKEN_SHOWN = 20
"""Breaches of one law in one conversation that the result file names."""


class LawBroken(ReverieError):
    """A law of a life does not hold."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to run; ``limit`` takes only the first conversations."""

    set: BenchmarkSet
    data: tuple[Path, ...]
    recipe: str
    limit: int | None = None
    seed: int = 0


def run(request: Request, embedder: Embedder | None) -> tuple[list[LawRow], Extras]:
    """Live every conversation of the set; the rows, and what else the result file holds.

    Raises:
        InvalidExport: a file is not of the set's form.
    """
    notes: Notes = Counter()
    total: Counter[str] = Counter()
    rows: list[LawRow] = []
    started = perf_counter()
    for haystack in load(request.set, request.data, notes, request.limit):
        with tempfile.TemporaryDirectory(prefix="reverie-life-") as folder:
            rows += _lived(request, haystack, embedder, Path(folder), total)
    extras: dict[str, object] = {
        "recipe": request.recipe,
        "seed": request.seed,
        "counts": {"stores": len({row.store for row in rows}), **summed(total), **dict(notes)},
        "seconds": round(perf_counter() - started, 1),
    }
    return rows, extras


def _lived(
    request: Request, haystack: Haystack, embedder: Embedder | None, folder: Path, total: Counter[str]
) -> Iterator[LawRow]:
    clock = FixedClock(datetime.min.replace(tzinfo=UTC))
    path = folder / "life.db"
    engine = Reverie.open(
        path,
        embedder=embedder,
        recipe=request.recipe,
        clock=clock,
        ids=RandomIds(request.seed),
        background=False,
    )
    with engine:
        life = live(Life(engine, clock, path), haystack, random.Random(request.seed))
        total += counts(life)
        for finding in judged(life, folder):
            broken = finding.broken
            _say(f"{haystack.name}: {finding.law}: {finding.checked - len(broken)} of {finding.checked}")
            yield LawRow(
                set=request.set.name,
                recipe=request.recipe,
                store=haystack.name,
                law=finding.law,
                checked=finding.checked,
                broken=len(broken),
                first=list(broken[:BROKEN_SHOWN]),
            )
        total["episodes found by the default's read path alone"] += life.elsewhere


def require_whole(rows: Sequence[LawRow]) -> None:
    """Raise LawBroken where a law is; the message names the first breach of each."""
    broken = [row for row in rows if row.broken]
    if broken:
        told = "; ".join(f"{row.store}: {row.law}: {row.first[0]}" for row in broken)
        raise LawBroken(f"{len(broken)} laws are broken: {told}", "The result file names every breach.")


def _say(text: str) -> None:
    print(f"life: {text}", file=sys.stderr, flush=True)

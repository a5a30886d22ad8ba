"""``python -m benchmarks life``: every conversation of a set lives through a recipe, each in a store of its own.

In: a set, its files, a recipe. Out: a row a conversation and law, and counts over all of them.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from benchmarks.life.counting import counts, summed
from benchmarks.life.laws import judged
from benchmarks.life.living import Life, live
from benchmarks.results import Extras, LawRow
from benchmarks.sets import load
from benchmarks.values import BenchmarkSet, Haystack, Notes
from reverie import FixedClock, RandomIds, Reverie
from reverie.errors import ReverieError
from reverie.ports import Embedder

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

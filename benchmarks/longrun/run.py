"""``python -m benchmarks longrun``: every conversation of a set lived through every arm, noise level and capacity.

In: a set, its files, arms, noise levels, capacities. Out: rows, paired rows and what else the result file holds.

Every arm hears the same words. What the screen finds in a text, what the observer makes of it and which words it is
indexed by depend on the text alone, so these pure functions of the write path are remembered between the arms. That
changes nothing but the time a run takes; a test holds a run with and without to each other.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from time import perf_counter

from benchmarks.embedding import KeptVectors
from benchmarks.longrun import figures
from benchmarks.longrun.arms import ALONE, APPEND_ONLY, MAIN, OURS, OUT, arm
from benchmarks.longrun.figures import Cell
from benchmarks.longrun.generator import Noise, write
from benchmarks.longrun.script import Script
from benchmarks.longrun.simulation import live
from benchmarks.results import Extras, LongRow, PairedLongRow
from benchmarks.sets import load
from benchmarks.values import BenchmarkSet, Haystack, Notes
from reverie.ports import Embedder

# Pure functions of the write path, remembered between the arms: every arm hears the same words.


KEPT = 200_000
PURE = (
    ("reverie.encode.pipeline", "observe"),
    ("reverie.encode.pipeline", "screen"),
    ("reverie.encode.memory_factory", "entities"),
    ("reverie.encode.memory_factory", "keywords"),
)
"""Module and the name under which it calls a function whose arguments can be hashed and whose result is frozen."""


@contextmanager
def remembering() -> Iterator[None]:
    """Within, each pure function is worked out once for the same arguments."""
    modules = [(import_module(module), name) for module, name in PURE]
    usual = [getattr(module, name) for module, name in modules]
    for (module, name), function in zip(modules, usual, strict=True):
        setattr(module, name, lru_cache(KEPT)(function))
    try:
        yield
    finally:
        for (module, name), function in zip(modules, usual, strict=True):
            setattr(module, name, function)


# The run itself.

UNBOUNDED = (APPEND_ONLY, "openclaw", "exocortex", "ocean")
"""Arms that no capacity touches: they are lived once a noise level."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to run; ``limit`` takes only the first conversations, ``messages`` so many messages of each.

    ``without`` are mechanisms taken out of every arm of ``reverie``. ``questions``: what is asked along the way is
    kept, as hosts do that keep both sides.
    """

    set: BenchmarkSet
    data: tuple[Path, ...]
    arms: tuple[str, ...]
    noise: tuple[int, ...]
    capacity: tuple[int, ...]
    messages: int
    without: tuple[str, ...] = ()
    questions: bool = False
    limit: int | None = None
    seed: int = 0


def run(request: Request, embedder: Embedder | None) -> tuple[list[LongRow], Extras]:
    """Live every life; the rows, and what else the result file holds.

    Raises:
        InvalidExport: a file is not of the set's form.
    """
    notes: Notes = Counter()
    started = perf_counter()
    haystacks = list(load(request.set, request.data, notes))
    kept = None if embedder is None else KeptVectors(embedder)
    rows: list[LongRow] = []
    pairs: list[PairedLongRow] = []
    with remembering():
        for factor in request.noise:
            scripts = list(_scripts(request, haystacks, factor))
            cells = list(_cells(request, scripts, factor, kept))
            rows += [row for cell in cells for row in figures.rows(cell, request.seed)]
            pairs += _paired(cells, request.seed)
    extras: dict[str, object] = {
        "paired": [asdict(pair) for pair in pairs],
        "set": request.set.name,
        "messages": request.messages,
        "without": list(request.without),
        "questions": request.questions,
        "seed": request.seed,
        "counts": {"lives": len(haystacks[: request.limit]), **dict(notes)},
        "seconds": round(perf_counter() - started, 1),
    }
    return rows, extras


def _scripts(request: Request, haystacks: Sequence[Haystack], factor: int) -> Iterator[Script]:
    for haystack in haystacks[: request.limit]:
        others = [other for other in haystacks if other.name != haystack.name]
        script = write(haystack, others, Noise(factor, request.seed), request.messages)
        yield script.keeping_questions() if request.questions else script


def _cells(request: Request, scripts: Sequence[Script], factor: int, embedder: Embedder | None) -> Iterator[Cell]:
    for name in request.arms:
        unbounded: Cell | None = None
        for capacity in request.capacity:
            at = f"{factor}x/{capacity}"
            if unbounded is not None:
                yield Cell(name, at, unbounded.lives)
                continue
            lived = tuple(
                live(script, arm(name, capacity, request.without), embedder, request.seed) for script in scripts
            )
            cell = Cell(name, at, lived)
            _say(f"{at} {name}: {sum(life.seconds for life in lived):.0f} s")
            unbounded = cell if name in UNBOUNDED else None
            yield cell


def _paired(cells: Iterable[Cell], seed: int) -> Iterator[PairedLongRow]:
    """``reverie`` against what keeps and against the other recipes; every other arm against ``reverie``."""
    found = {(cell.arm, cell.at): cell for cell in cells}
    for (name, at), cell in found.items():
        if name == OURS:
            for other in (*(other for other in MAIN if other != OURS), "bare"):
                against = found.get((other, at))
                if against is not None:
                    yield from figures.paired(cell, against, seed)
        base = found.get(("bare" if name.startswith(ALONE) else OURS, at))
        if base is not None and name not in (*MAIN, "bare"):
            yield from figures.paired(base, cell, seed) if name.startswith(OUT) else figures.paired(cell, base, seed)


def _say(text: str) -> None:
    print(f"longrun: {text}", file=sys.stderr, flush=True)

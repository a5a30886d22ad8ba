"""Speed with everything on: observing and recalling amid so many memories, formed ones and episodes alike.

In: sizes and a folder. Out: rows with wall and processor time. Two processes a size, so that building does not count
towards memory: one observes until the store holds that many, one measures each recipe in turn over a copy. What the
embedding model takes is left out and measured on its own, with the model itself, on the same texts.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter, process_time

from benchmarks.results import WholeRow
from benchmarks.speed.lives import Spoken, spoken
from benchmarks.speed.timing import bare_interpreter_mb, p50, p95, status_mb
from benchmarks.speed.vectors import FakeEmbedder
from benchmarks.speed.workers import WorkerError, environment
from reverie import FixedClock, RandomIds, Reverie, Scope
from reverie.ports import Embedder
from reverie.types import FloatArray, ModelInfo

SCOPE = Scope(agent="benchmark", user="reader", project="whole")
RECIPES = ("reverie", "v9")
EMBEDDING = "embedding"
NO_MODEL = "none"
WARM_UP = 20
COUNT_EVERY = 500


@dataclass(frozen=True, slots=True)
class Must:
    """What the median of an operation may be at most, in ms, without the embedding."""

    op: str
    size: int
    most_ms: float


MUSTS = (Must("observe", 10_000, 6.0), Must("recall", 10_000, 5.0), Must("recall", 100_000, 12.0))


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure and how often; ``folder`` is where stores are built, and found again if they are there."""

    sizes: tuple[int, ...]
    folder: Path
    seed: int = 0
    model: str = "default"
    recalls: int = 200
    observes: int = 100


@dataclass(slots=True)
class Taken:
    """Wall and processor times of one operation, in ms."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def add(self, work: Callable[[], object], apart: TimedEmbedder | None = None) -> None:
        """Do the work, and note what it took without the embedder's time."""
        spent_wall, spent_cpu = (apart.wall, apart.cpu) if apart else (0.0, 0.0)
        wall, cpu = perf_counter(), process_time()
        work()
        wall, cpu = perf_counter() - wall, process_time() - cpu
        if apart:
            wall, cpu = wall - (apart.wall - spent_wall), cpu - (apart.cpu - spent_cpu)
        self.wall.append(wall * 1000.0)
        self.cpu.append(cpu * 1000.0)

    def row(self, recipe: str, op: str, size: int, rss_mb: float | None) -> WholeRow:
        """The row of these times."""
        times = (p50(self.wall), p95(self.wall), p50(self.cpu), p95(self.cpu))
        return WholeRow(recipe, op, size, len(self.wall), *times, rss_mb)


class TimedEmbedder:
    """The stand-in model: what it took (in s) and what it was asked for are kept."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.wall = self.cpu = 0.0
        self.asked: list[list[str]] = []

    @property
    def info(self) -> ModelInfo:
        """The stand-in's."""
        return self._inner.info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """As the model behind it."""
        self.asked.append(list(texts))
        return self._timed(lambda: self._inner.embed_passages(texts))

    def embed_query(self, text: str) -> FloatArray:
        """As the model behind it."""
        self.asked.append([text])
        return self._timed(lambda: self._inner.embed_query(text))

    def _timed(self, work: Callable[[], FloatArray]) -> FloatArray:
        wall, cpu = perf_counter(), process_time()
        found = work()
        self.wall += perf_counter() - wall
        self.cpu += process_time() - cpu
        return found


def run(plan: Plan) -> list[WholeRow]:
    """Measure every size of the plan.

    Raises:
        WorkerError: a process ended without a result.
    """
    rows: list[WholeRow] = []
    for size in plan.sizes:
        path = plan.folder / f"whole-{size}.db"
        if not path.exists():
            _say(f"{size:,} memories: observing until there are so many")
            _process("build", path, size, plan)
        for recipe in RECIPES:
            _say(f"{size:,} memories: {recipe}")
            rows += [WholeRow(**row) for row in _process(recipe, path, size, plan)]
    return rows


def _process(role: str, path: Path, size: int, plan: Plan) -> list[dict[str, object]]:
    told = (role, path, size, plan.seed, plan.model, plan.recalls, plan.observes)
    command = [sys.executable, "-m", "benchmarks.speed.whole", *map(str, told)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment(), check=False)
    if done.returncode:
        raise WorkerError(f"Measuring {role} at {size} memories failed.", "The lines above say why.")
    found: list[dict[str, object]] = json.loads(done.stdout or "[]")
    return found


# In a process of its own


def build(path: Path, size: int, seed: int) -> None:
    """Observe until the store holds so many memories; half a store is never left under the name."""
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    engine, clock = _open(part, "reverie", FakeEmbedder(seed), seed, create=True)
    number = held = 0
    with engine:
        while held < size:
            for _ in range(min(COUNT_EVERY, size - held)):
                _observe(engine, clock, spoken(seed, number))
                number += 1
            held = engine.stats(SCOPE).memories
    part.rename(path)


def measure(recipe: str, path: Path, size: int, plan: Plan) -> list[WholeRow]:
    """Recall and observe with one recipe over a copy of the store."""
    own = path.with_name(f"{path.stem}-{recipe}.db")
    shutil.copyfile(path, own)
    bare = bare_interpreter_mb()
    targets = dict(_questions(plan.seed, size, plan.recalls + WARM_UP))
    embedder = TimedEmbedder(FakeEmbedder(plan.seed, targets))
    engine, clock = _open(own, recipe, embedder, plan.seed, create=False)
    try:
        with engine:
            clock.at = spoken(plan.seed, size).message.at or clock.at
            rows = _recalls(engine, embedder, list(targets), size, recipe)
            rss = None if bare is None else round((status_mb("VmRSS") or bare) - bare, 1)
            rows += _observes(engine, clock, embedder, (size, plan))
    finally:
        own.unlink()
    told = [taken.row(recipe, op, size, rss if op == "recall" else None) for op, taken in rows]
    return told + _embedding(recipe, embedder, plan, size)

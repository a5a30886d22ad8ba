"""Speed with everything on: observing and recalling amid so many memories, formed ones and episodes alike.

In: sizes and a folder. Out: rows with wall and processor time. Two processes a size, so that building does not count
towards memory: one observes until the store holds that many, one measures each recipe in turn over a copy. What the
embedding model takes is left out and measured on its own, with the model itself, on the same texts.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TypeVar

from benchmarks.embedding import Behind
from benchmarks.results import WholeRow
from benchmarks.speed.lives import SESSION, START, Spoken, spoken
from benchmarks.speed.measurements import bare_interpreter_mb, p50, p95, status_mb
from benchmarks.speed.vectors import FakeEmbedder
from benchmarks.speed.workers import WorkerError, environment
from reverie import FixedClock, RandomIds, Reverie, Scope
from reverie.ports import Embedder
from reverie.types import FloatArray

SCOPE = Scope(agent="benchmark", user="reader", project="whole")
RECIPES = ("reverie", "v9")
EMBEDDING = "embedding"
NO_MODEL = "none"
WARM_UP = 45
"""Both languages are spoken once, and their rules read, before the clock runs."""
COUNT_EVERY = 500
T = TypeVar("T")


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


class TimedEmbedder(Behind):
    """The stand-in model: what it took (in s) and what it was asked for are kept."""

    def __init__(self, inner: Embedder) -> None:
        super().__init__(inner)
        self.wall = self.cpu = 0.0
        self.asked: list[list[str]] = []

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


def compared(rows: Sequence[WholeRow]) -> Iterator[str]:
    """What the default recipe must reach, and what it does."""
    for must in MUSTS:
        for row in rows:
            if (row.recipe, row.op, row.size) == (RECIPES[0], must.op, must.size):
                held = "holds" if row.p50_ms <= must.most_ms else "does not hold"
                taken = f"p50 {row.p50_ms:.1f} ms, {row.cpu_p50_ms:.1f} ms of processor"
                yield f"{must.op} at {must.size:,}: {taken}; at most {must.most_ms:g} ms: {held}"


def _process(role: str, path: Path, size: int, plan: Plan) -> list[dict[str, Any]]:
    told = (role, path, size, plan.seed, plan.model, plan.recalls, plan.observes)
    command = [sys.executable, "-m", "benchmarks.speed.whole", *map(str, told)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment(), check=False)
    if done.returncode:
        raise WorkerError(f"Measuring {role} at {size} memories failed.", "The lines above say why.")
    found: list[dict[str, Any]] = json.loads(done.stdout or "[]")
    return found


# In a process of its own


def build(path: Path, size: int, seed: int) -> None:
    """Observe until the store holds so many memories; half a store is never left under the name."""
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    hand = Hand.open(part, "reverie", TimedEmbedder(FakeEmbedder(seed)), seed, create=True)
    number = held = 0
    with hand.engine:
        while held < size:
            for _ in range(min(COUNT_EVERY, size - held)):
                hand.observe(spoken(seed, number))
                number += 1
            held = hand.engine.admin.stats(SCOPE).memories
    part.rename(path)
    for left in path.parent.glob(f"{part.name}-*"):
        left.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Hand:
    """An engine with its clock and its embedder."""

    engine: Reverie
    clock: FixedClock
    embedder: TimedEmbedder

    @classmethod
    def open(cls, path: Path, recipe: str, embedder: TimedEmbedder, seed: int, *, create: bool) -> Hand:
        """Open the store at ``path`` with a recipe."""
        clock = FixedClock(START)
        engine = Reverie.open(
            path,
            embedder=embedder,
            recipe=recipe,
            create=create,
            clock=clock,
            ids=RandomIds(seed if create else seed + 1),
            background=False,
        )
        return cls(engine, clock, embedder)

    def observe(self, told: Spoken) -> None:
        """Observe a message at the time it is said."""
        self.clock.at = told.message.at or START
        self.engine.observe(told.message, SCOPE)

    def recall(self, cue: str) -> None:
        """A recall as an agent's, counted."""
        self.engine.recall(cue, SCOPE)


def measure(recipe: str, path: Path, size: int, plan: Plan) -> list[WholeRow]:
    """Recall and observe with one recipe over a copy of the store."""
    bare = bare_interpreter_mb()
    own = path.with_name(f"{path.stem}-{recipe}.db")
    shutil.copyfile(path, own)
    next_number = _sessions(own) * SESSION
    asked = dict(_questions(plan, next_number - SESSION))
    hand = Hand.open(own, recipe, TimedEmbedder(FakeEmbedder(plan.seed, asked)), plan.seed, create=False)
    with hand.engine:
        hand.clock.at = spoken(plan.seed, next_number).message.at or START
        recalls, cues = _timed(hand, hand.recall, list(asked))
        rss = None if bare is None else round((status_mb("VmRSS") or bare) - bare, 1)
        fresh = [spoken(plan.seed, next_number + place) for place in range(plan.observes + WARM_UP)]
        observes, said = _timed(hand, hand.observe, fresh)
    for left in (own, *own.parent.glob(f"{own.name}-*")):
        left.unlink(missing_ok=True)
    rows = [recalls.row(recipe, "recall", size, rss), observes.row(recipe, "observe", size, None)]
    if recipe == RECIPES[0] and plan.model != NO_MODEL:
        rows += _embedding(plan.model, size, {"recall": cues, "observe": said})
    return rows


def _sessions(path: Path) -> int:
    with Reverie.open(path, embedder=None, create=False, background=False) as engine:
        return engine.admin.stats(SCOPE).sessions


def _questions(plan: Plan, told: int) -> Iterator[tuple[str, str]]:
    """Distinct questions, each with the stored message that answers it; fewer where fewer were answered."""
    seen: set[str] = set()
    for number in random.Random(plan.seed).sample(range(told), told):
        found = spoken(plan.seed, number)
        if found.question and found.question not in seen:
            seen.add(found.question)
            yield found.question, found.message.text
        if len(seen) == plan.recalls + WARM_UP:
            return


def _timed(hand: Hand, work: Callable[[T], None], given: Sequence[T]) -> tuple[Taken, list[list[str]]]:
    """The times of each piece of work after the first few, and the texts that the model was asked for each."""
    taken, texts = Taken(), list[list[str]]()
    for place, one in enumerate(given):
        if place < WARM_UP:
            work(one)
            continue
        hand.embedder.asked.clear()
        taken.add(partial(work, one), hand.embedder)
        texts.append([text for batch in hand.embedder.asked for text in batch])
    return taken, texts


def _embedding(model: str, size: int, texts: dict[str, list[list[str]]]) -> list[WholeRow]:
    """What the model itself takes for the same texts."""
    from reverie.models.registry import load_embedder

    embedder = load_embedder(model)
    if embedder is None:
        return []
    embedder.embed_passages(["warm", "up"])
    rows = []
    for op, asked in texts.items():
        taken = Taken()
        for batch in asked:
            taken.add(partial(embedder.embed_passages, batch))
        rows.append(taken.row(EMBEDDING, op, size, None))
    return rows


def _say(text: str) -> None:
    print(f"whole: {text}", file=sys.stderr, flush=True)


def main(arguments: Sequence[str]) -> None:
    """One role of the measurement, as a process: ``build`` or a recipe's name."""
    role, path, size = arguments[0], Path(arguments[1]), int(arguments[2])
    if role == "build":
        build(path, size, int(arguments[3]))
        return
    seed, model, recalls, observes = int(arguments[3]), arguments[4], int(arguments[5]), int(arguments[6])
    plan = Plan((size,), path.parent, seed, model, recalls, observes)
    print(json.dumps([asdict(row) for row in measure(role, path, size, plan)]))


if __name__ == "__main__":
    main(sys.argv[1:])

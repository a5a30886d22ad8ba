"""What many scopes in one store cost one process: opening it, recalling from them in turn, and threads side by side.

In: how many scopes, of how many memories. Out: milliseconds to open a store of them with two recipes, the median recall
from 64 scopes in turn and the memory their columns take, and the turns a second (a message, then a recall) of one
thread and of two, on a scope each, with one lock for both and with a lock for each.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

import numpy as np

from reverie import HashEmbedder, Message, Reverie, Scope
from reverie.types import FloatArray

WORDS = ("kettle", "lamp", "boiler", "key", "printer", "garden")
START = datetime(2026, 1, 1, tzinfo=UTC)
ROUNDS = 5
TURNS = 40
ANSWER_S = 0.005


class Remote(HashEmbedder):
    """A model behind an endpoint: each call waits ``ANSWER_S``."""

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Wait, then embed."""
        time.sleep(ANSWER_S)
        return super().embed_passages(texts)


def scope_of(number: int) -> Scope:
    """Return the scope of a number."""
    return Scope("benchmark", f"user{number}", "scopes")


def fill(engine: Reverie, scopes: int, memories: int) -> None:
    """Write so many memories in each of so many scopes."""
    for number in range(scopes):
        said = [
            Message(f"Note {one}: the {WORDS[one % len(WORDS)]} {one * 7 % 1000} is in room {one % 37}.", at=START)
            for one in range(memories)
        ]
        engine.transfer.remember_many(said, scope_of(number))


def opening_ms(path: Path, recipe: str) -> float:
    """Return the median time of opening the store."""
    took = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        with Reverie.open(path, embedder=None, recipe=recipe):
            took.append((time.perf_counter() - started) * 1000)
    return median(took)


def recalling(engine: Reverie, scopes: int) -> tuple[float, float]:
    """Return the median recall in ms and its 95th percentile, from each scope in turn, after one round."""
    took = []
    for turn in range(ROUNDS):
        for number in range(scopes):
            started = time.perf_counter()
            engine.recall(f"Where is the {WORDS[turn % len(WORDS)]} {turn * 7}?", scope_of(number))
            took.append((time.perf_counter() - started) * 1000)
    rest = took[scopes:]
    return median(rest), float(np.percentile(rest, 95))


def turns_a_second(engine: Reverie, threads: int, lock: threading.Lock | None = None) -> float:
    """Return how many turns so many threads make a second, each on a scope of its own; ``lock``: one for all."""

    def live(number: int) -> None:
        for turn in range(TURNS):
            if lock is not None:
                lock.acquire()
            try:
                engine.observe(f"The kettle of turn {turn} is warm.", scope_of(number))
                engine.recall("Where is the kettle?", scope_of(number))
            finally:
                if lock is not None:
                    lock.release()

    workers = [threading.Thread(target=live, args=(number,)) for number in range(threads)]
    started = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return threads * TURNS / (time.perf_counter() - started)


def measure(scopes: int, turns: int, memories: int) -> Iterator[str]:
    """Measure each in turn, and yield it as a line of text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.db"
        with Reverie.open(path, embedder=None) as engine:
            fill(engine, scopes, 2)
        for recipe in ("reverie", "openclaw"):
            yield f"open, {scopes} scopes, {recipe}: {opening_ms(path, recipe):.1f} ms"
        with Reverie.open(Path(folder) / "turn.db", embedder=HashEmbedder(512)) as engine:
            fill(engine, turns, memories)
            half, most = recalling(engine, turns)
        yield f"recall, {turns} scopes of {memories} in turn: p50 {half:.2f} ms, p95 {most:.2f} ms"
    for name, model in (("in the process", HashEmbedder(512)), ("behind an endpoint", Remote(512))):
        with Reverie.open(":memory:", embedder=model) as engine:
            turns_a_second(engine, 1)
            rates = turns_a_second(engine, 1), turns_a_second(engine, 2, threading.Lock()), turns_a_second(engine, 2)
        told = ", ".join(f"{rate:.0f}" for rate in rates)
        yield f"turns a second, model {name}: one thread, two under one lock, two: {told}"


def run(options: argparse.Namespace, given: Sequence[str]) -> None:  # noqa: ARG001 - nothing is written
    """``scopes``: print what was measured."""
    for line in measure(options.scopes, options.turns, options.memories):
        print(line, flush=True)

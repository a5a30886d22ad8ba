"""How long a dream takes over a large store, how much memory, and how recall fares while it goes on.

In: how many formed memories, a folder. Out: figures by name. Each part is a process of its own, so that none measures
another's memory.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from benchmarks.speed.corpus import START, SyntheticCorpus
from benchmarks.speed.measurements import p50, p95, timed_ms
from reverie.engine.core import Reverie
from reverie.engine.dreams import DreamContext, dream
from reverie.engine.factories import open_store
from reverie.engine.runtime import FixedClock, RandomIds
from reverie.engine.undo import undo
from reverie.events import Action, Draft, Formed, Payload, Recalled, Remembered
from reverie.ports import Transaction
from reverie.recipes.default.dream import DREAM
from reverie.types import Episode, FloatArray, IndexEntry, Kind, Memory, ModelInfo, Role, Scope, Standing

SCOPE = Scope("bench", "somebody", "dream")
MODEL = ModelInfo("bench", "1", 384)
FACTS = 9
"""Memories formed of each message."""

ENTITIES = 20_000
AGAIN = 0.02
"""Share of memories that repeat an earlier one."""

KINDS = (Kind.FACT, Kind.FACT, Kind.FACT, Kind.PREFERENCE, Kind.DECISION, Kind.PLAN, Kind.ENTITY)
IDLE_RECALLS = 300
WARM = 20
EVERY_S = 0.02
"""Between two recalls: somebody who reads the answer. Without a pause the recalling thread would take half of all the
dream's time, and the dream its."""


class Vectors:
    """An embedder that knows nothing: a vector a text, by chance (``ports.Embedder``)."""

    info = MODEL

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """(n, dims)."""
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> FloatArray:
        """(dims,)."""
        chance = np.random.default_rng(list(text.encode("utf-8", "surrogatepass"))[:64])
        row = chance.standard_normal(MODEL.dims).astype(np.float32)
        unit: FloatArray = row / np.float32(np.linalg.norm(row))
        return unit


def run(size: int, folder: Path, seed: int = 0) -> dict[str, float]:
    """Dream over ``size`` formed memories: alone, beside a recalling thread, beside a recalling process.

    Figures in seconds, ms and MB. Each dream is taken back, so that the next meets the same store.
    """
    path = folder / f"dream-{size}.db"
    _child("build", path, size, seed)
    found = _child("alone", path, size, seed)
    found |= {f"thread_{name}": value for name, value in _child("dream", path, size, seed).items()}
    other = subprocess.Popen(_command("recall", path, size, seed), stdout=subprocess.PIPE, text=True)
    found["process_seconds"] = _child("alone", path, size, seed)["seconds"]
    (folder / "stop").touch()
    told, _ = other.communicate()
    return found | {f"process_{name}": value for name, value in json.loads(told).items()}


def _command(role: str, path: Path, size: int, seed: int) -> list[str]:
    return [sys.executable, "-m", "benchmarks.dream", role, str(path), str(size), str(seed)]


def _child(role: str, path: Path, size: int, seed: int) -> dict[str, float]:
    done = subprocess.run(_command(role, path, size, seed), check=True, stdout=subprocess.PIPE, text=True)
    told: dict[str, float] = json.loads(done.stdout or "{}")
    return told


# Building


def build(path: Path, size: int, seed: int) -> None:
    """A store of ``size`` formed memories, the messages they were formed from, and a life of recalls."""
    if path.exists():
        return
    store, corpus, chance = open_store(path, create=True), SyntheticCorpus(seed), np.random.default_rng(seed)
    texts: list[str] = []
    with store.begin(SCOPE, durable=True) as tx:
        for number in range(-(-size // FACTS)):
            _remember(tx, number, corpus, chance, texts)
    with store.begin(SCOPE, durable=True) as tx:
        for _ in range(size // 50):
            first = int(chance.integers(size))
            ids = tuple(f"f{first + place:07}" for place in range(int(chance.integers(1, 6))))
            _append(tx, Action.RECALL, Recalled(ids), ())
    store.close()


def _remember(
    tx: Transaction, number: int, corpus: SyntheticCorpus, chance: np.random.Generator, texts: list[str]
) -> None:
    message = corpus.message(number)
    at = START + timedelta(minutes=20) * number
    name = f"e{number:07}"
    episode = Episode(name, SCOPE, message.session, number, message.speaker, Role.USER, message.text, at)
    own = Memory(
        id=name,
        scope=SCOPE,
        kind=Kind.EPISODE,
        text=message.text,
        at=at,
        recorded_at=at,
        session=message.session,
        seq=number,
        speaker=message.speaker,
        role=Role.USER,
        sources=(name,),
    )
    _append(tx, Action.REMEMBER, Remembered(episode, (own,)), (_entry(message.text),))
    for place in range(FACTS):
        memory = _fact(own, number * FACTS + place, corpus, chance, texts)
        _append(tx, Action.FORM, Formed((memory,)), (_entry(memory.text),))


def _fact(own: Memory, number: int, corpus: SyntheticCorpus, chance: np.random.Generator, texts: list[str]) -> Memory:
    is_again = bool(texts) and chance.random() < AGAIN
    said = texts[int(chance.integers(len(texts)))] if is_again else corpus.message(number).text
    texts.append(said)
    names = (chance.zipf(1.3, int(chance.integers(0, 4))) % ENTITIES).tolist()
    return replace(
        own,
        id=f"f{number:07}",
        kind=KINDS[number % len(KINDS)],
        text=said,
        entities=tuple(f"entity://thing/{entity}" for entity in sorted(set(names))),
        standing=Standing(
            importance=float(chance.random()),
            utility=float(chance.choice((0.5, 0.5, 0.3, 0.8, 0.1))),
            stability_days=float(chance.uniform(1.0, 20.0)),
        ),
    )


def _entry(text: str) -> IndexEntry:
    words = text.lower().rstrip(".").split()
    return IndexEntry(tuple(words), len(words), Vectors().embed_query(text), MODEL)


def _append(tx: Transaction, action: Action, payload: Payload, entries: Sequence[IndexEntry]) -> None:
    tx.append(Draft(SCOPE, START, "bench", action, "bench", payload, bytes(16)), entries)


# Measuring


def measure(path: Path, size: int, seed: int, *, recalling: bool) -> dict[str, float]:
    """One dream, taken back afterwards; ``recalling``: while a second thread recalls."""
    clock, ids = FixedClock(_morning(size)), RandomIds(seed=seed)
    with _open(path, clock, ids) as memory:
        cues = _cues(size, seed)
        idle = _recalls(memory, cues, IDLE_RECALLS) if recalling else []
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        store, lock = memory._context.store, memory._context.locks.of(SCOPE)
        means = DreamContext(store, clock, ids, lock, Vectors(), guests=memory._context.guests)
        took: list[float] = []
        thread = threading.Thread(target=lambda: took.append(timed_ms(lambda: dream(means, SCOPE, DREAM))))
        thread.start()
        during = []
        while recalling and thread.is_alive():
            during += _recalls(memory, cues, 1, warm=0)
        thread.join()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        taken_back = timed_ms(lambda: undo(store, SCOPE, clock, ids, lock))
    found = {"seconds": took[0] / 1000, "peak_mb": peak, "before_mb": before, "undo_seconds": taken_back / 1000}
    if recalling:
        found |= {"idle_p50_ms": p50(idle), "idle_p95_ms": p95(idle), "recalls": float(len(during))}
        found |= {"p50_ms": p50(during), "p95_ms": p95(during), "worst_ms": max(during)}
    return {name: round(value, 2) for name, value in found.items()}


def recall_beside(path: Path, size: int, seed: int) -> dict[str, float]:
    """Recalls of a process of its own until it is told to stop."""
    stop = path.parent / "stop"
    with _open(path, FixedClock(_morning(size)), RandomIds(seed=seed)) as memory:
        cues, taken = _cues(size, seed), list[float]()
        _recalls(memory, cues, WARM)
        while not stop.exists():
            taken += _recalls(memory, cues, 1, warm=0)
    stop.unlink()
    return {"recalls": float(len(taken)), "p50_ms": p50(taken), "p95_ms": p95(taken), "worst_ms": max(taken)}


def _open(path: Path, clock: FixedClock, ids: RandomIds) -> Reverie:
    return Reverie.open(path, embedder=Vectors(), create=False, clock=clock, ids=ids, background=False)


def _morning(size: int) -> datetime:
    return START + timedelta(minutes=20) * (size // FACTS) + timedelta(days=30)


def _cues(size: int, seed: int) -> Iterator[str]:
    queries = SyntheticCorpus(seed).queries(200, size // FACTS)
    while True:
        yield from (query.text for query in queries)


def _recalls(memory: Reverie, cues: Iterator[str], count: int, warm: int = WARM) -> list[float]:
    for _ in range(warm):
        memory.explain(next(cues), SCOPE)
    taken = []
    for _ in range(count):
        taken.append(timed_ms(lambda: memory.explain(next(cues), SCOPE)))
        time.sleep(EVERY_S)
    return taken


def main(arguments: Sequence[str]) -> None:
    """One role of the measurement, as a process: ``build``, ``dream``, ``alone`` or ``recall``."""
    role, path, size, seed = arguments[0], Path(arguments[1]), int(arguments[2]), int(arguments[3])
    if role == "build":
        build(path, size, seed)
    elif role == "recall":
        print(json.dumps(recall_beside(path, size, seed)))
    else:
        print(json.dumps(measure(path, size, seed, recalling=role == "dream")))


if __name__ == "__main__":
    main(sys.argv[1:])

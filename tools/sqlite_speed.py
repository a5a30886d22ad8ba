"""Measure the SQLite store at size: an erasure, a first recall, that of a scope not loaded yet, and many writers.

``python -m tools.sqlite_speed erase|first|cold|writers``; ``--help`` tells the sizes. Stores are made of invented
words and random vectors with a fixed seed, in a temporary folder, unless ``--at`` names a file, which is kept and used
again.
"""

from __future__ import annotations

import argparse
import json
import mmap
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from zlib import crc32

import numpy as np

from reverie import Reverie
from reverie.events import Action, Draft, Erased, Remembered
from reverie.stores.sqlite import SqliteStore
from reverie.types import Episode, FloatArray, IndexEntry, Kind, Memory, ModelInfo, Role, Scope

MODEL = ModelInfo("random", "1", 384)
START = datetime(2026, 1, 1, tzinfo=UTC)
_BATCH = 100
_SALT = bytes(16)


class Made:
    """Makes messages of words as often as in a natural text, each with one word of its own, and their vectors."""

    def __init__(self, seed: int = 1) -> None:
        self._chance = Random(seed)
        self._words = [f"w{int(self._chance.paretovariate(0.6)) % 40_000}" for _ in range(100_000)]
        rows = np.random.default_rng(seed).standard_normal((4_096, MODEL.dims)).astype(np.float32)
        self._rows: FloatArray = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        self.number = 0

    def message(self, scope: Scope, place: int) -> tuple[Draft, IndexEntry]:
        """The next message, as a draft of its event, and its entry in the index."""
        self.number += 1
        number, chance = self.number, self._chance
        terms = (*chance.choices(self._words, k=12), f"unique{number}x{scope.user}")
        at = START + timedelta(seconds=number)
        said = Episode(
            f"m{number}{scope.user}", scope, f"s{place // 50}", place % 50, "Ann", Role.USER, " ".join(terms), at
        )
        memory = Memory(
            said.id, scope, Kind.EPISODE, said.text, at, at, said.session, said.seq, "Ann", Role.USER, (said.id,)
        )
        entry = IndexEntry(terms, len(terms), self.vector(number), MODEL)
        return Draft(scope, at, "bench", Action.REMEMBER, "said", Remembered(said, (memory,)), _SALT), entry

    def vector(self, number: int) -> FloatArray:
        """A vector of length 1, the same for each number."""
        vector: FloatArray = self._rows[number % 4_096] + 0.5 * self._rows[number * 7 // 4_096 % 4_096]
        return vector / np.linalg.norm(vector)


def scope_of(number: int) -> Scope:
    """One of many scopes."""
    return Scope("bench", f"user{number}", "home")


def build(path: Path, scopes: int, each: int) -> None:
    """Write a store, the scopes' batches in an order by chance; one that is there stays."""
    if path.exists():
        return
    made, places = Made(), dict.fromkeys(range(scopes), 0)
    order = [number for number in range(scopes) for _ in range(0, each, _BATCH)]
    Random(2).shuffle(order)
    store = SqliteStore(path)
    for number in order:
        scope, first = scope_of(number), places[number]
        places[number] = last = min(first + _BATCH, each)
        with store.begin(scope, durable=False) as tx:
            for place in range(first, last):
                draft, entry = made.message(scope, place)
                tx.append(draft, [entry])
    store.close()


def erase(path: Path, tries: int) -> Iterator[dict[str, object]]:
    """Erase single memories; the time each takes, and whether a byte of its own word or text is left in any file."""
    store, chance = SqliteStore(path, create=False), Random(3)
    for _ in range(tries):
        scope = chance.choice(store.scopes())
        memory = next(iter(store.memories(scope)))
        began, cpu = perf_counter(), process_time()
        with store.begin(scope, durable=True) as tx:
            erased = Erased((memory.id,), tuple(tx.events_about(scope, (memory.id,)).emptied))
            tx.append(Draft(scope, memory.at, "bench", Action.ERASE, "asked", erased, _SALT))
        took, worked = perf_counter() - began, process_time() - cpu
        word = next(word for word in memory.text.split() if word.startswith("unique"))
        yield {"erase_s": round(took, 3), "cpu_s": round(worked, 3), "left": sorted(_left(path, word, memory.text))}
    store.close()


def _left(path: Path, *texts: str) -> set[str]:
    """The files of a store that hold one of these texts."""
    found = set()
    for file in path.parent.glob(f"{path.name}*"):
        if file.stat().st_size:
            with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as held:
                found |= {file.name for text in texts if held.find(text.encode()) >= 0}
    return found


def first(path: Path) -> dict[str, object]:
    """Load the corpus of the largest scope and search it, in a process that has read nothing yet."""
    store = SqliteStore(path, create=False)
    scope = max(store.scopes(), key=lambda one: store.stats(one).memories)
    query = Made().message(scope, 0)[1]
    began, cpu = perf_counter(), process_time()
    corpus = store.corpus(scope, MODEL)
    postings = [corpus.postings(term).ordinals.size for term in query.terms]
    assert query.vector is not None
    corpus.nearest(query.vector, 100, None)
    corpus.window_lengths(2)
    took = {"first_s": round(perf_counter() - began, 3), "cpu_s": round(process_time() - cpu, 3)}
    store.close()
    return {**took, "memories": corpus.size, "postings": sum(postings)}


class Random384:
    """An embedder whose vectors fit those of the stores made here: one of them, chosen by the text."""

    info = MODEL

    def __init__(self) -> None:
        self._made = Made()

    def embed_query(self, text: str) -> FloatArray:
        """The vector of a cue."""
        return self._made.vector(crc32(text.encode()))

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """The vectors of messages."""
        return np.array([self.embed_query(text) for text in texts], np.float32).reshape(-1, MODEL.dims)


def cold(path: Path, rounds: int) -> dict[str, object]:
    """Recall from each scope for the first time in a process that has recalled from another, then again; p50s.

    ``over_warm`` compares processor time, which others on the machine change little.
    """
    first, again, made = list[float](), list[float](), Made()
    with Reverie.open(path, embedder=Random384(), create=False, background=False) as memory:
        scopes = memory.admin.scopes()
        for scope in scopes:
            cues = [" ".join(made.message(scope, 0)[1].terms[:6]) for _ in range(rounds + 1)]
            if scope == scopes[0] and len(scopes) > 1:
                memory.recall(cues[0], scope)  # what is loaded once a process is not the scope's
                continue
            for cue, times in zip(cues, [first, *[again] * rounds], strict=True):
                began = process_time()
                memory.recall(cue, scope)
                times.append((process_time() - began) * 1000)
    cold_ms, warm_ms = float(np.median(first)), float(np.median(again))
    return {"cold_ms": round(cold_ms, 2), "warm_ms": round(warm_ms, 2), "over_warm": round(cold_ms / warm_ms, 1)}


def write(path: Path, number: int, count: int) -> dict[str, object]:
    """Write messages durably into one scope, from when a line is read; the ms that each took."""
    store, made, scope = SqliteStore(path, create=False), Made(number), scope_of(number)
    drafts = [made.message(scope, place) for place in range(count)]
    print("ready", flush=True)
    sys.stdin.readline()
    times = []
    for draft, entry in drafts:
        began = perf_counter()
        with store.begin(scope, durable=True) as tx:
            tx.append(draft, [entry])
        times.append((perf_counter() - began) * 1000)
    store.close()
    return {"times": times}


def writers(count: int, each: int) -> dict[str, object]:
    """So many processes write to scopes of their own in one new store, all at once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store"
        SqliteStore(path).close()
        command = [sys.executable, "-m", "tools.sqlite_speed", "write", "--at", str(path), "--memories", str(each)]
        processes = [
            subprocess.Popen([*command, "--scopes", str(n)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for n in range(count)
        ]
        for process in processes:
            assert process.stdout is not None
            process.stdout.readline()
        began = perf_counter()
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        times = [time for process in processes for time in json.loads(process.communicate()[0])["times"]]
        took = perf_counter() - began
    p50, p99 = np.percentile(times, [50, 99])
    told = {"p50_ms": p50, "p99_ms": p99, "max_ms": max(times), "per_s": len(times) / took}
    return {"processes": count, **{name: round(float(value), 1) for name, value in told.items()}}


def _reports(asked: argparse.Namespace, path: Path) -> Iterator[dict[str, object]]:
    if asked.what == "writers":
        for _ in range(asked.rounds):
            yield from (writers(count, asked.memories) for count in (1, 2, 4, 8))
        return
    if asked.what == "write":
        yield write(path, asked.scopes, asked.memories)
        return
    build(path, asked.scopes, asked.memories)
    if asked.what == "erase":
        yield from erase(path, asked.rounds)
    else:
        yield first(path) if asked.what == "first" else cold(path, asked.rounds)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure one thing, and print a line of JSON for each time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["erase", "first", "cold", "writers", "write"])
    parser.add_argument("--scopes", type=int, default=1, help="scopes of the store; for `write`, the scope's number")
    parser.add_argument("--memories", type=int, default=100, help="memories of each scope, or messages of each writer")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--at", type=Path, help="the store's file")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        for report in _reports(asked, asked.at or Path(folder) / "store"):
            print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()

"""One measurement in a process of its own: ``python -m benchmarks.speed.worker``, a job on stdin, a result on stdout.

A fresh process is what makes memory and opening times mean anything. The jobs: ``build`` imports a corpus, ``open``
makes ready and recalls once, ``mixed`` times recall and remember of all systems in turn.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from benchmarks.speed.contender import Contender, make
from benchmarks.speed.timing import disk_mb, status_mb, timed_ms
from benchmarks.speed.vectors import FakeEmbedder

BLOCK = 10
"""Recalls of one system before it is the next one's turn."""

WARM_UP = 5


@dataclass(frozen=True, slots=True)
class Job:
    """What to measure. ``queries`` are pairs of a query and the stored text it was made from."""

    action: str
    systems: tuple[str, ...]
    folder: str
    size: int
    seed: int
    queries: tuple[tuple[str, str], ...] = ()
    remembers: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """Times in ms by "system op", and the process's memory in MB (the highest, for a build)."""

    times_ms: dict[str, list[float]]
    memory_mb: float | None = None
    disk_mb: float | None = None


def build(job: Job) -> Result:
    """Import the corpus into one system's folder."""
    from benchmarks.speed.corpus import SyntheticCorpus

    contender = _contender(job, job.systems[0], FakeEmbedder(job.seed))
    batches = contender.build(SyntheticCorpus(job.seed).messages(0, job.size))
    contender.close()
    return Result({f"{job.systems[0]} import": batches}, status_mb("VmHWM"), disk_mb(_folder(job, job.systems[0])))


def open_fresh(job: Job) -> Result:
    """Say ``ready`` when a recall could begin (the parent holds the clock), recall, and tell the memory in use."""
    contender = _contender(job, job.systems[0], FakeEmbedder(job.seed, dict(job.queries)))
    contender.open()
    print("ready", flush=True)
    first = timed_ms(partial(contender.recall, job.queries[0][0]))
    for query, _ in job.queries[1:]:
        contender.recall(query)
    memory = status_mb("VmRSS")
    contender.close()
    return Result({f"{job.systems[0]} first-recall": [first]}, memory)


def mixed(job: Job) -> Result:
    """Recall in blocks, system by system in turn; then remember likewise."""
    from benchmarks.speed.corpus import SyntheticCorpus

    embedder = FakeEmbedder(job.seed, dict(job.queries))
    messages = list(SyntheticCorpus(job.seed).messages(job.size, job.size + job.remembers))
    embedder.prepare([message.text for message in messages])
    contenders = {system: _contender(job, system, embedder) for system in job.systems}
    for contender in contenders.values():
        contender.open()
        recall_times(contender, [query for query, _ in job.queries[:WARM_UP]])
    queries = [query for query, _ in job.queries[WARM_UP:]]
    times: dict[str, list[float]] = {}
    for start in range(0, len(queries), BLOCK):
        for system, contender in contenders.items():
            times.setdefault(f"{system} recall", []).extend(recall_times(contender, queries[start : start + BLOCK]))
    for message in messages:
        for system, contender in contenders.items():
            times.setdefault(f"{system} remember", []).append(timed_ms(partial(contender.remember, message)))
    for contender in contenders.values():
        contender.close()
    return Result(times)


def recall_times(contender: Contender, queries: Sequence[str]) -> list[float]:
    """One block of recalls, then whatever tidying the system needs, off the clock."""
    times = [timed_ms(partial(contender.recall, query)) for query in queries]
    contender.settle()
    return times


def _folder(job: Job, system: str) -> Path:
    return Path(job.folder) / system


def _contender(job: Job, system: str, embedder: FakeEmbedder) -> Contender:
    return make(system, _folder(job, system), embedder)


ACTIONS = {"build": build, "open": open_fresh, "mixed": mixed}


def main() -> None:
    """Read a job, do it, print its result as the last line."""
    raw = json.loads(sys.stdin.readline())
    raw["systems"] = tuple(raw["systems"])
    raw["queries"] = tuple((query, target) for query, target in raw["queries"])
    job = Job(**raw)
    print(json.dumps(asdict(ACTIONS[job.action](job))), flush=True)


if __name__ == "__main__":
    main()

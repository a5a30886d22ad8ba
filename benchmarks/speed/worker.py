"""One measurement in a process of its own: ``python -m benchmarks.speed.worker``, a job on stdin, a result on stdout.

A fresh process is what makes memory and opening times mean anything. The jobs: ``build`` imports a corpus, ``open``
makes ready and recalls once, ``serve`` times blocks of recalls and remembers when it is asked to, so that several
systems can take turns without sharing a process.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from benchmarks.speed.contender import LANCEDB, OURS, SEARCH, SYSTEMS, Contender
from benchmarks.speed.measurements import Stopwatch, disk_mb, status_mb, timed_ms
from benchmarks.speed.vectors import FakeEmbedder
from reverie.errors import InvalidInput
from reverie.types import Message

WARM_UP = 5

RECALL, REMEMBER, TURN = "recall", "remember", "turn"
"""What a block is of."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to measure. ``queries`` are pairs of a query and the stored text it was made from.

    ``turns``: so many of the queries, the last ones, are for turns, each with a message beside ``remembers``.
    """

    action: str
    system: str
    folder: str
    size: int
    seed: int
    queries: tuple[tuple[str, str], ...] = ()
    remembers: int = 0
    turns: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """Queries or messages ``start`` … ``stop`` − 1 of the job, to be recalled or remembered.

    ``op`` ``turn``: turns of an agent, a message remembered and then a query recalled, two times each.
    """

    op: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Result:
    """Times in ms by operation, and the process's memory in MB (the highest, for a build)."""

    times_ms: dict[str, list[float]]
    memory_mb: float | None = None
    disk_mb: float | None = None


def build(job: Job) -> Result:
    """Import the corpus into one system's folder."""
    from benchmarks.speed.corpus import SyntheticCorpus

    contender = _contender(job, job.system, FakeEmbedder(job.seed))
    batches = contender.build(SyntheticCorpus(job.seed).messages(0, job.size))
    contender.close()
    return Result({"import": batches}, status_mb("VmHWM"), disk_mb(_folder(job, job.system)))


def open_fresh(job: Job) -> Result:
    """Say ``ready`` when a recall could begin (the parent holds the clock), recall, and tell the memory in use."""
    contender = _contender(job, job.system, FakeEmbedder(job.seed, dict(job.queries)))
    contender.open()
    print("ready", flush=True)
    first = timed_ms(partial(contender.recall, job.queries[0][0]))
    for query, _ in job.queries[1:]:
        contender.recall(query)
    memory = status_mb("VmRSS")
    contender.close()
    return Result({"first-recall": [first]}, memory)


def serve(job: Job) -> Result:
    """Say ``ready``, then time the blocks asked for on stdin, one a line, until it ends."""
    from benchmarks.speed.corpus import SyntheticCorpus

    embedder = FakeEmbedder(job.seed, dict(job.queries))
    messages = list(SyntheticCorpus(job.seed).messages(job.size, job.size + job.remembers + job.turns))
    embedder.prepare([message.text for message in messages])
    contender = _contender(job, job.system, embedder)
    contender.open()
    for query, _ in job.queries[:WARM_UP]:
        contender.recall(query)
    contender.settle()
    print("ready", flush=True)
    for line in sys.stdin:
        block = Block(**json.loads(line))
        times = [_timed(call, embedder.watch) for call in _calls(block, job, contender, messages)]
        if block.op != TURN:  # between its turns an agent does not tidy up
            contender.settle()
        print(json.dumps(times), flush=True)
    contender.close()
    return Result({})


def _calls(block: Block, job: Job, contender: Contender, messages: Sequence[Message]) -> list[Callable[[], object]]:
    places = range(block.start, block.stop)
    if block.op == RECALL:
        return [partial(contender.recall, job.queries[place][0]) for place in places]
    if block.op == REMEMBER:
        return [partial(contender.remember, messages[place]) for place in places]
    first_query = len(job.queries) - job.turns
    return [
        call
        for place in places
        for call in (
            partial(contender.remember, messages[job.remembers + place]),
            partial(contender.recall, job.queries[first_query + place][0]),
        )
    ]


def _timed(call: Callable[[], object], embedding: Stopwatch) -> float:
    """What a call takes in ms, without what the stand-in for a model took of it."""
    before = embedding.spent_s
    return timed_ms(call) - (embedding.spent_s - before) * 1000.0


def _folder(job: Job, system: str) -> Path:
    return Path(job.folder) / system


def _contender(job: Job, system: str, embedder: FakeEmbedder) -> Contender:
    return make(system, _folder(job, system), embedder)


def make(system: str, folder: Path, embedder: FakeEmbedder) -> Contender:
    """The contender of this name. Raises InvalidInput for an unknown one."""
    if system in (OURS, SEARCH):
        from benchmarks.speed.ours import OurContender

        return OurContender(folder, embedder, whole=system == OURS)
    if system == LANCEDB:
        from benchmarks.speed.lance import LanceContender

        return LanceContender(folder, embedder)
    raise InvalidInput(f"There is no system {system!r}.", f"Choose of {', '.join(SYSTEMS)}.")


ACTIONS = {"build": build, "open": open_fresh, "serve": serve}


def main() -> None:
    """Read a job, do it, print its result as the last line."""
    raw = json.loads(sys.stdin.readline())
    raw["queries"] = tuple((query, target) for query, target in raw["queries"])
    job = Job(**raw)
    print(json.dumps(asdict(ACTIONS[job.action](job))), flush=True)


if __name__ == "__main__":
    main()

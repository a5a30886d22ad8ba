"""Load a store as a team would, in PostgreSQL and in a file, in turns: ``python -m benchmarks.mix``.

In: how many workers at once (each a process with an engine of its own), for how long, over how many scopes. Each draws
scope and verb by chance from a seed: remember, recall, observe, dream. Out: a line of JSON for each store and number of
workers, with operations a second, and median, p95 and p99 in milliseconds of each verb; errors are counted by name. In
the end every scope's journal is verified, and every message that was acknowledged must be there. A PostgreSQL server
is started on a unix socket, and syncs to the disk.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from queue import Empty
from random import Random
from time import perf_counter, process_time
from typing import Any

import numpy as np

from benchmarks.speed.corpus import SyntheticCorpus
from benchmarks.speed.workers import WorkerError
from reverie import Message, Reverie, Scope
from reverie.errors import ReverieError
from tools.postgres import APP, OWNER, Server, prepare

VERBS = {"remember": 40, "recall": 40, "observe": 19, "dream": 1}
"""Of a hundred operations, so many are of each kind."""
SEED = 26
_CLI = "import sys; from reverie.faces.cli import main; sys.exit(main())"
_LATE_S = 120.0
"""So much later than its time a worker has failed."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a worker does: where, over how many scopes, for how long; ``number`` tells it from all others."""

    place: str
    scopes: int
    seconds: float
    embedder: str
    number: int = 0


@dataclass(slots=True)
class Done:
    """What a worker did: milliseconds by verb, errors by name, acknowledged memories, and processor seconds."""

    times: dict[str, list[float]] = field(default_factory=lambda: {verb: [] for verb in VERBS})
    errors: Counter[str] = field(default_factory=Counter)
    kept: list[tuple[int, str]] = field(default_factory=list)
    cpu_s: float = 0.0


def scope_of(number: int) -> Scope:
    """Return the scope of a number."""
    return Scope("mix", f"user{number}", "bench")


def fill(plan: Plan, memories: int) -> None:
    """Write so many messages into each scope, at once."""
    corpus = SyntheticCorpus(SEED)
    with Reverie.open(plan.place, embedder=plan.embedder, background=False) as engine:
        for number in range(plan.scopes):
            engine.transfer.remember_many(corpus.messages(number * memories, (number + 1) * memories), scope_of(number))


def operate(engine: Reverie, plan: Plan, done: Done, chance: Random, texts: SyntheticCorpus) -> None:
    """Do one operation, and note how long it took and what it promised."""
    verb = chance.choices(list(VERBS), list(VERBS.values()))[0]
    number, text = chance.randrange(plan.scopes), texts.message(chance.randrange(10**6)).text
    scope = scope_of(number)
    count = len(done.kept) + done.errors.total()
    message = Message(text, session=f"live-{plan.number}", message_id=f"{plan.number}-{count}")
    calls: dict[str, Callable[[], Any]] = {
        "remember": partial(engine.remember, message, scope),
        "observe": partial(engine.observe, message, scope),
        "recall": partial(engine.recall, text, scope),
        "dream": partial(engine.dream, scope),
    }
    started = perf_counter()
    try:
        answer = calls[verb]()
    except ReverieError as error:
        done.errors[f"{verb}: {type(error).__name__}"] += 1
        return
    done.times[verb].append((perf_counter() - started) * 1000.0)
    if verb in ("remember", "observe"):
        done.kept.append((number, answer.id))


def _work(plan: Plan, ready: Any, told: Any) -> None:
    done, chance, texts = Done(), Random(SEED + plan.number), SyntheticCorpus(SEED + plan.number)
    with Reverie.open(plan.place, embedder=plan.embedder, background=False) as engine:
        engine.recall("warm", scope_of(0))
        ready.wait(_LATE_S)
        until, began = perf_counter() + plan.seconds, process_time()
        while perf_counter() < until:
            operate(engine, plan, done, chance, texts)
        done.cpu_s = process_time() - began
    told.put(done)


def load(plans: Sequence[Plan]) -> list[Done]:
    """Let one process work for each plan, all at once; return what each did.

    Raises:
        WorkerError: one ended without a word.
    """
    context = get_context("spawn")
    ready, told = context.Barrier(len(plans)), context.Queue()
    processes = [context.Process(target=_work, args=(plan, ready, told), daemon=True) for plan in plans]
    for process in processes:
        process.start()
    try:
        return [told.get(timeout=plan.seconds + _LATE_S) for plan in plans]
    except Empty:
        raise WorkerError("A worker ended without a word.", "Look at what it printed.") from None
    finally:
        for process in processes:
            process.join(5.0)


def summary(done: Sequence[Done], seconds: float) -> dict[str, object]:
    """Throughput, quantiles of each verb in milliseconds, processor time an operation, and errors of many workers."""
    found: dict[str, object] = {}
    count = sum(len(taken) for one in done for taken in one.times.values())
    found["per s"] = round(count / seconds, 1)
    found["cpu ms each"] = round(sum(one.cpu_s for one in done) * 1000.0 / max(count, 1), 2)
    for verb in VERBS:
        taken = [value for one in done for value in one.times[verb]]
        if taken:
            p50, p95, p99 = (round(float(np.quantile(taken, share)), 1) for share in (0.5, 0.95, 0.99))
            found[verb] = {"n": len(taken), "p50": p50, "p95": p95, "p99": p99}
    errors: Counter[str] = Counter()
    for one in done:
        errors += one.errors
    return found | {"errors": dict(sorted(errors.items()))}


def verify(plan: Plan, done: Sequence[Done]) -> dict[str, object]:
    """Check every journal and table of a store, and look for every acknowledged message."""
    promised: dict[int, set[str]] = {}
    for one in done:
        for number, name in one.kept:
            promised.setdefault(number, set()).add(name)
    with Reverie.open(plan.place, embedder=None) as engine:
        missing = sum(
            len(names - {memory.id for memory in engine.timeline(scope_of(number))})
            for number, names in promised.items()
        )
        faults = engine.admin.verify()
        scopes = len(engine.admin.scopes())
    acknowledged = sum(map(len, promised.values()))
    return {"scopes": scopes, "acknowledged": acknowledged, "missing": missing, "faults": [one.name for one in faults]}


@contextmanager
def places(folder: Path, stores: Sequence[str]) -> Iterator[dict[str, str]]:
    """Give an empty store of each kind its place; a server runs as long as the ``with`` block."""
    found = {"sqlite": str(folder / "mix.db")}
    if "postgres" in stores:
        server = Server(fsync=True)
        try:
            server.make()
            server.start()
            prepare(server.url())
            command = [sys.executable, "-c", _CLI, "store", "migrate", server.url(OWNER), "--tenant", "mix"]
            subprocess.run(command, check=True, capture_output=True)
            yield found | {"postgres": f"{server.url(APP)}&tenant=mix"}
        finally:
            server.stop()
    else:
        yield found


def run(options: argparse.Namespace) -> Iterator[dict[str, object]]:
    """Fill the stores, load them in turns, and verify them; yield a line for each."""
    with tempfile.TemporaryDirectory() as folder, places(Path(folder), options.stores) as found:
        plans = {name: Plan(found[name], options.scopes, options.seconds, options.embedder) for name in options.stores}
        done: dict[str, list[Done]] = {name: [] for name in plans}
        for plan in plans.values():
            fill(plan, options.memories)
        for turn, clients in enumerate(options.clients):
            for name in sorted(plans, reverse=bool(turn % 2)):
                some = [
                    Plan(plans[name].place, options.scopes, options.seconds, options.embedder, 100 * turn + one)
                    for one in range(clients)
                ]
                did = load(some)
                done[name] += did
                yield {"store": name, "workers": clients, **summary(did, options.seconds)}
        for name, plan in plans.items():
            yield {"store": name, **verify(plan, done[name])}


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print, a line of JSON each; return 1 if anything acknowledged is missing, or a journal is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stores", nargs="*", default=["postgres", "sqlite"], metavar="postgres|sqlite")
    parser.add_argument("--clients", type=int, nargs="*", default=[1, 4, 16], help="workers at once")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each number of workers works")
    parser.add_argument("--scopes", type=int, default=1_000)
    parser.add_argument("--memories", type=int, default=5, help="in each scope before they start")
    parser.add_argument("--embedder", default="hash")
    sound = True
    for line in run(parser.parse_args(argv)):
        print(json.dumps(line), flush=True)
        sound = sound and not line.get("missing") and not line.get("faults")
    return 0 if sound else 1


if __name__ == "__main__":
    raise SystemExit(main())

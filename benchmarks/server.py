"""Compare a store in PostgreSQL with one in a file, in turns: ``python -m benchmarks.server``.

It starts its own server (``tools.postgres``) and fills both with the same synthetic messages. Same hits, scores and
cosines; medians of recall and remember; row-level security on and off; four writers in scopes of their own and in one.
``--encrypted`` compares an encrypted tenant with both as well.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.speed.corpus import SyntheticCorpus
from reverie import FixedClock, Message, RandomIds, Reverie, Scope
from tools.postgres import APP, OWNER, Server, prepare

SCOPE = Scope("bench", "ada", "server")
SEED = 7
NOW = datetime(2027, 1, 1, tzinfo=UTC)
"""Both clocks stand still: recency is part of a score."""
_EMBEDDER = "hash"
_RLS = """DO $$ DECLARE name text; BEGIN FOR name IN SELECT c.relname FROM pg_class c JOIN pg_namespace n
  ON n.oid = c.relnamespace WHERE n.nspname = 'reverie' AND c.relkind IN ('r', 'p') AND EXISTS
  (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid) LOOP
  EXECUTE format('ALTER TABLE reverie.%I {} ROW LEVEL SECURITY', name); END LOOP; END $$"""


@contextmanager
def _server() -> Iterator[Server]:
    server = Server(fsync=True)
    server.make()
    server.start()
    try:
        prepare(server.url())
        tenants = ["--tenant", "bench", "--tenant", "writers"]
        subprocess.run(["reverie", "store", "migrate", server.url(OWNER), *tenants], check=True, capture_output=True)
        yield server
    finally:
        server.stop()


def _timed(do: Callable[[], object]) -> float:
    started = perf_counter()
    do()
    return (perf_counter() - started) * 1000.0


def _told(engine: Reverie, cue: str) -> list[tuple[str, float, float | None]]:
    hits = engine.recall(cue, SCOPE).hits
    return [(hit.memory.text, hit.score, hit.cosine) for hit in hits]


def compare(server: Server, folder: Path, size: int, cues: int, *, encrypted: bool) -> dict[str, object]:
    """Fill the stores, then ask and tell them in turns."""
    corpus = SyntheticCorpus(SEED)
    places = {"postgres": f"{server.url(APP)}&tenant=bench{size}", "sqlite": str(folder / f"{size}.db")}
    if encrypted:
        places["sealed"] = f"{server.url(APP)}&tenant=sealed{size}&encrypted=true"
    tenants = ["--tenant", f"bench{size}", "--tenant", f"sealed{size}"]
    migrate = ["reverie", "store", "migrate", server.url(OWNER), *tenants]
    subprocess.run(migrate, check=True, capture_output=True)
    found: dict[str, object] = {"memories": size}
    engines: dict[str, Reverie] = {}
    for name, place in places.items():
        clock, ids = FixedClock(NOW), RandomIds(seed=SEED)
        engine = engines[name] = Reverie.open(
            place, embedder=_EMBEDDER, clock=clock, ids=ids, key_file=str(folder / "key")
        )
        took = _timed(partial(engine.transfer.remember_many, corpus.messages(0, size), SCOPE))
        found[f"import {name} per s"] = round(size / took * 1000.0)
        found[f"first recall {name} ms"] = round(_timed(partial(engine.recall, "warm", SCOPE)), 1)
    asked = [query.text for query in corpus.queries(cues, size)]
    found |= _in_turns(engines, asked)
    found["security ratio"] = round(_security(server, engines["postgres"], asked), 3)
    for engine in engines.values():
        engine.close()
    return found


def _in_turns(engines: dict[str, Reverie], cues: list[str]) -> dict[str, object]:
    """Ask both every cue and tell both every other one as a message; the order changes each time."""
    times: dict[tuple[str, str], list[float]] = {(n, what): [] for n in engines for what in ("recall", "remember")}
    equal = 0
    for number, cue in enumerate(cues):
        answers = {}
        for name in sorted(engines, reverse=bool(number % 2)):
            started = perf_counter()
            answers[name] = _told(engines[name], cue)
            times[name, "recall"].append((perf_counter() - started) * 1000.0)
        equal += all(answer == answers["sqlite"] for answer in answers.values())
        for name in sorted(engines, reverse=bool(number % 4)) if number % 2 == 0 else ():
            message = Message(f"{cue} {number}", session="told", message_id=f"told-{number}")
            times[name, "remember"].append(_timed(partial(engines[name].remember, message, SCOPE)))
    found: dict[str, object] = {f"{what} {name} p50 ms": round(median(v), 2) for (name, what), v in times.items()}
    for what in ("recall", "remember"):
        for name in engines.keys() - {"sqlite"}:
            ratio = median(times[name, what]) / median(times["sqlite", what])
            found[f"{what} {name} ratio" if name != "postgres" else f"{what} ratio"] = round(ratio, 2)
    return found | {"equal": f"{equal} of {len(cues)}"}


def _security(server: Server, engine: Reverie, cues: list[str]) -> float:
    """Return the median recall with row-level security over that without, in turns of ten."""
    import psycopg

    times: dict[str, list[float]] = {"ENABLE": [], "DISABLE": []}
    with psycopg.connect(server.url(OWNER), autocommit=True) as owner:
        for turn in range(0, len(cues), 10):
            for how in ("DISABLE", "ENABLE"):
                owner.execute(_RLS.replace("{}", how))
                engine.recall("warm", SCOPE)
                times[how] += [_timed(partial(engine.recall, cue, SCOPE)) for cue in cues[turn : turn + 10]]
    return median(times["ENABLE"]) / median(times["DISABLE"])


def _write(address: str, scope: Scope, seconds: float, times: Any) -> None:
    taken, number = [], 0
    with Reverie.open(address, embedder=None, background=False) as engine:
        engine.remember("warm", scope)
        until = perf_counter() + seconds
        while perf_counter() < until:
            number += 1
            taken.append(_timed(partial(engine.remember, f"message {number}", scope)))
    times.put(taken)


def writers(address: str, count: int, seconds: float, *, together: bool) -> dict[str, float]:
    """Let processes write for some seconds, each in its own scope or all in one."""
    context = get_context("spawn")
    times = context.Queue()
    scopes = [Scope("writer", "one" if together else f"{perf_counter()}-{n}", "bench") for n in range(count)]
    processes = [context.Process(target=_write, args=(address, scope, seconds, times)) for scope in scopes]
    for process in processes:
        process.start()
    taken = sorted(value for _ in processes for value in times.get())
    for process in processes:
        process.join()
    return {"per s": round(len(taken) / seconds), "p99 ms": round(taken[int(len(taken) * 0.99) - 1], 1)}


def main() -> None:
    """Measure and print, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 100_000])
    parser.add_argument("--cues", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=5.0, help="how long writers write in each of two rounds")
    parser.add_argument("--encrypted", action="store_true", help="an encrypted tenant too")
    options = parser.parse_args()
    with _server() as server, tempfile.TemporaryDirectory() as folder:
        for size in options.sizes:
            found = compare(server, Path(folder), size, options.cues, encrypted=options.encrypted)
            print(json.dumps(found), flush=True)
        address = f"{server.url(APP)}&tenant=writers"
        for turn in range(2 if options.seconds else 0):
            apart = writers(address, 4, options.seconds, together=False)
            one = writers(address, 4, options.seconds, together=True)
            eight = writers(address, 8, options.seconds, together=False)
            told = {"round": turn + 1, "four, own chains": apart, "four, one chain": one, "eight, own chains": eight}
            print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()

"""Compare a store in PostgreSQL with one in a file, in turns: ``python -m benchmarks.server``.

It starts its own server (``tools.postgres``) and fills both stores with the same synthetic messages. Every ratio is the
median of pairs measured one right after the other, which of the two goes first changing from pair to pair; beside the
wall's time stands the processor's, of this process and of the server's. Figures come as JSON, then as a table.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, TypeAlias

from benchmarks.speed.corpus import SyntheticCorpus
from reverie import FixedClock, Message, RandomIds, Reverie, Scope
from tools.postgres import APP, OWNER, Server, prepare

SCOPE, BESIDE = Scope("bench", "ada", "server"), Scope("bench", "ada", "beside")
SEED = 7
NOW = datetime(2027, 1, 1, tzinfo=UTC)
"""Both clocks stand still: recency is part of a score."""
CHUNKS = 20
"""Parts in which a store is filled, in turns with the other."""
LEAST = 250
BLOCK = 20
"""Cues asked with row-level security on, then off, or the other way round."""
OPENED = 7
"""How often a store is opened anew to find its scope cold."""
ROUNDS = 3
POSTGRES, SQLITE = "postgres", "sqlite"
COMMAND = [sys.executable, "-c", "from reverie.faces.start import main; main()"]
_RLS = """DO $$ DECLARE name text; BEGIN FOR name IN SELECT c.relname FROM pg_class c JOIN pg_namespace n
  ON n.oid = c.relnamespace WHERE n.nspname = 'reverie' AND c.relkind IN ('r', 'p') AND EXISTS
  (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid) LOOP
  EXECUTE format('ALTER TABLE reverie.%I {} ROW LEVEL SECURITY', name); END LOOP; END $$"""

Told: TypeAlias = list[tuple[str, float, float | None]]


@dataclass
class Spent:
    """What calls took, in ms: the wall's time, and the processor's of this process and of the server's."""

    wall: list[float] = field(default_factory=list)
    client: list[float] = field(default_factory=list)
    server: list[float] = field(default_factory=list)

    def p50(self, share: float = 1.0) -> str:
        """Return the medians as "wall (client + server)"; the server's is a mean, as its clock is coarse."""
        mean = sum(self.server) / max(1, len(self.server))
        found = (median(self.wall) * share, median(self.client) * share, mean * share)
        return "{:.2f} ({:.2f} + {:.2f})".format(*found)


class Clocks:
    """Times calls beside one server."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def timed(self, do: Callable[[], Any], spent: Spent) -> Any:
        """Call, note what it took, and return its result."""
        served, used, started = self.served(), process_time(), perf_counter()
        found = do()
        spent.wall.append((perf_counter() - started) * 1e3)
        spent.client.append((process_time() - used) * 1e3)
        spent.server.append(max(0.0, self.served() - served))
        return found

    def served(self) -> float:
        """Return the processor's time of the server's processes in ms; 0 where the system does not tell."""
        process = self._server.process
        if process is None:
            return 0.0
        try:
            own = Path(f"/proc/{process.pid}")
            children = (own / f"task/{process.pid}/children").read_text().split()
            files = [own / "schedstat", *(Path(f"/proc/{child}/schedstat") for child in children)]
            return sum(int(file.read_text().split()[0]) for file in files if file.exists()) / 1e6
        except (OSError, ValueError, IndexError):
            return 0.0


def paired(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Return the median of the ratios of pairs."""
    return round(median(one / other for one, other in zip(ours, theirs, strict=True)), 3)


def two_by_two(values: Sequence[float]) -> list[float]:
    """Add up each two that follow each other: in one of them this store went first, in the other the second did."""
    return [one + other for one, other in zip(values[::2], values[1::2], strict=False)]


@contextmanager
def serving() -> Iterator[Server]:
    """Run a server that syncs its log, laid out for Reverie."""
    server = Server(fsync=True)
    server.make()
    server.start()
    try:
        prepare(server.url())
        add_tenant(server, "writers")
        yield server
    finally:
        server.stop()


def add_tenant(server: Server, name: str) -> str:
    """Add a tenant and return the address of its store."""
    migrate = [*COMMAND, "store", "migrate", server.url(OWNER), "--tenant", name]
    subprocess.run(migrate, check=True, capture_output=True)
    return f"{server.url(APP)}&tenant={name}"


def administer(server: Server, *statements: str) -> None:
    """Run statements as the server's administrator."""
    import psycopg

    with psycopg.connect(server.url(), autocommit=True) as admin:
        for statement in statements:
            admin.execute(statement)


def opened(place: str, key: Path) -> Reverie:
    """Open a store with a clock that stands still; ``key``: where the key of an encrypted one lies."""
    clock, ids = FixedClock(NOW), RandomIds(seed=SEED)
    return Reverie.open(place, embedder="hash", clock=clock, ids=ids, key_file=str(key))


def told(engine: Reverie, cue: str) -> Told:
    """Return text, score and cosine of what a cue finds."""
    return [(hit.memory.text, hit.score, hit.cosine) for hit in engine.recall(cue, SCOPE).hits]


class Comparison:
    """Both stores with the same memories."""

    def __init__(self, server: Server, folder: Path, size: int, cues: int, *, encrypted: bool) -> None:
        self._key = folder / "key"
        self._server, self._clocks, self.size = server, Clocks(server), size
        self.places = {POSTGRES: add_tenant(server, f"bench{size}"), SQLITE: str(folder / f"{size}.db")}
        if encrypted:
            self.places[POSTGRES] += "&encrypted=true"
        self._corpus = SyntheticCorpus(SEED)
        self._cues = [query.text for query in self._corpus.queries(cues, size)]
        self._engines = {name: opened(place, self._key) for name, place in self.places.items()}

    def close(self) -> None:
        """Close both stores."""
        for engine in self._engines.values():
            engine.close()

    def run(self) -> dict[str, object]:
        """Measure everything, and return the figures by name."""
        found: dict[str, object] = {"memories": self.size} | self.fill()
        # What the server does by itself within a minute, so that it does not do so in the midst of what follows.
        administer(self._server, "VACUUM (ANALYZE)", "CHECKPOINT")
        for engine in self._engines.values():
            engine.recall("warm", SCOPE)
        recalled = self.recall()
        found |= recalled | self.remember() | self.security()
        return found | self.cold(self._warm)

    def fill(self) -> dict[str, object]:
        """Import the same messages into both, part by part."""
        spent: dict[str, Spent] = defaultdict(Spent)
        for engine in self._engines.values():  # the first call loads code
            engine.transfer.remember_many(self._corpus.messages(0, 4), BESIDE)
        part = max(LEAST, self.size // CHUNKS)
        for turn, start in enumerate(range(0, self.size, part)):
            for name in self._order(turn):
                messages = list(self._corpus.messages(start, min(start + part, self.size)))
                import_ = partial(self._engines[name].transfer.remember_many, messages, SCOPE)
                self._clocks.timed(import_, spent[name])
        pairs = {name: two_by_two(one.wall) for name, one in spent.items()}
        return {
            "import": paired(pairs[SQLITE], pairs[POSTGRES]),
            **{f"import {name}, ms each": one.p50(1 / part) for name, one in spent.items()},
        }

    def recall(self) -> dict[str, object]:
        """Ask both every cue."""
        spent: dict[str, Spent] = defaultdict(Spent)
        equal = 0
        for turn, cue in enumerate(self._cues):
            answers = {
                name: self._clocks.timed(partial(told, self._engines[name], cue), spent[name])
                for name in self._order(turn)
            }
            equal += answers[POSTGRES] == answers[SQLITE]
        self._warm = median(spent[POSTGRES].wall)
        return {"equal": f"{equal} of {len(self._cues)}"} | self._compared("recall", spent)

    def remember(self) -> dict[str, object]:
        """Tell both every cue as a message with an id of its own."""
        spent: dict[str, Spent] = defaultdict(Spent)
        for turn, cue in enumerate(self._cues):
            message = Message(f"{cue} {turn}", session="told", message_id=f"told-{turn}")
            for name in self._order(turn):
                self._clocks.timed(partial(self._engines[name].remember, message, SCOPE), spent[name])
        return self._compared("remember", spent)

    def security(self) -> dict[str, object]:
        """Ask every cue with row-level security and without."""
        import psycopg

        spent: dict[str, Spent] = defaultdict(Spent)
        engine = self._engines[POSTGRES]
        with psycopg.connect(self._server.url(OWNER), autocommit=True) as owner:
            for turn, start in enumerate(range(0, len(self._cues), BLOCK)):
                for how in ("ENABLE", "DISABLE") if turn % 2 else ("DISABLE", "ENABLE"):
                    owner.execute(_RLS.replace("{}", how))
                    engine.recall("warm", SCOPE)  # the server plans anew
                    for cue in self._cues[start : start + BLOCK]:
                        self._clocks.timed(partial(engine.recall, cue, SCOPE), spent[how])
            owner.execute(_RLS.replace("{}", "ENABLE"))
        return {
            "security": paired(spent["ENABLE"].wall, spent["DISABLE"].wall),
            "security on, ms": spent["ENABLE"].p50(),
            "security off, ms": spent["DISABLE"].p50(),
        }

    def cold(self, warm: float) -> dict[str, object]:
        """Open the store anew several times: the first recall of a scope, after one of another scope."""
        spent: dict[str, Spent] = defaultdict(Spent)
        for turn in range(OPENED if self.size < 10_000 else ROUNDS):
            for name in self._order(turn):
                with opened(self.places[name], self._key) as engine:
                    engine.recall("warm", BESIDE)
                    self._clocks.timed(partial(engine.recall, self._cues[turn], SCOPE), spent[name])
        return {
            "cold over warm": round(median(spent[POSTGRES].wall) / warm, 2),
            **{f"cold {name}, ms": one.p50() for name, one in spent.items()},
        }

    @staticmethod
    def _order(turn: int) -> tuple[str, str]:
        return (SQLITE, POSTGRES) if turn % 2 else (POSTGRES, SQLITE)

    @staticmethod
    def _compared(what: str, spent: dict[str, Spent]) -> dict[str, object]:
        return {
            what: paired(spent[POSTGRES].wall, spent[SQLITE].wall),
            **{f"{what} {name}, ms": spent[name].p50() for name in (POSTGRES, SQLITE)},
        }


def _write(address: str, scope: Scope, seconds: float, ready: Any, told_to: Any) -> None:
    """Write messages for some seconds, beginning when all are ready; tell how long each took, and the processor."""
    taken, number = [], 0
    with Reverie.open(address, embedder=None, background=False) as engine:
        engine.remember("warm", scope)
        ready.wait()
        used, until = process_time(), perf_counter() + seconds
        while (started := perf_counter()) < until:
            number += 1
            engine.remember(f"message {number}", scope)
            taken.append((perf_counter() - started) * 1e3)
        told_to.put((taken, process_time() - used))


def writers(server: Server, address: str, count: int, seconds: float, *, together: bool = False) -> dict[str, float]:
    """Let processes write for some seconds, each in its own scope or all in one."""
    context = get_context("spawn")
    results, ready = context.Queue(), context.Barrier(count)
    names = ["one" if together else f"{perf_counter()}-{number}" for number in range(count)]
    given = [(address, Scope("writer", name, "bench"), seconds, ready, results) for name in names]
    processes = [context.Process(target=_write, args=one) for one in given]
    served = Clocks(server).served()
    for process in processes:
        process.start()
    found = [results.get() for _ in processes]
    served = Clocks(server).served() - served
    for process in processes:
        process.join()
    taken = sorted(value for one, _ in found for value in one)
    used = sum(one for _, one in found) * 1e3
    return {
        "per s": round(len(taken) / seconds),
        "p50 ms": round(median(taken), 1),
        "p99 ms": round(taken[int(len(taken) * 0.99) - 1], 1),
        "client ms each": round(used / len(taken), 2),
        "server ms each": round(served / len(taken), 2),
    }


def queues(server: Server, folder: Path, seconds: float) -> dict[str, object]:
    """Compare writers in scopes of their own with writers in one, and with writers of a file, round by round."""
    place = {POSTGRES: f"{server.url(APP)}&tenant=writers", SQLITE: str(folder / "writers.db")}
    rounds: list[dict[str, dict[str, float]]] = []
    for turn in range(ROUNDS):
        kinds: dict[str, Callable[[], dict[str, float]]] = {
            "four, own scopes": partial(writers, server, place[POSTGRES], 4, seconds),
            "four, one scope": partial(writers, server, place[POSTGRES], 4, seconds, together=True),
            "eight, own scopes": partial(writers, server, place[POSTGRES], 8, seconds),
            "eight, SQLite": partial(writers, server, place[SQLITE], 8, seconds),
        }
        order = list(kinds) if turn % 2 == 0 else list(reversed(kinds))
        rounds.append({name: kinds[name]() for name in order})
        print(json.dumps({"round": turn + 1, **rounds[-1]}), flush=True)

    def over(one: str, other: str, what: str) -> float:
        return paired([found[one][what] for found in rounds], [found[other][what] for found in rounds])

    return {
        "four writers": over("four, own scopes", "four, one scope", "per s"),
        "eight writers": over("eight, own scopes", "eight, SQLite", "p99 ms"),
    }


def table(found: list[dict[str, object]], queued: dict[str, object]) -> list[str]:
    """Lay the figures out beside what they must be, as lines of Markdown."""
    lines = ["| | must | measured | ms: wall (client + server) |", "| --- | --- | ---: | ---: |"]
    most = {"recall": (1.6, 1.35), "remember": (2.0, 2.0), "security": (1.05, 1.05), "cold over warm": (4, 200)}
    for figures in found:
        size = figures["memories"]
        place = int(size != 1_000)
        lines += [
            f"| {size:,}: equal hits, scores, cosines | all | {figures['equal']} | |",
            f"| {size:,}: import, rate over SQLite's | ≥ .9 | {figures['import']} | {_beside(figures, 'import')} |",
        ]
        for what, limits in most.items():
            beside = _beside(figures, "cold" if what.startswith("cold") else what)
            lines.append(f"| {size:,}: {_NAMES[what]} | ≤ {limits[place]} | {figures[what]} | {beside} |")
    if queued:
        lines += [
            f"| four writers, own scopes over one scope | ≥ 1.5 | {queued['four writers']} | |",
            f"| eight writers, p99 over SQLite's | ≤ 0.2 | {queued['eight writers']} | |",
        ]
    return lines


_NAMES = {
    "recall": "recall over SQLite's",
    "remember": "remember over SQLite's",
    "security": "row-level security on over off",
    "cold over warm": "first recall of a scope over one in memory",
}


def _beside(figures: dict[str, object], what: str) -> str:
    return "; ".join(str(value) for name, value in figures.items() if name.startswith(what) and "ms" in name)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 100_000])
    parser.add_argument("--cues", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=5.0, help="how long writers write in each turn; 0: not at all")
    parser.add_argument("--encrypted", action="store_true", help="with an encrypted tenant")
    options = parser.parse_args()
    found = []
    with serving() as server, tempfile.TemporaryDirectory() as folder:
        for size in options.sizes:
            comparison = Comparison(server, Path(folder), size, options.cues, encrypted=options.encrypted)
            found.append(comparison.run())
            comparison.close()
            print(json.dumps(found[-1]), flush=True)
        queued = queues(server, Path(folder), options.seconds) if options.seconds else {}
    print("\n".join(table(found, queued)))


if __name__ == "__main__":
    main()

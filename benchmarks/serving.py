"""How fast and how steadily `reverie serve` answers: one client after the other, and many at once.

In: a size and a folder. Out: what recall takes over HTTP, alone and in a crowd, and the memory. The server is a process
as a user starts it, the clients are threads of this one. An answer counts when read whole.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from itertools import cycle
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import numpy as np

from benchmarks import results
from benchmarks.speed.corpus import SyntheticCorpus
from benchmarks.speed.workers import WorkerError, environment
from reverie import Reverie, Scope

SCOPE = Scope(agent="benchmark", user="reader", project="serving")
CLI = "import sys; from reverie.faces.cli import main; sys.exit(main())"
P50_MS = 12.0
P99_TIMES = 20.0
MEMORY_TIMES = 1.10
"""What the last third of the crowd's time may need more memory than the first third: the journal's caches fill up."""
WARM_UP = 30
QUERIES = 100


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure: memories in the store, clients at once, and for how long."""

    folder: Path
    size: int = 10_000
    clients: int = 16
    seconds: float = 60.0
    seed: int = 0
    embedder: str = "default"


@dataclass(frozen=True, slots=True)
class Alone:
    """One client, in ms: ``first`` with the cue embedded, ``again`` with it from the cache."""

    requests: int
    first_p50_ms: float
    again_p50_ms: float
    again_p95_ms: float


@dataclass(frozen=True, slots=True)
class Crowd:
    """Many clients at once, in ms; memory of the server in MB, in the first and the last third of the time."""

    clients: int
    seconds: float
    requests: int
    errors: int
    p50_ms: float
    p99_ms: float
    most_ms: float
    memory_first_mb: float
    memory_last_mb: float


@dataclass(frozen=True, slots=True)
class Findings:
    """What was measured of one size."""

    size: int
    alone: Alone
    crowd: Crowd

    def verdicts(self) -> Iterator[tuple[str, bool]]:
        """Each thing that must hold, and whether it does."""
        alone, crowd = self.alone, self.crowd
        yield f"one client: p50 {alone.again_p50_ms} ms ≤ {P50_MS:g}", alone.again_p50_ms <= P50_MS
        yield f"{crowd.clients} clients, {crowd.seconds:g} s: {crowd.errors} errors", crowd.errors == 0
        times = crowd.p99_ms / crowd.p50_ms
        yield f"p99 {crowd.p99_ms} ms is {times:.1f} × p50 ≤ {P99_TIMES:g}", times <= P99_TIMES
        grown = crowd.memory_last_mb / crowd.memory_first_mb
        told = f"memory {crowd.memory_first_mb} → {crowd.memory_last_mb} MB"
        yield f"{told}: × {grown:.2f} ≤ {MEMORY_TIMES:g}", grown <= MEMORY_TIMES

    def shape(self) -> dict[str, object]:
        """As JSON."""
        return {"size": self.size, "alone": asdict(self.alone), "crowd": asdict(self.crowd)}


def build(plan: Plan) -> Path:
    """The store, made where it is not there yet."""
    store = plan.folder / f"serving-{plan.size}-{plan.embedder}.db"
    if not store.exists():
        embedder = None if plan.embedder == "none" else plan.embedder
        with Reverie.open(store, embedder=embedder, background=False) as engine:
            engine.transfer.remember_many(SyntheticCorpus(plan.seed).messages(0, plan.size), SCOPE)
    return store


def run(plan: Plan) -> Findings:
    """Build, serve, ask."""
    store = build(plan)
    cues = [query.text for query in SyntheticCorpus(plan.seed).queries(QUERIES + WARM_UP, plan.size)]
    with _server(plan, store) as (process, address):
        with closing(Asking(address)) as asking:
            for cue in cues[:WARM_UP]:
                asking.recall(cue)
            alone = _alone(asking, cues[WARM_UP:])
        crowd = _crowd(plan, address, process.pid, cues)
    return Findings(plan.size, alone, crowd)


class Asking:
    """A client that keeps its connection. ``page``: the address that the server prints, with its token."""

    def __init__(self, page: str) -> None:
        parts = urlsplit(page)
        self._address = parts.netloc
        token = parts.fragment.removeprefix("token=")
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        self._connection = http.client.HTTPConnection(self._address, timeout=60)
        scope = {"agent": SCOPE.agent, "user": SCOPE.user, "project": SCOPE.project}
        self._path = f"/v1/recall?{urlencode(scope)}"

    def close(self) -> None:
        """Let the connection go."""
        self._connection.close()

    def recall(self, cue: str) -> tuple[float, bool]:
        """What a recall took in ms, and whether it was answered."""
        body = json.dumps({"cue": cue, "session": "benchmark"})
        started = time.perf_counter()
        try:
            self._connection.request("POST", self._path, body, self._headers)
            answer = self._connection.getresponse()
            is_sound = answer.read()[-1:] == b"}" and answer.status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException):
            self._connection.close()
            is_sound = False
        return (time.perf_counter() - started) * 1000.0, is_sound


def _alone(asking: Asking, cues: Sequence[str]) -> Alone:
    first = [asking.recall(cue)[0] for cue in cues]
    again = [asking.recall(cue)[0] for cue in cues]
    return Alone(2 * len(cues), _at(first, 0.5), _at(again, 0.5), _at(again, 0.95))


def _crowd(plan: Plan, address: str, pid: int, cues: Sequence[str]) -> Crowd:
    taken: list[tuple[float, bool]] = []
    until = time.monotonic() + plan.seconds
    threads = [
        threading.Thread(target=_ask_on, args=(address, [*cues[number:], *cues[:number]], until, taken))
        for number in range(plan.clients)
    ]
    for thread in threads:
        thread.start()
    memory = []
    while time.monotonic() < until:
        memory.append(_memory_mb(pid))
        time.sleep(min(0.5, plan.seconds / 10))
    for thread in threads:
        thread.join()
    times = [took for took, _ in taken]
    third = max(1, len(memory) // 3)
    return Crowd(
        clients=plan.clients,
        seconds=plan.seconds,
        requests=len(taken),
        errors=sum(not is_sound for _, is_sound in taken),
        p50_ms=_at(times, 0.5),
        p99_ms=_at(times, 0.99),
        most_ms=round(max(times), 2),
        memory_first_mb=round(float(np.median(memory[:third])), 1),
        memory_last_mb=round(float(np.median(memory[-third:])), 1),
    )


def _ask_on(address: str, cues: Sequence[str], until: float, taken: list[tuple[float, bool]]) -> None:
    with closing(Asking(address)) as asking:
        for cue in cycle(cues):
            if time.monotonic() >= until:
                return
            taken.append(asking.recall(cue))


def _at(values: Sequence[float], share: float) -> float:
    return round(float(np.quantile(values, share)), 2)


def _memory_mb(pid: int) -> float:
    """What the server holds in memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def _server(plan: Plan, store: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server on any free port, and where it answers."""
    surroundings = environment() | {"REVERIE_STORE": str(store), "REVERIE_SERVE_REQUESTS_PER_MINUTE": "0"}
    command = [sys.executable, "-c", CLI, "serve", "--port", "0", "--json", "--embedder", plan.embedder]
    process = subprocess.Popen(command, env=surroundings, cwd=plan.folder, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        told = json.JSONDecoder().raw_decode(_until_brace(process))[0]
        yield process, told["page"]
    finally:
        process.terminate()
        process.communicate(timeout=60)


def _until_brace(process: subprocess.Popen[str]) -> str:
    """What the server says of itself, up to the end of its JSON. Raises WorkerError where it says nothing."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if line.startswith("}"):
            return text
    raise WorkerError("The server did not start.", "Start `reverie serve` by hand and read what it says.")


# ``serving``: one result file, and whether each thing holds that must.


def serving(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Measure, and write what was found."""
    with tempfile.TemporaryDirectory() as aside:
        folder = options.folder or Path(aside)
        folder.mkdir(parents=True, exist_ok=True)
        plan = Plan(folder, options.size, options.clients, options.seconds, options.seed, options.embedder)
        found = run(plan)
    results.write(options.out, [], {"serving": found.shape(), **results.surroundings(given)})
    for text, holds in found.verdicts():
        print(f"{'holds' if holds else 'FAILS'}: {text}")
    print(f"wrote {options.out}")

"""The speed benchmark: each size and system in fresh processes, all systems in turn within one run.

In: sizes and a folder. Out: rows, and notes on what was left out. Whole processes as a user starts them stand beside:
``import reverie``, and ``reverie recall`` without and with the model.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from benchmarks.results import SpeedRow
from benchmarks.speed import workers
from benchmarks.speed.contender import LANCEDB, OURS, SYSTEMS
from benchmarks.speed.corpus import Query, SyntheticCorpus
from benchmarks.speed.lance import available
from benchmarks.speed.measurements import bare_interpreter_mb, p50, p95, timed_ms
from benchmarks.speed.worker import RECALL, REMEMBER, TURN, WARM_UP, Block, Job
from benchmarks.speed.workers import WorkerError, environment

# Whole processes as a user starts them: ``import reverie``, and ``reverie recall`` without and with the model.


RUNS = 10
CLI = "import sys; from reverie.faces.cli import main; sys.exit(main())"
"""What the installed ``reverie`` command does."""

IMPORT = "import reverie"
BUILD = """
import sys
from reverie import Reverie, Scope
from benchmarks.speed.corpus import SyntheticCorpus
path, model, seed, size = sys.argv[1:]
with Reverie.open(path, embedder=None if model == "none" else model) as engine:
    scope = Scope(agent="benchmark", user="reader", project="speed")
    engine.transfer.remember_many(SyntheticCorpus(int(seed)).messages(0, int(size)), scope)
"""


@dataclass(frozen=True, slots=True)
class Commands:
    """The processes to time, over stores of ``size`` messages in ``folder``."""

    folder: Path
    size: int
    seed: int

    def import_module(self) -> list[float]:
        """``python -c "import reverie"``, interpreter start included."""
        return self._timed([[sys.executable, "-c", IMPORT]] * RUNS, "none")

    def recall(self, model: str) -> list[float]:
        """``reverie recall QUERY`` as a process, with the model of this name or ``none``."""
        store = self._store(model)
        subprocess.run(
            [sys.executable, "-c", BUILD, str(store), model, str(self.seed), str(self.size)],
            check=True,
            env=self._environment(model),
        )
        queries = SyntheticCorpus(self.seed).queries(RUNS, self.size)
        return self._timed([self._command(query) for query in queries], model)

    def _command(self, query: Query) -> list[str]:
        return [sys.executable, "-c", CLI, "recall", query.text]

    def _store(self, model: str) -> Path:
        return self.folder / f"commands-{model}" / "store.db"

    def _environment(self, model: str) -> dict[str, str]:
        store = self._store(model)
        store.parent.mkdir(parents=True, exist_ok=True)
        chosen = {
            "REVERIE_STORE": str(store),
            "REVERIE_EMBEDDER": model,
            "REVERIE_HOOK_COMMAND_LINE": "false",  # a process of its own is what is measured
            "REVERIE_AGENT": "benchmark",
            "REVERIE_USER": "reader",
            "REVERIE_PROJECT": "speed",
            "XDG_CONFIG_HOME": str(store.parent),  # nobody's own settings
        }
        return {**environment(), **chosen}

    def _timed(self, commands: list[list[str]], model: str) -> list[float]:
        """Each command once, after one run that warms the disk."""
        settings = self._environment(model)

        def start(command: list[str]) -> None:
            done = subprocess.run(command, env=settings, cwd=self._store(model).parent, capture_output=True, text=True)
            if done.returncode != 0:
                raise WorkerError(f"`reverie` ended with code {done.returncode}: {done.stderr.strip()[-500:]}")

        start(commands[0])
        return [timed_ms(partial(start, command)) for command in commands]


# Operations within a process, all systems in turn.

COMMANDS_SIZE = 10_000

BLOCK = 10
"""Operations of one system before it is the next one's turn."""

OPEN_RECALLS = 50
"""Recalls after which a freshly opened process tells its memory."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure and how often; ``folder`` is where stores are built."""

    sizes: tuple[int, ...]
    folder: Path
    seed: int = 0
    systems: tuple[str, ...] = SYSTEMS
    commands: bool = True
    recalls: int = 200
    remembers: int = 100
    turns: int = 100
    opens: int = 5


@dataclass(frozen=True, slots=True)
class Taken:
    """What one system took at one size: times by operation, memory in use and while importing, disk; in MB."""

    times_ms: dict[str, list[float]]
    memory_mb: float | None
    importing_mb: float | None
    disk_mb: float | None


NOTHING = Taken({}, None, None, None)


@dataclass(slots=True)
class Findings:
    """Rows and notes as they come, and the fastest of each row's times: what a busy machine disturbs least."""

    rows: list[SpeedRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    fastest_ms: dict[str, float] = field(default_factory=dict)

    def add(self, system: str, op: str, size: int, times: Sequence[float], taken: Taken) -> None:
        """Make a row of these times."""
        memory = taken.importing_mb if op == "import" else taken.memory_mb
        self.rows.append(SpeedRow(system, op, size, p50(times), p95(times), memory, taken.disk_mb))
        self.fastest_ms[f"{system} {op} {size}"] = round(min(times), 4)


def run(plan: Plan) -> Findings:
    """Measure everything of the plan."""
    findings = Findings()
    systems = plan.systems
    if LANCEDB in systems and not available():
        systems = tuple(system for system in systems if system != LANCEDB)
        findings.notes.append("LanceDB is not installed (extra `bench`), so its rows are left out")
    for size in plan.sizes:
        _size(plan, systems, size, findings)
    if plan.commands:
        _processes(plan, findings)
    return findings


def _size(plan: Plan, systems: Sequence[str], size: int, findings: Findings) -> None:
    asked = SyntheticCorpus(plan.seed).queries(WARM_UP + plan.recalls + plan.turns, size)
    queries = tuple((query.text, query.target) for query in asked)
    jobs = [
        Job("build", system, str(plan.folder / str(size)), size, plan.seed, queries, plan.remembers, plan.turns)
        for system in systems
    ]
    taken = {job.system: _build_and_open(job, plan.opens) for job in jobs}
    for system, found in taken.items():
        for op, times in found.times_ms.items():
            findings.add(system, op, size, times, found)
    _say(f"{', '.join(systems)}, {size:,} memories: recall, remember and turns of an agent, in turn")
    for system, op, times in _in_turn(plan, [replace(job, action="serve") for job in jobs]):
        findings.add(system, op, size, times, taken[system])


def _build_and_open(job: Job, opens: int) -> Taken:
    """Import the corpus, then open it in so many fresh processes."""
    bare = bare_interpreter_mb()
    _say(f"{job.system}, {job.size:,} memories: import")
    built = workers.run(replace(job, queries=()))
    _say(f"{job.system}, {job.size:,} memories: open")
    ready: list[float] = []
    first: list[float] = []
    memory = built.memory_mb
    for _ in range(opens):
        ready_ms, opened = workers.run_fresh_open(replace(job, action="open", queries=job.queries[:OPEN_RECALLS]))
        ready.append(ready_ms)
        first += opened.times_ms["first-recall"]
        memory = opened.memory_mb
    times = {"import": built.times_ms["import"], "open": ready, "first-recall": first}
    return Taken(times, _above(memory, bare), _above(built.memory_mb, bare), built.disk_mb)


def _in_turn(plan: Plan, jobs: Sequence[Job]) -> Iterator[tuple[str, str, list[float]]]:
    """All systems' times for recall, remember, then turns of both: a block of one, then the same of the next."""
    blocks = ((RECALL, WARM_UP, WARM_UP + plan.recalls), (REMEMBER, 0, plan.remembers), (TURN, 0, plan.turns))
    with ExitStack() as stack:
        servers = {job.system: stack.enter_context(workers.Worker(job)) for job in jobs}
        for server in servers.values():
            server.reply()
        for op, first, last in blocks:
            times: dict[str, list[float]] = {system: [] for system in servers}
            for start in range(first, last, BLOCK):
                for system, server in servers.items():
                    times[system] += server.ask(Block(op, start, min(start + BLOCK, last)))
            for system, found in times.items():
                if op == TURN:
                    yield system, "turn-remember", found[::2]
                    yield system, "turn-recall", found[1::2]
                else:
                    yield system, op, found
        for server in servers.values():
            server.finish()


def _processes(plan: Plan, findings: Findings) -> None:
    size = COMMANDS_SIZE if max(plan.sizes) >= COMMANDS_SIZE else max(plan.sizes)
    commands = Commands(plan.folder, size, plan.seed)
    _say("import reverie, as a process")
    findings.add(OURS, "import-module", 0, commands.import_module(), NOTHING)
    for op, model in (("cli-recall-text", "none"), ("cli-recall-model", "default")):
        _say(f"reverie recall, as a process, {size:,} memories, model {model}")
        findings.add(OURS, op, size, commands.recall(model), NOTHING)


def _above(memory_mb: float | None, bare_mb: float | None) -> float | None:
    return None if memory_mb is None or bare_mb is None else round(memory_mb - bare_mb, 1)


def _say(text: str) -> None:
    print(f"speed: {text}", file=sys.stderr, flush=True)

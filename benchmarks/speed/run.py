"""The speed benchmark: each size and system in fresh processes, all systems in turn within one run.

In: sizes and a folder. Out: rows, and notes on what was left out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.results import SpeedRow
from benchmarks.speed import workers
from benchmarks.speed.commands import Commands
from benchmarks.speed.contender import LANCEDB, OURS
from benchmarks.speed.corpus import SyntheticCorpus
from benchmarks.speed.lance import available
from benchmarks.speed.timing import bare_interpreter_mb, disk_mb, p50, p95
from benchmarks.speed.worker import WARM_UP, Job

COMMANDS_SIZE = 10_000


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure and how often; ``folder`` is where stores are built."""

    sizes: tuple[int, ...]
    folder: Path
    seed: int = 0
    systems: tuple[str, ...] = (OURS, LANCEDB)
    commands: bool = True
    recalls: int = 200
    remembers: int = 100
    opens: int = 5


@dataclass(slots=True)
class Findings:
    """Rows and notes as they come."""

    rows: list[SpeedRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def run(plan: Plan) -> Findings:
    """Measure everything of the plan."""
    findings = Findings()
    systems = plan.systems
    if LANCEDB in systems and not available():
        systems = tuple(system for system in systems if system != LANCEDB)
        findings.notes.append("LanceDB is not installed (extra `bench`), so its rows are left out")
    for size in plan.sizes:
        findings.rows += _size(plan, systems, size)
    if plan.commands:
        findings.rows += _processes(plan)
    return findings


def _size(plan: Plan, systems: Sequence[str], size: int) -> Iterator[SpeedRow]:
    folder = str(plan.folder / str(size))
    queries = tuple((q.text, q.target) for q in SyntheticCorpus(plan.seed).queries(plan.recalls + WARM_UP, size))
    bare = bare_interpreter_mb()
    memory: dict[str, float | None] = {}
    disk: dict[str, float] = {}
    for system in systems:
        _say(f"{system}, {size:,} memories: import")
        built = workers.run(Job("build", (system,), folder, size, plan.seed))
        disk[system] = built.disk_mb or disk_mb(Path(folder) / system)
        yield _row(
            f"{system} import", size, built.times_ms[f"{system} import"], _above(built.memory_mb, bare), disk[system]
        )
        _say(f"{system}, {size:,} memories: open")
        ready, first = [], []
        for _ in range(plan.opens):
            ready_ms, opened = workers.run_fresh_open(Job("open", (system,), folder, size, plan.seed, queries[:50]))
            ready.append(ready_ms)
            first += opened.times_ms[f"{system} first-recall"]
            memory[system] = _above(opened.memory_mb, bare)
        yield _row(f"{system} open", size, ready, memory[system], disk[system])
        yield _row(f"{system} first-recall", size, first, memory[system], disk[system])
    _say(f"{', '.join(systems)}, {size:,} memories: recall and remember, in turn")
    both = workers.run(Job("mixed", tuple(systems), folder, size, plan.seed, queries, plan.remembers))
    for name, times in both.times_ms.items():
        system = name.split()[0]
        yield _row(name, size, times, memory[system], disk[system])


def _processes(plan: Plan) -> Iterator[SpeedRow]:
    size = COMMANDS_SIZE if max(plan.sizes) >= COMMANDS_SIZE else max(plan.sizes)
    commands = Commands(plan.folder, size, plan.seed)
    _say("import reverie, as a process")
    yield _row(f"{OURS} import-module", 0, commands.import_module(), None, None)
    for op, model in (("cli-recall-text", "none"), ("cli-recall-model", "default")):
        _say(f"reverie recall, as a process, {size:,} memories, model {model}")
        yield _row(f"{OURS} {op}", size, commands.recall(model), None, None)


def _row(name: str, size: int, times: Sequence[float], rss_mb: float | None, disk: float | None) -> SpeedRow:
    system, op = name.split()
    return SpeedRow(system, op, size, p50(times), p95(times), rss_mb, disk)


def _above(memory_mb: float | None, bare_mb: float | None) -> float | None:
    return None if memory_mb is None or bare_mb is None else round(memory_mb - bare_mb, 1)


def _say(text: str) -> None:
    print(f"speed: {text}", file=sys.stderr, flush=True)

"""The hook benchmark: ``reverie hook`` as the whole process a coding agent starts, with a home of its own.

In: a store with some facts among many messages. Out: rows for a call while the warm process runs (warm) and for one
that has to start it (cold), at each moment of a session, and how many of those that ask were told the fact. Rows
``-processor`` hold processor time, which other work on the machine hardly changes.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib.resources import files
from pathlib import Path
from time import monotonic, sleep

from benchmarks import results
from benchmarks.results import SpeedRow
from benchmarks.speed.corpus import SyntheticCorpus
from benchmarks.speed.measurements import p50, p95, timed_ms
from benchmarks.speed.workers import WorkerError, environment
from reverie import Message, Reverie, Scope

SYSTEM = "reverie"
SCOPE = Scope(agent="assistant", user="reader", project="hook")
CLI = "from reverie.faces.start import main; main()"
"""What the installed ``reverie`` command does."""
ENDS_WITHIN_S = 30.0


@dataclass(frozen=True, slots=True)
class Fact:
    """What was told, and a prompt that calls for it."""

    text: str
    prompt: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure, how often; ``folder`` holds the homes, and keeps the stores for the next run."""

    sizes: tuple[int, ...]
    folder: Path
    seed: int = 0
    embedder: str = "default"
    warm: int = 60
    cold: int = 15


@dataclass(slots=True)
class Findings:
    """Rows, and for each of the moments that ask, how many calls were told the fact."""

    rows: list[SpeedRow] = field(default_factory=list)
    told: dict[str, list[bool]] = field(default_factory=dict)


def facts() -> list[Fact]:
    """The facts of the data file."""
    text = (files("benchmarks.hook") / "data" / "facts.txt").read_text(encoding="utf-8")
    lines = [line.partition(" | ") for line in text.splitlines() if line and not line.startswith("#")]
    return [Fact(told, asked) for told, _, asked in lines]


def run(plan: Plan) -> Findings:
    """Measure every size."""
    findings = Findings()
    for size in plan.sizes:
        home = Home(plan.folder / f"{size}-{plan.embedder}", plan.embedder)
        home.build(size, plan.seed)
        _measure(home, plan, size, findings)
    return findings


def _measure(home: Home, plan: Plan, size: int, findings: Findings) -> None:
    known = facts()

    def prompted(number: int) -> list[bool]:
        fact = known[number % len(known)]
        said = home.call("UserPromptSubmit", f"{home.run_name}-{number}", prompt=fact.prompt)
        return [fact.text.split(".")[0][:40] in said]

    with home.ended():
        times: list[float] = []
        for number in range(plan.cold):
            home.stop()
            told: list[bool] = []
            times.append(timed_ms(lambda n=number, t=told: t.extend(prompted(n))))  # type: ignore[misc] # bound now
            findings.told.setdefault("cold", []).extend(told)
        _row(findings, "hook-prompt-cold", size, times)
        times = []
        for number in range(plan.cold, plan.cold + plan.warm):
            home.settle()  # nobody types the next prompt while the last one is still being kept
            told = []
            times.append(timed_ms(lambda n=number, t=told: t.extend(prompted(n))))  # type: ignore[misc] # bound now
            findings.told.setdefault("warm", []).extend(told)
        _row(findings, "hook-prompt-warm", size, times)
        spent = [_spent_ms(home, partial(prompted, number)) for number in range(plan.cold)]
        _row(findings, "hook-prompt-warm-processor", size, spent)
        for event in ("SessionStart", "Stop", "SessionEnd"):
            calls = [partial(home.call, event, f"{home.run_name}-{n}", answer=f"Answer {n}.") for n in range(plan.cold)]
            _row(findings, f"hook-{event}-warm", size, [timed_ms(call) for call in calls])
        times, spent = [], []
        for number in range(plan.cold):
            home.stop()
            times.append(timed_ms(partial(home.call, "SessionStart", f"{home.run_name}-cold-{number}")))
            home.stop()
            start = partial(home.call, "SessionStart", f"{home.run_name}-patient-{number}", patient=True)
            spent.append(_spent_ms(home, start))
        _row(findings, "hook-SessionStart-cold", size, times)
        _row(findings, "hook-SessionStart-cold-processor", size, spent)


def _spent_ms(home: Home, call: Callable[[], object]) -> float:
    """Processor time of a call until it is answered: of its own process and of the background process."""
    before, own = home.background_ms(), _children_ms()
    call()
    background, own = home.background_ms(), _children_ms() - own
    return own + (background - before if background >= before else background)  # less: another one was started


def _children_ms() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (spent.ru_utime + spent.ru_stime) * 1e3


def _row(findings: Findings, op: str, size: int, times: list[float]) -> None:
    findings.rows.append(SpeedRow(SYSTEM, op, size, p50(times), p95(times), None, None))
    print(f"hook: {op}, {size:,}: p50 {p50(times):.0f} ms, p95 {p95(times):.0f} ms", file=sys.stderr, flush=True)


def _build(path: Path, spec: str, size: int, seed: int) -> None:
    """A store of the synthetic corpus, the facts behind it."""
    print(f"hook: building {size:,} memories", file=sys.stderr, flush=True)
    part = path.with_name("part.db")
    with Reverie.open(part, embedder=None if spec == "none" else spec) as memory:
        memory.transfer.remember_many(SyntheticCorpus(seed).messages(0, size - len(facts())), SCOPE)
        for number, fact in enumerate(facts()):
            memory.observe(Message(fact.text, session=f"told-{number}", message_id=f"fact-{number}"), SCOPE)
        memory.admin.backup(path)


class Home:
    """A home of its own: settings, store, and the warm process that belongs to it."""

    def __init__(self, folder: Path, embedder: str) -> None:
        self._folder = folder.absolute()
        self._embedder = embedder
        self.run_name = f"run-{os.getpid()}"

    @property
    def _store(self) -> Path:
        return self._folder / "share" / "reverie.db"

    @cached_property
    def _environment(self) -> Mapping[str, str]:
        kept = {name: value for name, value in environment().items() if not name.startswith(("REVERIE_", "XDG_"))}
        return {**kept, "HOME": str(self._folder)}

    def build(self, size: int, seed: int) -> None:
        """The settings and the store, fresh for this run; built once for all runs in this folder."""
        settings = self._folder / ".config" / "reverie" / "config.toml"
        settings.parent.mkdir(parents=True, exist_ok=True)
        scope = f'agent = "{SCOPE.agent}"\nuser = "{SCOPE.user}"\nproject = "{SCOPE.project}"\n'
        settings.write_text(
            f"store = {json.dumps(str(self._store))}\nembedder = {json.dumps(self._embedder)}\n{scope}",
            encoding="utf-8",
        )
        built = self._folder / "built.db"
        if not built.exists():
            _build(built, self._embedder, size, seed)
        self._store.parent.mkdir(parents=True, exist_ok=True)
        for path in self._store.parent.glob("reverie.db*"):
            path.unlink()
        shutil.copyfile(built, self._store)

    def call(self, event: str, session: str, prompt: str = "", answer: str = "", *, patient: bool = False) -> str:
        """What one hook call, a whole process, is told; ``patient``: however long it takes."""
        said = {"hook_event_name": event, "session_id": session, "cwd": str(self._folder)}
        said |= {"prompt": prompt} if prompt else {}
        said |= {"last_assistant_message": answer} if answer else {}
        # a prompt that was kept would be found instead of the fact when it is asked with again
        keeps = {"REVERIE_HOOK_CAPTURE": "false" if prompt else "true"}
        keeps |= {"REVERIE_HOOK_START_MS": "20000"} if patient else {}
        return self._process(["hook"], json.dumps(said), keeps)

    def stop(self) -> None:
        """End the warm process, and wait until it is gone."""
        self._process(["hook", "stop"], "")
        until = monotonic() + ENDS_WITHIN_S
        lock = self._folder / ".cache" / "reverie" / "hook.lock"
        while lock.exists() and not _is_free(lock):
            if monotonic() > until:
                raise WorkerError("the warm process does not end")
            sleep(0.01)

    def background_ms(self) -> float:
        """Processor time of the background process so far, in the steps that Linux counts in; 0 if none runs."""
        try:
            pid = int((self._folder / ".cache" / "reverie" / "hook.lock").read_text())
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except (OSError, ValueError):
            return 0.0
        return (int(fields[11]) + int(fields[12])) * 1e3 / os.sysconf("SC_CLK_TCK")

    def settle(self) -> None:
        """Wait until the warm process has loaded its model and kept what it was told."""
        until = monotonic() + ENDS_WITHIN_S
        while monotonic() < until:
            state = json.loads(self._process(["hook", "status", "--json"], ""))
            if state["running"] and not state["waiting"] and not state["spooled"]:
                return
            sleep(0.02)
        raise WorkerError("the warm process does not come to rest")

    @contextmanager
    def ended(self) -> Iterator[None]:
        """Leave no process behind."""
        try:
            yield
        finally:
            self.stop()

    def _process(self, arguments: list[str], given: str, variables: Mapping[str, str] | None = None) -> str:
        command = [sys.executable, "-c", CLI, *arguments]
        around = {**self._environment, **(variables or {})}
        done = subprocess.run(
            command, input=given, capture_output=True, text=True, env=around, cwd=self._folder, check=False
        )
        if done.returncode != 0:
            raise WorkerError(f"`reverie {' '.join(arguments)}` ended with {done.returncode}: {done.stderr[-300:]}")
        return done.stdout


def _is_free(lock: Path) -> bool:
    with lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


# The command ``hook``: one result file, a row an operation and size.


def hook(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Measure, write, and say it."""
    around = results.surroundings(given)
    with tempfile.TemporaryDirectory(prefix="reverie-hook-") as temporary:
        folder = options.folder or Path(temporary)
        found = run(Plan(options.sizes, folder, options.seed, options.embedder, options.warm, options.cold))
    told = {moment: f"{sum(answers)} of {len(answers)}" for moment, answers in found.told.items()}
    results.write(options.out, found.rows, {**around, "told": told})
    for row in found.rows:
        print(f"{row.op}, {row.size:,} memories: p50 {row.p50_ms:.0f} ms, p95 {row.p95_ms:.0f} ms")
    print(f"told the fact: {told}; wrote {options.out}")

"""A vault of many files: search by the script and by the command, maintenance, and that a second one changes nothing.

In: how many files. Out: rows. Each search is a process of its own, from its start to its last line, in a Python without
packages (the script) or with them (the command); `search-running` asks within a process that goes on, as a linked vault
does. Cold: the files' contents were dropped from memory before, where the system lets one ask; their names stay.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from pathlib import Path

from benchmarks import results
from benchmarks.results import SpeedRow
from benchmarks.speed.corpus import SyntheticCorpus
from benchmarks.speed.measurements import disk_mb, p50, p95, timed_ms
from benchmarks.speed.workers import environment
from reverie.engine.runtime import SystemClock
from reverie.vault.files import Places
from reverie.vault.laws import ocean_laws
from reverie.vault.linking.search import Finder
from reverie.vault.scaffold import lay
from reverie.vault.search import VaultQuery
from reverie.vault.vault import Vault

SYSTEM = "vault"
TODAY = date(2026, 2, 15)
AGENTS = ("hawk", "owl", "wren")
AGES = ("30d", "90d", "180d", "permanent")
LINKED = 0.3
"""Share of observations that build on an earlier one."""
CLI = "from reverie.faces.start import main; main()"
"""What the installed ``reverie`` command does."""


class NotStill(Exception):
    """A second maintenance on one day changed a byte."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured: files in the vault, where it is made, and how many searches."""

    sizes: tuple[int, ...]
    folder: Path
    seed: int = 0
    searches: int = 10


def run(plan: Plan) -> list[SpeedRow]:
    """A row an operation and size. Raises NotStill."""
    rows: list[SpeedRow] = []
    for size in plan.sizes:
        root = plan.folder / f"vault-{size}"
        fill(root, size, plan.seed)
        queries = [query.text for query in SyntheticCorpus(plan.seed).queries(plan.searches, size)]
        lay(root)
        script = [sys.executable, "-S", "-E", "-I", str(root / "scripts" / "memory-search.py"), "--all"]
        command = [sys.executable, "-c", CLI, "vault", "search", "--all", "--vault", str(root)]
        rows += [
            _row("search-script", size, _searches(script, queries)),
            _row("search-script-cold", size, _searches(script, queries, before=partial(drop, root))),
            _row("search-command", size, _searches(command, queries)),
            _row("search-running", size, _searches_of_one_process(root, queries)),
            *_maintained(root, size),
        ]
    return rows


def fill(root: Path, size: int, seed: int) -> None:
    """A vault of three agents, its files as `reverie vault new` writes them, of the last two months."""
    chance, corpus = random.Random(seed), SyntheticCorpus(seed)
    vault = Vault(Places(root), ocean_laws())
    vault.init(AGENTS)
    names: list[str] = []
    for number, message in enumerate(corpus.messages(0, size)):
        agent, created = AGENTS[number % 3], TODAY - timedelta(days=chance.randint(0, 60))
        links = [chance.choice(names)] if names and chance.random() < LINKED else []
        words = message.text.split()
        name = f"obs-{created}-{number + 1:05}"
        lines = [f"tags: [{words[0].strip('.,?!')}]", "importance: 0.5", f"created: {created}"]
        lines += [f"max_age: {chance.choice(AGES)}", f"source: {agent}", "refs: 0", "ref_by: []"]
        lines += [f"backlinks: [{', '.join(links)}]", f"verified: {'true' if chance.random() < 0.05 else 'false'}"]
        text = "\n".join(["---", *lines, "---", message.text, ""])
        (vault.places.vault(agent) / f"{name}.md").write_text(text, "utf-8")
        names.append(f"{agent}/{name}")


def drop(root: Path) -> None:
    """Ask the system to forget what the files say."""
    if not hasattr(os, "posix_fadvise"):
        return
    for path in root.rglob("*.md"):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)  # what is not on the disk yet is not forgotten
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(handle)


def _searches(command: Sequence[str], queries: Sequence[str], before: Callable[[], None] | None = None) -> list[float]:
    times = []
    for query in queries:
        if before is not None:
            before()
        given = [*command, "--today", TODAY.isoformat(), query]
        search = partial(subprocess.run, given, check=True, capture_output=True, env=environment())
        times.append(timed_ms(search))
    return times


def _searches_of_one_process(root: Path, queries: Sequence[str]) -> list[float]:
    """What a linked vault asks: the process goes on, its index stands, and each search looks for changes first."""
    with closing(Finder(Places(root), ocean_laws(), SystemClock(), alone=True)) as finder:
        finder.find(VaultQuery(queries[0]), TODAY)
        return [timed_ms(partial(finder.find, VaultQuery(query), TODAY)) for query in queries]


def _maintained(root: Path, size: int) -> list[SpeedRow]:
    vault = Vault(Places(root), ocean_laws())
    first = timed_ms(lambda: vault.maintain(TODAY))
    before = _digest(root)
    again = timed_ms(lambda: vault.maintain(TODAY))
    if _digest(root) != before:
        raise NotStill(f"{root}: a second maintenance on one day changed something")
    return [_row("maintain", size, [first], disk_mb(root)), _row("maintain-again", size, [again])]


def _digest(root: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.is_file():
            found.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return found.hexdigest()


def _row(op: str, size: int, times_ms: list[float], disk: float | None = None) -> SpeedRow:
    return SpeedRow(SYSTEM, op, size, p50(times_ms), p95(times_ms), None, disk)


# The command ``vault``: one result file, a row an operation and size.


def vault(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Measure, write, and say it."""
    around = results.surroundings(given)
    with tempfile.TemporaryDirectory(prefix="reverie-vault-") as temporary:
        rows = run(Plan(options.sizes, options.folder or Path(temporary), options.seed, options.searches))
    results.write(options.out, rows, around)
    for row in rows:
        print(f"{row.op}, {row.size:,} files: p50 {row.p50_ms:.0f} ms, p95 {row.p95_ms:.0f} ms")
    print(f"wrote {options.out}")

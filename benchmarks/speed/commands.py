"""Whole processes as a user starts them: ``import reverie``, and ``reverie recall`` without and with the model."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.speed.corpus import Query, SyntheticCorpus
from benchmarks.speed.timing import timed_ms
from benchmarks.speed.workers import WorkerError, environment

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

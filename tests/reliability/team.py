"""A team's processes over one PostgreSQL server, for tests to kill: HTTP servers and workers, forked from one parent.

``python -m tests.reliability.team ADDRESS FOLDER`` reads lines (what the next process does), forks it at once and
writes its number. Each ends with its parent, and the parent with its standard input.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx  # noqa: F401 - so that no process has to import it anew
import psycopg_pool  # noqa: F401 - as above, once for all

from reverie import Reverie
from reverie.config import Settings
from reverie.engine.jobs import JobRunner
from reverie.errors import ReverieError
from reverie.faces.http.server import serve
from reverie.faces.http.tokens import Keyring
from reverie.stores.jobs import JobTable
from reverie.stores.postgres import connection
from tests.reliability.watching import ROOT

connection.WAIT_S = 0.5  # so that a killed server is noticed soon
_PAUSE_S = 0.02


def opened(address: str) -> Reverie:
    """The engine, as soon as the server answers."""
    while True:
        try:
            return Reverie.open(address, embedder="hash", background=False)
        except ReverieError:
            time.sleep(_PAUSE_S)


def jobs_of(engine: Reverie, folder: Path) -> JobRunner:
    """The jobs that the team's workers share."""
    return JobRunner(engine._context, engine._parts, JobTable(folder / "jobs"))


def web(address: str, folder: Path) -> None:
    """Serve over HTTP, and leave the address in a file named for this process."""
    settings = Settings()
    settings = replace(settings, serve=replace(settings.serve, host="127.0.0.1", port=0))

    def told(where: str) -> None:
        draft = folder / f"{os.getpid()}.draft"
        draft.write_text(where)
        draft.rename(folder / f"{os.getpid()}.web")

    serve(opened(address), settings, Keyring(folder / "tokens.json"), told)


def worker(address: str, folder: Path) -> None:
    """Do jobs, for ever."""
    jobs = jobs_of(opened(address), folder)
    while True:
        jobs.work()
        time.sleep(_PAUSE_S)


ROLES: dict[str, Callable[[str, Path], None]] = {"web": web, "worker": worker}


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(1)


def main(address: str, folder: str) -> None:
    """Fork a process for each line."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # none is waited for
    parent = os.getpid()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
                ROLES[line.strip()](address, Path(folder))
            finally:
                os._exit(1)
        os.write(1, f"{child}\n".encode())


class Team:
    """The processes, from the test's side."""

    def __init__(self, address: str, folder: Path) -> None:
        self.folder = folder
        self.members: dict[str, list[int]] = {role: [] for role in ROLES}
        self._parent = subprocess.Popen(
            [sys.executable, "-m", "tests.reliability.team", address, str(folder)],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # the servers tell there of every request that failed
            text=True,
        )

    def add(self, role: str) -> None:
        """Start one more."""
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.write(f"{role}\n")
        self._parent.stdin.flush()
        self.members[role].append(int(self._parent.stdout.readline()))

    def kill(self, role: str, which: int) -> None:
        """Kill one, whatever it is doing."""
        os.kill(self.members[role].pop(which % len(self.members[role])), signal.SIGKILL)

    def addresses(self) -> list[str]:
        """Where the HTTP servers that live can be asked."""
        files = [self.folder / f"{member}.web" for member in self.members["web"]]
        return [file.read_text() for file in files if file.exists()]

    def chat(self, first: int, count: int) -> str:
        """The path of a new file of messages, numbered from the first."""
        path = self.folder / f"chat-{first}.jsonl"
        lines = [
            {"text": f"Cup {number} is blue.", "id": f"m{number}", "at": "2026-03-01T12:00:00Z"}
            for number in range(first, first + count)
        ]
        path.write_text("\n".join(map(json.dumps, lines)))
        return str(path)

    def close(self) -> None:
        """End them all."""
        for role in self.members:
            while self.members[role]:
                self.kill(role, 0)
        self._parent.communicate(timeout=30)


if __name__ == "__main__":
    main(*sys.argv[1:])

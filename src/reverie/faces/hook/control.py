"""Looking after the warm process: whether one runs, and ending it. In: nothing. Out: how it stands."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from reverie.faces.hook import client

TIMEOUT_S = 3.0


@dataclass(frozen=True, slots=True)
class State:
    """How the warm process stands: since when it runs, how many calls it had, how many captures wait in it."""

    pid: int
    version: str
    up_s: float
    calls: int
    waiting: int


def status() -> State | None:
    """How it stands; None where none runs."""
    return _asked("reverie:status")


def stop() -> State | None:
    """End it; how it stood, None where none ran. What it had not done is done by the next."""
    return _asked("reverie:stop")


def log_file() -> Path:
    """Where hooks say why they were silent."""
    return Path(client.state_folder(), client.LOG_FILE)


def spooled() -> int:
    """How many calls wait in the spool."""
    folder = Path(client.state_folder(), client.SPOOL)
    return sum(not path.name.startswith(".") for path in folder.iterdir()) if folder.is_dir() else 0


def _asked(ask: str) -> State | None:
    head = [b"version=" + client.version().encode(), b"stamp=0-0", b"event=" + ask.encode()]
    with _in_runtime_folder() as there:
        if not there:
            return None
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
                line.settimeout(TIMEOUT_S)
                line.connect(client.SOCKET)
                line.sendall(client.frame(head, b""))
                with line.makefile("rb") as answer:
                    return State(**json.loads(answer.read()[5:]))
        except (OSError, ValueError, TypeError):
            return None


@contextmanager
def _in_runtime_folder() -> Iterator[bool]:
    """Work from the socket's folder for a while."""
    before = Path.cwd()
    try:
        yield client.enter_runtime_folder()
    finally:
        os.chdir(before)

"""Looking after the warm process: whether one runs, and ending it. In: nothing. Out: how it stands.

A process that does not answer is ended by signals. It is known by the lock it holds, which has its number in it.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from reverie.faces.hook import client

TIMEOUT_S = 3.0
LEAVE_S, TERMINATE_S = 10.0, 3.0
"""How long a process told to end goes on keeping what it was told, and then how long a signal is given to work."""
_STEP_S = 0.02


@dataclass(frozen=True, slots=True)
class ServiceState:
    """How the warm process stands: since when it runs, how many calls it had, how many captures wait in it."""

    pid: int
    version: str
    up_s: float
    calls: int
    waiting: int


def status() -> ServiceState | None:
    """How it stands; None where none runs."""
    return _asked("reverie:status")


def stop() -> ServiceState | None:
    """End it, by force if need be; how it stood, None where none ran. What it had not done is done by the next."""
    state = _asked("reverie:stop")
    with _in_runtime_folder() as there:
        pid = _holder() if there else None
        if pid is None or (state is not None and _gone(pid, LEAVE_S)):
            return state
        for number in (signal.SIGTERM, signal.SIGKILL):
            _send(pid, number)
            if _gone(pid, TERMINATE_S):
                break
    return state or ServiceState(pid, "", 0.0, 0, 0)


def silent() -> int | None:
    """The number of a process that runs; asked for where ``status`` had no answer from it."""
    with _in_runtime_folder() as there:
        return _holder() if there else None


def _holder() -> int | None:
    """The process that holds the lock of the one that serves; None where nobody holds it."""
    try:
        with Path(client.LOCK).open("r+b") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                number = file.read(20)
                return int(number) if number.isdigit() and int(number) > 1 else None
    except OSError:
        pass
    return None


def _gone(pid: int, patience_s: float) -> bool:
    """Whether the process let go of its lock in time."""
    until = time.monotonic() + patience_s
    while _holder() == pid:
        if time.monotonic() > until:
            return False
        time.sleep(_STEP_S)
    return True


def _send(pid: int, number: signal.Signals) -> None:
    """Send a signal to the holder of the lock, and to nobody who got its number since."""
    with suppress(ProcessLookupError):
        if not hasattr(os, "pidfd_open"):  # where there are no handles of processes: nothing lies between the two
            if _holder() == pid:
                os.kill(pid, number)
            return
        handle = os.pidfd_open(pid)
        try:
            if _holder() == pid:
                signal.pidfd_send_signal(handle, number)
        finally:
            os.close(handle)


def log_file() -> Path:
    """Where hooks say why they were silent."""
    return Path(client.state_folder(), client.LOG_FILE)


def spooled() -> int:
    """How many calls wait in the spool."""
    folder = Path(client.state_folder(), client.SPOOL)
    return sum(not path.name.startswith(".") for path in folder.iterdir()) if folder.is_dir() else 0


def _asked(ask: str) -> ServiceState | None:
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
                    return ServiceState(**json.loads(answer.read()[5:]))
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

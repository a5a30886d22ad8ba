"""Inspect and stop the hook's background process.

A process that does not answer is stopped by signals. It is identified by the lock it holds, which contains its id.
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
"""Seconds a process that was told to stop may go on storing, and then seconds to wait after each signal."""
_STEP_S = 0.02


@dataclass(frozen=True, slots=True)
class ServiceState:
    """State of the background process: its uptime, the number of calls it had, and of captures that wait in it."""

    pid: int
    version: str
    up_s: float
    calls: int
    waiting: int


def status() -> ServiceState | None:
    """Return the state of the background process; None if none runs or answers."""
    return _asked("reverie:status")


def stop() -> ServiceState | None:
    """Stop the process, by force if need be; return its last state, or None if none ran. The next one does what is
    left.
    """
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
    """Return the id of a running process; used when it did not answer ``status``."""
    with _in_runtime_folder() as there:
        return _holder() if there else None


def _holder() -> int | None:
    """Return the id of the process that holds the service's lock; None if nobody holds it."""
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
    """Whether the process released its lock in time."""
    until = time.monotonic() + patience_s
    while _holder() == pid:
        if time.monotonic() > until:
            return False
        time.sleep(_STEP_S)
    return True


def _send(pid: int, number: signal.Signals) -> None:
    """Send a signal to the lock's holder, but not to another process that has got its id since."""
    with suppress(ProcessLookupError):
        if not hasattr(os, "pidfd_open"):  # a system without process handles
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
    """Return the path of the log in which hooks say why they were silent."""
    return Path(client.state_folder(), client.LOG_FILE)


def spooled() -> int:
    """Return how many calls wait in the spool."""
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
    """Change to the socket's folder for the duration of a block."""
    before = Path.cwd()
    try:
        yield client.enter_runtime_folder()
    finally:
        os.chdir(before)

"""Looking after the warm process from the command line."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from reverie.faces.hook import control
from tests.faces.hook.conftest import Home


@pytest.fixture(autouse=True)
def _at_home(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_RUNTIME_DIR", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home.path))


def test_nothing_runs() -> None:
    """There is nothing to tell and nothing to stop, and asking starts nothing."""
    assert control.status() is None
    assert control.stop() is None
    assert control.spooled() == 0


def test_it_tells_of_the_process_and_ends_it(home: Home) -> None:
    """The state, from whatever folder one asks, and afterwards nothing runs."""
    before = Path.cwd()
    home.say("SessionStart")
    state = control.status()
    assert state is not None
    assert (state.calls, state.pid > 0) == (1, True)
    assert Path.cwd() == before
    assert control.stop() is not None
    home.stop()
    assert control.status() is None


def test_what_waits_is_counted(home: Home) -> None:
    """Calls in the spool, and the log beside it."""
    folder = home.state / "hook-spool"
    folder.mkdir(parents=True)
    (folder / "1-1").write_bytes(b"")
    (folder / ".2-1.part").write_bytes(b"")
    assert control.spooled() == 1
    assert control.log_file() == home.state / "hook.log"
    (folder / "1-1").unlink()


HUNG = """
import fcntl, os, signal, socket, sys, time
if sys.argv[1] == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
file = os.open("hook.lock", os.O_RDWR | os.O_CREAT, 0o600)
fcntl.flock(file, fcntl.LOCK_EX)
os.pwrite(file, str(os.getpid()).encode(), 0)
door = socket.socket(socket.AF_UNIX)
door.bind("hook.sock")
door.listen(1)
print("hangs", flush=True)
while True:
    time.sleep(60)
"""
"""A process in the place of the warm one, which takes calls in and answers none."""


@pytest.mark.parametrize(("how", "ended_by"), [("hears", signal.SIGTERM), ("deaf", signal.SIGKILL)])
def test_a_process_that_hangs_is_ended(
    home: Home, monkeypatch: pytest.MonkeyPatch, how: str, ended_by: signal.Signals
) -> None:
    """It is named where somebody asks, and ended by a signal, by force if it does not listen to the first."""
    monkeypatch.setattr(control, "TIMEOUT_S", 0.1)
    monkeypatch.setattr(control, "TERMINATE_S", 1.0)
    home.runtime.mkdir(parents=True, mode=0o700)
    hung = subprocess.Popen([sys.executable, "-c", HUNG, how], cwd=home.runtime, stdout=subprocess.PIPE)
    assert hung.stdout is not None
    assert hung.stdout.readline() == b"hangs\n"
    assert (control.status(), control.silent()) == (None, hung.pid)
    state = control.stop()
    assert state is not None
    assert state.pid == hung.pid
    assert hung.wait(10) == -ended_by
    hung.stdout.close()
    assert (control.stop(), control.silent()) == (None, None)


@pytest.mark.parametrize("held_by", ["nobody", "another"])
def test_no_other_process_is_ended(home: Home, monkeypatch: pytest.MonkeyPatch, held_by: str) -> None:
    """A number that was left in the lock's file, or is none, ends nobody: only who holds the lock is meant."""
    monkeypatch.setattr(control, "TIMEOUT_S", 0.1)
    sent: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, _: sent.append(pid))
    monkeypatch.setattr(signal, "pidfd_send_signal", lambda handle, _: sent.append(handle))
    home.runtime.mkdir(parents=True, mode=0o700)
    lock = home.runtime / "hook.lock"
    lock.write_text(str(os.getpid()) if held_by == "nobody" else "-1")
    with lock.open("rb") as file:
        if held_by == "another":
            fcntl.flock(file, fcntl.LOCK_EX)
        assert control.stop() is None
    assert sent == []


def test_a_signal_reaches_only_who_still_holds_the_lock(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that got the number of one that ended meanwhile is left alone."""
    sent: list[object] = []
    monkeypatch.setattr(signal, "pidfd_send_signal", lambda *given: sent.append(given))
    monkeypatch.setattr(control, "_holder", lambda: None)
    control._send(os.getpid(), signal.SIGTERM)
    assert sent == []

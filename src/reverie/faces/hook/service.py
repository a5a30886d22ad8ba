"""The background process: answer hooks' calls, and commands that read, over a Unix socket; it ends when idle.

There is one for each user. It accepts calls before the engine is loaded, and writes each of a hook to the spool before
it confirms it: from then on a call is handled once, whatever happens to this process.
"""

from __future__ import annotations

import fcntl
import gc
import json
import os
import signal
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from typing import TYPE_CHECKING, Protocol

from reverie.faces.hook.client import (
    DEADLINES,
    LOCK,
    MOVED,
    SOCKET,
    SPOOL,
    WARM,
    WARMING,
    enter_runtime_folder,
    log,
    state_folder,
    version,
)
from reverie.faces.hook.frames import BadFrame, HookCall, Spool, parse, receive, spooled
from reverie.faces.hook.warm import GO, NOT_HERE, PREPARE, RUN

if TYPE_CHECKING:
    from reverie.faces.hook.answers import HookServing


TICK_S = 0.25
LOCK_PATIENCE_S = 30.0
LINE_TIMEOUT_S = 5.0
CALLS_AT_ONCE = 16
STAMPS_KEPT = 1000
LOADING_S = 30.0
PATIENCE_S, HURRIED_S = 30.0, 2.0
"""Seconds a leaving process goes on storing; fewer when another process is to replace it."""


class Commands(Protocol):
    """Runs commands of the command line on this process's engines; handed in, as no face imports another."""

    def run(self, call: HookCall, serving: HookServing, begin: Callable[[], bool]) -> tuple[bool, bytes]:
        """Return True and a command's output; or False, if it must run in its own process, and what to show there.

        ``begin`` is called before anything is recalled; it returns whether the caller still waits.
        """

    def prepare(self, call: HookCall, serving: HookServing) -> None:
        """Open the store that a command reads."""


def main(commands: Callable[[], Commands] | None = None, first: bytes = b"") -> int:
    """Serve until idle, stopped, or replaced by another version; 0 also if another process serves already.

    ``commands`` makes what runs commands; ``first`` is a frame to begin with.
    """
    os.umask(0o077)
    gc.disable()  # until the first answer: what a cold start loads stays, and looking through it costs a tenth of it
    if not enter_runtime_folder():
        log("no private folder of this user for the socket")
        return 1
    lock = _lock()
    if lock is None:
        return 0
    try:
        HookService(Spool(Path(state_folder(), SPOOL)), commands).run(first)
    except Exception as fault:  # noqa: BLE001 -- the process's edge: nobody sees its streams, the log does
        log(f"service failed: {type(fault).__name__}")
        return 1
    return 0


def _lock() -> int | None:
    """Take the service's lock; None if another process serves. Waits for one that is about to leave."""
    file = os.open(LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    until = time.monotonic() + LOCK_PATIENCE_S
    while time.monotonic() < until:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(file, 0)
            os.pwrite(file, str(os.getpid()).encode(), 0)  # the process to kill if it stops answering
            return file
        except BlockingIOError:
            if is_served():
                break
            time.sleep(0.02)
    os.close(file)
    return None


def is_served() -> bool:
    """Whether a process listens at the socket."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(1.0)
            line.connect(SOCKET)
            return True
    except OSError:
        return False


@dataclass(frozen=True, slots=True)
class _Work:
    """A call to be kept, in order of arrival, once it was answered."""

    call: HookCall
    answered: threading.Event


class HookService:
    """The socket, the queue of calls to be kept, and the engine behind them."""

    def __init__(self, spool: Spool, commands: Callable[[], Commands] | None = None) -> None:
        self._spool = spool
        self._new_commands = commands
        self._commands: Commands | None = None
        self._queue: Queue[_Work] = Queue()
        self._known: set[str] = set()
        self._done: deque[str] = deque(maxlen=STAMPS_KEPT)
        self._leaving = threading.Event()
        self._ready = threading.Event()
        self._worker = threading.Thread(target=self._work, name="reverie-hook-work", daemon=True)
        self._places = threading.BoundedSemaphore(CALLS_AT_ONCE)
        self._serving: HookServing | None = None
        self._written = (0, 0)
        self._door = 0
        self._open = 0
        self._lock = threading.Lock()
        self._version = version()
        self._patience_s = PATIENCE_S
        self._heard = self._began = time.monotonic()
        self._calls = 0

    def run(self, first: bytes = b"") -> None:
        """Listen for calls until idle, stopped or replaced; ``first`` is the frame of a command to be prepared for."""
        Path(SOCKET).unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
            door.bind(SOCKET)
            self._door = Path(SOCKET).stat().st_ino
            door.listen(64)
            door.settimeout(TICK_S)
            signal.signal(signal.SIGTERM, lambda *_: self._leaving.set())
            self._worker.start()
            log(f"service started, {sys.version_info.major}.{sys.version_info.minor}")
            if first:
                threading.Thread(target=self._prepare_first, args=(first,), daemon=True).start()
            self._take_spooled()  # now, because a process that is stopped at once would leave them to the next
            self._listen(door)
            if self._is_at_the_door():
                Path(SOCKET).unlink(missing_ok=True)
        self._leave()

    # --- taking in ---------------------------------------------------------------------------------------------------

    def _listen(self, door: socket.socket) -> None:
        while not self._leaving.is_set():
            try:
                line, _ = door.accept()
            except TimeoutError:
                self._tick()
                continue
            self._heard = time.monotonic()
            while not self._places.acquire(timeout=TICK_S):
                if self._leaving.is_set():
                    line.close()
                    return
            threading.Thread(target=self._hear, args=(line,), daemon=True).start()

    def _hear(self, line: socket.socket) -> None:
        with self._lock:
            self._open += 1
        try:
            with line:
                line.settimeout(LINE_TIMEOUT_S)
                self._take(line)
        except BadFrame as fault:
            log(f"silent: {fault}")
        except OSError as fault:
            log(f"a caller has gone: {type(fault).__name__}")
        finally:
            self._places.release()
            with self._lock:
                self._open -= 1
            self._heard = time.monotonic()

    def _take(self, line: socket.socket) -> None:
        """Receive a call, confirm it, answer it, and only then keep what it brings."""
        try:
            frame = receive(line.recv)
        except BadFrame:
            return  # only a test whether somebody listens
        call = parse(frame)
        if call.event in ("reverie:status", "reverie:stop"):
            self._told(line, call.event)
            return
        if call.version != self._version:
            self._make_room()
            line.sendall(MOVED)
            log("another version calls: leaving")
            return
        if call.event in (RUN, PREPARE):
            self._command(line, call)
            return
        answered = threading.Event()
        try:
            if self._is_ours(call, frame):
                self._queue.put(_Work(call, answered))
            line.sendall(WARM if self._is_warm() else WARMING)
            self._answer(line, call)
        finally:
            answered.set()

    def _command(self, line: socket.socket, call: HookCall) -> None:
        """Answer a command, if its store is open here; nothing is said before that is known."""
        serving = self._serving if self._commands is not None else None
        if call.event == PREPARE:
            line.sendall(WARM)
            line.close()
            self._prepare(call)
            return
        if serving is None or self._commands is None:
            line.sendall(NOT_HERE)
            return

        def begin() -> bool:
            line.sendall(WARM)
            return line.recv(1) == GO

        self._calls += 1
        answered, said = self._commands.run(call, serving, begin)
        line.sendall((WARM if answered else NOT_HERE) + said)

    def _prepare_first(self, frame: bytes) -> None:
        try:
            self._prepare(parse(frame))
        except BadFrame as fault:
            log(f"silent: {fault}")

    def _prepare(self, call: HookCall) -> None:
        serving = self._loaded()
        self._load_commands()
        if serving is not None and self._commands is not None:
            self._commands.prepare(call, serving)
            self._heard = time.monotonic()

    def _load_commands(self) -> None:
        """Load the command line's code, once."""
        make, self._new_commands = self._new_commands, None
        if make is not None:
            try:
                self._commands = make()
            except Exception as fault:  # noqa: BLE001 -- without it commands run on their own; the log tells
                log(f"the command line cannot be loaded: {type(fault).__name__}")

    def _make_room(self) -> None:
        """Remove the socket before the caller starts another process, which would exit if this one still listened."""
        self._patience_s = HURRIED_S
        self._leaving.set()
        is_served()  # a connection, which wakes the listener
        if self._is_at_the_door():
            Path(SOCKET).unlink(missing_ok=True)

    def _is_warm(self) -> bool:
        return self._ready.is_set() and self._serving is not None and not self._serving.loading

    def _answer(self, line: socket.socket, call: HookCall) -> None:
        self._calls += 1
        serving = self._loaded()
        answer = serving.answer(call) if serving else None
        said = answer.said if answer else b""
        line.sendall(len(said).to_bytes(4, "big") + said)
        if answer:
            answer.delivered()
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        self._note_limits()

    def _is_ours(self, call: HookCall, frame: bytes) -> bool:
        """Whether this process must keep the call: not if it was done or is in hand. From here on the spool holds it.

        If the spool cannot be written, the call is kept anyway, and lost only if this process is killed before.
        """
        with self._lock:
            if call.stamp in self._known or call.stamp in self._done:
                return False
            self._known.add(call.stamp)
        try:
            self._spool.put(call.stamp, spooled(frame))
        except OSError as fault:
            log(f"the spool cannot be written ({fault.errno})")
        return True

    def _told(self, line: socket.socket, ask: str) -> None:
        state = {
            "pid": os.getpid(),
            "version": self._version,
            "up_s": round(time.monotonic() - self._began, 1),
            "calls": self._calls,
            "waiting": self._queue.qsize(),
        }
        answer = json.dumps(state).encode()
        line.sendall(WARM + len(answer).to_bytes(4, "big") + answer)
        if ask == "reverie:stop":
            self._leaving.set()

    # --- working -----------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        """Load the engine's code, then keep queued calls, first those that an earlier process left."""
        try:
            from reverie.faces.hook.answers import HookServing

            self._serving = HookServing(log)
        except Exception as fault:  # noqa: BLE001 -- without an engine there is silence; the log tells
            log(f"the engine cannot be loaded: {type(fault).__name__}")
            self._leaving.set()
        finally:
            self._ready.set()
        while self._serving is not None:
            try:
                work = self._queue.get(timeout=TICK_S)
            except Empty:
                if self._leaving.is_set():
                    return
                if self._calls and not self._open and self._is_warm():  # no host waits while it is loaded
                    self._load_commands()
                continue
            work.answered.wait(LOADING_S)
            self._keep(self._serving, work.call)

    def _keep(self, serving: HookServing, call: HookCall) -> None:
        stamp, done = call.stamp, serving.keep(call)
        if done:  # otherwise it stays known and in the spool: the next process tries again
            self._spool.done(stamp)
            with self._lock:
                self._done.append(stamp)
                self._known.discard(stamp)
        self._heard = time.monotonic()
        if not self._leaving.is_set():
            serving.rehearse(call)

    def _loaded(self) -> HookServing | None:
        self._ready.wait(LOADING_S)
        return self._serving

    def _tick(self) -> None:
        """Take in what clients spooled, and leave after a long time without calls."""
        self._take_spooled()
        if not self._is_at_the_door():  # unreachable, and another process may have taken over
            log("the socket was taken away: leaving")
            self._leaving.set()
            return
        with self._lock:
            busy = self._open > 0
        idle = self._serving.limits.idle_minutes * 60 if self._serving else 3600.0
        if not busy and self._queue.empty() and time.monotonic() - self._heard > idle:
            log("service idle: leaving")
            self._leaving.set()

    def _take_spooled(self) -> None:
        for stamp, frame in self._spool.waiting(self._is_known):
            with self._lock:
                if stamp in self._known:
                    continue
                self._known.add(stamp)
            self._take_in(stamp, frame)

    def _is_known(self, stamp: str) -> bool:
        with self._lock:
            return stamp in self._known

    def _is_at_the_door(self) -> bool:
        """Whether the socket in the folder is the one this process listens at."""
        try:
            return Path(SOCKET).stat().st_ino == self._door
        except OSError:
            return False

    def _take_in(self, stamp: str, frame: bytes) -> None:
        try:
            call = parse(frame)
        except BadFrame as fault:
            log(f"a spooled call is none: {fault}")
            self._spool.done(stamp)
            return
        if stamp in self._done:
            self._spool.done(stamp)
            return
        answered = threading.Event()
        answered.set()
        self._queue.put(_Work(call, answered))

    def _note_limits(self) -> None:
        """Write down the deadlines of the settings for the clients, if they changed."""
        if self._serving is None:
            return
        limits = (self._serving.limits.deadline_ms, self._serving.limits.start_ms)
        if limits != self._written:
            self._written = limits
            part = Path(f".{DEADLINES}.part")
            part.write_text(f"{limits[0]} {limits[1]}\n", encoding="ascii")
            part.replace(DEADLINES)

    def _leave(self) -> None:
        """Let waiting callers have their answers, keep what is queued, close the stores. The spool holds the rest."""
        until = time.monotonic() + LINE_TIMEOUT_S
        while self._open and time.monotonic() < until:
            time.sleep(0.01)
        self._worker.join(self._patience_s)
        if self._serving is not None:
            self._serving.close()
        log("service ended")


if __name__ == "__main__":
    sys.exit(main())

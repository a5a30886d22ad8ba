"""The hook's own process: pass the host's JSON from standard input to the background process, and print its answer.

It imports only a small part of the standard library, because an agent waits for it. Whatever goes wrong, it prints
nothing and exits with 0; the reason is in the log. A call that could not be delivered is put into the spool, from which
the next background process takes it.
"""

# ruff: noqa: PTH100, PTH101, PTH103, PTH104, PTH109, PTH111, PTH116, PTH117, PTH118, PTH120, PTH123 -- loading pathlib takes as long as all the rest of this process
from __future__ import annotations

import _socket
import os
import sys
import time

from reverie import __version__

MAGIC = b"reverie-hook 1\n"
WARM, WARMING, MOVED = b"+", b"~", b"!"
"""First byte of the background process's reply: ready; still loading; about to make room for another version."""
SOCKET, DEADLINES, LOCK = "hook.sock", "deadlines", "hook.lock"
LOG_FILE, SPOOL = "hook.log", "hook-spool"
DEADLINE_MS, START_MS = 300, 850
"""Deadlines in milliseconds until the background process has written down those of the settings."""
STDIN_MAX = 64 * 1024 * 1024
LOG_MAX = 1024 * 1024
LINE_MAX = 500
NO_ANSWER = "no answer before the deadline"
NOT_TAKEN = "the warm process did not take the call in time"
_POLL_S = 0.005
_GRACE_S = 0.05  # to read what the host has written, even after the deadline
_CHUNK = 1 << 16
_KIND, _ORDINARY = 0o170000, 0o100000  # S_IFMT and S_IFREG of the module stat
_NO_LINK = os.O_NOFOLLOW | os.O_NONBLOCK if hasattr(os, "O_NOFOLLOW") else 0
_SENT = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "USER", "LOGNAME")
SERVICE = ("-P", "-m", "reverie.faces.start", "background")
"""How Python starts the background process; -P: the current folder is never searched for modules."""
SECRET = ("_KEY", "_TOKEN", "SECRET", "_PASSWORD")


class Late(Exception):
    """The deadline passed; ``received``: the background process has the call anyway, so it need not be spooled."""

    def __init__(self, why: str, *, received: bool = False) -> None:
        super().__init__(why)
        self.received = received


def main(argv: list[str]) -> int:
    """Serve one call of a host; always returns 0. ``argv``: --host NAME and --event NAME, if the JSON does not say."""
    began = time.monotonic()
    stamp = f"{time.time_ns():020d}-{os.getpid()}"
    try:
        return _serve(argv, began, stamp)
    except Exception as fault:  # noqa: BLE001 -- the agent's loop must never break; the log tells
        log(f"client failed: {type(fault).__name__}")
    return 0


def _serve(argv: list[str], began: float, stamp: str) -> int:
    cwd, state = os.getcwdb(), state_folder()
    try:
        if not enter_runtime_folder():
            log("no private folder of this user for the socket")
            return 0
        limits = _deadlines()
        said = _stdin(began + limits[1])
    except Late as late:
        log(str(late))
        return 0
    head = [b"version=" + version().encode(), b"stamp=" + stamp.encode(), b"cwd=" + cwd, *options(argv)]
    try:
        answer = _handed_over(frame([*head, *variables(secret=True)], said), began, limits)
    except (Late, OSError) as fault:
        log(f"silent after {(time.monotonic() - began) * 1000:.0f} ms: {fault}")
        if not getattr(fault, "received", False):
            spool(frame([*head, *variables(secret=False)], said), stamp, state)
        return 0
    _write(answer)
    return 0


# --- the call --------------------------------------------------------------------------------------------------------


def _handed_over(call: bytes, began: float, limits: tuple[float, float]) -> bytes:
    """Send the call and wait for its answer; start the background process if none listens."""
    until, started = began + limits[0], False
    while True:
        try:
            return _asked(call, until, began + limits[1])
        except (ConnectionError, FileNotFoundError, _Moved):
            until = began + limits[1]
            if not started:
                start_service()
                started = True
        if time.monotonic() + _POLL_S > until:
            raise Late("no warm process could be reached")
        time.sleep(_POLL_S)


class _Moved(Exception):
    """The background process runs another version's code and makes room."""


def _asked(call: bytes, until: float, until_started: float) -> bytes:
    line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)  # importing socket takes 8 ms
    try:
        line.settimeout(max(0.0, until - time.monotonic()))
        line.connect(SOCKET)  # even when time is up: it fails at once if nobody listens
        _limit(line, until, received=False)
        heard = _taken(line, call)
        return _answer(line, until_started if heard == WARMING else until)
    finally:
        line.close()


def _taken(line: _socket.socket, call: bytes) -> bytes:
    """Send the call; return the first byte of the reply."""
    try:
        line.sendall(call)
        heard = line.recv(1)
    except TimeoutError:
        raise Late(NOT_TAKEN) from None
    if heard == MOVED:
        raise _Moved
    if heard not in (WARM, WARMING):
        raise ConnectionResetError
    return heard


def _answer(line: _socket.socket, until: float) -> bytes:
    """Read the answer until the connection is closed; raise Late if it is incomplete."""
    parts: list[bytes] = []
    try:
        while True:
            _limit(line, until, received=True)
            part = line.recv(_CHUNK)
            if not part:
                break
            parts.append(part)
    except (TimeoutError, ConnectionError):
        raise Late(NO_ANSWER, received=True) from None
    answer = b"".join(parts)
    if len(answer) < 4 or len(answer) - 4 != int.from_bytes(answer[:4], "big"):
        raise Late("the answer was cut short", received=True)
    return answer[4:]


def _limit(line: _socket.socket, until: float, *, received: bool) -> None:
    left = until - time.monotonic()
    if left <= 0:
        raise Late(NO_ANSWER if received else NOT_TAKEN, received=received)
    line.settimeout(left)


def _stdin(until: float) -> bytes:
    """Read all of standard input; raise Late if it does not end in time or is too large.

    It allows a moment even after that time: on a busy machine the time may have passed before the first look.
    """
    import select

    parts: list[bytes] = []
    size, until = 0, max(until, time.monotonic() + _GRACE_S)
    while True:
        if not select.select([0], [], [], max(0.0, until - time.monotonic()))[0]:
            raise Late("the standard input did not end in time")
        part = os.read(0, _CHUNK)
        if not part:
            return b"".join(parts)
        parts.append(part)
        size += len(part)
        if size > STDIN_MAX:
            raise Late("the standard input is too large")


def _write(answer: bytes) -> None:
    done = 0
    while done < len(answer):
        done += os.write(1, answer[done:])


def options(argv: list[str]) -> list[bytes]:
    """Return ``--host`` and ``--event``; other arguments are ignored, since a host may add its own."""
    found = []
    for name, value in zip(argv, argv[1:], strict=False):  # noqa: RUF007 - no itertools for this
        if name in ("--host", "--event"):
            found.append(os.fsencode(f"{name[2:]}={value}"))
    return found


def variables(*, secret: bool) -> list[bytes]:
    """Return the environment variables that the background process reads instead of its own."""
    return [
        b"env=" + os.fsencode(f"{name}={value}")
        for name, value in os.environ.items()
        if name in _SENT or (name.startswith("REVERIE_") and (secret or not name.endswith(SECRET)))
    ]


def frame(head: list[bytes], body: bytes) -> bytes:
    """Return a call in its binary form: the lengths of its two parts, then the parts."""
    first = b"\0".join(head)
    return MAGIC + len(first).to_bytes(4, "big") + len(body).to_bytes(4, "big") + first + body


def version() -> str:
    """Return what must match in both processes: the version, its path, and the age of its code."""
    here = os.path.dirname(os.path.abspath(__file__))
    return f"{__version__} {here} {os.stat(here).st_mtime_ns}"


# --- folders ---------------------------------------------------------------------------------------------------------


def enter_runtime_folder(*, make: bool = True) -> bool:
    """Change to the private folder of the socket, so that its path is short enough; False if there is none.

    ``make``: make it where it is missing.
    """
    bases = (os.environ.get("XDG_RUNTIME_DIR"), os.path.join(_home(), ".cache"))
    return any(_entered(os.path.join(base, "reverie"), make=make) for base in bases if base)


def _entered(folder: str, *, make: bool) -> bool:
    try:
        if make:
            os.makedirs(folder, 0o700, exist_ok=True)
        os.chdir(folder)
        held = os.stat(".")
        if held.st_uid != os.getuid():
            return False
        if held.st_mode & 0o077:
            os.chmod(".", 0o700)
    except OSError:
        return False
    return True


def state_folder() -> str:
    """Return the folder of the log and the spool, which survive a logout."""
    base = os.environ.get("XDG_STATE_HOME", "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(_home(), ".local", "state"), "reverie")


def _home() -> str:
    return os.environ.get("HOME") or os.environ.get("USERPROFILE") or os.path.expanduser("~")


def _deadlines() -> tuple[float, float]:
    """Return the seconds a warm and a cold call may take: from the environment, else as last noted, else defaults."""
    try:
        with open(DEADLINES, encoding="ascii") as file:
            warm, cold = map(int, file.read().split())
    except (OSError, ValueError):
        warm, cold = DEADLINE_MS, START_MS
    warm = _number("REVERIE_HOOK_DEADLINE_MS", warm)
    return warm / 1000, max(warm, _number("REVERIE_HOOK_START_MS", cold)) / 1000


def _number(name: str, otherwise: int) -> int:
    text = os.environ.get(name, "")
    return int(text) if text.isascii() and text.isdigit() else otherwise


# --- spool, log, start -----------------------------------------------------------------------------------------------


def spool(call: bytes, stamp: str, state: str) -> None:
    """Put a call into the spool under its stamp; a file already there is the same call."""
    folder = os.path.join(state, SPOOL)
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        part = os.path.join(folder, f".{stamp}.part")
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(call)
        os.rename(part, os.path.join(folder, stamp))
    except OSError as fault:
        log(f"a call was lost: the spool cannot be written ({fault.errno})")


def log(what: str) -> None:
    """Write one line to the log, which is rotated when full. Never write a memory's text or a secret."""
    try:
        folder = state_folder()
        os.makedirs(folder, 0o700, exist_ok=True)
        path = os.path.join(folder, LOG_FILE)
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _NO_LINK, 0o600)
        try:
            held = os.fstat(file)
            own = held.st_uid if _NO_LINK == 0 else os.geteuid()
            if (held.st_mode & _KIND, held.st_uid, held.st_nlink) != (_ORDINARY, own, 1):
                return
            if held.st_size > LOG_MAX and _NO_LINK:  # Windows renames no open file
                os.rename(path, f"{path}.1")
            at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            line = " ".join(what.split())[:LINE_MAX]  # it may contain text from a host
            os.write(file, f"{at} {os.getpid()} {line}\n".encode("utf-8", "replace"))
        finally:
            os.close(file)
    except OSError:
        pass


def start_service() -> None:
    """Start the background process detached from the host: its own session, no pipes, no parent here."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        os.setsid()
        if os.fork() == 0:
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            os.closerange(3, 4096)
            os.execv(sys.executable, [sys.executable, *SERVICE])
    finally:
        os._exit(0)

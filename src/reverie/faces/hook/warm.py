"""Have the background process answer a command that reads: this is the side of the command's own process.

In: the words that were typed. Out: what the command prints, or why it must be run here. Like ``client`` it imports only
a small part of the standard library. The background process first says that it can answer; only when it was told to go
on does it recall, and count that. So a process that hangs costs ``READY_S``, and no recall is counted twice.
"""

# ruff: noqa: PTH109 -- as in client: loading pathlib takes as long as all the rest of this process
from __future__ import annotations

import _socket
import os
import sys
import time

from reverie.faces import READING
from reverie.faces.hook.client import (
    MOVED,
    SOCKET,
    WARM,
    WARMING,
    enter_runtime_folder,
    frame,
    variables,
    version,
)

RUN, PREPARE = "reverie:run", "reverie:prepare"
"""Events of the frames: answer a command; open the store that it would read, for the next one."""
NOT_HERE, GO = b"-", b"g"
"""The background process cannot answer, and what follows are notes that will not be shown again; it may go on."""
READY_S, ANSWER_S = 0.3, 5.0
"""Seconds until the process must have said that it can answer, and then until it must have answered."""
OFF = "REVERIE_HOOK_COMMAND_LINE"
_NO = ("false", "0", "no")
_FLAGS = ("--json", "--no-model")
_VALUES = ("--store", "--agent", "--user", "--project", "--embedder", "--reranker", "--recipe")
_KIND, _SOCKET_FILE = 0o170000, 0o140000  # S_IFMT and S_IFSOCK of the module stat
_CHUNK = 1 << 16
_WIDTH = 80


class Reply:
    """What came of asking the background process.

    Attributes:
        answered: whether ``out`` and ``err`` are the command's whole output.
        nobody: whether no process runs that could be asked.
        cold: whether the process runs, but has not opened this store with these settings.
    """

    def __init__(self, out: str = "", err: str = "", *, answered: bool = False) -> None:
        self.out, self.err, self.answered = out, err, answered
        self.nobody = self.cold = False


def is_reading(typed: list[str]) -> bool:
    """Whether the command, behind the common options, is one of ``READING``."""
    words = iter(typed)
    for word in words:
        if word in _VALUES:
            next(words, None)
        elif word not in _FLAGS and not word.startswith(tuple(f"{name}=" for name in _VALUES)):
            return word in READING
    return False


def is_off() -> bool:
    """Whether a variable says that commands do not use the background process; the settings may say it, too."""
    return os.environ.get(OFF, "").lower() in _NO


def ask(typed: list[str], event: str = RUN) -> Reply:
    """Ask the background process to do something for a command. Never raises for what that process does or is."""
    reply, until = Reply(), time.monotonic() + READY_S
    if sys.stdout is None or sys.stderr is None:
        return reply
    try:
        here = os.open(".", os.O_RDONLY)
    except OSError:
        return reply
    try:
        call = call_of(event, typed, os.getcwdb())
        if not enter_runtime_folder(make=False):
            reply.nobody = True
            return reply
        _asked(call, reply, until)
    except (FileNotFoundError, ConnectionRefusedError):
        reply.nobody = True
    except (OSError, ValueError):
        pass  # it hangs, has died, is somebody else's, or says what no process of ours does
    finally:
        os.fchdir(here)
        os.close(here)
    return reply


def prepare(typed: list[str]) -> None:
    """Have the running process open the store that a command read, so that it answers the next one."""
    ask(typed, PREPARE)


def call_of(event: str, typed: list[str], cwd: bytes) -> bytes:
    """Return the frame of a call: the command's words, and what its output depends on besides."""
    head = [b"version=" + version().encode(), b"stamp=0-0", b"event=" + event.encode(), b"cwd=" + cwd]
    body = [str(_columns()).encode(), b"plain" if _is_plain() else b"", *map(os.fsencode, typed)]
    return frame([*head, *variables(secret=True)], b"\0".join(body))


def write(reply: Reply) -> None:
    """Write the command's output to the streams of this process. Raises OSError if they take none."""
    for stream, text in ((sys.stderr, reply.err), (sys.stdout, reply.out)):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr] # a stream of the system's
        stream.write(text)
        stream.flush()


def _asked(call: bytes, reply: Reply, until: float) -> None:
    """Call the process and put what it says into ``reply``. Raises OSError, ValueError."""
    held = os.lstat(SOCKET)
    if held.st_mode & _KIND != _SOCKET_FILE or held.st_uid != os.getuid():
        raise ValueError("the socket is not ours")
    line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        _limit(line, until)
        line.connect(SOCKET)
        if _peer(line) != os.getuid():
            raise ValueError("the process is not ours")
        _limit(line, until)
        line.sendall(call)
        _limit(line, until)
        first = line.recv(1)
        if first == MOVED:
            reply.nobody = True
        elif first == NOT_HERE:
            reply.cold = True
            _limit(line, until)
            reply.err = _rest(line, until).decode()
        elif first == WARM:
            line.sendall(GO)
            _answer(line, reply, time.monotonic() + ANSWER_S)
        elif first != WARMING:
            raise ValueError("no answer of this protocol")
    finally:
        line.close()


def _answer(line: _socket.socket, reply: Reply, until: float) -> None:
    said = _rest(line, until)
    if said[:1] != WARM:
        return
    size, out = int.from_bytes(said[1:5], "big"), int.from_bytes(said[5:9], "big")
    if len(said) != size + 9:
        raise ValueError("the answer was cut short")
    reply.out, reply.err, reply.answered = said[9 : 9 + out].decode(), said[9 + out :].decode(), True


def _rest(line: _socket.socket, until: float) -> bytes:
    parts: list[bytes] = []
    while True:
        _limit(line, until)
        part = line.recv(_CHUNK)
        if not part:
            return b"".join(parts)
        parts.append(part)


def _limit(line: _socket.socket, until: float) -> None:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    line.settimeout(left)


def _peer(line: _socket.socket) -> int:
    """Return the user who runs the process at the other end; ours where the system does not tell."""
    if not hasattr(_socket, "SO_PEERCRED"):
        return os.getuid()
    told = line.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)  # process, user and group, each an int
    return int.from_bytes(told[4:8], sys.byteorder)


def _columns() -> int:
    """Return the width of the terminal, found as by ``shutil.get_terminal_size``; 0 if the output is none."""
    if not sys.stdout.isatty():
        return 0
    try:
        named = int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        named = 0
    if named > 0:
        return named
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or _WIDTH  # type: ignore[union-attr] # as there
    except (AttributeError, ValueError, OSError):
        return _WIDTH


def _is_plain() -> bool:
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"

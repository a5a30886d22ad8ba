"""Calls as they come over the socket and out of the spool: in, bytes; out, the call. What is spooled survives."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from reverie.faces.hook.client import MAGIC, SECRET, STDIN_MAX

# Calls as they come over the socket and out of the spool: in, bytes; out, the call.


HEAD_MAX = 4 * 1024 * 1024


class BadFrame(Exception):
    """The bytes are no call."""


@dataclass(frozen=True, slots=True)
class HookCall:
    """One hook call: who called, from where, amid which settings, and the host's JSON.

    ``stamp`` is the call's own name, its time in nanoseconds first; ``host`` and ``event`` are empty where the command
    line does not say them.
    """

    version: str
    stamp: str
    cwd: str
    environment: dict[str, str]
    body: bytes
    host: str = ""
    event: str = ""


def receive(read: Callable[[int], bytes]) -> bytes:
    """One whole frame from a reader of so many bytes. Raises BadFrame."""
    fixed = _exactly(read, len(MAGIC) + 8)
    if not fixed.startswith(MAGIC):
        raise BadFrame("no call of this protocol")
    head, body = _lengths(fixed)
    return fixed + _exactly(read, head + body)


def parse(frame: bytes) -> HookCall:
    """The call in a frame; parts of other names, as older clients send, say nothing. Raises BadFrame."""
    start = len(MAGIC) + 8
    if not frame.startswith(MAGIC) or len(frame) < start:
        raise BadFrame("no call of this protocol")
    head, body = _lengths(frame[:start])
    if len(frame) != start + head + body:
        raise BadFrame("a call cut short")
    named: dict[str, str] = {}
    environment: dict[str, str] = {}
    for part in frame[start : start + head].split(b"\0"):
        name, _, value = os.fsdecode(part).partition("=")
        if name == "env":
            variable, _, content = value.partition("=")
            environment[variable] = content
        else:
            named[name] = value
    return HookCall(
        named.get("version", ""),
        _stamp(named.get("stamp", "")),
        named.get("cwd", ""),
        environment,
        frame[start + head :],
        named.get("host", ""),
        named.get("event", ""),
    )


def spooled(frame: bytes) -> bytes:
    """The call as it is laid down: without keys and tokens."""
    start = len(MAGIC) + 8
    head, _ = _lengths(frame[:start])
    parts = frame[start : start + head].split(b"\0")
    kept = b"\0".join(part for part in parts if not _is_secret(part))
    return MAGIC + len(kept).to_bytes(4, "big") + frame[start - 4 : start] + kept + frame[start + head :]


def _is_secret(part: bytes) -> bool:
    return part.startswith(b"env=") and os.fsdecode(part[4:]).partition("=")[0].endswith(SECRET)


def _stamp(text: str) -> str:
    """A stamp names a file: digits and a dash alone."""
    if not text or not text.replace("-", "").isdecimal() or len(text) > 60:
        raise BadFrame("a call without a stamp")
    return text


def _lengths(fixed: bytes) -> tuple[int, int]:
    at = len(MAGIC)
    head, body = int.from_bytes(fixed[at : at + 4], "big"), int.from_bytes(fixed[at + 4 : at + 8], "big")
    if head > HEAD_MAX or body > STDIN_MAX:
        raise BadFrame("a call too large")
    return head, body


def _exactly(read: Callable[[int], bytes], size: int) -> bytes:
    parts, left = [], size
    while left:
        part = read(min(left, 1 << 16))
        if not part:
            raise BadFrame("a call cut short")
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


# The spool: calls that are not done yet, each a private file under its stamp. What lies here survives the process.


PART_OLD_S = 60.0
"""A part of a file older than this was left by a process that died."""
KEPT_S = 30 * 86400.0
"""What could not be kept for so long never will be."""


class Spool:
    """The calls in ``folder``, oldest first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, stamp: str, frame: bytes) -> None:
        """Keep a call until it is done. Raises OSError."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = self._folder / f".{stamp}.in"
        part.unlink(missing_ok=True)
        part.touch(0o600)
        part.write_bytes(frame)
        part.rename(self._folder / stamp)

    def done(self, stamp: str) -> None:
        """The call needs no keeping any more."""
        (self._folder / stamp).unlink(missing_ok=True)

    def waiting(self, known: Callable[[str], bool] = lambda _: False) -> Iterator[tuple[str, bytes]]:
        """Stamps and calls that are not ``known``; what a process that died left half written goes.

        What cannot be read is passed over: one file must not keep back the others.
        """
        try:
            names = sorted(path.name for path in self._folder.iterdir())
        except OSError:
            return
        for name in names:
            with suppress(OSError):
                if not known(name) and self._is_due(self._folder / name):
                    yield name, (self._folder / name).read_bytes()

    def _is_due(self, path: Path) -> bool:
        """Whether it is a call that is still to be kept; leavings are removed."""
        is_part = path.name.startswith(".")
        if time.time() - path.stat().st_mtime > (PART_OLD_S if is_part else KEPT_S):
            path.unlink()
            return False
        return not is_part

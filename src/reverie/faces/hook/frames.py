"""The binary form of hook calls, as sent over the socket, and the spool that keeps calls until they are done."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from reverie.faces.hook.client import MAGIC, SECRET, STDIN_MAX

HEAD_MAX = 4 * 1024 * 1024


class BadFrame(Exception):
    """The bytes are not a valid call."""


@dataclass(frozen=True, slots=True)
class HookCall:
    """One hook call: the caller, its folder and environment, and the host's JSON.

    ``stamp`` identifies the call and begins with its time in nanoseconds; ``host`` and ``event`` are empty if the
    command line does not name them.
    """

    version: str
    stamp: str
    cwd: str
    environment: dict[str, str]
    body: bytes
    host: str = ""
    event: str = ""


def receive(read: Callable[[int], bytes]) -> bytes:
    """Read one whole frame. Raises BadFrame."""
    fixed = _exactly(read, len(MAGIC) + 8)
    if not fixed.startswith(MAGIC):
        raise BadFrame("no call of this protocol")
    head, body = _lengths(fixed)
    return fixed + _exactly(read, head + body)


def parse(frame: bytes) -> HookCall:
    """Parse a frame; unknown parts, from older clients, are ignored. Raises BadFrame."""
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
    """Return the frame without keys and tokens, as it is written to the spool."""
    start = len(MAGIC) + 8
    head, _ = _lengths(frame[:start])
    parts = frame[start : start + head].split(b"\0")
    kept = b"\0".join(part for part in parts if not _is_secret(part))
    return MAGIC + len(kept).to_bytes(4, "big") + frame[start - 4 : start] + kept + frame[start + head :]


def _is_secret(part: bytes) -> bool:
    return part.startswith(b"env=") and os.fsdecode(part[4:]).partition("=")[0].endswith(SECRET)


def _stamp(text: str) -> str:
    """Check a stamp: it becomes a file name, so only digits and dashes are allowed."""
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


PART_OLD_S = 60.0
"""Seconds after which a partial file is taken to be left by a process that died."""
KEPT_S = 30 * 86400.0
"""Seconds after which a call that could not be kept is given up."""


class Spool:
    """Calls that are not done yet, each a private file in ``folder``; they survive the process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, stamp: str, frame: bytes) -> None:
        """Store a call until it is done. Raises OSError."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = self._folder / f".{stamp}.in"
        part.unlink(missing_ok=True)
        part.touch(0o600)
        part.write_bytes(frame)
        part.rename(self._folder / stamp)

    def done(self, stamp: str) -> None:
        """Remove a call that is done."""
        (self._folder / stamp).unlink(missing_ok=True)

    def waiting(self, known: Callable[[str], bool] = lambda _: False) -> Iterator[tuple[str, bytes]]:
        """Yield stamps and calls that are not ``known``, oldest first; remove files left half-written.

        Unreadable files are skipped, so that one does not keep back the others.
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
        """Whether a file is a call to be kept; outdated files are removed."""
        is_part = path.name.startswith(".")
        if time.time() - path.stat().st_mtime > (PART_OLD_S if is_part else KEPT_S):
            path.unlink()
            return False
        return not is_part

"""Reading the ops log back: its lines for people, and what models cost on a day.

In: the log's path. Out: records as they were written, oldest first; a line that is no record is passed over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from reverie.durable import open_own
from reverie.errors import InvalidScope
from reverie.ops.rotating import family, is_before
from reverie.types import Scope


class LoggedLine(NamedTuple):
    """One record: the fields people ask for, and all of them as they stand; ``scope`` None where it names none."""

    ts: str
    op: str
    success: bool
    fallback: bool
    tokens: int
    fields: tuple[tuple[str, Any], ...]
    scope: Scope | None = None


def read_log(path: Path) -> Iterator[LoggedLine]:
    """Every record of the log and of the files put aside, in the order of writing.

    Raises:
        OSError: a file is there and cannot be read, or is not ours.
    """
    return (record for part in family(path) for line in _lines(part) if (record := _record(line)) is not None)


def tokens_on(path: Path, day: date) -> int:
    """Tokens that all processes writing to this log used on a day (UTC); only what may be of that day is read."""
    stamp = f'"ts": "{day.isoformat()}'
    parts = (part for part in family(path) if part == path or not is_before(path, part, day))
    records = (_record(line) for part in parts for line in _lines(part) if stamp in line)
    return sum(record.tokens for record in records if record is not None)


def _lines(part: Path) -> Iterator[str]:
    with os.fdopen(open_own(part, os.O_RDONLY), encoding="utf-8", errors="replace", newline="\n") as lines:
        yield from lines


def _record(line: str) -> LoggedLine | None:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):  # no line of ours: none nests so deep
        return None
    if not isinstance(fields, dict):
        return None
    return LoggedLine(
        ts=str(fields.get("ts", "")),
        op=str(fields.get("op", "")),
        success=bool(fields.get("success")),
        fallback=bool(fields.get("fallback")),
        tokens=_count(fields.get("tokensIn")) + _count(fields.get("tokensOut")),
        fields=tuple(fields.items()),
        scope=_scope(fields.get("scope")),
    )


def _scope(value: Any) -> Scope | None:
    """The scope a line names; None where it names none that can be one."""
    if not isinstance(value, dict):
        return None
    parts: list[Any] = [value.get(name) for name in ("agent", "user", "project")]
    try:
        return Scope(*parts)
    except InvalidScope:
        return None


def _count(tokens: Any) -> int:
    return tokens if isinstance(tokens, int) else 0

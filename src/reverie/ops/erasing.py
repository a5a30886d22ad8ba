"""Taking the texts out of an ops log when a person asks for a memory to be erased.

In: the log's path. Out: the same lines without their texts. All of them: a model's answer repeats a memory in words of
its own, and no search would find every trace.
"""

from __future__ import annotations

import json
from pathlib import Path

from reverie.ops.rotating import family, rewrite

ERASED = "[erased]"


def erase_texts(path: Path) -> int:
    """Empty ``input`` and ``output`` of every line of the log and of the files put aside; how many lines there are.

    Raises:
        OSError: a file cannot be read or written.
    """
    return sum(rewrite(part, _without_texts) for part in family(path))


def _without_texts(line: bytes) -> bytes:
    """The line with its times, counts and tokens alone; what is no record is dropped, for it may hold text as well."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return b""
    if not isinstance(fields, dict):
        return b""
    emptied = {name: ERASED for name in ("input", "output") if fields.get(name)}
    return json.dumps(fields | emptied, ensure_ascii=False).encode("utf-8", "replace") + b"\n"

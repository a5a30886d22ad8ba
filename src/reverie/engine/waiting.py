"""Calls of a hook that wait to be kept: in, texts that are being erased; out, none that would bring them back.

They lie in the user's state folder, each in a file of its own, with the host's JSON in it. One that repeats a text was
kept already, and waits because the process was ended before it could say so; or it tells the same once more.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

from reverie.durable import state_folder

FOLDER = "hook-spool"
SHORT = 12
"""A text of fewer characters stands in a call by chance; it must be all that was said."""
_MASK = re.compile(r"\[[a-z][a-z -]{0,40}\]")
"""What stands in a memory where a secret was."""


def forget_waiting(texts: Iterable[str]) -> None:
    """Remove the calls that hold one of these texts. Raises OSError where one cannot be removed."""
    state = state_folder(os.environ)
    folder = None if state is None else state / FOLDER
    if folder is None or not folder.is_dir():
        return
    wanted = [pieces for text in texts if (pieces := tuple(_pieces(text)))]
    for file in sorted(folder.iterdir()):
        content = b""
        with suppress(OSError):  # gone meanwhile, or nobody's to read
            content = file.read_bytes()
        if any(all(any(form in content for form in forms) for forms in pieces) for pieces in wanted):
            file.unlink(missing_ok=True)


def _pieces(text: str) -> Iterator[tuple[bytes, ...]]:
    """The pieces between masked secrets, each in the ways that JSON may write it."""
    pieces = [piece.strip() for piece in _MASK.split(text)]
    is_short = sum(map(len, pieces)) < SHORT
    for piece in filter(None, pieces):
        ways = dict.fromkeys(json.dumps(piece, ensure_ascii=ascii_only) for ascii_only in (False, True))
        yield tuple((way if is_short else way[1:-1]).encode("utf-8", "surrogatepass") for way in ways)

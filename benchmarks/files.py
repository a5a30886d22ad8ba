"""Reading benchmark files: JSON lines or one JSON value, plain or gzipped, told apart by content, never by name."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from reverie.errors import InvalidExport

Record: TypeAlias = dict[str, Any]
"""One record as the set's authors wrote it; every loader turns it into values at once."""

GZIP_MAGIC = b"\x1f\x8b"

KINDS: dict[str, frozenset[str]] = {
    "locomo": frozenset({"qa", "conversation"}),
    "longmemeval-questions": frozenset({"question_id", "haystack"}),
    "longmemeval-sessions": frozenset({"key", "turns"}),
    "beam": frozenset({"chat", "messages", "questions"}),
    "xquad": frozenset({"paragraphs", "questions"}),
    "labelled": frozenset({"set", "id", "language", "messages", "questions"}),
    "ama": frozenset({"episode_id", "trajectory", "qa_pairs"}),
    "updates": frozenset({"kind", "earlier", "later", "question"}),
}
"""The keys by which a file's first record is known."""


def records(path: Path) -> Iterator[Record]:
    """The records of a file, one by one.

    Raises:
        InvalidExport: the file is not JSON, or a record is not an object.
    """
    try:
        with _open_text(path) as stream:
            for value in _values(stream):
                if not isinstance(value, dict):
                    raise InvalidExport(f"{path.name} holds a record that is not an object.", "Give one record a line.")
                yield value
    except (json.JSONDecodeError, UnicodeDecodeError, EOFError, gzip.BadGzipFile) as error:
        raise InvalidExport(f"{path.name} cannot be read: {error}.", "Give JSON lines, plain or gzipped.") from None
    except FileNotFoundError:
        raise InvalidExport(f"There is no file {path}.", "Name the files of the set after --data.") from None


def _open_text(path: Path) -> io.TextIOBase:
    with path.open("rb") as head:
        packed = head.read(2) == GZIP_MAGIC
    return gzip.open(path, "rt", encoding="utf-8") if packed else path.open(encoding="utf-8")


def _values(stream: io.TextIOBase) -> Iterator[object]:
    first = stream.read(1)
    while first.isspace() or first == "\ufeff":
        first = stream.read(1)
    if first == "[":
        yield from json.loads(first + stream.read())
        return
    line = first + stream.readline()
    while line:
        if line.strip():
            yield json.loads(line)
        line = stream.readline()


def kind(path: Path) -> str | None:
    """What a file is, by the keys of its first record; None for a file of no known kind."""
    first = next(records(path), {})
    return next((name for name, keys in KINDS.items() if keys <= first.keys()), None)


def of_kind(paths: Sequence[Path], wanted: str) -> list[Path]:
    """The files of one kind.

    Raises:
        InvalidExport: none of the files is.
    """
    found = [path for path in paths if kind(path) == wanted]
    if not found:
        keys = ", ".join(sorted(KINDS[wanted]))
        raise InvalidExport(f"None of the files is of the form {wanted}.", f"Its records have the keys {keys}.")
    return found

"""Import from mem0: the answer of ``Memory.get_all`` saved as JSON, or its history database of every change.

    {"results": [{"id": "…", "memory": "…", "metadata": {…}, "created_at": "…", "updated_at": "…", "user_id": "…",
                  "run_id": "…", "role": "user"}]}

The vector files (a Qdrant folder) hold pickled objects, which are unsafe to open; the history beside them holds the
same memories. From the history, replaced wordings are imported as superseded and ended; deleted memories are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import pairwise

from reverie.exchange.fields import Ended, FieldError, ImportedLink, Item, Report, Skipped, kind_of, name_in, time_in
from reverie.exchange.foreign.note import Program, Row, Tables, key_in, text_in
from reverie.types import Message, RelationKind

MEM0 = Program("mem0")
_COLUMNS = ("memory_id", "old_memory", "new_memory", "event", "created_at", "updated_at", "is_deleted", "role")


def fits(record: Mapping[str, object]) -> bool:
    """Whether a record is a memory of mem0."""
    return "memory" in record and "id" in record and "text" not in record


def fits_listing(record: Mapping[str, object]) -> bool:
    """Whether a record is a whole answer of ``get_all``."""
    results = record.get("results", record.get("memories"))
    return isinstance(results, list) and all(isinstance(one, dict) and fits(one) for one in results[:1])


def listing(record: Mapping[str, object], where: str, report: Report) -> Iterator[Message]:
    """Yield the memories of a whole answer as messages."""
    results = record.get("results", record.get("memories"))
    for number, one in enumerate(results if isinstance(results, list) else [], 1):
        place = f"{where}, memory {number}"
        try:
            if not isinstance(one, dict):
                raise FieldError(f"it is {kind_of(one)}, not an object")
            yield message(one)
        except FieldError as error:
            report(Skipped(place, "memory that cannot be read", broken=True, detail=str(error)))
    edges = record.get("relations")
    for number, _ in enumerate(edges if isinstance(edges, list) else [], 1):
        report(Skipped(f"{where}, relation {number}", "relation between names, not between memories"))


def message(record: Mapping[str, object]) -> Message:
    """Return one memory as a message. Raises FieldError."""
    text = record.get("memory")
    if not isinstance(text, str) or not text.strip():
        raise FieldError(f"its memory is {kind_of(text)}, not text" if not isinstance(text, str) else "it has no words")
    key = name_in(record, "id")
    if key is None:
        raise FieldError("it has no id")
    at = time_in(record, "updated_at", "created_at")
    return MEM0.note(text, key, at=at, role=record.get("role"))


def fits_tables(tables: Tables) -> bool:
    """Whether a database is mem0's history."""
    return {"memory_id", "new_memory", "event"} <= tables.columns.get("history", frozenset())


def history(tables: Tables, report: Report) -> Iterator[Item]:
    """Yield every wording of each memory not deleted, the earlier ones superseded and ended."""
    told: dict[str, list[tuple[Message, datetime | None]]] = {}
    for number, row in enumerate(tables.rows("history", _COLUMNS), 1):
        try:
            _take(row, told)
        except FieldError as error:
            report(Skipped(f"history, row {number}", "change that cannot be read", broken=True, detail=str(error)))
    for key, wordings in told.items():
        if not wordings:
            report(Skipped(f"memory {key}", "deleted in mem0"))
        yield from (one for one, _ in wordings)
        for (old, _), (new, at) in pairwise(wordings):
            yield ImportedLink(new.message_id or "", old.message_id or "", RelationKind.SUPERSEDES, "update")
            if at is not None:
                yield Ended(old.message_id or "", at)


def _take(row: Row, told: dict[str, list[tuple[Message, datetime | None]]]) -> None:
    key = key_in(row, "memory_id")
    wordings = told.setdefault(key, [])
    if row.get("event") == "DELETE" or row.get("is_deleted"):
        wordings.clear()
        return
    text = text_in(row, "new_memory")
    if not text.strip():
        raise FieldError("it has no words")
    at = time_in(row, "updated_at", "created_at")
    if all(one.text != text for one, _ in wordings):
        wordings.append((MEM0.note(text, key, at=at, role=row.get("role")), at))

"""Import claude-mem's database, ``~/.claude-mem/claude-mem.db``.

What a person typed (``user_prompts``) keeps its speaker. The program's own notes have the program as their speaker:
observations with title, narrative and facts, session summaries with their headings, and newer ``memory_items``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from reverie.errors import InvalidExport
from reverie.exchange.fields import FieldError, Report, Skipped, time_in
from reverie.exchange.foreign.note import Program, Row, Tables, joined, key_in, text_in
from reverie.types import Message

CLAUDE_MEM = Program("claude-mem")
_TIMES = ("created_at_epoch", "created_at", "updated_at_epoch")
_NOTED = ("id", "memory_session_id", "project", "text", "title", "subtitle", "narrative", "facts", *_TIMES)
_HEADINGS = ("request", "investigated", "learned", "completed", "next_steps", "notes")
_SUMMED = ("id", "memory_session_id", "project", *_HEADINGS, *_TIMES)
_TYPED = ("id", "content_session_id", "prompt_number", "prompt_text", *_TIMES)
_ITEMS = ("id", "project_id", "server_session_id", "legacy_observation_id", "kind", *_NOTED[3:])


def fits_tables(tables: Tables) -> bool:
    """Whether a database is claude-mem's."""
    return {"sdk_sessions", "observations"} <= set(tables.columns)


def messages(tables: Tables, report: Report) -> Iterator[Message]:
    """Yield prompts, observations, summaries and items, table by table."""
    projects = _projects(tables)

    def prompt(row: Row) -> Message | str:
        session = text_in(row, "content_session_id")
        return _note(row, "prompt", text_in(row, "prompt_text"), (projects.get(session, ""), session), role="user")

    readers: tuple[tuple[str, tuple[str, ...], Callable[[Row], Message | str]], ...] = (
        ("user_prompts", _TYPED, prompt),
        ("observations", _NOTED, _observation),
        ("session_summaries", _SUMMED, _summary),
        ("memory_items", _ITEMS, _item),
    )
    for table, columns, reader in readers:
        if table in tables.columns:
            yield from _read(tables, table, columns, reader, report)


def _read(
    tables: Tables, table: str, columns: tuple[str, ...], reader: Callable[[Row], Message | str], report: Report
) -> Iterator[Message]:
    try:
        for number, row in enumerate(tables.rows(table, columns), 1):
            where = f"{table}, row {number}"
            try:
                found = reader(row)
            except FieldError as error:
                report(Skipped(where, "row that cannot be read", broken=True, detail=str(error)))
                continue
            if isinstance(found, Message):
                yield found
            else:
                report(Skipped(where, found))
    except InvalidExport as error:
        report(Skipped(table, "table that cannot be read to its end", broken=True, detail=error.message))


def _projects(tables: Tables) -> dict[str, str]:
    rows = tables.rows("sdk_sessions", ("content_session_id", "project"))
    return {str(row.get("content_session_id")): str(row.get("project") or "") for row in rows}


def _observation(row: Row) -> Message | str:
    return _note(row, "observation", _noted(row), (text_in(row, "project"), text_in(row, "memory_session_id")))


def _summary(row: Row) -> Message | str:
    parts = ((heading, text_in(row, heading).strip()) for heading in _HEADINGS)
    text = joined(f"{heading.replace('_', ' ').capitalize()}: {said}" for heading, said in parts if said)
    return _note(row, "summary", text, (text_in(row, "project"), text_in(row, "memory_session_id")))


def _item(row: Row) -> Message | str:
    if row.get("legacy_observation_id") is not None:
        return "item that is there as an observation, too"
    role = "user" if row.get("kind") == "prompt" else None
    place = (text_in(row, "project_id"), text_in(row, "server_session_id"))
    return _note(row, "item", _noted(row), place, role=role)


def _noted(row: Row) -> str:
    body = joined(text_in(row, name) for name in ("title", "subtitle", "narrative"))
    return joined((body or text_in(row, "text"), *(f"- {fact}" for fact in _facts(text_in(row, "facts")))))


def _facts(listed: str) -> list[str]:
    if not listed:
        return []
    try:
        facts = json.loads(listed)
    except (ValueError, RecursionError):
        raise FieldError("facts is no JSON") from None
    return [fact for fact in facts if isinstance(fact, str) and fact.strip()] if isinstance(facts, list) else []


def _note(row: Row, what: str, text: str, place: tuple[str, str], role: str | None = None) -> Message | str:
    if not text.strip():
        return "row without words"
    where = "/".join(part for part in place if part)
    return CLAUDE_MEM.note(text, f"{what}:{key_in(row)}", place=where, at=time_in(row, *_TIMES), role=role)

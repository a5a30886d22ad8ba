"""Import from OpenClaw: the table of its LanceDB memory, and the Markdown of its built-in one.

    ~/.openclaw/memory/lancedb/memories.lance           id, text, category, createdAt, agentId (older: no agent)
    ~/.openclaw/workspace/MEMORY.md, USER.md, memory/2026-03-01.md

Rows are imported word for word, with the category in their session. Each row goes to the scope of its agent; the older
table and the files name none. Vectors are not imported, because another model made them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from reverie.exchange.fields import FieldError, Item, Report, Skipped
from reverie.exchange.foreign import vault
from reverie.exchange.foreign.note import Opener, Program, Row, Tables, key_in, text_in
from reverie.types import Message

OPENCLAW = Program("openclaw")
TABLE = "memories"
_TABLES = ("", "lancedb", "memory/lancedb")
"""Where the database may lie, relative to the given folder."""
_WORKSPACES = ("", "workspace")
_FILES = ("MEMORY.md", "USER.md")
_DAYS = "memory"
_COLUMNS = ("id", "text", "category", "createdAt", "agentId")
_SAMPLE = "__schema__"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def database(path: Path) -> Path | None:
    """Return the folder of the table at or below a path; None if there is none."""
    if path.name == f"{TABLE}.lance" and path.is_dir():
        return path.parent
    return next((path / below for below in _TABLES if (path / below / f"{TABLE}.lance").is_dir()), None)


def files(path: Path) -> tuple[Path, list[Path]] | None:
    """Return the workspace at or below a path, and its memory files; None if there are none."""
    for below in _WORKSPACES:
        folder = path / below
        found = [folder / name for name in _FILES if (folder / name).is_file() and not (folder / name).is_symlink()]
        found += vault.notes(folder / _DAYS) if found and (folder / _DAYS).is_dir() else []
        if found:
            return folder, found
    return None


def fits(path: Path) -> bool:
    """Whether a folder is OpenClaw's: it holds the table or OpenClaw's whole state."""
    return path.is_dir() and (database(path) is not None or (path / "openclaw.json").is_file())


def parts(path: Path, opener: Opener, agent: str) -> list[tuple[Path, str]]:
    """Return what is at a path, split by agent; parts that name no agent belong to ``agent``."""
    folder, workspace = database(path), files(path)
    found: list[tuple[Path, str]] = []
    if folder is not None:
        with opener(folder) as tables:
            found += [(folder, name or agent) for name in sorted(_named(tables))]
    return found + ([] if workspace is None else [(workspace[0], agent)])


def items(path: Path, opener: Opener, report: Report, agent: str | None = None) -> Iterator[Item]:
    """Yield what is remembered at a path. ``agent`` selects the rows of one agent; None: all."""
    folder, workspace = database(path), files(path)
    if folder is not None:
        with opener(folder) as tables:
            yield from messages(tables, report, agent)
    if workspace is not None:
        yield from vault.NotesVault(workspace[0], report, OPENCLAW, workspace[1]).items()


def messages(tables: Tables, report: Report, agent: str | None = None) -> Iterator[Message]:
    """Yield the table's rows as messages."""
    shared = agent is not None and _named(tables) != {""}
    for number, row in enumerate(tables.rows(TABLE, _COLUMNS), 1):
        where = f"{TABLE}, row {number}"
        if row.get("id") == _SAMPLE or (shared and _agent(row) not in ("", agent)):
            continue
        try:
            if shared and not _agent(row):
                raise FieldError("it names no agent, and others do")
            yield _message(row)
        except FieldError as error:
            report(Skipped(where, "row that cannot be read", broken=True, detail=str(error)))


def _named(tables: Tables) -> set[str]:
    """Return the agents that rows name; {""} if the table has rows and none names an agent."""
    named = {_agent(row) for row in tables.rows(TABLE, ("id", "agentId")) if row.get("id") != _SAMPLE}
    return named - {""} or named


def _message(row: Row) -> Message:
    text = text_in(row, "text")
    if not text.strip():
        raise FieldError("it has no words")
    place = "/".join(part for part in (_agent(row), text_in(row, "category")) if part)
    return OPENCLAW.note(text, key_in(row), place=place, at=_when(row.get("createdAt")))


def _agent(row: Row) -> str:
    named = row.get("agentId")
    return named.strip() if isinstance(named, str) else ""


def _when(ms: object) -> datetime | None:
    """Convert milliseconds since the epoch to a datetime; None for an invalid value."""
    if not isinstance(ms, int | float) or not 0 <= ms < 2.5e14:
        return None
    return _EPOCH + timedelta(milliseconds=ms)

"""Databases in the forms other programs give theirs, made up for the tests."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from reverie.exchange import bring
from reverie.exchange.fields import Ended, ImportedLink, Item, Skipped
from reverie.stores.foreign import open_tables
from reverie.types import Message

HISTORY = (
    "CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,"
    " created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT)"
)
CLAUDE_MEM = (
    "CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, content_session_id TEXT NOT NULL, memory_session_id TEXT,"
    " project TEXT NOT NULL, started_at TEXT, started_at_epoch INTEGER, status TEXT)",
    "CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,"
    " text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT,"
    " created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL)",
    "CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, request TEXT,"
    " investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, notes TEXT, created_at_epoch INTEGER)",
    "CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, content_session_id TEXT NOT NULL, prompt_number INTEGER,"
    " prompt_text TEXT NOT NULL, created_at_epoch INTEGER NOT NULL)",
    "CREATE TABLE memory_items (id TEXT PRIMARY KEY, project_id TEXT, server_session_id TEXT,"
    " legacy_observation_id INTEGER, kind TEXT, type TEXT, title TEXT, text TEXT, narrative TEXT,"
    " facts TEXT DEFAULT '[]', created_at_epoch INTEGER)",
    "CREATE VIRTUAL TABLE prompts_fts USING fts5 (prompt_text)",
)
CHROMA = (
    "CREATE TABLE collections (id TEXT PRIMARY KEY, name TEXT NOT NULL)",
    "CREATE TABLE segments (id TEXT PRIMARY KEY, type TEXT, scope TEXT, collection TEXT)",
    "CREATE TABLE embeddings (id INTEGER PRIMARY KEY, segment_id TEXT, embedding_id TEXT, seq_id BLOB)",
    "CREATE TABLE embedding_metadata (id INTEGER, key TEXT, string_value TEXT, int_value INTEGER,"
    " float_value REAL, bool_value INTEGER, PRIMARY KEY (id, key))",
    "INSERT INTO collections VALUES ('c1', 'mempalace_drawers'), ('c2', 'mempalace_closets')",
    "INSERT INTO segments VALUES ('s1', 'metadata', 'METADATA', 'c1'), ('s2', 'metadata', 'METADATA', 'c2')",
)
EXACT = (
    "CREATE TABLE collections (id INTEGER PRIMARY KEY, name TEXT)",
    "CREATE TABLE documents (collection_id INTEGER, id TEXT, document TEXT, metadata_json TEXT, embedding BLOB)",
    "INSERT INTO collections VALUES (1, 'mempalace_drawers')",
)
TRIPLES = (
    "CREATE TABLE entities (id TEXT PRIMARY KEY, name TEXT NOT NULL, type TEXT)",
    "CREATE TABLE triples (id TEXT PRIMARY KEY, subject TEXT, predicate TEXT, object TEXT, valid_from TEXT,"
    " valid_to TEXT, confidence REAL, source_drawer_id TEXT, extracted_at TEXT)",
)


def database(path: Path, statements: Iterable[str], *rows: tuple[str, tuple[object, ...]]) -> Path:
    """A database of these statements and rows (table, values)."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
        for table, values in rows:
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)
    return path


def drawer(number: int, key: str, segment: str = "s1", **held: object) -> list[tuple[str, tuple[object, ...]]]:
    """The rows of a drawer in Chroma."""
    rows: list[tuple[str, tuple[object, ...]]] = [("embeddings", (number, segment, key, b"\1"))]
    for name, value in held.items():
        columns = (value, None) if isinstance(value, str | bytes) or value is None else (None, value)
        rows.append(("embedding_metadata", (number, name.replace("document", "chroma:document"), *columns, None, None)))
    return rows


def as_json(path: Path, value: object) -> Path:
    """A file that holds a value as JSON."""
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


def brought(
    path: Path, kind: str | None = None
) -> tuple[list[Message], list[ImportedLink], list[Ended], list[Skipped]]:
    """What an import brings, and what it leaves out."""
    skipped: list[Skipped] = []
    items: list[Item] = list(bring(path, open_tables, kind=kind, report=skipped.append))
    messages = [item for item in items if isinstance(item, Message)]
    links = [item for item in items if isinstance(item, ImportedLink)]
    return messages, links, [item for item in items if isinstance(item, Ended)], skipped

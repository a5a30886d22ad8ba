"""What OpenClaw remembers, read: its table in both forms, and its files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.exchange.fields import Skipped
from reverie.exchange.foreign.openclaw import database, files, fits, messages
from reverie.exchange.imports import bring, parts_of
from reverie.types import Message, Role

NEWER = ("id", "text", "vector", "importance", "category", "createdAt", "agentId")
ROWS = (
    {"id": "a1", "text": "I like tea", "category": "preference", "createdAt": 1_772_442_000_000.0, "agentId": "main"},
    {"id": "a2", "text": "Deploys go out on Tuesdays", "category": "fact", "createdAt": None, "agentId": "coder"},
    {"id": "__schema__", "text": "", "category": "other", "createdAt": 0.0, "agentId": "__schema__"},
)


@dataclass
class Held:
    """A table as the reader sees it."""

    held: Sequence[Mapping[str, object]] = ROWS
    columns: Mapping[str, frozenset[str]] = field(default_factory=lambda: {"memories": frozenset(NEWER)})

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Mapping[str, object]]:
        assert table == "memories"
        yield from ({name: row.get(name) for name in columns} for row in self.held)

    @contextmanager
    def __call__(self, path: Path) -> Iterator[Held]:
        assert path.is_dir()
        yield self


def read(table: Held, agent: str | None = None) -> tuple[list[Message], list[Skipped]]:
    """The messages of a table, and what was left out."""
    skipped: list[Skipped] = []
    return list(messages(table, skipped.append, agent)), skipped


def test_rows_become_notes_of_the_program() -> None:
    """Word for word, at their time, under agent and category; nobody in particular said them."""
    (first, second), skipped = read(Held())
    assert skipped == []
    assert (first.text, first.speaker, first.role) == ("I like tea", "openclaw", Role.PERSON)
    assert first.session == "openclaw/main/preference"
    assert first.at == datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    assert second.at is None
    assert first.message_id is not None
    assert first.message_id.startswith("openclaw:a1:")


def test_each_agent_has_its_own() -> None:
    """Asked for one agent, the others' rows are not its; where rows name agents, one that names none is nobody's."""
    assert [one.text for one in read(Held(), "coder")[0]] == ["Deploys go out on Tuesdays"]
    mixed = Held((*ROWS, {"id": "a3", "text": "whose?", "agentId": None}))
    told, skipped = read(mixed, "main")
    assert [one.text for one in told] == ["I like tea"]
    assert [(one.where, one.broken) for one in skipped] == [("memories, row 4", True)]


def test_the_older_table_is_whoever_s_asks() -> None:
    """It names no agents."""
    older = Held(tuple({key: value for key, value in row.items() if key != "agentId"} for row in ROWS))
    assert [one.session for one in read(older, "anyone")[0]] == ["openclaw/preference", "openclaw/fact"]


@pytest.mark.parametrize("row", [{"id": "x", "text": " "}, {"id": "x", "text": 5}, {"text": "no id"}, {"id": "x"}])
def test_a_row_that_cannot_be_read_is_named(row: Mapping[str, object]) -> None:
    """And the rest comes in."""
    told, skipped = read(Held((row, ROWS[0])))
    assert len(told) == 1
    assert [one.where for one in skipped] == ["memories, row 1"]


@pytest.mark.parametrize("ms", [-1.0, float("nan"), 1e300, "yesterday", True])
def test_a_time_that_is_none_is_left_out(ms: object) -> None:
    """The row is kept without."""
    (told,), _ = read(Held(({"id": "x", "text": "y", "createdAt": ms},)))
    assert told.at is None or ms is True


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder of OpenClaw's, with table and files."""
    state = tmp_path / ".openclaw"
    (state / "memory" / "lancedb" / "memories.lance").mkdir(parents=True)
    (state / "workspace" / "memory").mkdir(parents=True)
    (state / "openclaw.json").write_text("{}")
    (state / "workspace" / "MEMORY.md").write_text("# Memory\n\nThe spare key hangs behind the boiler.\n")
    (state / "workspace" / "memory" / "2026-03-01.md").write_text("We moved the standup to ten.\n")
    (state / "workspace" / "AGENTS.md").write_text("Be kind.\n")
    return state


@pytest.mark.parametrize("below", ["", "memory/lancedb", "memory/lancedb/memories.lance"])
def test_the_table_is_found_from_above(state: Path, below: str) -> None:
    """By the folder of its database, the table itself, or OpenClaw's whole state."""
    assert database(state / below) == state / "memory/lancedb"
    assert fits(state / below)
    assert not fits(state / "workspace")


def test_files_are_what_is_remembered_not_what_is_told_to_agents(state: Path) -> None:
    """MEMORY.md, USER.md and the days; neither instructions nor links to elsewhere."""
    (state / "workspace" / "USER.md").symlink_to(state / "openclaw.json")
    found = files(state)
    assert found is not None
    assert [path.name for path in found[1]] == ["MEMORY.md", "2026-03-01.md"]
    assert files(state / "memory") is None


def test_everything_comes_in_parts_of_one_agent_each(state: Path) -> None:
    """The table's agents each in their own scope; the files in that of who asks."""
    table = Held()
    parts = parts_of(state, table, "ada's")
    assert parts == [
        (state / "memory/lancedb", "coder"),
        (state / "memory/lancedb", "main"),
        (state / "workspace", "ada's"),
    ]
    told = [
        [item.text for item in bring(path, table, kind="openclaw", agent=agent) if isinstance(item, Message)]
        for path, agent in parts
    ]
    assert told == [
        ["Deploys go out on Tuesdays"],
        ["I like tea"],
        ["MEMORY › Memory\nThe spare key hangs behind the boiler.", "2026-03-01\nWe moved the standup to ten."],
    ]
    assert len(list(bring(state, table))) == 4

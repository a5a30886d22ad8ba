"""claude-mem's database."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.errors import InvalidExport
from reverie.types import Role
from tests.exchange.foreign.made import CLAUDE_MEM, brought, database

MOMENT = 1_772_409_600_000
SESSION = ("sdk_sessions", (1, "cs1", "ms1", "harbour", "2026-03-02", MOMENT, "active"))


def observation(number: int, **given: object) -> tuple[str, tuple[object, ...]]:
    """A row of observations."""
    held = {"text": None, "title": None, "subtitle": None, "facts": None, "narrative": None} | given
    columns = (held["text"], "discovery", held["title"], held["subtitle"], held["facts"], held["narrative"], "[]")
    return "observations", (number, "ms1", "harbour", *columns, "2026-03-02", MOMENT)


def test_everything_it_keeps_comes_in(tmp_path: Path) -> None:
    """Prompts as the user's words; observations, summaries and items as the program's."""
    path = database(
        tmp_path / "claude-mem.db",
        CLAUDE_MEM,
        SESSION,
        ("user_prompts", (1, "cs1", 1, "Fix the opening hours", MOMENT)),
        observation(1, title="Hours are wrong", narrative="The table ends at six.", facts='["Opens at seven"]'),
        (
            "session_summaries",
            (1, "ms1", "harbour", "Fix hours", None, "They are in hours.py", None, "Test", "", MOMENT),
        ),
        (
            "memory_items",
            ("i1", "harbour", None, None, "manual", "note", "Deploy on Mondays", None, None, "[]", MOMENT),
        ),
        ("memory_items", ("i2", "harbour", None, 1, "observation", "x", "Hours are wrong", None, None, "[]", MOMENT)),
    )
    messages, links, ended, skipped = brought(path)
    assert [(one.speaker, one.role, one.session, one.text) for one in messages] == [
        ("user", Role.USER, "claude-mem/harbour/cs1", "Fix the opening hours"),
        (
            "claude-mem",
            Role.PERSON,
            "claude-mem/harbour/ms1",
            "Hours are wrong\nThe table ends at six.\n- Opens at seven",
        ),
        (
            "claude-mem",
            Role.PERSON,
            "claude-mem/harbour/ms1",
            "Request: Fix hours\nLearned: They are in hours.py\nNext steps: Test",
        ),
        ("claude-mem", Role.PERSON, "claude-mem/harbour", "Deploy on Mondays"),
    ]
    assert {one.at for one in messages} == {datetime(2026, 3, 2, tzinfo=UTC)}
    assert len({one.message_id for one in messages}) == 4
    assert (links, ended) == ([], [])
    assert [one.reason for one in skipped] == ["item that is there as an observation, too"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (observation(2, title=b"\xff\xfe"), "row that cannot be read"),
        (observation(2, title="x", facts="{oops"), "row that cannot be read"),
        (observation(2, title="x", facts="[" * 100_000), "row that cannot be read"),
        (observation(2), "row without words"),
        (("user_prompts", (2, "cs1", 1, "when?", "soon")), "row that cannot be read"),
    ],
)
def test_a_broken_row_is_named_and_the_rest_is_kept(
    row: tuple[str, tuple[object, ...]], reason: str, tmp_path: Path
) -> None:
    """With its table and number."""
    path = database(tmp_path / "claude-mem.db", CLAUDE_MEM, SESSION, observation(1, title="kept"), row)
    messages, _, _, skipped = brought(path)
    assert [one.text for one in messages] == ["kept"]
    assert [one.reason for one in skipped] == [reason]


def test_an_older_form_with_fewer_tables_and_columns_is_read(tmp_path: Path) -> None:
    """What was added since is taken for empty."""
    first = (CLAUDE_MEM[0], "CREATE TABLE observations (id INTEGER, memory_session_id TEXT, project TEXT, text TEXT)")
    path = database(tmp_path / "old.db", first, ("observations", (1, "ms1", "harbour", "Opens at seven")))
    assert [(one.text, one.at) for one in brought(path)[0]] == [("Opens at seven", None)]


def test_its_folder_will_do(tmp_path: Path) -> None:
    """The database is found in it."""
    database(tmp_path / "claude-mem.db", CLAUDE_MEM, SESSION, observation(1, title="kept"))
    assert [one.text for one in brought(tmp_path)[0]] == ["kept"]


def test_another_program_s_database_is_refused(tmp_path: Path) -> None:
    """Whatever it is called."""
    path = database(tmp_path / "claude-mem.db", ["CREATE TABLE songs (id, title)"])
    with pytest.raises(InvalidExport, match="no known form"):
        brought(path)
    with pytest.raises(InvalidExport, match="no known form"):
        brought(path, "claude-mem")

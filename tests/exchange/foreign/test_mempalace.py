"""mempalace: drawers in either database, and the knowledge graph."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.types import Role
from tests.exchange.foreign.made import CHROMA, EXACT, TRIPLES, brought, database, drawer

KITCHEN = {
    "document": "The kitchen is light blue.",
    "wing": "house",
    "room": "kitchen",
    "filed_at": "2026-03-01T10:00:00",
}
SAID = {
    "document": "Paint it blue",
    "wing": "house",
    "room": "chat",
    "role": "user",
    "timestamp": "2026-02-01T10:00:00Z",
}


def palace(folder: Path, *drawers: list[tuple[str, tuple[object, ...]]]) -> Path:
    """A palace of these drawers, and a graph that was made of the first."""
    folder.mkdir(exist_ok=True)
    database(folder / "chroma.sqlite3", CHROMA, *(row for one in drawers for row in one))
    database(
        folder / "knowledge_graph.sqlite3",
        TRIPLES,
        ("entities", ("max", "Max", "person")),
        ("triples", ("t1", "max", "painted", "kitchen", "2026-01-01", None, 1.0, "d1", "2026-03-01 10:00:00")),
        ("triples", ("t2", "max", "likes", "chess", "2026-01-01", "2026-02-01", 1.0, None, None)),
    )
    return folder


def test_a_palace_comes_in(tmp_path: Path) -> None:
    """Drawers word for word, triples as sentences tied to their drawer, ended ones as ended."""
    messages, links, ended, skipped = brought(palace(tmp_path, drawer(1, "d1", **KITCHEN), drawer(2, "d2", **SAID)))
    assert [(one.session, one.speaker, one.role, one.text) for one in messages] == [
        ("mempalace/house/kitchen", "mempalace", Role.PERSON, "The kitchen is light blue."),
        ("mempalace/house/chat", "user", Role.USER, "Paint it blue"),
        ("mempalace/knowledge/Max", "mempalace", Role.PERSON, "Max painted kitchen"),
        ("mempalace/knowledge/Max", "mempalace", Role.PERSON, "Max likes chess"),
    ]
    assert messages[0].at == datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert messages[1].at == datetime(2026, 2, 1, 10, tzinfo=UTC)
    assert [(one.source, one.target) for one in links] == [(messages[2].message_id, messages[0].message_id)]
    assert [(one.message_id, one.at) for one in ended] == [(messages[3].message_id, datetime(2026, 2, 1, tzinfo=UTC))]
    assert skipped == []


def test_indexes_of_the_program_are_left_out(tmp_path: Path) -> None:
    """Closets point to drawers, registries to files."""
    closet = drawer(2, "c1", "s2", document="d1 → kitchen")
    registry = drawer(3, "r1", document="notes.md", ingest_mode="registry")
    *_, skipped = brought(palace(tmp_path, drawer(1, "d1", **KITCHEN), closet, registry))
    assert [one.reason for one in skipped] == ["index of the program"] * 2


def test_the_exact_database_is_read_the_same(tmp_path: Path) -> None:
    """Same drawer, same message."""
    held = '{"wing":"house","room":"kitchen","filed_at":"2026-03-01T10:00:00"}'
    row = ("documents", (1, "d1", KITCHEN["document"], held, b"\0"))
    exact = brought(database(tmp_path / "sqlite_exact.sqlite3", EXACT, row))[0]
    assert exact == brought(palace(tmp_path / "palace", drawer(1, "d1", **KITCHEN)))[0][:1]


@pytest.mark.parametrize(
    ("held", "reason"),
    [
        ({"document": b"\xff\xfe"}, "drawer that cannot be read"),
        ({"document": " \n"}, "drawer without words"),
        ({"wing": "house"}, "drawer without words"),
        ({**KITCHEN, "filed_at": "yesterday"}, "drawer that cannot be read"),
        ({**KITCHEN, "wing": "w" * 2000}, "drawer that cannot be read"),
    ],
)
def test_a_broken_drawer_is_named_and_the_rest_is_kept(held: dict[str, object], reason: str, tmp_path: Path) -> None:
    """By its own name."""
    messages, _, _, skipped = brought(palace(tmp_path, drawer(1, "d1", **KITCHEN), drawer(2, "bad", **held)))
    assert "The kitchen is light blue." in {one.text for one in messages}
    assert [(one.where, one.reason) for one in skipped] == [("drawer bad", reason)]


def test_broken_triples_are_named(tmp_path: Path) -> None:
    """An end that is missing, a time that is none."""
    path = database(
        tmp_path / "kg.db",
        TRIPLES,
        ("triples", ("t1", None, "likes", "chess", None, None, 1.0, None, None)),
        ("triples", ("t2", "max", "likes", "chess", "once", None, 1.0, None, None)),
        ("triples", ("t3", "max", "likes", "go", None, None, 1.0, "gone", None)),
    )
    messages, links, _, skipped = brought(path)
    assert [one.text for one in messages] == ["max likes go"]
    assert links == []
    assert [one.where for one in skipped] == ["triple 1", "triple 2"]

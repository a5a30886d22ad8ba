"""mem0: its memories as JSON, and its history."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.errors import InvalidExport
from reverie.types import RelationKind, Role
from tests.exchange.foreign.made import HISTORY, as_json, brought, database

WALNUTS = {
    "id": "1b13",
    "memory": "Is allergic to walnuts",
    "hash": "c89b",
    "metadata": {"category": "health"},
    "created_at": "2026-03-01T08:00:00+00:00",
    "updated_at": "2026-03-02T08:00:00.170002+00:00",
    "user_id": "defne",
    "role": "user",
}
CAFE = {"id": "39f0", "memory": "Works at the café", "metadata": None, "created_at": "2026-03-01T09:00:00+00:00"}
AT = "2026-03-01T08:00:00+00:00"
LATER = "2026-04-01T08:00:00+00:00"


@pytest.mark.parametrize("shape", ["results", "memories", "list", "lines"])
def test_what_get_all_returns_comes_in(shape: str, tmp_path: Path) -> None:
    """However it was saved: whole, its list alone, or a line a memory."""
    path = tmp_path / "mem0.json"
    if shape == "lines":
        path.write_bytes(
            b"".join(as_json(tmp_path / "one", one).read_bytes().replace(b"\n", b"") + b"\n" for one in (WALNUTS, CAFE))
        )
    else:
        as_json(path, [WALNUTS, CAFE] if shape == "list" else {shape: [WALNUTS, CAFE]})
    messages, links, ended, skipped = brought(path)
    assert [one.text for one in messages] == ["Is allergic to walnuts", "Works at the café"]
    assert (messages[0].role, messages[0].at) == (Role.USER, datetime(2026, 3, 2, 8, 0, 0, 170002, UTC))
    assert (messages[1].role, messages[1].speaker, messages[1].session) == (Role.PERSON, "mem0", "mem0")
    assert (links, ended, skipped) == ([], [], [])


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ({**CAFE, "memory": ["a", "list"]}, "a list, not text"),
        ({**CAFE, "memory": "  "}, "no words"),
        ({**CAFE, "id": None}, "no id"),
        ({**CAFE, "created_at": "long ago"}, "no time"),
        ("a string", "not an object"),
    ],
)
def test_a_broken_memory_is_named_and_the_rest_is_kept(broken: object, why: str, tmp_path: Path) -> None:
    """With its place and what is wrong with it."""
    messages, _, _, skipped = brought(as_json(tmp_path / "mem0.json", {"results": [WALNUTS, broken, CAFE]}))
    assert len(messages) == 2
    assert skipped[0].broken
    assert "memory 2" in skipped[0].where
    assert why in skipped[0].detail


def test_relations_between_names_are_told_as_left_out(tmp_path: Path) -> None:
    """mem0's graph joins names, which are no memories."""
    edge = {"source": "defne", "relationship": "works_at", "destination": "café"}
    *_, skipped = brought(as_json(tmp_path / "mem0.json", {"results": [CAFE], "relations": [edge]}))
    assert [one.reason for one in skipped] == ["relation between names, not between memories"]


def test_the_history_brings_every_wording_the_old_ones_ended(tmp_path: Path) -> None:
    """What was deleted there does not come back."""
    rows = [
        ("1", "m1", None, "Works at the café", "ADD", AT, AT, 0, None, "user"),
        ("2", "m1", "Works at the café", "Works at the lighthouse", "UPDATE", AT, LATER, 0, None, "user"),
        ("3", "m2", None, "Wrong", "ADD", AT, AT, 0, None, None),
        ("4", "m2", "Wrong", None, "DELETE", AT, LATER, 1, None, None),
    ]
    path = database(tmp_path / "history.db", [HISTORY], *(("history", row) for row in rows))
    messages, links, ended, skipped = brought(path)
    old, new = messages
    assert (old.text, new.text) == ("Works at the café", "Works at the lighthouse")
    assert [(one.source, one.target, one.kind) for one in links] == [
        (new.message_id, old.message_id, RelationKind.SUPERSEDES)
    ]
    assert [(one.message_id, one.at) for one in ended] == [(old.message_id, datetime(2026, 4, 1, 8, tzinfo=UTC))]
    assert [one.reason for one in skipped] == ["deleted in mem0"]


def test_the_same_memory_has_the_same_id_in_both_forms(tmp_path: Path) -> None:
    """So that importing the history after the JSON, or the other way round, brings nothing twice."""
    row = ("1", CAFE["id"], None, CAFE["memory"], "ADD", AT, AT, 0, None, None)
    ours = brought(database(tmp_path / "history.db", [HISTORY], ("history", row)))[0][0]
    theirs = brought(as_json(tmp_path / "mem0.json", [CAFE]))[0][0]
    assert (ours.message_id, ours.session, ours.speaker) == (theirs.message_id, theirs.session, theirs.speaker)


def test_broken_rows_of_the_history_are_named(tmp_path: Path) -> None:
    """Without a memory, without words, with bytes that are no text, with a time that is none."""
    rows = [
        ("1", None, None, "lost", "ADD", AT, AT, 0, None, None),
        ("2", "m2", None, "", "ADD", AT, AT, 0, None, None),
        ("3", "m3", None, b"\xff\xfe", "ADD", AT, AT, 0, None, None),
        ("4", "m4", None, "when?", "ADD", "soon", "soon", 0, None, None),
        ("5", "m5", None, "kept", "ADD", AT, AT, 0, None, None),
    ]
    path = database(tmp_path / "history.db", [HISTORY], *(("history", row) for row in rows))
    messages, _, _, skipped = brought(path)
    assert [one.text for one in messages] == ["kept"]
    assert [one.where for one in skipped if one.broken] == [f"history, row {n}" for n in (1, 2, 3, 4)]


def test_pickled_vectors_are_not_opened(tmp_path: Path) -> None:
    """A Qdrant folder could run code; the error says what to import instead."""
    (tmp_path / "qdrant" / "collection" / "mem0").mkdir(parents=True)
    database(tmp_path / "qdrant" / "collection" / "mem0" / "storage.sqlite", ["CREATE TABLE points (id, point BLOB)"])
    with pytest.raises(InvalidExport, match=r"history\.db"):
        brought(tmp_path / "qdrant")

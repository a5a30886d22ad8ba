"""Anchors: a journal that only went on, and one that was cut, rolled back, rewritten or exchanged."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from reverie import FixedClock, Reverie, Scope
from reverie.answers import Anchor
from reverie.encode.memory_factory import index
from reverie.errors import InvalidInput, StoreError
from reverie.events import Draft, Remembered
from reverie.stores.sqlite import SqliteStore

SCOPE = Scope("assistant", "ada", "house")
OTHER = Scope("assistant", "grace", "house")
START = datetime(2026, 3, 1, tzinfo=UTC)


def keep(path: Path | str, numbers: range, days: int, words: str = "tea") -> Anchor:
    """Keep a message for each number, some days after the start; the anchor at the end."""
    with Reverie.open(path, embedder=None, clock=FixedClock(START + timedelta(days=days))) as memory:
        for number in numbers:
            memory.remember(f"{words} {number}", SCOPE)
        if not memory.timeline(OTHER):
            memory.remember(words, OTHER)
        return memory.admin.anchor()


def found(path: Path, anchor: Anchor) -> list[str]:
    """The faults of a store whose chain, taken alone, is sound."""
    with Reverie.open(path, embedder=None, create=False) as memory:
        assert memory.admin.verify() == []
        return [fault.name for fault in memory.admin.verify(anchor)]


def rewritten(path: Path, after: int) -> None:
    """Write a journal anew from an event on, with other words at the same times, and chain it."""
    old = path.with_name("old")
    path.replace(old)
    with closing(SqliteStore(old)) as source, closing(SqliteStore(path)) as target:
        for event in source.in_order(0):
            with target.begin(event.scope, durable=True) as tx:
                if event.seq <= after or event.scope == OTHER:
                    tx.adopt(event, [])
                    continue
                assert isinstance(event.payload, Remembered)
                episode = replace(event.payload.episode, text="forged")
                memories = tuple(replace(memory, text="forged") for memory in event.payload.memories)
                payload = replace(event.payload, episode=episode, memories=memories)
                draft = Draft(event.scope, event.at, event.actor, event.action, event.why, payload, b"x" * 16)
                tx.append(draft, [index(memory) for memory in memories])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store of forty events."""
    keep(tmp_path / "store", range(40), 1)
    return tmp_path / "store"


def test_a_journal_that_went_on_is_no_finding(path: Path) -> None:
    """At once, later, after an erasure, a dream, a backup and a replay."""
    anchor = keep(path, range(40, 41), 2)
    assert found(path, anchor) == []
    later = keep(path, range(41, 60), 3)
    with Reverie.open(path, embedder=None) as memory:
        memory.admin.erase(memory.timeline(SCOPE)[3].id, SCOPE, why="asked")
        memory.forget(memory.timeline(SCOPE)[4].id, SCOPE)
        memory.dream(SCOPE)
        memory.admin.backup(path.with_name("backup"))
        memory.admin.replay(path.with_name("replayed"))
    for name in ("store", "backup", "replayed"):
        assert found(path.with_name(name), anchor) == found(path.with_name(name), later) == []


@pytest.mark.parametrize("kept", [1, 2, 25, 39, 40])
def test_a_journal_that_ends_earlier_was_cut(tmp_path: Path, kept: int) -> None:
    """How many events are missing is said; a copy of then, put back, is no other thing."""
    path = tmp_path / "store"
    keep(path, range(kept), 1)
    shutil.copy(path, tmp_path / "old")
    anchor = keep(path, range(kept, 41), 2)
    assert found(tmp_path / "old", anchor) == ["anchor-cut"]
    with Reverie.open(tmp_path / "old", embedder=None) as memory:
        (fault,) = memory.admin.verify(anchor)
    assert f"{41 - kept} events are missing" in fault.what
    assert f"ends at event {kept}," in fault.what


@pytest.mark.parametrize("more", [1, 5, 30])
def test_a_journal_that_went_back_and_on_was_rolled_back(path: Path, tmp_path: Path, more: int) -> None:
    """An old copy that was written on, up to before the anchor or beyond it."""
    shutil.copy(path, tmp_path / "old")
    anchor = keep(path, range(40, 60), 2)
    keep(tmp_path / "old", range(100, 100 + more), 3)
    assert found(tmp_path / "old", anchor) == ["anchor-rolled-back"]


@pytest.mark.parametrize("after", [1, 7, 20, 39])
def test_a_journal_written_anew_was_rewritten(path: Path, after: int) -> None:
    """The chain holds, the times are right, the words are others."""
    with Reverie.open(path, embedder=None, clock=FixedClock(START + timedelta(days=9))) as memory:
        anchor = memory.admin.anchor()
    rewritten(path, after)
    assert found(path, anchor) == ["anchor-rewritten"]


def test_another_journal_is_told(path: Path, tmp_path: Path) -> None:
    """A store that began otherwise, and an empty one."""
    anchor = keep(path, range(1), 2)
    keep(tmp_path / "other", range(5), 1)
    assert found(tmp_path / "other", anchor) == ["anchor-other"] * 2
    SqliteStore(tmp_path / "empty").close()
    assert found(tmp_path / "empty", anchor) == ["anchor-gone"] * 2


def test_a_scope_that_vanished_whole_is_told(path: Path, tmp_path: Path) -> None:
    """Which its neighbours' journals cannot tell."""
    anchor = keep(path, range(1), 2)
    with (
        closing(SqliteStore(path)) as source,
        closing(SqliteStore(tmp_path / "fewer")) as target,
        target.begin(SCOPE, durable=True) as tx,
    ):
        for event in source.events(SCOPE):
            tx.adopt(event, [])
    assert found(tmp_path / "fewer", anchor) == ["anchor-gone"]


def test_an_anchor_is_as_small_as_its_journal_is_long(path: Path) -> None:
    """Some hashes, the nearer the denser, and no word of a memory."""
    anchor = keep(path, range(40, 41), 2)
    one, _ = anchor.scopes
    assert [seq for seq, _ in one.marks] == [9, 25, 33, 37, 39, 40]
    assert anchor.events == 42
    assert "tea" not in repr(anchor)
    with closing(sqlite3.connect(path)) as raw:
        hashes = dict(raw.execute("SELECT seq, lower(hex(hash)) FROM event WHERE scope = 1"))
    assert dict(one.marks).items() <= hashes.items()
    assert (one.first, one.hash) == (hashes[1], hashes[41])


def test_nothing_to_anchor_and_no_anchor_are_told() -> None:
    """An empty journal, and what is no anchor, with what to do."""
    with Reverie.open(":memory:", embedder=None) as memory:
        with pytest.raises(InvalidInput, match="empty"):
            memory.admin.anchor()
        with pytest.raises(InvalidInput, match="anchor is dict"):
            memory.admin.verify({"seq": 1})  # type: ignore[arg-type] # what a caller might hand in


def tampered(raw: sqlite3.Connection, chance: Random) -> str:
    """Change the journal of a file somehow, as somebody with write access would; what was done."""
    places = [row[0] for row in raw.execute("SELECT position FROM event ORDER BY position")]
    one, other = chance.sample(places, 2)
    column, value = chance.choice(
        [
            ("actor", "somebody else"),
            ("why", "asked to"),
            ("at", 1_600_000_000_000_000),
            ("action", "forget"),
            ("scope", 1 + (one % 2)),
            ("payload", b"{}"),
            ("salt", b"x" * 16),
            ("digest", b"y" * 32),
            ("hash", b"z" * 32),
            ("previous", b"q" * 32),
        ]
    )
    how = chance.randrange(5)
    if how == 0:
        raw.execute("DELETE FROM event WHERE position = ?", (one,))
    elif how == 1:
        raw.execute("DELETE FROM event WHERE position >= ?", (max(one, 2),))
    elif how == 2:
        raw.execute("UPDATE event SET position = -1 WHERE position = ?", (one,))
        raw.execute("UPDATE event SET position = ? WHERE position = ?", (one, other))
        raw.execute("UPDATE event SET position = ? WHERE position = -1", (other,))
    elif how == 3:
        raw.execute(f"UPDATE event SET {column} = ? WHERE position = ? AND {column} <> ?", (value, one, value))
    else:
        raw.execute(
            "UPDATE event SET payload = (SELECT payload FROM event WHERE position = ?) WHERE position = ?", (other, one)
        )
    return f"{how} {one} {other} {column}" if raw.total_changes else ""


@pytest.mark.req("D51")
@pytest.mark.parametrize("seed", range(60))
def test_every_seeded_tampering_is_found_with_an_anchor(seed: int, path: Path) -> None:
    """Events deleted, cut, exchanged, altered in any column, or given another's content: nothing goes unseen."""
    with Reverie.open(path, embedder=None, create=False) as memory:
        anchor = memory.admin.anchor()
    chance = Random(seed)
    with closing(sqlite3.connect(path)) as raw:
        done = tampered(raw, chance)
        raw.commit()
    if not done:
        pytest.skip("it had changed nothing")
    try:
        with Reverie.open(path, embedder=None, create=False) as memory:
            assert memory.admin.verify(anchor), done
    except StoreError:
        pass  # what cannot even be opened is found as well

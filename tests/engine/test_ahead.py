"""Large imports with helper processes: the same to the byte with any number, whatever becomes of them."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from benchmarks.importing import chats
from reverie import FixedClock, HashEmbedder, RandomIds, Reverie
from reverie.engine import ahead, ingest
from reverie.models.registry import load_embedder, spec_of
from reverie.types import FloatArray, Kind, Message
from tests.engine.conftest import NOW
from tests.engine.full_life import HOME, ORDER

SPOKEN = datetime(2026, 2, 1, 8, tzinfo=UTC)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Batches of 32 messages, and so many helper processes from the first or second batch on."""

    def set_up(count: int) -> None:
        monkeypatch.setattr(ingest, "IMPORT_BATCH", 32)
        monkeypatch.setattr(ahead, "FROM", 1)
        monkeypatch.setattr(ahead, "processes", lambda: count)

    return set_up


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that are started."""
    found: list[subprocess.Popen[bytes]] = []
    start = ahead._started

    def note() -> subprocess.Popen[bytes]:
        found.append(start())
        return found[-1]

    monkeypatch.setattr(ahead, "_started", note)
    return found


def spoken(count: int = 30) -> list[Message]:
    """Chats, two at a time, with what is hard to foresee: orders, repeats, conflicts, secrets, no time."""
    said = [
        Message(
            turn["text"],
            speaker="user" if turn["sender"] == "human" else "assistant",
            session=str(chat["uuid"]),
            at=datetime.fromisoformat(turn["created_at"]),
            message_id=turn["uuid"],
        )
        for chat in chats(count)
        for turn in cast("list[dict[str, str]]", chat["chat_messages"])
    ]
    said = [one for pair in zip(said[::2], reversed(said[1::2]), strict=False) for one in pair]
    said[40:40] = [
        Message(ORDER, session="c1", at=SPOKEN, message_id="order"),
        replace(said[3], text="Other words under the same id."),
        said[5],
        Message("She moved there because of her new job at the harbour.", session="c1", at=SPOKEN),
        Message("My sister Elif moved to Ankara in May.", session="c2"),
        Message("She says that I should prefer tea. My key is sk-ant-api03-" + "a1B2" * 23 + "AA", session="c2"),
        Message(" ", session="c3", at=SPOKEN + timedelta(days=1)),
        Message("lone \ud800 surrogate and a NUL \0 in what I decided for Marta", session="c3", at=SPOKEN),
    ]
    return said


def kept(messages: Iterator[Message] | list[Message], *, observing: bool = True) -> tuple[object, str, Reverie]:
    """Import messages into a store in memory; return the counts, the digest and the engine."""
    made = Reverie.open(":memory:", embedder=HashEmbedder(64), clock=FixedClock(NOW), ids=RandomIds(7))
    keeping = made._parts.ingestion
    done = (keeping.observe_many if observing else keeping.keep_many)(messages, HOME, progress=None, whole=True)
    return done, made.admin.digest(), made


def episodes(engine: Reverie) -> int:
    """How many messages are stored."""
    return sum(one.kind is Kind.EPISODE for one in engine.timeline(HOME))


@pytest.mark.parametrize("observing", [True, False])
def test_the_journal_is_the_same_with_any_number_of_processes(
    small: Callable[[int], None],
    started: list[subprocess.Popen[bytes]],
    *,
    observing: bool,
    request: pytest.FixtureRequest,
) -> None:
    """Counts, events and hashes."""
    counts = [0, 1, 2, 4] if request.config.getoption("--soak") else [0, 2] if observing else [0, 1]
    found = []
    for count in counts:
        small(count)
        done, digest, engine = kept(spoken(), observing=observing)
        found.append((done, digest, engine._context.store.heads(), len(engine.admin.formed(HOME))))
        engine.close()
    assert all(one == found[0] for one in found)
    assert (found[0][3] > 10) is observing
    assert len(started) == sum(counts)
    assert all(process.poll() is not None for process in started)


def test_a_killed_process_costs_nothing_but_time(
    small: Callable[[int], None], started: list[subprocess.Popen[bytes]], caplog: pytest.LogCaptureFixture
) -> None:
    """What it had in hand is done by the engine; a line says that it ended."""
    small(0)
    expected = kept(spoken())[:2]
    small(1)

    def killing() -> Iterator[Message]:
        for number, message in enumerate(spoken()):
            if number == 70:
                started[0].kill()
            yield message

    with caplog.at_level(logging.WARNING, logger="reverie.imports"):
        assert kept(killing())[:2] == expected
    assert [one.message for one in caplog.records] == [
        "a helper process of an import ended (exit code -9); the import goes on without it, only more slowly"
    ]


def test_a_process_that_cannot_be_started_is_not_needed(
    small: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the system refuses it."""
    small(0)
    expected = kept(spoken())[:2]
    small(2)
    monkeypatch.setattr(sys, "executable", str(Path("/nonexistent/python")))
    assert kept(spoken())[:2] == expected


def test_an_interrupted_import_is_whole_and_goes_on(
    small: Callable[[int], None], started: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    """Ctrl+C ends the processes; the next import adds what is missing, and the journal verifies."""
    small(1)
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(list(chats(40))), encoding="utf-8")

    def stop(_count: int) -> None:
        raise KeyboardInterrupt

    with Reverie.open(tmp_path / "a.db", embedder=HashEmbedder(64)) as engine:
        with pytest.raises(KeyboardInterrupt):
            engine.transfer.import_from(path, HOME, observe=True, progress=stop)
        assert [process.poll() is not None for process in started] == [True]
        assert episodes(engine) == 32
        small(0)
        again = engine.transfer.import_from(path, HOME, observe=True)
        assert again.known == 32
        assert engine.transfer.import_from(path, HOME, dry_run=True).known == 32 + again.new
        assert engine.admin.verify() == []


def test_what_came_before_a_broken_message_is_kept(small: Callable[[int], None]) -> None:
    """Also what the processes had in hand."""
    small(1)
    engine = Reverie.open(":memory:", embedder=None)
    with pytest.raises(RuntimeError, match="torn"):
        engine.transfer.remember_many(_Torn(), HOME)
    assert episodes(engine) == len({one.message_id or number for number, one in enumerate(spoken()[:100])})


class _Torn:
    """A hundred messages, of which more are promised."""

    def __len__(self) -> int:
        return 1000

    def __iter__(self) -> Iterator[Message]:
        yield from spoken()[:100]
        raise RuntimeError("torn")


def test_a_small_import_starts_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does one whose messages may still be coming, nor one with an embedder that a process cannot make."""

    def refused() -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(ahead, "_started", refused)
    monkeypatch.setattr(ahead, "processes", lambda: 2)
    kept(spoken())
    monkeypatch.setattr(ahead, "FROM", 1)
    with Reverie.open(":memory:", embedder=None) as engine:
        assert engine.transfer.remember_many(iter(spoken()), HOME).new
    with Reverie.open(":memory:", embedder=_Own()) as engine:
        assert engine.transfer.remember_many(spoken(), HOME).new


class _Own(HashEmbedder):
    """An embedder of the caller's own."""

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Another vector for every text."""
        return -super().embed_passages(texts)


def test_only_models_that_are_the_same_everywhere_have_a_specification() -> None:
    """A subclass may compute anything."""
    assert [spec_of(one) for one in (None, HashEmbedder(64), _Own())] == ["none", "hash:64", None]
    assert [spec_of(load_embedder(name)) for name in ("use", "default")] == ["use", "use"]


def test_a_dry_run_in_processes_foresees_what_the_import_does(
    small: Callable[[int], None], started: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    """It counts the same with a process as with none, embeds nothing, and the import then counts the same."""
    path = tmp_path / "chat.jsonl"
    said = [
        {"id": one.message_id, "text": one.text, "speaker": one.speaker, "session": one.session, "at": str(one.at)}
        for one in spoken(20)
        if one.message_id and one.text.strip()
    ]
    path.write_text("\n".join(map(json.dumps, said)), encoding="utf-8")
    with Reverie.open(":memory:", embedder=HashEmbedder(64)) as engine:
        small(0)
        plain = engine.transfer.import_from(path, HOME, dry_run=True)
        small(1)
        assert engine.transfer.import_from(path, HOME, dry_run=True) == plain
        assert len(started) == 1
        assert plain.new > 64
        assert plain.held == 1
        done = engine.transfer.import_from(path, HOME)
        assert (done.new, done.held, done.masked) == (plain.new, plain.held, plain.masked)

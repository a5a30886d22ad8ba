"""Foreign memories on their way in: found again, linked, ended, and once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.importing import chats
from reverie import FixedClock, RandomIds, Reverie
from reverie.engine.imports import Sorted, drawn, ended
from reverie.errors import InvalidExport
from reverie.exchange import read
from reverie.exchange.fields import Ended, ImportedLink, Skipped
from reverie.types import Message, RelationKind, State
from tests.engine.conftest import NOW
from tests.engine.full_life import HOME, ORDER
from tests.exchange.foreign.made import HISTORY, database

AT = "2026-03-01T08:00:00+00:00"
LATER = "2026-04-01T08:00:00+00:00"
SECRET = "My key is sk-ant-api03-" + "a1B2" * 23 + "AA"


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """mem0's history: a place of work that changed, an order, a secret, and a row that is broken."""
    rows = [
        ("1", "m1", None, "Defne works at the café", "ADD", AT, AT, 0, None, None),
        ("2", "m1", None, "Defne works at the lighthouse", "UPDATE", AT, LATER, 0, None, None),
        ("3", "m2", None, ORDER, "ADD", AT, AT, 0, None, None),
        ("4", "m3", None, SECRET, "ADD", AT, AT, 0, None, None),
        ("5", None, None, "lost", "ADD", AT, AT, 0, None, None),
    ]
    return database(tmp_path / "history.db", [HISTORY], *(("history", row) for row in rows))


def test_a_user_recalls_it_and_sees_where_it_came_from(engine: Reverie, history: Path) -> None:
    """What no longer holds is not recalled, and stays in the timeline with its end."""
    skipped: list[Skipped] = []
    done = engine.transfer.import_from(history, HOME, report=skipped.append)
    assert (done.new, done.linked, done.ended) == (4, 1, 1)
    assert [one.where for one in skipped] == ["history, row 5"]
    hits = engine.recall("Where does Defne work?", HOME).hits
    assert [(one.memory.text, one.memory.speaker, one.memory.session) for one in hits][:1] == [
        ("Defne works at the lighthouse", "mem0", "mem0")
    ]
    assert "Defne works at the café" not in {one.memory.text for one in hits}
    old = next(one for one in engine.timeline(HOME) if "café" in one.text)
    assert old.valid_until is not None
    assert [one.kind for one in engine.admin.relations(HOME)] == [RelationKind.SUPERSEDES]


def test_it_goes_through_the_screen(engine: Reverie, history: Path) -> None:
    """Orders are held back, secrets masked: nothing another memory held is trusted more than what is said."""
    engine.transfer.import_from(history, HOME)
    assert [one.text for one in engine.admin.quarantined(HOME)] == [ORDER]
    assert engine.admin.quarantined(HOME)[0].standing.state is State.QUARANTINED
    assert not any("a1B2a1B2" in one.text for one in engine.timeline(HOME))


def test_a_second_import_changes_nothing(engine: Reverie, history: Path) -> None:
    """Not an event."""
    engine.transfer.import_from(history, HOME)
    before = engine.admin.digest()
    again = engine.transfer.import_from(history, HOME)
    assert (again.new, again.known, again.linked, again.ended) == (0, 4, 0, 0)
    assert engine.admin.digest() == before


def test_a_dry_run_says_what_would_come_and_writes_nothing(engine: Reverie, history: Path) -> None:
    """Counts, the first ones, what would be held back and what left out."""
    skipped: list[Skipped] = []
    before = engine.admin.digest()
    dry = engine.transfer.import_from(history, HOME, dry_run=True, report=skipped.append)
    assert (dry.new, dry.known, dry.held, dry.linked, dry.ended) == (4, 0, 1, 1, 1)
    assert [one.text for one in dry.first][:2] == ["Defne works at the café", "Defne works at the lighthouse"]
    assert len(skipped) == 1
    assert engine.admin.digest() == before
    done = engine.transfer.import_from(history, HOME)
    assert (done.new, done.linked, done.ended) == (dry.new, dry.linked, dry.ended)
    assert engine.transfer.import_from(history, HOME, dry_run=True).known == 4


def test_a_dry_run_sees_repeats_and_conflicts(engine: Reverie, tmp_path: Path) -> None:
    """As the import would."""
    path = tmp_path / "chat.jsonl"
    path.write_text('{"id":"a","text":"one"}\n{"id":"a","text":"one"}\n{"id":"b","text":"two"}\n', encoding="utf-8")
    engine.remember(Message("other words", message_id="b"), HOME)
    dry = engine.transfer.import_from(path, HOME, dry_run=True)
    assert (dry.new, dry.known, dry.conflicts) == (1, 1, ("b",))
    done = engine.transfer.import_from(path, HOME)
    assert (done.new, done.known, done.conflicts) == (1, 1, ("b",))


def test_what_a_person_pinned_or_ended_since_stays(engine: Reverie, history: Path) -> None:
    """A second import does not overrule them."""
    engine.transfer.import_from(history, HOME)
    new = next(one for one in engine.timeline(HOME) if "lighthouse" in one.text)
    engine.admin.pin(new.id, HOME)
    with engine._context.store.begin(HOME, durable=False) as tx:
        assert ended(tx, engine._context.store, HOME, [Ended(new.id, new.at), Ended("nobody", new.at)]) == []


def test_an_edge_needs_both_ends(engine: Reverie) -> None:
    """One that is missing, or the same twice, is none."""
    for name in "ab":
        engine.remember(Message(name, message_id=name), HOME)
    links = [ImportedLink(one, other, RelationKind.CAUSES, "causes") for one, other in ("ab", "ab", "ax", "aa")]
    with engine._context.store.begin(HOME, durable=False) as tx:
        assert len(drawn(tx, engine._context.store, HOME, links, engine._context.clock.now())) == 1


def test_links_and_ends_wait_until_the_messages_are_through() -> None:
    """They speak of messages that have to be there first."""
    link, end, message = ImportedLink("a", "b", RelationKind.CAUSES, ""), Ended("a", NOW), Message("x")
    found = Sorted(iter([link, message, end]))
    assert list(found) == [message]
    assert (found.links, found.ends) == ([link], [end])


@pytest.mark.parametrize("text", ["x" * 1_000_000, "a\0b", "", "\u202eodd\u2028"])
def test_odd_texts_come_through(engine: Reverie, tmp_path: Path, text: str) -> None:
    """A megabyte, a NUL, nothing at all: kept, or named."""
    skipped: list[Skipped] = []
    lines = [{"type": "entity", "name": "n", "entityType": "t", "observations": [text, "plain"]}]
    path = tmp_path / "memory.jsonl"
    path.write_text(json.dumps(lines[0]), encoding="utf-8")
    done = engine.transfer.import_from(path, HOME, report=skipped.append)
    assert done.new + len(skipped) == 2
    assert engine.transfer.import_from(path, HOME).new == 0


def test_a_file_that_breaks_off_says_how_much_of_it_was_kept(engine: Reverie, tmp_path: Path) -> None:
    """Every whole message before the fault is kept, of the last batch too; where there is none, nothing is counted."""
    path = tmp_path / "cut.json"
    path.write_text("[" + "".join(f'{{"text": "Cümle {n}"}},' for n in range(300)) + '{"text": "cu', encoding="utf-8")
    with pytest.raises(InvalidExport, match=r"^cut\.json .* 300 messages before that are good\."):
        engine.transfer.import_from(path, HOME, dry_run=True)
    assert engine.admin.stats(HOME).memories == 0
    for _ in range(2):
        with pytest.raises(InvalidExport, match=r"^cut\.json .* 300 messages before that are kept\."):
            engine.transfer.import_from(path, HOME)
        assert engine.admin.stats(HOME).memories == 300
    path.write_text('[{"text": "cu', encoding="utf-8")
    with pytest.raises(InvalidExport) as caught:
        engine.transfer.import_from(path, HOME)
    assert "before that" not in caught.value.message


def test_what_the_screen_did_is_counted(engine: Reverie, history: Path) -> None:
    """Dry or not, and of new messages alone."""
    dry, done = engine.transfer.import_from(history, HOME, dry_run=True), engine.transfer.import_from(history, HOME)
    assert (dry.held, dry.masked) == (done.held, done.masked) == (1, 1)
    again = engine.transfer.import_from(history, HOME)
    assert (again.held, again.masked) == (0, 0)


def test_an_import_that_observes_forms_what_observing_forms(tmp_path: Path) -> None:
    """Message by message the same memories, also of what a plain import kept before; a second time nothing new."""
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(list(chats(12))), encoding="utf-8")
    messages = list(read(path))

    def told(engine: Reverie) -> list[tuple[str, str, str]]:
        return sorted((one.text, str(one.kind), str(one.at)) for one in engine.admin.formed(HOME))

    with opened() as one_by_one, opened() as at_once, opened() as afterwards:
        for message in messages:
            one_by_one.observe(message, HOME)
        done = at_once.transfer.import_from(path, HOME, observe=True)
        assert (done.new, done.known) == (len(messages), 0)
        assert told(at_once) == told(one_by_one) != []
        afterwards.transfer.import_from(path, HOME)
        assert told(afterwards) == []
        again = afterwards.transfer.import_from(path, HOME, observe=True)
        assert (again.new, again.known) == (0, len(messages))
        assert told(afterwards) == told(one_by_one)
        head = afterwards.admin.digest()
        afterwards.transfer.import_from(path, HOME, observe=True)
        assert told(afterwards) == told(one_by_one)
        assert afterwards.admin.digest() == head
        assert afterwards.admin.verify() == []


def opened() -> Reverie:
    """An engine that embeds nothing."""
    return Reverie.open(":memory:", embedder=None, clock=FixedClock(NOW), ids=RandomIds(seed=1))


def test_the_age_of_what_was_imported_counts_from_when_it_was_said(engine: Reverie, history: Path) -> None:
    """Not from the day of the import."""
    engine.transfer.import_from(history, HOME)
    [old] = [one for one in engine.timeline(HOME) if "lighthouse" in one.text]
    assert old.aged_from == old.at < old.recorded_at

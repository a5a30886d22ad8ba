"""What every store must do, the reference and the default alike: agreeing, replaying, backing up, closing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.engine.runtime import FixedClock, RandomIds
from reverie.errors import Conflict, InvalidInput, StoreClosed, StoreCorrupt
from reverie.events import Action, Change, Changed, Erased, FieldChange, Recalled, Recorded, Remembered
from reverie.ports import Store
from reverie.stores.codec import NO_HASH
from reverie.stores.ram import RamStore
from reverie.stores.sharded import Database, ShardedStore
from reverie.stores.sqlite import SqliteStore
from reverie.types import IndexEntry, Kind, Record, Scope
from tests.stores.making import (
    ADA,
    ELSEWHERE,
    GRACE,
    MODEL,
    Writer,
    at,
    content,
    draft,
    journal_of,
    live_a_life,
    replayed,
)


@pytest.mark.parametrize("seed", range(6))
def test_both_stores_agree_on_any_journal(seed: int, tmp_path: Path) -> None:
    """Whatever happened, reference and default tell the same, asked all along or only in the end."""
    ram, sqlite, asked = RamStore(), SqliteStore(tmp_path / "a"), SqliteStore(tmp_path / "b")
    for part in range(4):
        for store in (ram, sqlite, asked):
            live_a_life(store, seed * 10 + part, 40)
        for scope in (ADA, GRACE, ELSEWHERE):
            assert content(asked, scope) == content(ram, scope)
    for scope in (ADA, GRACE, ELSEWHERE):
        assert content(sqlite, scope) == content(ram, scope)
        assert sqlite.stats(scope) == replace(ram.stats(scope), disk_bytes=sqlite.stats(scope).disk_bytes)
    assert journal_of(sqlite) == journal_of(ram)
    assert sqlite.digest() == asked.digest() == ram.digest()
    assert [store.check() for store in (ram, sqlite)] == [[], []]
    sqlite.close()
    asked.close()


@pytest.mark.parametrize("seed", range(3))
def test_other_scopes_change_nothing(seed: int, new_store: Callable[[], Store]) -> None:
    """Columns, postings and rankings of a scope are the same whether it has the store to itself or not."""
    alone, among_others = new_store(), new_store()
    live_a_life(alone, seed, 60, scopes=(ADA,))
    live_a_life(among_others, seed, 60)
    assert content(alone, ADA) == content(among_others, ADA)


@pytest.mark.parametrize("target", ["ram", "sqlite"])
def test_replaying_a_journal_gives_an_equal_store(store: Store, target: str, tmp_path: Path) -> None:
    """The journal adopted by a new store of either kind gives the same events, memories and digest."""
    live_a_life(store, 5, 80)
    fresh = replayed(store, RamStore() if target == "ram" else SqliteStore(tmp_path / "replayed"))
    assert fresh.digest() == store.digest()
    assert journal_of(fresh) == journal_of(store)
    assert list(fresh.memories(ADA)) == list(store.memories(ADA))
    fresh.close()


def test_the_digest_tells_stores_apart(new_store: Callable[[], Store]) -> None:
    """One access, one validity, one scope more or less gives another digest; terms and vectors do not count."""
    stores = [new_store() for _ in range(5)]
    writers = [Writer(store) for store in stores]
    names = [writer.remember(ADA, "tea", embedded=None if i == 1 else MODEL) for i, writer in enumerate(writers)]
    assert stores[0].digest() == stores[1].digest()
    writers[2].recall(ADA, names[2])
    writers[3].recall(ADA, "nobody")
    writers[4].forget(ADA, names[4], at(1))
    assert len({store.digest() for store in stores}) == 4


def test_a_journal_that_does_not_continue_is_refused(store: Store, new_store: Callable[[], Store]) -> None:
    """A gap, a changed header, a changed content, a half erasure: StoreCorrupt, and nothing of it is taken."""
    writer = Writer(store)
    for word in ("tea", "rain", "ship"):
        writer.remember(ADA, word)
    first, second, third = store.events(ADA)
    assert isinstance(second.payload, Remembered)
    forged = Remembered(replace(second.payload.episode, text="sun"), second.payload.memories)
    bad = [
        third,
        first,
        replace(second, seq=3),
        replace(second, why="no reason"),
        replace(second, scope=GRACE),
        replace(second, at=at(77)),
        replace(second, payload=forged),
        replace(second, payload=None),
        replace(second, salt=None),
        replace(second, digest=first.digest),
        replace(second, previous=third.hash),
    ]
    for event in bad:
        fresh = new_store()
        with fresh.begin(ADA, durable=False) as tx:
            tx.adopt(first)
        with pytest.raises((StoreCorrupt, InvalidInput)), fresh.begin(ADA, durable=False) as tx:
            tx.adopt(event)
        assert fresh.head(ADA) == (1, first.hash)
        assert len(list(fresh.memories(ADA))) == 1


def reopened(store: Store, path: Path) -> Store:
    """The copy that a store wrote; that of a store over several databases is a folder with a file for each."""
    if not isinstance(store, ShardedStore):
        return SqliteStore(path, create=False, key=getattr(store, "key", None))
    files = json.loads((path / "databases.json").read_text())
    databases = {name: Database(SqliteStore(path / file, create=False)) for name, file in files.items()}
    return ShardedStore(databases, FixedClock(at(0)), RandomIds(seed=2))


def test_a_backup_is_a_whole_store(store: Store, tmp_path: Path) -> None:
    """The copy opens as a store of its own with the same digest, rankings and analyzer; it replaces nothing."""
    live_a_life(store, 11, 60)
    for scope in store.scopes():
        store.reindex(scope, "en+tr/1", [(m.id, IndexEntry(tuple(m.text.split()), 1)) for m in store.memories(scope)])
    store.reindexed("en+tr/1")
    store.backup(tmp_path / "copy")
    copy = reopened(store, tmp_path / "copy")
    assert copy.digest() == store.digest()
    assert content(copy, ADA) == content(store, ADA)
    assert copy.analyzer() == "en+tr/1"
    assert copy.check() == []
    copy.close()
    with pytest.raises(Conflict):
        store.backup(tmp_path / "copy")


def test_a_closed_store_says_so(store: Store, tmp_path: Path) -> None:
    """Every method of a closed store raises StoreClosed; closing twice is fine."""
    store.close()
    store.close()
    calls: list[Callable[[], object]] = [
        lambda: store.begin(ADA, durable=True).__enter__(),
        lambda: store.corpus(ADA, None),
        lambda: store.memory(ADA, "m"),
        lambda: list(store.memories(ADA)),
        store.scopes,
        lambda: store.stats(ADA),
        lambda: list(store.events(ADA)),
        lambda: store.head(ADA),
        store.heads,
        store.mark,
        lambda: store.happened(0, {Action.FORM}),
        lambda: store.unindexed(MODEL, 1),
        lambda: store.unindexed(MODEL, 1, ADA),
        lambda: store.missing(MODEL),
        lambda: store.missing(MODEL, ADA),
        lambda: store.put_vectors(MODEL, []),
        lambda: store.outdated(MODEL),
        lambda: store.drop_vectors(ADA, keep=MODEL),
        store.analyzer,
        lambda: store.analyzer(ADA),
        lambda: store.reindex(ADA, "x", iter([])),
        lambda: store.reindexed("x"),
        store.check,
        store.digest,
        lambda: store.backup(tmp_path / "copy"),
    ]
    for call in calls:
        with pytest.raises(StoreClosed):
            call()


def test_an_ended_transaction_writes_no_more(store: Store) -> None:
    """A transaction kept beyond its end raises instead of writing outside any."""
    with store.begin(ADA, durable=False) as tx:
        pass
    with pytest.raises(StoreClosed):
        tx.append(draft(ADA, Action.RECALL, Recalled(())))
    assert store.head(ADA)[0] == 0


def test_names_of_scopes_are_whole(store: Store, writer: Writer) -> None:
    """Scopes that would be the same if their parts were run together are different scopes."""
    scopes = [Scope("a", "b/c", "d"), Scope("a/b", "c", "d"), Scope("a", "b", "c/d"), Scope("A", "b/c", "d")]
    for number, scope in enumerate(scopes):
        writer.remember(scope, f"word{number}")
    for number, scope in enumerate(scopes):
        assert [memory.text for memory in store.memories(scope)] == [f"word{number}"]
        assert store.corpus(scope, MODEL).postings(f"word{number - 1}").ordinals.size == 0


@pytest.mark.parametrize("seed", range(12))
def test_several_lives_in_one_store_erase_what_stems_from_what_went(
    seed: int, new_store: Callable[[], Store], share: Callable[[int], int]
) -> None:
    """What was reworded from what an erasure took along goes too, so that the journal gives what is held all along."""
    store = new_store()
    for part in range(share(20)):
        live_a_life(store, seed * 20 + part, 20)
        assert store.check() == []
        assert replayed(store, RamStore()).digest() == store.digest()


def test_what_was_reworded_from_a_message_goes_with_a_fact_of_that_message(store: Store) -> None:
    """The fact's event takes the message along, and so what was reworded from the message, whoever formed it."""
    writer = Writer(store)
    other = writer.remember(ADA, "rain")
    fact = writer.form(ADA, other, "rain falls")
    message = writer.remember(ADA, "tea", formed=[(Kind.FACT, "tea is hot")])
    writer.change(ADA, fact, text="rain falls on hot tea", sources=(other, message))
    writer.erase(ADA, f"{message}.0")
    assert [one.id for one in store.memories(ADA)] == [other]
    assert store.check() == []
    assert "tea" not in str(list(store.events(ADA)))


def test_words_that_stemmed_for_a_while_from_what_is_erased_go(store: Store) -> None:
    """A memory that was reworded back stays; the events that held the other words lose them."""
    writer = Writer(store)
    other, message = writer.remember(ADA, "rain"), writer.remember(ADA, "tea")
    fact = writer.form(ADA, other, "rain falls")
    change = Change(fact, (FieldChange("sources", (other,), (other, message)), FieldChange("text", "a", "hot tea")))
    back = Change(fact, (FieldChange("sources", (other, message), (other,)), FieldChange("text", "hot tea", "b")))
    for one in (change, back):
        writer.event(ADA, Action.CHANGE, Changed((one,)), [IndexEntry((), 0)])
    writer.erase(ADA, message)
    assert [one.id for one in store.memories(ADA)] == [other, fact]
    assert "tea" not in str(list(store.events(ADA)))


def test_records_are_kept_replaced_and_dropped_by_events(store: Store) -> None:
    """Each is found by its scope and by whom it is about; other scopes' and sorts' are not among them."""
    writer = Writer(store)
    first, anew = Record(ADA, "grant", "g1", "grace", "{}"), Record(ADA, "grant", "g1", "eve", '{"kinds":[]}')
    other, policy = Record(GRACE, "grant", "g1", "grace", "{}"), Record(ADA, "policy", "g1", "grace", "[]")
    for record in (first, other, policy):
        writer.event(record.scope, Action.RECORD, Recorded(None, record))
    assert store.records("grant", about="grace") == [first, other]
    assert store.records("grant", scope=ADA) == [first]
    before = store.digest()
    writer.event(ADA, Action.RECORD, Recorded(first, anew))
    assert (store.records("grant", about="grace"), store.records("grant", scope=ADA)) == ([other], [anew])
    writer.event(ADA, Action.RECORD, Recorded(anew, None))
    assert (store.records("grant"), store.records("policy")) == ([other], [policy])
    assert store.digest() != before
    assert store.check() == []


def test_a_record_goes_with_the_event_that_wrote_it(store: Store) -> None:
    """An erasure that names the event leaves neither the record nor what the journal said of it."""
    writer = Writer(store)
    record = Record(ADA, "grant", "g1", "somebody's name", "{}")
    written = writer.event(ADA, Action.RECORD, Recorded(None, record))
    writer.event(ADA, Action.ERASE, Erased((), (written.seq,)))
    assert (store.records("grant"), next(store.events(ADA)).payload) == ([], None)
    assert store.check() == []


@pytest.mark.parametrize(
    "payload",
    [
        Recorded(None, None),
        Recorded(None, Record(GRACE, "grant", "g", "", "{}")),
        Recorded(Record(ADA, "grant", "g", "", "{}"), Record(ADA, "grant", "h", "", "{}")),
    ],
    ids=["neither", "of another scope", "of two names"],
)
def test_an_event_holds_one_record_of_its_own_scope(store: Store, payload: Recorded) -> None:
    """Anything else is refused before it is written."""
    with pytest.raises((InvalidInput, AssertionError)):
        Writer(store).event(ADA, Action.RECORD, payload)
    assert store.head(ADA)[0] == 0


def test_scopes_have_journals_of_their_own(store: Store, writer: Writer) -> None:
    """Numbers and chains of one do not depend on what is written in another; the mark rises with both."""
    marks = [store.mark()]
    for scope, word in ((ADA, "tea"), (GRACE, "rain"), (ADA, "ship")):
        writer.remember(scope, word)
        marks.append(store.mark())
    first, second = store.events(ADA)
    (other,) = store.events(GRACE)
    assert [(e.seq, e.previous) for e in (first, second, other)] == [(1, NO_HASH), (2, first.hash), (1, NO_HASH)]
    assert store.heads() == {ADA: (2, second.hash), GRACE: (1, other.hash)}
    assert marks == sorted(set(marks))
    assert store.happened(marks[2], {Action.REMEMBER})
    assert not store.happened(marks[2], {Action.FORM})
    assert not store.happened(marks[3], {Action.REMEMBER})


def test_a_transaction_writes_in_its_scope_alone(store: Store) -> None:
    """An event of another is refused, and nothing is written."""
    with pytest.raises(InvalidInput, match="Begin one in that scope"), store.begin(ADA, durable=False) as tx:
        tx.append(draft(GRACE, Action.RECALL, Recalled(())))
    assert store.mark() == 0


def test_the_digest_of_a_scope_is_its_own(store: Store, writer: Writer) -> None:
    """It changes with the scope, and with no other; that of the store changes with each."""
    writer.remember(ADA, "tea")
    before = store.digest(ADA), store.digest(GRACE), store.digest()
    writer.remember(GRACE, "rain")
    after = store.digest(ADA), store.digest(GRACE), store.digest()
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, False]

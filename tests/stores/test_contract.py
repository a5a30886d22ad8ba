"""What every store must do, the reference and the default alike: writing and reading."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime

import pytest

from reverie.errors import Conflict, InvalidInput, StoreBusy
from reverie.events import Action, Erased, Forgotten, Recalled, Remembered
from reverie.ports import Store
from reverie.types import IndexEntry, Kind
from tests.stores.making import (
    ADA,
    ELSEWHERE,
    GRACE,
    MODEL,
    ODD_TEXTS,
    START,
    Writer,
    at,
    content,
    draft,
    episode,
    memory_of,
)


def test_a_new_store_is_empty_and_reading_leaves_it_so(store: Store) -> None:
    """Asking about a scope nobody wrote to answers with nothing, and writes nothing."""
    assert store.corpus(ADA, MODEL).size == 0
    assert store.memory(ADA, "m") is None
    assert list(store.memories(ADA)) == []
    assert store.stats(ADA).memories == 0
    assert store.head(ADA) == (0, "0" * 64)
    assert store.analyzer() == ""
    assert store.scopes() == []


def test_an_event_comes_back_as_it_was_appended(store: Store) -> None:
    """The journal gives back header, payload, salt and hashes, in order, by scope and from a place on."""
    said = episode(ADA, "m1", "hello", message_id="x")
    with store.begin(ADA, durable=True) as tx:
        first = tx.append(draft(ADA, Action.REMEMBER, Remembered(said, (memory_of(said),)), number=1))
        second = tx.append(draft(ADA, Action.RECALL, Recalled(("a", "b")), number=2))
        third = tx.append(draft(ADA, Action.FORGET, Forgotten("m1", None, at(3)), number=3))
    assert list(store.events(ADA)) == [first, second, third]
    assert list(store.events(ADA, actions={Action.REMEMBER, Action.FORGET})) == [first, third]
    assert list(store.events(ADA, after=1, actions={Action.FORGET})) == [third]
    assert list(store.events(GRACE)) == []
    assert list(store.events(ADA, after=1)) == [second, third]
    assert (second.previous, third.previous) == (first.hash, second.hash)
    assert store.head(ADA) == (3, third.hash)


def test_messages_are_known_by_the_ids_they_came_with(store: Store) -> None:
    """By memory id, within the scope; one that came without an id is left out, one that is erased is gone."""
    said = [episode(ADA, "m1", "hello", message_id="x"), episode(ADA, "m2", "hi", message_id="\ud800\0")]
    for number, one in enumerate([*said, episode(ADA, "m3", "hey"), episode(GRACE, "m4", "ho", message_id="y")]):
        with store.begin(one.scope, durable=True) as tx:
            tx.append(draft(one.scope, Action.REMEMBER, Remembered(one, (memory_of(one),)), number=number + 1))
    assert store.message_ids(ADA) == {"m1": "x", "m2": "\ud800\0"}
    assert store.message_ids(GRACE) == {"m4": "y"}
    assert store.message_ids(ELSEWHERE) == {}
    with store.begin(ADA, durable=True) as tx:
        tx.append(draft(ADA, Action.ERASE, Erased(("m1",), tx.events_about(ADA, ("m1",)).emptied), number=5))
    assert store.message_ids(ADA) == {"m2": "\ud800\0"}


def test_a_transaction_sees_its_own_writes(store: Store) -> None:
    """Place and message id of what was just appended are known before the transaction ends."""
    with store.begin(ADA, durable=False) as tx:
        for place in range(3):
            said = episode(ADA, f"m{place}", "hello", seq=tx.next_seq(ADA, "s"), message_id=f"x{place}")
            tx.append(draft(ADA, Action.REMEMBER, Remembered(said, ())))
            assert tx.find_message(ADA, f"x{place}") == said
        assert tx.next_seq(ADA, "s") == 3
        assert tx.next_seq(ADA, "t") == 0
        assert tx.next_seq(GRACE, "s") == 0
        assert tx.find_message(GRACE, "x0") is None


def test_a_transaction_that_fails_leaves_no_trace(store: Store, writer: Writer) -> None:
    """An error takes everything back: journal, memories, counts, validity, erasure, and what was read meanwhile."""
    name, other = writer.remember(ADA, "tea rain", message_id="x"), writer.remember(ADA, "tea")
    before, digest = content(store, ADA), store.digest()
    said, elsewhere = episode(ADA, "new", "ship"), episode(GRACE, "new", "ship")

    def write_and_fail() -> None:
        with store.begin(ADA, durable=True) as tx:
            tx.append(draft(ADA, Action.REMEMBER, Remembered(said, (memory_of(said),))))
            tx.append(draft(ADA, Action.RECALL, Recalled((name,))))
            tx.append(draft(ADA, Action.FORGET, Forgotten(other, None, START)))
            tx.append(draft(ADA, Action.ERASE, Erased((name,), tx.events_about(ADA, (name,)).emptied)))
            assert store.corpus(ADA, MODEL).size == 2
            raise ZeroDivisionError

    def begin_and_fail() -> None:
        with store.begin(GRACE, durable=True) as tx:
            tx.append(draft(GRACE, Action.REMEMBER, Remembered(elsewhere, (memory_of(elsewhere),))))
            assert store.corpus(GRACE, MODEL).size == 1
            raise ZeroDivisionError

    for fail in (write_and_fail, begin_and_fail):
        with pytest.raises(ZeroDivisionError):
            fail()
    assert content(store, ADA) == before
    assert store.digest() == digest
    assert store.scopes() == [ADA]
    assert store.corpus(GRACE, MODEL).size == 0
    assert store.check() == []
    writer.remember(ADA, "tea")
    assert store.corpus(ADA, MODEL).postings("tea").ordinals.tolist() == [0, 1, 2]


def test_an_error_that_was_swallowed_still_takes_the_transaction_back(store: Store, writer: Writer) -> None:
    """Half an event never lasts, even if the caller caught the error inside the transaction."""
    name = writer.remember(ADA, "tea")
    said = episode(ADA, "e2", "again")
    with pytest.raises(Conflict), store.begin(ADA, durable=False) as tx, suppress(Conflict):  # it may come at the end
        tx.append(draft(ADA, Action.REMEMBER, Remembered(said, (memory_of(said), memory_of(said, name)))))
    assert store.head(ADA)[0] == 1
    assert store.memory(ADA, "e2") is None


def test_a_second_transaction_inside_the_first_is_refused(store: Store) -> None:
    """Transactions do not nest; the outer one goes on."""
    with store.begin(ADA, durable=False) as tx:
        with pytest.raises(StoreBusy), store.begin(ADA, durable=False):
            pass
        tx.append(draft(ADA, Action.RECALL, Recalled(())))
    assert store.head(ADA)[0] == 1


def test_an_id_is_taken_once_in_a_scope(store: Store, writer: Writer) -> None:
    """A memory id or message id that is there already is a conflict, in this scope and no other."""
    name = writer.remember(ADA, "tea", message_id="x")
    again = episode(ADA, name, "tea")
    with pytest.raises(Conflict):
        writer.event(ADA, Action.REMEMBER, Remembered(again, (memory_of(again),)))
    with pytest.raises(Conflict):
        writer.event(ADA, Action.REMEMBER, Remembered(episode(ADA, "other", "tea", message_id="x"), ()))
    twin = episode(GRACE, name, "tea", message_id="x")
    writer.event(GRACE, Action.REMEMBER, Remembered(twin, (memory_of(twin),)))
    assert [len(list(store.memories(scope))) for scope in (ADA, GRACE)] == [1, 1]


def test_what_does_not_fit_together_is_refused(store: Store, writer: Writer) -> None:
    """Another action's payload, another scope's content, a missing time zone, an impossible place: invalid input."""
    said = episode(ADA, "m", "tea")
    wrong = [
        draft(ADA, Action.RECALL, Remembered(said, ())),
        draft(GRACE, Action.REMEMBER, Remembered(said, ())),
        draft(ADA, Action.REMEMBER, Remembered(said, (memory_of(episode(GRACE, "m", "tea")),))),
        draft(ADA, Action.REMEMBER, Remembered(replace(said, at=datetime(2026, 3, 2)), ())),
        draft(ADA, Action.REMEMBER, Remembered(replace(said, seq=2**63), ())),
        draft(ADA, Action.RECALL, Recalled(()), when=datetime(2026, 3, 2)),
    ]
    for bad in wrong:
        with pytest.raises(InvalidInput), store.begin(ADA, durable=False) as tx:
            tx.append(bad)
    with pytest.raises(InvalidInput):
        writer.event(ADA, Action.REMEMBER, Remembered(said, (memory_of(said),)), [IndexEntry((), 0)] * 2)
    assert store.head(ADA)[0] == 0


def test_memories_come_by_time_place_and_order_of_writing(store: Store, writer: Writer) -> None:
    """The timeline is sorted, half-open in time, by session, limited; more than a page of it comes whole."""
    late = writer.remember(ADA, "a", at=at(900), seq=0)
    second = writer.remember(ADA, "b", at=at(800), seq=2, session="t")
    first = writer.remember(ADA, "c", at=at(800), seq=1, session="u")
    third = writer.remember(ADA, "d", at=at(800), seq=2, session="a")
    many = [writer.remember(ADA, "e", at=at(1000)) for _ in range(600)]

    def names(**span: object) -> list[str]:
        return [memory.id for memory in store.memories(ADA, **span)]  # type: ignore[arg-type]  # the port checks them

    assert names() == [first, second, third, late, *many]
    assert names(start=at(800), end=at(900)) == [first, second, third]
    assert names(start=at(800.001), end=at(900.001)) == [late]
    assert names(session="t") == [second]
    assert names(limit=2) == [first, second]
    assert names(limit=0) == []
    assert names(session="nowhere") == []
    assert len(names(limit=300, start=at(1000))) == 300


def test_accesses_count_the_recalls_and_nothing_else(store: Store, writer: Writer) -> None:
    """Each recall event counts once a memory it names; unknown names and other scopes' are passed over."""
    name, other = writer.remember(ADA, "tea"), writer.remember(ADA, "rain")
    writer.remember(GRACE, "ship")
    writer.recall(ADA, name, "nobody", other)
    last = writer.recall(ADA, name)
    writer.recall(GRACE, name)
    memory = store.memory(ADA, name)
    assert memory is not None
    assert (memory.accesses, memory.last_access) == (2, last.at)
    assert [found.accesses for found in store.corpus(ADA, MODEL).fetch([1, 0])] == [1, 2]
    assert (store.stats(ADA).accesses, store.stats(GRACE).accesses) == (3, 0)


def test_forgetting_closes_a_memory_and_can_be_taken_back(store: Store, writer: Writer) -> None:
    """Validity ends at the moment named, exclusively; a later event may open it again; the words stay."""
    name = writer.remember(ADA, "tea")
    writer.remember(ADA, "rain")
    assert store.corpus(ADA, MODEL).recallable(at(0)) is None
    writer.forget(ADA, name, at(50))
    corpus = store.corpus(ADA, MODEL)
    assert corpus.recallable(at(49.9)) is None
    alive = corpus.recallable(at(50))
    assert alive is not None
    assert alive.tolist() == [False, True]
    memory = store.memory(ADA, name)
    assert memory is not None
    assert (memory.text, memory.valid_until) == ("tea", at(50))
    assert store.stats(ADA).current == 1
    writer.forget(ADA, name, None)
    assert store.corpus(ADA, MODEL).recallable(at(99)) is None


def test_erasing_takes_content_everywhere_and_leaves_a_tombstone(store: Store, writer: Writer) -> None:
    """Memory, episode, what was formed beside it, terms, vector, counts and payload go; the chain still holds."""
    name = writer.remember(ADA, "tea rain", formed=[(Kind.FACT, "likes tea")], message_id="x")
    kept = writer.remember(ADA, "tea")
    writer.recall(ADA, name, kept)
    before = list(store.events(ADA))
    event = writer.erase(ADA, name)
    assert event.payload == Erased((name,), (1,))
    corpus = store.corpus(ADA, MODEL)
    assert [memory.id for memory in corpus.fetch(range(corpus.size))] == [kept]
    assert (corpus.embedded, corpus.postings("rain").ordinals.size) == (1, 0)
    assert store.memory(ADA, f"{name}.0") is None
    assert store.stats(ADA).accesses == 1
    after = list(store.events(ADA))
    assert after[0] == replace(before[0], payload=None, salt=None)
    assert after[1:3] == before[1:]
    assert store.check() == []
    said = episode(ADA, "later", "tea again", message_id="x")
    writer.event(ADA, Action.REMEMBER, Remembered(said, ()))
    with store.begin(ADA, durable=False) as tx:
        assert tx.find_message(ADA, "x") == said


def test_erasing_reaches_no_other_scope(store: Store, writer: Writer) -> None:
    """An erasure that names another scope's memory, or the number of its event, does nothing there."""
    name = writer.remember(GRACE, "secret")
    writer.remember(ADA, "tea")
    writer.event(ADA, Action.ERASE, Erased((name,), (1, 99, -1)))
    assert store.memory(GRACE, name) is not None
    assert next(store.events(GRACE)).payload is not None
    assert store.check() == []


def test_erasing_a_memory_takes_its_event_along_even_unnamed(store: Store, writer: Writer) -> None:
    """The journal keeps no content of an erased memory, whatever events the caller forgot to name."""
    name = writer.remember(ADA, "tea", formed=[(Kind.FACT, "likes tea")])
    writer.event(ADA, Action.ERASE, Erased((f"{name}.0",), ()))
    assert next(store.events(ADA)).payload is None
    assert list(store.memories(ADA)) == []
    assert store.check() == []


def test_odd_strings_come_back_equal(store: Store) -> None:
    """Any Python string in any field is the same string after the store, in memories and in the journal."""
    for number, odd in enumerate(ODD_TEXTS):
        said = episode(ADA, f"{number}{odd}", odd, session=odd, speaker=odd, message_id=f"{number}{odd}", seq=number)
        memory = replace(memory_of(said), entities=(odd, "x"), keywords=(odd,), sources=(odd, said.id))
        formed = replace(memory, id=f"{number} formed", kind=Kind.FACT, text=f"{odd} formed")
        with store.begin(ADA, durable=False) as tx:
            remember = draft(ADA, Action.REMEMBER, Remembered(said, (memory, formed)), number=number)
            event = tx.append(replace(remember, why=odd, actor=odd), [IndexEntry((odd,), 1)] * 2)
            assert tx.find_message(ADA, f"{number}{odd}") == said
            assert tx.next_seq(ADA, odd) == number + 1
        assert store.memory(ADA, memory.id) == memory
        assert store.memory(ADA, formed.id) == formed
        assert next(store.events(ADA, after=number)) == event
        corpus = store.corpus(ADA, MODEL)
        assert corpus.postings(odd).ordinals.tolist() == [2 * number, 2 * number + 1]
        assert corpus.speaker_names[-1] == odd
        assert [found.id for found in store.memories(ADA, session=odd)] == [memory.id, formed.id]
    assert store.check() == []


def test_stats_count_one_scope(store: Store, writer: Writer) -> None:
    """Memories, those that hold, sessions, speakers, vectors, span of time and events, of this scope alone."""
    writer.remember(ADA, "a", session="s", speaker="Ann", at=at(5))
    name = writer.remember(ADA, "b", session="t", speaker="Bo", at=at(2), embedded=None)
    writer.remember(GRACE, "c", at=at(9))
    writer.forget(ADA, name, at(60))
    stats = store.stats(ADA)
    assert (stats.scope, stats.memories, stats.current, stats.sessions, stats.speakers) == (ADA, 2, 1, 2, 2)
    assert (stats.embedded, stats.first_at, stats.last_at, stats.events) == (1, at(2), at(5), 3)


def test_scopes_are_listed_in_order(store: Store, writer: Writer) -> None:
    """Every scope that was written to, sorted by name, even when all of it was erased."""
    writer.remember(GRACE, "a")
    name = writer.remember(ADA, "a")
    writer.recall(ELSEWHERE)
    writer.erase(ADA, name)
    assert store.scopes() == sorted([ADA, GRACE, ELSEWHERE])

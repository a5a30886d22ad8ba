"""Committing a batch: places, ids, and what is known already."""

from __future__ import annotations

from datetime import UTC, datetime

from reverie.answers import Receipt
from reverie.encode.pipeline import Incoming, Prepared, WriteContext, commit
from reverie.encode.validation import accept
from reverie.engine.runtime import RandomIds
from reverie.events import Action, Remembered
from reverie.stores.ram import RamStore
from reverie.types import Message, Scope

AT = datetime(2026, 5, 4, tzinfo=UTC)
SCOPE = Scope("a", "u", "p")


def write(store: RamStore, *messages: Message) -> list[Receipt]:
    """Commit messages without a model."""
    hand = WriteContext(SCOPE, AT, RandomIds(seed=1), "test", "because", None)
    with store.begin(durable=True) as tx:
        return [commit(tx, Incoming(Prepared(accept(message))), hand)[0] for message in messages]


def test_messages_take_the_next_place_of_their_session() -> None:
    """Each session counts for itself."""
    receipts = write(RamStore(), Message("a", session="x"), Message("b", session="y"), Message("c", session="x"))
    assert [(receipt.session, receipt.seq) for receipt in receipts] == [("x", 0), ("y", 0), ("x", 1)]


def test_a_repeat_within_one_batch_is_kept_once() -> None:
    """The same id twice in one file is one message."""
    receipts = write(RamStore(), Message("a", message_id="m"), Message("a", message_id="m"))
    assert [receipt.new for receipt in receipts] == [True, False]


def test_a_conflict_costs_only_its_own_message() -> None:
    """The others of the batch are kept, and the receipt tells."""
    store = RamStore()
    receipts = write(store, Message("a", message_id="m"), Message("b", message_id="m"), Message("c"))
    assert [(receipt.new, receipt.conflict) for receipt in receipts] == [(True, False), (False, True), (True, False)]
    assert [memory.text for memory in store.memories(SCOPE)] == ["a", "c"]


def test_what_was_exported_under_its_own_id_comes_back_once() -> None:
    """An id the store itself gave is known as well."""
    store = RamStore()
    (first,) = write(store, Message("a"))
    (again,) = write(store, Message("a", message_id=first.id))
    assert (again.id, again.new) == (first.id, False)


def test_the_event_says_who_when_and_why() -> None:
    """One message, one event, with the whole episode in it."""
    store = RamStore()
    write(store, Message("hello"))
    (event,) = store.events(SCOPE)
    assert (event.actor, event.why, event.at, event.action) == ("test", "because", AT, Action.REMEMBER)
    assert isinstance(event.payload, Remembered)
    assert event.payload.episode.text == "hello"

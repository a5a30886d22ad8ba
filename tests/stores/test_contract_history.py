"""What every store must do, the reference and the default alike: a memory's history, what is made of it, its health."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from reverie.answers import JUNK_DAYS, Growth
from reverie.errors import InvalidInput
from reverie.events import Action, CountedRecall, Draft, Recalled, apart
from reverie.ports import Store
from reverie.stores.drafts import touched
from reverie.stores.ram import RamStore
from reverie.types import RelationKind, State, Tier
from tests.stores.making import ADA, ELSEWHERE, GRACE, START, Writer, at, draft, live_a_life


def test_a_history_holds_what_happened_to_a_memory_and_nothing_else(store: Store, writer: Writer) -> None:
    """How it came, accesses, changes, edges from either side, forgetting; in order, each event once."""
    said, other = writer.remember(ADA, "tea"), writer.remember(ADA, "rain")
    fact = writer.form(ADA, said, "likes tea")
    writer.recall(ADA, fact, other)
    writer.recall(ADA, other)
    writer.change(ADA, fact, importance=0.9)
    writer.relate(ADA, other, fact, RelationKind.RELATED_TO)
    writer.forget(ADA, fact, at(3))
    found = store.history(ADA, fact)
    assert [event.action for event in found] == ["form", "recall", "change", "relate", "forget"]
    assert [event.action for event in store.history(ADA, said)] == ["remember"]
    assert store.history(ADA, "nobody") == store.history(GRACE, fact) == []


@pytest.mark.parametrize("seed", range(4))
def test_a_history_is_what_reading_the_whole_journal_finds(store: Store, seed: int) -> None:
    """Whatever happened: forming, unmaking, erasing, and memories that come back under an old name."""
    live_a_life(store, seed, 120)
    for scope in (ADA, GRACE, ELSEWHERE):
        journal = list(store.events(scope))
        for memory in store.memories(scope):
            found = store.history(scope, memory.id)
            assert found == [e for e in journal if memory.id in touched(e.payload) and e.seq >= found[0].seq]


def test_many_recalls_in_one_event_count_as_one_by_one(store: Store, writer: Writer) -> None:
    """Accesses, when the last one was, what was recalled together and since when; an unknown name counts nowhere."""
    said = writer.remember(ADA, "tea")
    facts = [writer.form(ADA, said, f"likes tea {number}") for number in range(3)]
    rounds = [(at(10), (facts[0], facts[1])), (at(11), ()), (at(12), (facts[1], said, facts[1], "nobody", facts[2]))]
    counted = tuple(CountedRecall(moment, len(names)) for moment, names in rounds)
    payload = Recalled(tuple(name for _, names in rounds for name in names), (), counted)
    with store.begin(ADA, durable=True) as tx:
        event = tx.append(draft(ADA, Action.RECALL, payload, when=at(12), number=99))
    one_by_one, alone = RamStore(), list(apart(store.events(ADA)))
    for one in alone:
        with one_by_one.begin(ADA, durable=True) as tx:
            assert one.payload is not None
            tx.append(Draft(ADA, one.at, one.actor, one.action, one.why, one.payload, one.salt or b""))
    assert list(store.events(ADA))[-1] == event
    assert len(alone) == event.seq + 2
    assert list(store.memories(ADA)) == list(one_by_one.memories(ADA))
    assert store.companions(ADA) == one_by_one.companions(ADA)
    seen = {memory.id: (memory.accesses, memory.last_access) for memory in store.memories(ADA)}
    assert seen == {said: (1, at(12)), facts[0]: (1, at(10)), facts[1]: (3, at(12)), facts[2]: (1, at(12))}
    assert [event.seq in {one.seq for one in store.history(ADA, name)} for name in (*facts, said)] == [True] * 4
    assert store.check() == []


def test_a_transaction_that_fails_leaves_no_history(store: Store, writer: Writer) -> None:
    """The number of an event that was taken back is given to another, which touched somebody else."""
    said = writer.remember(ADA, "tea")
    fails = [draft(ADA, Action.RECALL, Recalled((said,))), draft(ADA, Action.FORGET, Recalled((said,)))]
    with pytest.raises(InvalidInput), store.begin(ADA, durable=True) as tx:
        _ = [tx.append(one) for one in fails]
    writer.remember(ADA, "rain")
    assert len(store.history(ADA, said)) == 1


def test_what_went_took_its_history_along(store: Store, writer: Writer) -> None:
    """An erased memory has none; the events stay in the journal."""
    said = writer.remember(ADA, "tea")
    writer.recall(ADA, said)
    writer.erase(ADA, said)
    assert store.history(ADA, said) == []
    assert store.head(ADA)[0] == 3


def test_what_is_made_from_an_episode_follows_its_sources(store: Store, writer: Writer) -> None:
    """A change of sources moves it; what is unmade or erased is no longer among them."""
    one, other = writer.remember(ADA, "tea"), writer.remember(ADA, "rain")
    fact = writer.form(ADA, one, "likes tea")
    writer.change(ADA, fact, sources=(other,))
    assert store.made_from(ADA, one) == []
    assert [memory.id for memory in store.made_from(ADA, other)] == [fact]
    writer.change(ADA, fact, sources=(one, other))
    assert [memory.id for memory in store.made_from(ADA, one)] == [fact]
    writer.erase(ADA, other)
    assert store.made_from(ADA, one) == []


def test_health_counts_what_a_person_would_clean_up(store: Store, writer: Writer) -> None:
    """Junk nobody asked for, what something newer outdates, what is held back, what was forgotten, by day."""
    said = [writer.remember(ADA, text) for text in ("tea", "rain", "ship", "violin")]
    facts = [writer.form(ADA, said[0], f"fact {n}", importance=n / 10 + 0.2) for n in range(6)]
    writer.change(ADA, facts[0], pinned=True)
    writer.recall(ADA, facts[1])
    writer.change(ADA, facts[5], tier=Tier.SEMANTIC, tags=('"tier":"semantic"', '"pinned":true'))
    gone = writer.form(ADA, said[1], "outdated", state=State.SUPERSEDED)
    writer.forget(ADA, gone, at(1))
    writer.forget(ADA, said[2], at(1))
    writer.change(ADA, said[3], state=State.QUARANTINED)
    found = store.health(ADA, START + timedelta(days=JUNK_DAYS + 1))
    assert (found.memories, found.current) == (11, 8)
    assert found.kinds == (("fact", 7), ("episode", 4))
    assert found.tiers == (("episodic", 6), ("semantic", 1))
    assert found.states == (("active", 9), ("quarantined", 1), ("superseded", 1))
    assert (found.junk, found.superseded, found.outdated, found.stale) == (2, 1, 1, 2)
    assert (found.forgotten, found.quarantined) == (1, 1)
    assert found.growth == (Growth(START.date(), 4, 7),)
    assert found.events == store.stats(ADA).events
    assert store.health(ADA, at(2)).junk == 0


def test_health_of_an_empty_scope_is_all_zero(store: Store, writer: Writer) -> None:
    """Another scope's memories are not counted."""
    writer.remember(GRACE, "tea")
    found = replace(store.health(ADA, START), disk_bytes=0)
    assert (found.memories, found.kinds, found.states, found.growth, found.events) == (0, (), (), (), 0)
    assert found.gated_share == 0.0

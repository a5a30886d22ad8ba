from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie import FixedClock, Message, RandomIds, Reverie, Scope
from reverie.engine import replication
from reverie.engine.context import Parts
from reverie.engine.replication import (
    BATCH,
    Merged,
    ScopeMerge,
    align,
    checked,
    events,
    identity,
    index_of,
    replay,
    rescoped,
    retell,
)
from reverie.errors import Conflict, InvalidExport
from reverie.events import Action, Draft, Erased, Event, Payload, Recalled, Remembered
from reverie.exchange.journal import End, end_line, event_line, head_line
from reverie.recipes.recipe import recipe
from reverie.stores import codec
from reverie.stores.digest import root
from reverie.stores.ram import RamStore
from tests.engine.full_life import HOME, OTHER, opened
from tests.stores.making import journal_of


@pytest.fixture
def memory() -> Reverie:
    """Two scopes with an event each."""
    engine = opened(":memory:")
    engine.remember("tea", HOME)
    engine.remember("hose", OTHER)
    return engine


def written(memory: Reverie, path: Path, scope: Scope | None = None) -> Path:
    """The export of a store's journal."""
    with path.open("wb") as out:
        replication.write(memory._context.store, out, scope)
    return path


def forged(path: Path, raw: bytes, event: Event, scope: Scope | None = None) -> Path:
    """A file of one event with this payload, whose hashes fit: made by somebody who knows how."""
    salt = b"salt"
    draft = Draft(event.scope, event.at, event.actor, event.action, event.why, event.payload, salt)  # type: ignore[arg-type] # it has one
    sealed = replace(codec.seal(draft, raw, 1, codec.NO_HASH), payload=None)
    lines = head_line(scope), event_line(sealed, raw), end_line(End(1, 1, root({event.scope: (1, sealed.hash)}), ""))
    path.write_bytes(b"".join(lines))
    return path


def test_what_a_file_holds_is_said(memory: Reverie, tmp_path: Path) -> None:
    """Whole: with the store's digest; a scope's: without; both with the last event of each scope."""
    whole = checked(written(memory, tmp_path / "all"))
    assert (whole.scopes, whole.events, whole.actions) == ((HOME, OTHER), 2, {Action.REMEMBER: 2})
    assert whole.heads == memory._context.store.heads()
    assert whole.digest == memory.admin.digest()
    part = checked(written(memory, tmp_path / "part", OTHER))
    assert (part.scopes, part.heads, part.digest) == ((OTHER,), {OTHER: whole.heads[OTHER]}, "")


def test_the_events_come_back_as_they_were(memory: Reverie, tmp_path: Path) -> None:
    """With payload, salt and hashes."""
    assert list(events(written(memory, tmp_path / "all"))) == journal_of(memory._context.store)


def test_what_is_written_meanwhile_is_in_it(memory: Reverie, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The digest in the last line belongs to the events above it."""
    asked = iter([True])
    digest = memory._context.store.digest

    def late(scope: Scope | None = None) -> str:
        found = digest(scope)
        if next(asked, False):
            memory.remember("said while the export ran", HOME)
        return found

    monkeypatch.setattr(memory._context.store, "digest", late)
    contents = checked(written(memory, tmp_path / "all"))
    assert (contents.events, contents.digest) == (3, digest())


def test_lines_in_another_order_or_of_another_scope_are_refused(memory: Reverie, tmp_path: Path) -> None:
    """One left out, two swapped, a scope left out whole, a stranger in a scope's file."""
    memory.remember("the second at home", HOME)
    head, first, second, third, end = written(memory, tmp_path / "all").read_bytes().splitlines(keepends=True)
    fewer = end.replace(b'"events":3', b'"events":2')
    for lines, what in (
        ((head, second, third, fewer), "event 1 is missing"),
        ((head, second, first, third, end), "event 1 is missing"),
        ((head, first, second, fewer), "names other last events"),
    ):
        (tmp_path / "bad").write_bytes(b"".join(lines))
        with pytest.raises(InvalidExport, match=what):
            checked(tmp_path / "bad")
    (tmp_path / "bad").write_bytes(b"".join((head_line(HOME), first, second, third, end)))
    with pytest.raises(InvalidExport, match="line 4: it is of another scope"):
        checked(tmp_path / "bad")


@pytest.mark.parametrize("field", ["text", "seq", "at", "role"])
def test_a_forged_payload_is_refused_though_its_hashes_fit(memory: Reverie, tmp_path: Path, field: str) -> None:
    """A field of another type reaches no store."""
    event = next(iter(memory._context.store.events(HOME)))
    assert isinstance(event.payload, Remembered)
    raw = codec.encode(Draft(HOME, event.at, "a", event.action, "", event.payload, b""))
    plain = json.loads(raw)
    assert checked(forged(tmp_path / "ok", raw, event)).events == 1
    plain["episode"][field] = {"not": "what it was"}
    with pytest.raises(InvalidExport, match="line 2"):
        checked(forged(tmp_path / "bad", codec.dump(plain), event))


def test_a_payload_with_something_more_in_it_is_refused(memory: Reverie, tmp_path: Path) -> None:
    """It would be told differently than it was hashed."""
    event = next(iter(memory._context.store.events(HOME)))
    raw = codec.encode(Draft(HOME, event.at, "a", event.action, "", event.payload, b""))  # type: ignore[arg-type] # it has one
    plain = json.loads(raw) | {"more": 1}
    with pytest.raises(InvalidExport, match="not written as it is told"):
        checked(forged(tmp_path / "bad", codec.dump(plain), event))


def merged(source: Reverie, target: Reverie, origin: Scope = HOME, scope: Scope = HOME) -> Merged:
    """Bring a scope over."""

    def draft(payload: Payload, action: Action) -> Draft:
        return target._context.draft(scope, action, "merged", payload)

    return ScopeMerge(source._context.store, target._context.store, scope, draft).run(origin)


def test_a_message_both_imported_is_one_and_what_was_formed_of_it_finds_it() -> None:
    """By its message id, though the two stores gave it ids of their own."""
    said = Message("I prefer tea to coffee in the morning.", message_id="chat-1")
    with opened(":memory:", seed=1) as source, opened(":memory:", seed=2) as target:
        formed = source.observe(said, HOME).formed
        own = target.remember(said, HOME)
        assert formed
        done = merged(source, target)
        assert (done.known, done.new) == (1, len(formed))
        assert target.memory(formed[0], HOME).sources == (own.id,)
        assert len(target.timeline(HOME)) == 1 + len(formed)
        assert merged(source, target).new == 0


def test_edges_come_where_both_ends_are_here_and_once() -> None:
    """Between what was known and what is new, too."""
    with opened(":memory:", seed=1) as source, opened(":memory:", seed=2) as target:
        ids = [source.remember(Message(text, message_id=text), HOME).id for text in ("a", "b", "c")]
        source.relate(ids[0], ids[1], HOME, "causes", confidence=0.5)
        source.relate(ids[1], ids[2], HOME, "elaborates")
        known = target.remember(Message("a", message_id="a"), HOME).id
        gone = merged(source, target)
        assert gone.edges == 2
        edges = {(one.source, one.target, str(one.kind), one.confidence) for one in target.admin.relations(HOME)}
        assert edges == {(known, ids[1], "causes", 0.5), (ids[1], ids[2], "elaborates", 1.0)}
        assert merged(source, target).edges == 0


def test_what_was_erased_here_stays_erased_with_all_that_was_formed_of_it() -> None:
    """Whoever erases does not want it back by a copy."""
    with opened(":memory:", seed=1) as source, opened(":memory:", seed=2) as target:
        receipt = source.observe("I prefer tea to coffee in the morning.", HOME)
        merged(source, target)
        target.admin.erase(receipt.id, HOME, why="asked to")
        done = merged(source, target)
        assert (done.new, done.erased) == (0, 1 + len(receipt.formed))
        assert target.timeline(HOME) == []


def test_a_scope_can_go_into_another() -> None:
    """Under the name it has here, at the end of a session that both have."""
    with opened(":memory:", seed=1) as source, opened(":memory:", seed=2) as target:
        source.remember("there", HOME)
        target.remember("here", OTHER)
        merged(source, target, HOME, OTHER)
        assert [(one.text, one.seq) for one in target.timeline(OTHER)] == [("here", 0), ("there", 1)]
        assert target.admin.scopes() == [OTHER]


SCOPE = Scope("a", "u", "p")
AT = datetime(2026, 5, 4, tzinfo=UTC)


def test_a_journal_longer_than_a_batch_is_told_whole() -> None:
    """Every event arrives once, in order, and the digests agree."""
    source = RamStore()
    engine = Reverie(Parts(source, None, FixedClock(AT), RandomIds(seed=1), recipe("reverie")))
    for n in range(BATCH + 7):
        engine.remember(f"note {n}", SCOPE)
    target = RamStore()
    told: list[int] = []
    assert replay(source, target, told.append) == source.digest()
    assert sum(told) == BATCH + 7
    assert target.heads() == source.heads()


def test_a_store_that_holds_something_is_no_target() -> None:
    """A replay never touches what is there."""
    source, target = RamStore(), RamStore()
    Reverie(Parts(target, None, FixedClock(AT), RandomIds(seed=1), recipe("reverie"))).remember("kept", SCOPE)
    before = target.digest(), target.analyzer()
    with pytest.raises(Conflict):
        replay(source, target)
    assert (target.digest(), target.analyzer()) == before


def test_only_remembering_needs_an_index() -> None:
    """An access has nothing to index."""
    assert index_of(RamStore(), SCOPE, Recalled(("m1",))) == ()
    assert index_of(RamStore(), SCOPE, None) == ()


def told(*texts: str) -> Reverie:
    """An engine with these messages."""
    memory = opened(":memory:")
    for text in texts:
        memory.remember(text, HOME)
    return memory


def journal(memory: Reverie) -> list[Event]:
    """Its events."""
    return journal_of(memory._context.store)


def test_one_journal_continues_the_other() -> None:
    """What is known is laid beside, what is new is counted; a shorter one brings nothing."""
    events = journal(told("a", "b", "c"))
    ahead = align(events[:1], events)
    assert (ahead.known, ahead.new, ahead.diverges) == ({1: 1}, 2, "")
    behind = align(events, events[:1])
    assert (behind.known, behind.new, behind.diverges) == ({1: 1}, 0, "")


def test_two_ways_from_one_event_diverge() -> None:
    """Whether in the middle, or where both went on."""
    ours, theirs = journal(told("a", "b")), journal(told("a", "x"))
    assert "differ" in align(ours, theirs).diverges
    events = journal(told("a", "b", "c"))
    assert align([events[0], events[2]], events[:2]).diverges


def test_an_event_has_one_identity_wherever_it_stands() -> None:
    """Under another number, in another scope, and when its content is gone; an erasure too."""
    memory = told("a", "b")
    before = [identity(event) for event in journal(memory)]
    memory.admin.erase(memory.timeline(HOME)[0].id, HOME, why="asked to")
    assert [identity(event) for event in journal(memory)][:2] == before
    target_engine = opened(":memory:")
    target_engine.remember("first of all", HOME)
    known: dict[int, int] = {}
    assert retell(target_engine._context.store, journal(memory), known) == 2
    there = list(target_engine._context.store.events(HOME))
    assert [identity(event) for event in there[1:]] == [identity(event) for event in journal(memory)[1:]]
    assert known == {2: 2, 3: 3}


def test_an_erasure_names_the_events_as_they_are_numbered_here() -> None:
    """And takes their content with it where the file already had lost it."""
    memory = told("a", "b")
    target = opened(":memory:", seed=99)
    target.remember("before", HOME)
    known: dict[int, int] = {}
    retell(target._context.store, journal(memory), known)
    assert known == {1: 2, 2: 3}
    memory.admin.erase(memory.timeline(HOME)[1].id, HOME, why="asked to")
    assert "differ" in align(target._context.store.events(HOME), journal(memory)).diverges
    retell(target._context.store, journal(memory), known)
    last = list(target._context.store.events(HOME))[-1].payload
    assert isinstance(last, Erased)
    assert last.events == (3,)
    assert [one.text for one in target.timeline(HOME)] == ["before", "a"]
    assert target.admin.verify() == []


def test_content_moves_to_the_scope_it_is_told_in() -> None:
    """Episode and memories alike."""
    payload = journal(told("a"))[0].payload
    assert payload is not None
    moved = rescoped(payload, OTHER)
    assert isinstance(moved, Remembered)
    assert {moved.episode.scope, *(memory.scope for memory in moved.memories)} == {OTHER}

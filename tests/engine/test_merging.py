"""Merging a scope that lived elsewhere."""

from __future__ import annotations

from reverie import Message, Reverie
from reverie.engine.replication import Merged, ScopeMerge
from reverie.events import Action, Draft, Payload
from reverie.types import Scope
from tests.engine.full_life import HOME, OTHER, opened


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

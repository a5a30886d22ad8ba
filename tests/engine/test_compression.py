"""Digests in a store: a dream makes them, ``expand`` brings the words back, undo and erasure leave nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from reverie import FixedClock, Message, RandomIds, Reverie, Scope, State
from reverie.consolidate.settings import Clustering, Compression, StepName
from reverie.encode.notes import Note
from reverie.errors import InvalidInput, NotFound
from reverie.formulas.associations import AffinityEdges
from reverie.recall.settings import CondenseSettings
from reverie.recipes.recipe import OwnRecipe, Recipe, recipe
from reverie.types import Memory
from tests.engine.conftest import NOW

pytestmark = pytest.mark.req("D56", "D56b")
TEXTS = (
    "Zeynep said that the Atlas project is due on 5 May 2026.",
    "Zeynep says the budget of Atlas is 4,500 euro, not 5,000.",
    "Zeynep has the keys of the house in Izmir.",
)


def compressing() -> Recipe:
    """The default recipe with two steps at night, clustering and compression, and digests where room is short."""
    base = recipe("reverie")
    near = Clustering(AffinityEdges(entities=1, importance_gap=None), least=2, most=12, nearness=None)
    small = Compression(limit=20, importance=0.8, share=1.0)
    order = (StepName.CLUSTERING, StepName.COMPRESSION)
    dream = replace(base.dream, order=order, clustering=near, compression=small)
    recall = replace(base.recall, condense=CondenseSettings(least_tokens=8))
    return OwnRecipe("compressing", recall, base.encode, dream, base.working)


@pytest.fixture
def engine(where: str) -> Iterator[Reverie]:
    """An engine with that recipe, on each store."""
    with Reverie.open(
        where, embedder=None, recipe=compressing(), clock=FixedClock(NOW), ids=RandomIds(seed=1), background=False
    ) as opened:
        yield opened


def dreamt(engine: Reverie, scope: Scope) -> tuple[Memory, list[Memory]]:
    """The digest that a dream makes of three notes, and the notes."""
    notes = [Note(text, at=NOW - timedelta(days=9 - place)) for place, text in enumerate(TEXTS)]
    made = engine.admin.note(notes, scope)
    engine.dream(scope)
    (digest,) = [one for one in engine.admin.formed(scope) if one.is_dreamt]
    return digest, made


def states(engine: Reverie, scope: Scope) -> list[State]:
    """The states of what was noted."""
    return [one.standing.state for one in engine.admin.formed(scope) if not one.is_dreamt]


def test_expand_brings_the_words_back_in_one_call(engine: Reverie, scope: Scope) -> None:
    """Each statement points to the memory that says it, and these come whole, though they sleep."""
    digest, notes = dreamt(engine, scope)
    assert states(engine, scope) == [State.DORMANT] * 3
    found = engine.admin.expand(digest.id, scope)
    assert [one.text for one in found.sources] == list(TEXTS)
    assert [one.sources for one in found.statements] == [(note.id,) for note in notes]
    assert "\n".join(one.text for one in found.statements) == digest.text
    assert engine.admin.verify() == []


def test_expand_brings_the_message_of_a_fact(engine: Reverie, scope: Scope) -> None:
    """Of anything that was formed; a message itself has no other words, and another scope has none of it."""
    said = engine.observe("My sister Zeynep lives in Izmir.", scope)
    found = engine.admin.expand(said.formed[0], scope)
    assert [one.id for one in found.sources] == [said.id]
    assert engine.admin.expand(said.id, scope).sources == ()
    with pytest.raises(NotFound):
        engine.admin.expand(said.id, Scope("helper", "grace", "home"))


def test_what_is_asked_is_found_in_the_digest(engine: Reverie, scope: Scope) -> None:
    """It takes the place of the memories that sleep in it."""
    digest, _ = dreamt(engine, scope)
    assert [hit.memory.id for hit in engine.recall("What is the budget of Atlas?", scope).hits] == [digest.id]


def test_undo_and_a_second_dream_give_the_same(engine: Reverie, scope: Scope) -> None:
    """Everything awake again; a source that is revived stays awake; a replay gives the same store."""
    digest, notes = dreamt(engine, scope)
    assert not engine.dream(scope).changed
    assert engine.admin.revive(notes[0].id, scope).standing.state is State.ACTIVE
    engine.undo(scope)
    assert states(engine, scope) == [State.ACTIVE] * 3
    assert engine.recall("Atlas budget", scope).hits[0].memory.id == notes[1].id
    assert not _is_there(engine, digest)


def _is_there(engine: Reverie, memory: Memory) -> bool:
    try:
        return bool(engine.memory(memory.id, memory.scope))
    except NotFound:
        return False


def test_an_erased_source_leaves_nothing_in_the_digest(engine: Reverie, scope: Scope) -> None:
    """The digest goes with it, the others are awake again, and no word of it is in the journal."""
    digest, notes = dreamt(engine, scope)
    engine.admin.erase(notes[1].id, scope, why="asked for")
    assert not _is_there(engine, digest)
    assert states(engine, scope) == [State.ACTIVE] * 2
    assert "4,500" not in "".join(map(repr, engine.admin.events(scope)))
    assert "4,500" not in "".join(hit.memory.text for hit in engine.recall("Atlas budget euro", scope).hits)
    engine.dream(scope)
    assert "4,500" not in "".join(one.text for one in engine.admin.formed(scope))


def test_a_forgotten_source_takes_the_digest_with_it(engine: Reverie, scope: Scope) -> None:
    """As it does with a theme."""
    digest, notes = dreamt(engine, scope)
    engine.forget(notes[0].id, scope)
    assert engine.memory(digest.id, scope).standing.state is State.SUPERSEDED
    assert states(engine, scope)[1:] == [State.ACTIVE] * 2


def test_a_session_is_condensed_with_pointers(engine: Reverie, scope: Scope) -> None:
    """Each speaker's own statements, also opposite ones; nothing is written, and what was forgotten is left out."""
    ids = [
        engine.remember(Message(text, speaker, session="s"), scope).id
        for speaker, text in (("Ada", "The tap is old."), ("Bob", "The tap isn't old."), ("Ada", "It leaks at night."))
    ]
    engine.forget(ids[2], scope)
    before = engine.admin.head()
    found = engine.admin.condense(scope, session="s")
    assert [(one.speaker, one.text, one.sources) for one in found.statements] == [
        ("Ada", "tap old.", (ids[0],)),
        ("Bob", "tap isn't old.", (ids[1],)),
    ]
    assert engine.admin.head() == before
    assert engine.admin.condense(scope, ids=[ids[0]]).statements == found.statements[:1]
    assert engine.admin.condense(scope, session="nobody's").statements == ()


def test_condense_says_what_is_wrong(engine: Reverie, scope: Scope) -> None:
    """Nothing named, both named, a budget below nothing, an id that is not there."""
    for asked in ({}, {"session": "s", "ids": ["x"]}, {"session": "s", "budget_tokens": -1}, {"ids": "x"}):
        with pytest.raises(InvalidInput):
            engine.admin.condense(scope, **asked)  # type: ignore[arg-type]  # the error is the point
    with pytest.raises(NotFound):
        engine.admin.condense(scope, ids=["x"])


def test_a_recall_with_little_room_hands_over_a_digest(engine: Reverie, scope: Scope) -> None:
    """Where the whole message does not fit; its id leads to the words. With room for it, it comes whole."""
    said = engine.remember("Well, it was such a nice day and we had a talk. Zeynep has the keys of the house.", scope)
    (hit,) = engine.recall("Who has the keys?", scope, budget_tokens=12).hits
    assert (hit.memory.id, hit.shown, hit.tokens <= 12) == (said.id, "Zeynep has keys house.", True)
    (whole,) = engine.recall("Who has the keys?", scope, budget_tokens=100).hits
    assert whole.shown == ""
    assert engine.recall("Who has the keys?", scope, budget_tokens=3).hits == ()

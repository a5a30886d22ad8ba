"""Tending: feedback, protection, waking, quarantine, edges by hand, the graph, working memory at a session's end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from reverie import FixedClock, Message, RandomIds, Reverie, Scope
from reverie.engine.curate import Feedback
from reverie.errors import Conflict, InvalidInput, NotFound
from reverie.events import Action, Changed, difference
from reverie.recipes.published.v9.recall import SubTier, sub_tier
from reverie.types import Memory, RelationKind, State
from tests.encode.making import Chosen
from tests.engine.conftest import NOW


@pytest.fixture
def engine(where: str) -> Iterator[Reverie]:
    """Document D's recipe with a model for which nothing is like anything."""
    with Reverie.open(
        where,
        embedder=Chosen({}),
        recipe="v9",
        clock=FixedClock(NOW),
        ids=RandomIds(seed=1),
        background=False,
    ) as opened:
        yield opened


def made(engine: Reverie, scope: Scope, text: str = "Maya stood by a wall.", session: str = "s") -> Memory:
    """One memory that was formed."""
    (name,) = engine.observe(Message(text, session=session), scope, deliberate=True).formed
    return engine.memory(name, scope)


def alter(engine: Reverie, memory: Memory, **standing: object) -> Memory:
    """The memory with another standing, by an event."""
    after = replace(memory, standing=replace(memory.standing, **standing))  # type: ignore[arg-type]  # a test's wish
    engine._context.append(memory.scope, Action.CHANGE, "test", Changed((difference(memory, after),)))
    return engine.memory(memory.id, memory.scope)


@pytest.mark.req("D15")
@pytest.mark.parametrize(("verdict", "once", "twice"), [("used", 0.55, 0.595), ("useless", 0.45, 0.405)])
def test_feedback_moves_utility_a_tenth_of_the_way(
    engine: Reverie, scope: Scope, verdict: str, once: float, twice: float
) -> None:
    """From .5 towards 1 or 0."""
    name = made(engine, scope).id
    found = [engine.feedback(name, scope, verdict).standing.utility for _ in range(2)]
    assert found == pytest.approx([once, twice])


@pytest.mark.req("B3", "B12")
def test_what_a_person_flags_as_important_weighs_95_hundredths(engine: Reverie, scope: Scope) -> None:
    """And no less, where it weighed more."""
    memory = made(engine, scope)
    assert engine.feedback(memory.id, scope, Feedback.IMPORTANT).standing.importance == 0.95
    alter(engine, memory, importance=0.99)
    assert engine.feedback(memory.id, scope, Feedback.IMPORTANT).standing.importance == 0.99


@pytest.mark.req("B3", "B12")
@pytest.mark.parametrize("text", ["I prefer green tea.", "Yeşil çayı severim."])
def test_what_is_wrong_weighs_nothing_and_holds_no_longer(engine: Reverie, scope: Scope, text: str) -> None:
    """It is kept, and not recalled; its words are there still."""
    memory = made(engine, scope, text)
    wrong = engine.feedback(memory.id, scope, "wrong")
    assert (wrong.standing.importance, wrong.standing.confidence) == (0.0, 0.0)
    assert (wrong.valid_until, wrong.standing.state) == (NOW, State.SUPERSEDED)
    assert memory.id not in [hit.memory.id for hit in engine.recall(text, scope, budget_tokens=None).hits]


@pytest.mark.req("D22", "B12")
def test_what_is_verified_is_trusted(engine: Reverie, scope: Scope) -> None:
    """Its source's confidence is 1."""
    memory = alter(engine, made(engine, scope), confidence=0.25)
    standing = engine.feedback(memory.id, scope, "verified").standing
    assert (standing.verified, standing.confidence) == (True, 1.0)


@pytest.mark.parametrize("verdict", ["good", "", "USED"])
def test_an_unknown_verdict_is_refused(engine: Reverie, scope: Scope, verdict: str) -> None:
    """With those there are."""
    name = made(engine, scope).id
    with pytest.raises(InvalidInput) as refused:
        engine.feedback(name, scope, verdict)
    assert "useless" in refused.value.mend


@pytest.mark.req("D21")
@pytest.mark.parametrize("flag", ["pin", "protect"])
def test_what_is_protected_is_not_called_wrong(engine: Reverie, scope: Scope, flag: str) -> None:
    """One lifts that first."""
    name = made(engine, scope).id
    getattr(engine.admin, flag)(name, scope)
    with pytest.raises(Conflict):
        engine.feedback(name, scope, "wrong")


@pytest.mark.req("D21")
def test_pinned_and_immutable_are_independent(engine: Reverie, scope: Scope) -> None:
    """Each is set and lifted without the other."""
    name = made(engine, scope).id

    def flags() -> tuple[bool, bool]:
        standing = engine.memory(name, scope).standing
        return standing.pinned, standing.immutable

    engine.admin.pin(name, scope)
    assert flags() == (True, False)
    engine.admin.protect(name, scope)
    assert flags() == (True, True)
    engine.admin.pin(name, scope, pinned=False)
    assert flags() == (False, True)
    engine.admin.protect(name, scope, immutable=False)
    assert flags() == (False, False)


@pytest.mark.parametrize("text", ["I prefer green tea.", "Yeşil çayı severim."])
def test_a_memory_is_woken_in_the_tier_it_came_from(engine: Reverie, scope: Scope, text: str) -> None:
    """Active again, its last access now; nothing else changes (reading 27)."""
    asleep = alter(engine, made(engine, scope, text), state=State.DORMANT, stability_days=3.0)
    awake = engine.admin.revive(asleep.id, scope)
    assert (awake.standing.state, awake.standing.tier) == (State.ACTIVE, asleep.standing.tier)
    assert (awake.last_access, awake.accesses, awake.standing.stability_days) == (NOW, asleep.accesses, 3.0)


@pytest.mark.parametrize("state", [State.SUPERSEDED, State.QUARANTINED])
def test_what_was_taken_back_or_held_back_is_not_woken(engine: Reverie, scope: Scope, state: State) -> None:
    """It does not sleep."""
    memory = alter(engine, made(engine, scope), state=state)
    with pytest.raises(InvalidInput) as refused:
        engine.admin.revive(memory.id, scope)
    assert refused.value.mend


def test_only_what_is_in_quarantine_is_released(engine: Reverie, scope: Scope) -> None:
    """And only that is listed."""
    free, held = made(engine, scope), made(engine, scope, "Bora sings loudly.")
    alter(engine, held, state=State.QUARANTINED)
    assert [memory.id for memory in engine.admin.quarantined(scope)] == [held.id]
    with pytest.raises(InvalidInput):
        engine.admin.release(free.id, scope, why="test")
    assert engine.admin.release(held.id, scope, why="test").standing.state is State.ACTIVE
    assert engine.admin.quarantined(scope) == []


@pytest.mark.req("D16")
def test_an_edge_drawn_by_hand_is_there_once(engine: Reverie, scope: Scope) -> None:
    """Drawn again, it is set anew."""
    one, other = made(engine, scope), made(engine, scope, "Bora sings loudly.")
    for confidence in (0.5, 0.8):
        engine.relate(one.id, other.id, scope, "causes", confidence=confidence)
    (edge,) = engine.admin.relations(scope)
    assert (edge.source, edge.target, edge.kind, edge.confidence) == (one.id, other.id, RelationKind.CAUSES, 0.8)
    assert engine.admin.relations(scope, (other.id,)) == [edge]


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "likes"}, {"confidence": 1.5}, {"confidence": True}, {"confidence": "high"}, {"target": "source"}],
)
def test_a_wrong_edge_is_refused(engine: Reverie, scope: Scope, wrong: dict[str, object]) -> None:
    """An unknown kind, a confidence out of range or in words, a memory with itself."""
    one, other = made(engine, scope).id, made(engine, scope, "Bora sings loudly.").id
    target = one if "target" in wrong else other
    given = {"kind": "causes", "confidence": 1.0} | {name: value for name, value in wrong.items() if name != "target"}
    with pytest.raises(InvalidInput):
        engine.relate(one, target, scope, **given)  # type: ignore[arg-type]  # the wrong value is the point


def test_an_edge_stays_in_its_scope(engine: Reverie, scope: Scope) -> None:
    """Nothing is related across scopes."""
    here = made(engine, scope).id
    elsewhere = Scope("another", "ada", "home")
    there = made(engine, elsewhere).id
    with pytest.raises(NotFound):
        engine.relate(here, there, scope, "causes")


@pytest.mark.req("D22", "D37")
@pytest.mark.parametrize("text", ["Maya stood by a wall.", "Maya duvarın yanında durdu."])
def test_another_agents_words_are_its_experience_also_word_for_word(engine: Reverie, scope: Scope, text: str) -> None:
    """What was formed and the episode itself both say that they came by federation."""
    told = engine.observe(text, scope, deliberate=True, source="federation")
    own = engine.observe(f"{text} Bora sings.", scope, deliberate=True)
    for name in (told.id, *told.formed):
        assert sub_tier(engine.memory(name, scope)) is SubTier.VICARIOUS
    assert sub_tier(engine.memory(own.id, scope)) is SubTier.PERSONAL


@pytest.mark.req("D16")
def test_the_graph_is_walked_along_the_kinds_that_are_named(engine: Reverie, scope: Scope) -> None:
    """One kind leads one way; none named, all; what is no kind is told which there are."""
    texts = ("Maya stood by a wall.", "Bora sings loudly.", "Kites tear in storms.")
    first, cause, other = (made(engine, scope, text).id for text in texts)
    engine.relate(first, cause, scope, RelationKind.CAUSES)
    engine.relate(first, other, scope, RelationKind.RELATED_TO)
    for kinds, reached in (((), {cause, other}), (["causes"], {cause}), ([RelationKind.RELATED_TO], {other})):
        memories, edges = engine.admin.graph(first, scope, kinds=kinds)
        assert {memory.id for memory in memories} == {first} | reached
        assert len(edges) == len(reached)
    for odd in (["caused"], "causes", [1]):
        with pytest.raises(InvalidInput, match=r"kind"):
            engine.admin.graph(first, scope, kinds=odd)  # type: ignore[arg-type]  # a wrong type is what is tested


@pytest.mark.req("D16")
@pytest.mark.parametrize(("hops", "reached"), [(0, 1), (1, 2), (2, 3), (9, 4)])
def test_the_graph_is_walked_breadth_first(engine: Reverie, scope: Scope, hops: int, reached: int) -> None:
    """A chain of four, seen from its first."""
    texts = ("Maya stood by a wall.", "Bora sings loudly.", "Kites tear in storms.", "Tulips bloom early.")
    chain = [made(engine, scope, text).id for text in texts]
    for source, target in pairwise(chain):
        engine.relate(source, target, scope, "causes")
    memories, edges = engine.admin.graph(chain[0], scope, hops=hops)
    assert [memory.id for memory in memories] == chain[:reached]
    assert len(edges) == min(3, hops)


@pytest.mark.parametrize("hops", [-1, 11, True, 1.5])
def test_a_wrong_number_of_hops_is_refused(engine: Reverie, scope: Scope, hops: int) -> None:
    """A whole number within reason."""
    with pytest.raises(InvalidInput):
        engine.admin.graph(made(engine, scope).id, scope, hops=hops)


@pytest.mark.req("D16")
@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("We deployed PostgreSQL on the new server.", "entity://tech/postgresql"),
        ("Yeni sunucuya PostgreSQL kurduk.", "entity://tech/postgresql"),
    ],
)
def test_an_entity_is_a_hub(engine: Reverie, scope: Scope, text: str, entity: str) -> None:
    """All memories that name it."""
    memory = made(engine, scope, text)
    made(engine, scope, "Bora sings loudly.")
    assert [found.id for found in engine.admin.about(entity, scope)] == [memory.id]


@pytest.mark.req("D35")
def test_what_outlives_its_session_gains_an_access(engine: Reverie, scope: Scope) -> None:
    """Important enough, or used twice; working memory is empty then."""
    kept = made(engine, scope)  # asked for: .6175
    faint = alter(engine, made(engine, scope, "Bora sings loudly."), importance=0.3)
    engine._context.sessions.of(scope, "s").working.put(faint, NOW)
    assert {item.id for item in engine.admin.working(scope, "s")} == {kept.id, faint.id}
    assert [item.id for item in engine.admin.end_session(scope, "s")] == [kept.id]
    assert (engine.memory(kept.id, scope).accesses, engine.memory(faint.id, scope).accesses) == (1, 0)
    assert engine.admin.working(scope, "s") == []
    assert engine.admin.end_session(scope, "s") == []


@pytest.mark.req("D35", "D21")
@pytest.mark.parametrize("flag", ["pin", "protect"])
def test_what_is_protected_outlives_a_session_as_it_is(engine: Reverie, scope: Scope, flag: str) -> None:
    """Pinned and immutable memories are never promoted."""
    memory = made(engine, scope)
    before = getattr(engine.admin, flag)(memory.id, scope)
    assert [item.id for item in engine.admin.end_session(scope, "s")] == [memory.id]
    assert engine.memory(memory.id, scope) == before


def test_what_no_longer_holds_is_not_in_working_memory(engine: Reverie, scope: Scope) -> None:
    """Forgotten, erased or run out: it is left out, and outlives nothing."""
    forgotten, erased, wrong, stays = [made(engine, scope, f"{name} sings loudly.").id for name in "ABCD"]
    engine.forget(forgotten, scope)
    engine.feedback(wrong, scope, "wrong")
    assert [item.id for item in engine.admin.working(scope, "s")] == [erased, stays]
    clock = engine._context.clock
    assert isinstance(clock, FixedClock)
    clock.at = NOW + timedelta(minutes=1)
    engine.admin.erase(erased, scope, why="asked")
    assert engine.admin.end_session(scope, "s") == []


@pytest.mark.req("D17")
def test_what_is_superseded_by_hand_is_closed_and_back_again(engine: Reverie, scope: Scope) -> None:
    """Like any supersession: it ends, says what took its place, and is not recalled; taken back it stands again."""
    older, newer = made(engine, scope), made(engine, scope, "Maya sat on a bench.")
    engine.relate(newer.id, older.id, scope, "supersedes")
    closed = engine.memory(older.id, scope)
    assert (closed.standing.state, closed.standing.superseded_by) == (State.SUPERSEDED, newer.id)
    assert closed.valid_until is not None
    head = engine.admin.head()
    engine.relate(newer.id, older.id, scope, "supersedes", confidence=0.5)
    assert engine.admin.head() == head + 1
    with pytest.raises(Conflict, match="supersedes"):
        engine.relate(older.id, newer.id, scope, "supersedes")
    engine.undo(scope, event=head + 1)
    engine.undo(scope, event=head)
    engine.undo(scope, event=head - 1)
    assert engine.memory(older.id, scope) == older
    assert [one.kind for one in engine.admin.relations(scope)].count(RelationKind.SUPERSEDES) == 0


@pytest.mark.req("D21")
def test_what_is_pinned_is_superseded_by_no_hand(engine: Reverie, scope: Scope) -> None:
    """Not before the pin is lifted; nothing is written."""
    older, newer = made(engine, scope), made(engine, scope, "Maya sat on a bench.")
    engine.admin.pin(older.id, scope)
    head = engine.admin.head()
    with pytest.raises(Conflict, match="pinned"):
        engine.relate(newer.id, older.id, scope, "supersedes")
    assert engine.admin.head() == head


def test_what_is_no_flag_and_no_text_is_refused(engine: Reverie, scope: Scope) -> None:
    """A "no" would count as yes."""
    name = engine.remember("The spare key hangs behind the boiler.", scope).id
    for wrong in (
        lambda: engine.admin.pin(name, scope, pinned="no"),  # type: ignore[arg-type]  # what a caller might give
        lambda: engine.admin.protect(name, scope, immutable=1),  # type: ignore[arg-type]  # what a caller might give
        lambda: engine.dream(scope, dry_run="yes"),  # type: ignore[arg-type]  # what a caller might give
        lambda: engine.admin.about(None, scope),  # type: ignore[arg-type]  # what a caller might give
        lambda: engine.admin.working(scope, None),  # type: ignore[arg-type]  # what a caller might give
        lambda: engine.feedback(name, scope, "used", why=5),  # type: ignore[arg-type]  # what a caller might give
    ):
        with pytest.raises(InvalidInput):
            wrong()

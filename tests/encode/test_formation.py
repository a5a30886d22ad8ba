"""Forming inside the transaction, with chosen vectors, on both stores: what is written, and what is decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from reverie import FixedClock, RandomIds, Reverie
from reverie.answers import Receipt
from reverie.encode.formation import TAGS_MOST, Formation, WriteContext
from reverie.encode.gate import GateContext, Pondered
from reverie.encode.session import Sessions
from reverie.recipes.recipe import recipe
from reverie.stores.ram import RamStore
from reverie.types import Kind, Memory, Message, RelationKind, Role, State
from tests.encode.making import AT, SCOPE, Chosen, origin, seen, thought
from tests.postgres_server import STORES, place

LIKE = {
    "kite": (1, 1.0),
    "uçurtma": (1, 1.0),
    "dragon": (1, 0.8),
    "ejderha": (1, 0.8),
    "glider": (1, 0.97),
    "planör": (1, 0.97),
    "balloon": (1, 0.72),
    "balon": (1, 0.72),
    "weekly": (2, 0.98),
    "Haftalık": (2, 0.98),
}


@pytest.fixture(params=STORES)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reverie]:
    """Document D's recipe, with a model of chosen vectors, at a moment."""
    with opened(place(request.param, tmp_path)) as one:
        yield one


def opened(where: str = ":memory:", name: str = "v9", **options: object) -> Reverie:
    """An engine of a recipe."""
    return Reverie.open(
        where,
        embedder=Chosen(LIKE),
        recipe=name,
        clock=FixedClock(AT),
        ids=RandomIds(seed=1),
        background=False,
        **options,  # type: ignore[arg-type]  # tests hand in what they are about
    )


def at(engine: Reverie, moment: datetime) -> None:
    """Set the engine's clock."""
    clock = engine._context.clock
    assert isinstance(clock, FixedClock)
    clock.at = moment


def tell(engine: Reverie, text: str, session: str = "s", role: Role = Role.ASSISTANT) -> Receipt:
    """Observe a message, as somebody asked to have it kept: no filter stands in the way."""
    return engine.observe(Message(text, speaker="Bo", role=role, session=session), SCOPE, deliberate=True)


def only(engine: Reverie, receipt: Receipt) -> Memory:
    """The one memory that was made or changed."""
    (name,) = receipt.formed
    return engine.memory(name, SCOPE)


def verdicts(receipt: Receipt, stage: str) -> list[str]:
    """What a stage decided."""
    return [decision.verdict for decision in receipt.decisions if decision.stage == stage]


MOVED = [
    ("Our weekly team meeting starts at 10:00.", "Our weekly team meeting starts at 14:00 now."),
    ("Haftalık ekip toplantımız 10:00'da.", "Haftalık ekip toplantımız artık 14:00'te."),
]
"""A statement, and what a later one says instead."""
TWO = [("The kite is red.", "The dragon is red."), ("Bu uçurtma kırmızı.", "Bu ejderha kırmızı.")]


@pytest.mark.req("D4", "D28", "D39")
@pytest.mark.parametrize(("first", "second"), TWO)
def test_what_adds_detail_is_appended_and_found_by_both(engine: Reverie, first: str, second: str) -> None:
    """Update: one memory, both statements, both episodes, its vector made anew (reading 17)."""
    old = only(engine, tell(engine, first))
    receipt = tell(engine, second)
    new = only(engine, receipt)
    assert verdicts(receipt, "gate") == ["update"]
    assert (new.id, new.accesses, len(new.sources)) == (old.id, 1, 2)
    assert all(part.split()[-1].strip(".") in new.text for part in (first, second))
    assert len(new.text.splitlines()) == 2
    assert engine.admin.missing() == 0
    assert old.id in [hit.memory.id for hit in engine.recall(second, SCOPE, budget_tokens=None).hits]


@pytest.mark.req("D4")
@pytest.mark.parametrize(
    ("first", "second"), [("The kite is red.", "The glider is red."), ("Bu uçurtma kırmızı.", "Bu planör kırmızı.")]
)
def test_what_is_said_again_is_reinforced(engine: Reverie, first: str, second: str) -> None:
    """Stability 1 → 1.2, and no word changes."""
    old = only(engine, tell(engine, first))
    receipt = tell(engine, second)
    assert verdicts(receipt, "gate") == ["reinforce"]
    assert only(engine, receipt).standing.stability_days == pytest.approx(old.standing.stability_days * 1.2)
    assert only(engine, receipt).text == old.text


@pytest.mark.req("D4")
@pytest.mark.parametrize(
    ("first", "second"), [("The kite is red.", "The balloon is red."), ("Bu uçurtma kırmızı.", "Bu balon kırmızı.")]
)
def test_what_is_half_known_and_not_important_is_skipped(engine: Reverie, first: str, second: str) -> None:
    """The words are kept; nothing is formed."""
    tell(engine, first)
    receipt = engine.observe(Message(second, role=Role.ASSISTANT), SCOPE)
    assert receipt.formed == ()
    assert engine.memory(receipt.id, SCOPE).text == second


@pytest.mark.req("D4", "D16", "D17")
@pytest.mark.parametrize(
    ("was", "now"),
    MOVED,
)
def test_a_contradiction_closes_the_old_and_links_both(engine: Reverie, was: str, now: str) -> None:
    """Nothing is deleted: the old holds until the new was said."""
    old = only(engine, tell(engine, was, role=Role.USER))
    at(engine, AT + timedelta(days=3))
    receipt = tell(engine, now, role=Role.USER)
    new, closed = only(engine, receipt), engine.memory(old.id, SCOPE)
    assert verdicts(receipt, "gate") == ["supersede"]
    assert (closed.standing.state, closed.valid_until) == (State.SUPERSEDED, AT + timedelta(days=3))
    assert (closed.standing.superseded_by, new.standing.supersedes) == (new.id, old.id)
    (edge,) = engine.admin.relations(SCOPE)
    assert (edge.source, edge.target, edge.kind, edge.confidence) == (new.id, old.id, RelationKind.SUPERSEDES, 1.0)


@pytest.mark.req("D17")
@pytest.mark.parametrize(
    ("was", "now"),
    MOVED,
)
def test_old_talk_that_comes_late_is_outdated_on_arrival(engine: Reverie, was: str, now: str) -> None:
    """What is known was said later: it stays, and the late one held until then."""
    known = only(engine, tell(engine, now, role=Role.USER))
    message = Message(was, speaker="Bo", role=Role.USER, at=AT - timedelta(days=400))
    late = only(engine, engine.observe(message, SCOPE, deliberate=True))
    assert engine.memory(known.id, SCOPE).standing.state is State.ACTIVE
    assert (late.standing.state, late.standing.superseded_by, late.valid_until) == (State.SUPERSEDED, known.id, AT)
    (edge,) = engine.admin.relations(SCOPE)
    assert (edge.source, edge.target, edge.kind) == (known.id, late.id, RelationKind.SUPERSEDES)


@pytest.mark.req("D21", "D16")
@pytest.mark.parametrize("protect", ["pin", "protect"])
@pytest.mark.parametrize(
    ("was", "now"),
    MOVED,
)
def test_what_is_protected_stays_and_is_contradicted(engine: Reverie, protect: str, was: str, now: str) -> None:
    """Both hold, and an edge says that they disagree."""
    old = only(engine, tell(engine, was, role=Role.USER))
    before = getattr(engine.admin, protect)(old.id, SCOPE)
    new = only(engine, tell(engine, now, role=Role.USER))
    assert engine.memory(old.id, SCOPE) == before
    (edge,) = engine.admin.relations(SCOPE)
    assert (edge.source, edge.target, edge.kind) == (new.id, old.id, RelationKind.CONTRADICTS)


def formed(store: RamStore, text: str, arousal: float, session: str = "s", minutes: int = 0) -> Memory:
    """Form a thought that was felt so, in a session where nothing was said: its importance is .475 + .3 · arousal."""
    encode = recipe("v9").encode
    said = origin(text, sight=seen(arousal), at=AT + timedelta(minutes=minutes))
    said = replace(said, episode=replace(said.episode, session=session))
    hand = WriteContext(SCOPE, said.now, RandomIds(seed=minutes + len(store.formed(SCOPE))), "test", "because", None)
    world = GateContext(lambda: store.corpus(SCOPE, None), lambda: store.relations(SCOPE))
    with store.begin(SCOPE, durable=True) as tx:
        here = Sessions(recipe("v9").working).of(SCOPE, session)
        (name,) = Formation(tx, hand, world, encode, here).run([Pondered(thought(text), None)], said).touched
    found = store.memory(SCOPE, name)
    assert found is not None
    return found


@pytest.mark.req("D30")
@pytest.mark.parametrize(
    ("arousal", "session", "minutes", "stability"),
    [
        (0.76, "s", 235, 1.3),  # .703, and the tag still stands
        (0.79, "s", 0, 1.3),
        (0.74, "s", 1, 1.0),  # .697
        (0.6, "s", 1, 1.0),  # .655
        (0.79, "other", 1, 1.0),
        (0.79, "s", 239, 1.3),  # a tag of four hours stands until then,
        (0.79, "s", 240, 1.0),  # not from then on
        (0.79, "s", 3000, 1.0),
    ],
)
def test_a_strong_memory_captures_the_weak_of_its_session(
    arousal: float, session: str, minutes: int, stability: float
) -> None:
    """From an importance of .7 on, within four hours, in the same session: stability times 1.3."""
    store = RamStore()
    weak = formed(store, "amber birch", 0.0)
    assert weak.standing.tagged_until == AT + timedelta(hours=4)
    formed(store, "cedar daisy", arousal, session, minutes)
    after = store.memory(SCOPE, weak.id)
    assert after is not None
    assert after.standing.stability_days == pytest.approx(stability)
    assert (after.standing.tagged_until is None) is (stability > 1.0)
    assert after.standing.captured is (stability > 1.0), "a tag that ran out captured nothing"


@pytest.mark.req("D30")
def test_a_tag_is_captured_once() -> None:
    """A second strong memory finds none."""
    store = RamStore()
    weak = formed(store, "amber birch", 0.0)
    for minute, text in enumerate(("cedar daisy", "ember fern"), 1):
        formed(store, text, 0.79, minutes=minute)
    after = store.memory(SCOPE, weak.id)
    assert after is not None
    assert after.standing.stability_days == pytest.approx(1.3)


def test_tags_are_looked_for_among_the_latest_alone() -> None:
    """An import of thousands within an hour costs no more than a talk."""
    assert 64 <= TAGS_MOST <= 1000


@pytest.mark.req("D16", "D12")
@pytest.mark.parametrize(
    "text",
    [
        "Maya missed the train in Oslo because Bora lost the tickets in Izmir.",
        "Bora Izmir'de biletleri kaybetti, bu yüzden Ayşe Oslo'da treni kaçırdı.",
    ],
)
def test_a_named_cause_stays_in_the_message(engine: Reverie, text: str) -> None:
    """One fact with its cause, or two with an edge between them; never one without the other."""
    receipt = tell(engine, text)
    kinds = {edge.kind for edge in engine.admin.relations(SCOPE)}
    assert len(receipt.formed) == 1 or RelationKind.CAUSES in kinds


@pytest.mark.req("D39")
def test_each_stage_tells_what_it_decided(engine: Reverie) -> None:
    """In the documented order, each with a reason."""
    receipt = engine.observe(Message("Maya stood by the wall in Oslo."), SCOPE)
    assert [decision.stage for decision in receipt.decisions] == ["observe", "pre-gate", "form", "gate", "weigh", "tag"]
    again = tell(engine, "Maya and Oslo have a new wall.")
    assert [decision.stage for decision in again.decisions] == ["observe", "form", "gate", "weigh", "relate"]
    assert all(decision.why for decision in again.decisions)


@pytest.mark.req("D39", "D20")
def test_the_journal_alone_makes_the_same_store(engine: Reverie, tmp_path: Path) -> None:
    """Formed, appended, reinforced, superseded, captured, related: each an event; replayed, the digest is the same."""
    for text in ("The kite is red.", "The dragon is red.", "The glider is red.", "Maya stood by the wall in Oslo."):
        tell(engine, text)
    for text in ("I live in Ankara.", "I live in Izmir now."):
        tell(engine, text, role=Role.USER)
    assert engine.admin.replay(tmp_path / "again.db") == engine.admin.digest()
    assert engine.admin.verify() == []


def test_what_is_formed_points_to_its_episode(engine: Reverie) -> None:
    """And bears its time, speaker, session and place."""
    receipt = tell(engine, "The kite is red.")
    formed, episode = only(engine, receipt), engine.memory(receipt.id, SCOPE)
    assert (formed.sources, formed.at, formed.speaker) == ((episode.id,), episode.at, "Bo")
    assert (formed.session, formed.seq, formed.kind) == (episode.session, episode.seq, Kind.FACT)
    assert episode.text == "The kite is red."

"""Document B's maintenance through the engine: what earns importance, what that keeps, and what is shared."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from benchmarks.life.simulation import state_digest
from reverie import FixedClock, Message, RandomIds, Reverie, Scope
from reverie.types import Memory, RelationKind, State
from tests.spoken import english, turkish

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
HOME = Scope("helper", "ada", "home")
SAID = {
    "en": ("Elif works at Aselsan in Ankara.", "The rent is 900 euros.", "Ayşe has a white cat."),
    "tr": ("Elif Ankara'da Aselsan'da çalışıyor.", "Kira 25 bin lira.", "Ayşe'nin beyaz bir kedisi var."),
}
BOTH = pytest.mark.parametrize("said", [*english((SAID["en"],)), *turkish((SAID["tr"],))])


@pytest.fixture
def clock() -> FixedClock:
    """The first morning."""
    return FixedClock(START)


@pytest.fixture
def engine(clock: FixedClock) -> Iterator[Reverie]:
    """An empty memory by document B."""
    opened = Reverie.open(
        ":memory:", recipe="ocean", embedder=None, clock=clock, ids=RandomIds(seed=1), background=False
    )
    with opened:
        yield opened


def told(engine: Reverie, said: tuple[str, ...]) -> list[Memory]:
    """What was formed of the messages, one of each."""
    for text in said:
        engine.observe(Message(text, speaker="Ada"), HOME)
    formed = engine.admin.formed(HOME)
    assert len(formed) == len(said)
    return formed


def importance(engine: Reverie, one: Memory) -> float:
    """As it stands."""
    return engine.memory(one.id, HOME).standing.importance


def is_shared(engine: Reverie, one: Memory) -> bool:
    """Whether it is marked as true for all agents."""
    return "promoted" in engine.memory(one.id, HOME).standing.tags


def finds(engine: Reverie, one: Memory, now: datetime) -> bool:
    """Whether its own words recall it."""
    return one.id in [hit.memory.id for hit in engine.recall(one.text, HOME, now=now).hits]


@BOTH
@pytest.mark.req("B3", "B12")
def test_what_turns_out_earns_importance(engine: Reverie, said: tuple[str, ...]) -> None:
    """Each use .2, verified .15 and once, of no use nothing, wrong all of it."""
    used, verified, other = told(engine, said)
    assert [engine.feedback(used.id, HOME, "used").standing.importance for _ in range(3)] == [0.7, 0.9, 1.0]
    assert [engine.feedback(verified.id, HOME, "verified").standing.importance for _ in range(2)] == [0.65, 0.65]
    assert engine.feedback(other.id, HOME, "useless").standing.importance == 0.5
    assert engine.feedback(other.id, HOME, "important").standing.importance == 0.95
    assert engine.feedback(other.id, HOME, "wrong").standing.importance == 0.0


@BOTH
@pytest.mark.req("B3")
def test_elsewhere_feedback_moves_no_importance(said: tuple[str, ...]) -> None:
    """Where a recipe's importance is not earned it stays what the words gave it."""
    with Reverie.open(":memory:", recipe="v9", embedder=None, ids=RandomIds(seed=1), background=False) as engine:
        one = engine.memory(engine.observe(Message(said[0]), HOME, deliberate=True).formed[0], HOME)
        for verdict in ("used", "verified"):
            assert engine.feedback(one.id, HOME, verdict).standing.importance == one.standing.importance


@BOTH
@pytest.mark.req("B3", "B6", "B7", "B12")
def test_weeks_tell_what_was_of_use_from_what_nobody_needed(
    engine: Reverie, clock: FixedClock, said: tuple[str, ...]
) -> None:
    """A dream a week: what was used and verified is shared and found on day 35, the rest sleeps."""
    used, *rest = told(engine, said)
    for verdict in ("used", "used", "verified"):
        engine.feedback(used.id, HOME, verdict)
    seen: list[float] = []
    for _ in range(5):
        clock.at += timedelta(days=7)
        engine.dream(HOME)
        seen.append(importance(engine, used))
    assert seen == [1.0, 0.9, 0.9, 0.8, 0.8]
    assert is_shared(engine, used)
    assert finds(engine, used, clock.now())
    assert [engine.memory(one.id, HOME).standing.state for one in rest] == [State.DORMANT, State.DORMANT]


@BOTH
@pytest.mark.req("B7")
def test_verified_and_at_six_tenths_it_is_shared(engine: Reverie, clock: FixedClock, said: tuple[str, ...]) -> None:
    """Verified alone is .65, enough; one use alone is .7, which is not."""
    verified, used, neither = told(engine, said)
    engine.feedback(verified.id, HOME, "verified")
    engine.feedback(used.id, HOME, "used")
    clock.at += timedelta(days=1)
    engine.dream(HOME)
    assert [is_shared(engine, one) for one in (verified, used, neither)] == [True, False, False]


@BOTH
@pytest.mark.req("B3")
def test_what_was_earned_is_counted_once(engine: Reverie, clock: FixedClock, said: tuple[str, ...]) -> None:
    """Dream after dream, within a period and in the next: feedback adds what it adds, and neglect never compounds."""
    one, other, _ = told(engine, said)
    clock.at += timedelta(days=15)
    engine.dream(HOME)
    engine.feedback(one.id, HOME, "used")
    engine.feedback(other.id, HOME, "verified")
    for _ in range(4):
        clock.at += timedelta(hours=9)
        engine.dream(HOME)
        assert (importance(engine, one), importance(engine, other)) == (0.6, 0.55)


@BOTH
@pytest.mark.req("B3", "B12")
@pytest.mark.parametrize("verdict", ["used", "verified"])
def test_what_was_said_can_be_taken_back(engine: Reverie, said: tuple[str, ...], verdict: str) -> None:
    """The event's undoing takes the importance with it, to the byte."""
    one = told(engine, said)[0]
    before = state_digest(engine._context.store, HOME)
    engine.feedback(one.id, HOME, verdict)
    engine.undo(HOME, event=engine._context.store.head(HOME)[0])
    assert state_digest(engine._context.store, HOME) == before


@BOTH
@pytest.mark.req("B3", "B12")
def test_a_dream_is_taken_back_without_what_was_said_before_it(
    engine: Reverie, clock: FixedClock, said: tuple[str, ...]
) -> None:
    """Neglect and sharing go, what was earned stays; dreamt anew, all is as it was."""
    one = told(engine, said)[0]
    for verdict in ("used", "verified"):
        engine.feedback(one.id, HOME, verdict)
    clock.at += timedelta(days=15)
    before = state_digest(engine._context.store, HOME)
    for _ in range(2):
        engine.dream(HOME)
        assert (importance(engine, one), is_shared(engine, one)) == (0.75, True)
        engine.undo(HOME)
        assert state_digest(engine._context.store, HOME) == before


@BOTH
@pytest.mark.req("B3", "B12")
def test_contradicted_by_a_newer_one_it_loses_two_tenths(
    engine: Reverie, clock: FixedClock, said: tuple[str, ...]
) -> None:
    """On the night after, once."""
    old, _, new = told(engine, said)
    engine.feedback(old.id, HOME, "used")
    engine.relate(new.id, old.id, HOME, RelationKind.CONTRADICTS)
    for _ in range(2):
        clock.at += timedelta(days=1)
        engine.dream(HOME)
        assert (importance(engine, old), importance(engine, new)) == (0.5, 0.5)


@BOTH
@pytest.mark.req("B5", "B6", "B8")
def test_more_time_is_told_once_and_holds_in_recall(engine: Reverie, clock: FixedClock, said: tuple[str, ...]) -> None:
    """Past its age and at .7 it is found to the end of the time it was given; undone and dreamt anew it is the same."""
    kept, _, _ = told(engine, said)
    for verdict in ("used", "used", "verified"):
        engine.feedback(kept.id, HOME, verdict)
    notes: list[str] = []
    for day in (*range(43, 66, 2), 91):
        clock.at = START + timedelta(days=day)
        found = [note for step in engine.dream(HOME).steps for note in step.notes if note.startswith("extended")]
        notes += found
        assert finds(engine, kept, clock.now())
        if found:
            longer = state_digest(engine._context.store, HOME)
            engine.undo(HOME)
            assert state_digest(engine._context.store, HOME) != longer
            engine.dream(HOME)
            assert state_digest(engine._context.store, HOME) == longer
    assert notes == [f"extended to {days} days: {kept.id}" for days in (45, 68, 102)]


@pytest.mark.req("B5", "B8")
@pytest.mark.parametrize(
    "text",
    [
        *english("Actually the meeting with Elif is in Izmir, not in Ankara."),
        *turkish("Aslında Elif'le toplantı Ankara'da değil, İzmir'de."),
    ],
)
def test_a_formed_memory_is_found_as_long_as_it_is_not_swept(engine: Reverie, clock: FixedClock, text: str) -> None:
    """Day by day, whatever its kind: asleep or found."""
    (one,) = told(engine, (text,))
    for day in (13, 16, 29, 32, 89, 92, 170):
        clock.at = START + timedelta(days=day)
        engine.dream(HOME)
        asleep = engine.memory(one.id, HOME).standing.state is State.DORMANT
        assert asleep != finds(engine, one, clock.now())

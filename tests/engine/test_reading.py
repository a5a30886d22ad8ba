"""Reading: what holds, what held, what a session is handed, and that looking waits for nobody."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from reverie import FixedClock, HashEmbedder, Message, RandomIds, Reverie, Scope
from reverie.engine.requests import Question
from reverie.errors import InvalidInput
from reverie.types import FloatArray, Kind, State
from tests.engine.conftest import NOW, open_at

PAIRS = [
    ("I live in Ankara.", "I live in Izmir now.", "Where do I live?"),
    ("Ankara'da yaşıyorum.", "Artık İzmir'de yaşıyorum.", "Nerede yaşıyorum?"),
]


def later(engine: Reverie, days: int) -> None:
    """Set the clock so many days on."""
    clock = engine._context.clock
    assert isinstance(clock, FixedClock)
    clock.at = NOW + timedelta(days=days)


@pytest.mark.req("D17")
@pytest.mark.parametrize(("was", "now", "cue"), PAIRS)
def test_what_was_taken_back_is_found_as_of_then(engine: Reverie, scope: Scope, was: str, now: str, cue: str) -> None:
    """Now: the new one. As of then: the old one. The timeline: both."""
    (old,) = engine.observe(was, scope).formed
    later(engine, 10)
    engine.correct(old, now, scope)

    def formed(question: Question) -> set[str]:
        hits = engine.recall(question, scope, budget_tokens=None).hits
        return {hit.memory.text for hit in hits if hit.memory.kind is not Kind.EPISODE}

    assert formed(Question(cue)) <= {now}
    assert was in {memory.text for memory in engine.timeline(scope) if memory.standing.state is State.SUPERSEDED}
    then = formed(Question(cue, as_of=NOW + timedelta(days=5)))
    assert now not in then


MOVES = [
    ("I moved to Izmir in May 2025.", "Where do I live?"),
    ("I moved to Izmir 14 months ago.", "Where do I live?"),
    ("I've been living in Izmir since May 2025.", "Where do I live?"),
    ("Mayıs 2025'te İzmir'e taşındım.", "Nerede yaşıyorum?"),
    ("2025'ten beri İzmir'de yaşıyorum.", "Nerede yaşıyorum?"),
]


@pytest.mark.req("D17")
@pytest.mark.parametrize("recipe", ["reverie", "v9"])
@pytest.mark.parametrize(("said", "cue"), MOVES)
def test_what_happened_before_it_was_told_is_true_from_then_on(
    tmp_path: Path, recipe: str, said: str, cue: str
) -> None:
    """As of July the move is known, and as of the year before it is not; it was still said today."""
    scope = Scope("a", "u", "p")
    with Reverie.open(
        tmp_path / "m.reverie", recipe=recipe, clock=FixedClock(NOW), embedder=HashEmbedder(), ids=RandomIds(1)
    ) as engine:
        stored = engine.observe(Message(said, at=NOW), scope, deliberate=True)
        (made,) = engine.admin.formed(scope, sources=[stored.id])
        assert made.valid_from < made.at == NOW == made.recorded_at
        for then, is_known in ((datetime(2025, 7, 15, tzinfo=UTC), True), (datetime(2024, 6, 15, tzinfo=UTC), False)):
            assert [one.id for one in engine.timeline(scope, as_of=then)] == [made.id] * is_known
            hits = engine.recall(Question(cue, as_of=then), scope, budget_tokens=None).hits
            assert recipe == "v9" or [hit.memory.id for hit in hits] == [made.id] * is_known  # its bands hold back
        assert made.id in {one.id for one in engine.timeline(scope)}


@pytest.mark.req("D17")
def test_what_is_replaced_held_until_what_replaced_it_began(engine: Reverie, scope: Scope) -> None:
    """Between the day it began and the day it was told, only the new one is true."""
    (old,) = engine.observe(Message("My boss is Ann.", at=datetime(2024, 1, 9, tzinfo=UTC)), scope).formed
    (new,) = engine.observe("My boss is Bob since May 2025.", scope).formed
    engine.relate(new, old, scope, "supersedes")

    def bosses(year: int, month: int) -> list[str]:
        held = engine.timeline(scope, as_of=datetime(year, month, 15, tzinfo=UTC))
        return [one.text for one in held if one.kind is not Kind.EPISODE]

    assert bosses(2025, 4) == ["My boss is Ann."]
    assert bosses(2025, 7) == ["My boss is Bob since May 2025."]


@pytest.mark.parametrize(("was", "now", "cue"), PAIRS)
def test_the_words_themselves_can_always_be_found(engine: Reverie, scope: Scope, was: str, now: str, cue: str) -> None:
    """What was formed closes; the episode does not (reading 26)."""
    for text in (was, now):
        engine.observe(text, scope)
    episodes = {hit.memory.text for hit in engine.recall(was, scope, budget_tokens=None, top_k=20).hits}
    assert was in episodes
    assert cue


@pytest.mark.req("D35")
@pytest.mark.parametrize("text", ["I prefer green tea.", "Yeşil çayı severim."])
def test_what_a_session_is_handed_is_in_its_working_memory(engine: Reverie, scope: Scope, text: str) -> None:
    """Of what was formed; another session knows nothing of it."""
    (made,) = engine.observe(text, scope, deliberate=True).formed
    engine.admin.end_session(scope)
    engine.recall(Question(text, session="talk"), scope, budget_tokens=None)
    handed = {hit.memory.id for hit in engine.explain(text, scope, budget_tokens=None).recollection.hits}
    assert {item.id for item in engine.admin.working(scope, "talk")} == ({made} & handed)
    assert engine.admin.working(scope, "other") == []
    assert engine.admin.working(scope) == []


def test_formed_memories_are_listed_by_their_source(engine: Reverie, scope: Scope) -> None:
    """All of a scope, or those of one message."""
    tea = engine.observe("I prefer green tea.", scope, deliberate=True)
    engine.observe("We decided to take the train.", scope, deliberate=True)
    assert {memory.id for memory in engine.admin.formed(scope, sources=[tea.id])} == set(tea.formed)
    assert len(engine.admin.formed(scope)) > len(tea.formed)


class Slow:
    """A model that takes as long as a test wants for a question."""

    def __init__(self) -> None:
        self.inner = HashEmbedder()
        self.asked, self.go = threading.Event(), threading.Event()
        self.info = self.inner.info
        self.embed_passages = self.inner.embed_passages

    def embed_query(self, text: str) -> FloatArray:
        """The hash model's vector, when the test says so."""
        self.asked.set()
        assert self.go.wait(30)
        return self.inner.embed_query(text)


def test_nobody_waits_for_anothers_model(where: str, scope: Scope) -> None:
    """While one thread's question is being embedded, another keeps a message."""
    model = Slow()
    with open_at(where, model) as engine:
        engine.remember("The spare key hangs behind the boiler.", scope)
        answers: list[int] = []
        asking = threading.Thread(target=lambda: answers.append(len(engine.recall("spare key", scope).hits)))
        asking.start()
        assert model.asked.wait(30)
        kept = engine.remember("Dinner is at eight.", scope)
        engine.admin.erase(kept.id, scope, why="test")
        model.go.set()
        asking.join(30)
        assert answers == [1]


@pytest.mark.req("D24")
def test_a_question_asked_twice_in_a_session_is_embedded_once(scope: Scope) -> None:
    """The cache is the session's."""

    class Counting(Slow):
        """Counts its questions."""

        count = 0

        def embed_query(self, text: str) -> FloatArray:
            """One more."""
            self.count += 1
            return self.inner.embed_query(text)

    model = Counting()
    with Reverie.open(":memory:", embedder=model, clock=FixedClock(NOW), ids=RandomIds(seed=1)) as engine:
        engine.remember("The spare key hangs behind the boiler.", scope)
        engine.recall(Question("spare key", session="a"), scope)
        once = model.count
        engine.recall(Question("spare key", session="a"), scope)
        assert model.count == once > 0
        engine.recall(Question("spare key", session="b"), scope)
        assert model.count == 2 * once


def test_the_last_messages_of_a_session_are_at_hand(engine: Reverie, scope: Scope) -> None:
    """In the session's order, the forgotten ones only where asked for; the limit counts what is handed over."""
    made = [engine.remember(text, scope, session="s").id for text in ("one", "two", "three")]
    engine.remember("four", scope, session="t")
    engine.forget(made[2], scope)
    assert [m.text for m in engine.admin.latest("s", scope)] == ["one", "two"]
    assert [m.text for m in engine.admin.latest("s", scope, limit=1)] == ["two"]
    assert [m.text for m in engine.admin.latest("s", scope, forgotten=True)] == ["one", "two", "three"]
    assert engine.admin.latest("nobody", scope) == []
    with pytest.raises(InvalidInput, match="limit"):
        engine.admin.latest("s", scope, limit=0)


@pytest.mark.req("C4")
@pytest.mark.parametrize("path", ["memory", "file"])
def test_a_query_the_gate_holds_back_is_counted(path: str, tmp_path: Path, scope: Scope) -> None:
    """For good, and per scope; looking is not asking, and an answer is no gated query."""
    store = ":memory:" if path == "memory" else tmp_path / "reverie.db"
    other = Scope(scope.agent, scope.user, "elsewhere")
    with Reverie.open(store, embedder="hash", recipe="openclaw", ids=RandomIds(seed=1)) as engine:
        engine.observe("The spare key hangs behind the boiler.", scope)
        assert engine.recall("quantum chromodynamics lecture", scope).gated
        assert engine.recall("quantum chromodynamics lecture", scope).gated
        assert engine.explain("quantum chromodynamics lecture", scope).recollection.gated
        assert not engine.recall("The spare key hangs behind the boiler.", scope).gated
        assert engine.recall("anything", other).gated
        assert (engine.admin.stats(scope).gated, engine.admin.stats(other).gated) == (2, 1)
        assert engine.admin.verify() == []
    if path == "file":
        with Reverie.open(store, embedder="hash", create=False) as engine:
            assert engine.admin.stats(scope).gated == 2


def test_every_store_reads_odd_arguments_alike(where: str, scope: Scope) -> None:
    """A number below nothing, an id that is no text: one error, not whatever the store makes of it."""
    with open_at(where, None) as engine:
        engine.remember("The spare key hangs behind the boiler.", scope)
        assert engine.timeline(scope, limit=0) == []
        odd: Any
        for odd in (-1, True, 1.5, "1"):
            for as_of in (None, NOW):
                with pytest.raises(InvalidInput, match="limit"):
                    engine.timeline(scope, limit=odd, as_of=as_of)
        for odd in (3, None, b"m1"):
            for call in (engine.memory, engine.forget):
                with pytest.raises(InvalidInput, match="id"):
                    call(odd, scope)


ODD = (5, 1.5, True, b"x", ["x"], {"x": 1}, object())


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_what_is_of_the_wrong_type_is_refused_by_name(engine: Reverie, scope: Scope, odd: Any) -> None:
    """Sessions, moments, windows, sources: never a bare error of Python's own, and never an answer."""
    engine.remember("The spare key hangs behind the boiler.", scope)
    calls: list[Callable[[], object]] = [
        lambda: engine.recall(odd, scope),
        lambda: engine.recall("key", scope, window=odd),
        lambda: engine.explain("key", scope, window=odd),
        lambda: engine.recall("key", scope, now=odd),
        lambda: engine.timeline(scope, session=odd),
        lambda: engine.timeline(scope, start=odd),
        lambda: engine.timeline(scope, end=odd),
        lambda: engine.timeline(scope, as_of=odd),
        lambda: engine.admin.latest(odd, scope),
    ]
    for number, call in enumerate(calls):
        with pytest.raises(InvalidInput) as refused:
            call()
        assert refused.value.mend, number


def test_what_is_empty_is_no_moment_and_no_number(engine: Reverie, scope: Scope) -> None:
    """A blank is not the same as nothing."""
    odd: Any
    for odd in ("", [], 0, b""):
        for name in ("start", "end", "as_of"):
            with pytest.raises(InvalidInput, match="time"):
                engine.timeline(scope, **{name: odd})
    for odd in (-1, None, "1", 1.5, [], True):
        with pytest.raises(InvalidInput, match="after"):
            engine.admin.events(scope, after=odd)
    for odd in (5, None, "m1", b"m1", [5]):
        with pytest.raises(InvalidInput, match="sources"):
            engine.admin.formed(scope, sources=odd)


TALKS = [
    ["We had lunch at noon.", "Sure.", "My cat Pamuk had kittens in the shed.", "Oh lovely, how many?", "Rain again."],
    ["Öğlen yemek yedik.", "Tabii.", "Kedim Pamuk kulübede yavruladı.", "Ne güzel, kaç tane?", "Yine yağmur."],
]


@pytest.mark.parametrize("talk", TALKS)
@pytest.mark.parametrize("way", ["forgotten", "not said yet"])
def test_what_may_not_come_lends_nothing_to_what_stands_beside_it(
    where: str, scope: Scope, talk: list[str], way: str
) -> None:
    """A message is recalled for what was said beside it: not for what was forgotten there, nor for what came later."""
    with open_at(where, HashEmbedder()) as engine:
        for number, text in enumerate(talk):
            at = NOW + timedelta(minutes=number)
            engine.remember(Message(text, speaker="AB"[number % 2], session="s", at=at), scope)
        later(engine, 1)
        before = engine.recall(talk[2], scope)
        if way == "forgotten":
            engine.forget(before.hits[0].memory.id, scope)
        as_of = None if way == "forgotten" else NOW + timedelta(minutes=1)
        after = engine.recall(Question(talk[2], as_of=as_of), scope)
        shares = {signal.name: signal.share for hit in after.hits for signal in hit.signals if signal.share > 0}
        assert not {"text", "window"} & shares.keys()
        assert before.confidence is not None
        assert after.confidence is not None
        assert after.confidence < 0.3 < 0.7 < before.confidence

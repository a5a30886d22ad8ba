"""What a dream made goes when somebody takes back what it was made of, and is made anew of what still holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from reverie import FixedClock, Message, RandomIds, Reverie, Scope
from reverie.conflicts import verdict
from reverie.conflicts.pairs import SeenVectors, Statement, is_later
from reverie.consolidate.settings import StepName
from reverie.encode import gate
from reverie.engine.retractions import RETIRED
from reverie.formulas.arrays import Floats
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.recipes.recipe import OwnRecipe
from reverie.recipes.recipe import recipe as named
from reverie.types import Kind, Memory, State
from tests.spoken import english, turkish

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
ELIF = (
    "Elif lives in Ankara.",
    "Elif works as a nurse.",
    "Elif has two cats.",
    "Elif is allergic to peanuts.",
    "Elif plays the violin.",
)
ELIF_TR = (
    "Elif Ankara'da yaşıyor.",
    "Elif hemşire olarak çalışıyor.",
    "Elif'in iki kedisi var.",
    "Elif'in fıstığa alerjisi var.",
    "Elif keman çalıyor.",
)
SAID = (*english((ELIF,)), *turkish((ELIF_TR,)))
MOVED = (
    *english((ELIF, "Elif lives in Izmir now.")),
    *turkish((ELIF_TR, "Elif artık İzmir'de yaşıyor.")),
)
"""What was said, and what takes back the first of it."""
ACTS = {
    "wrong": lambda engine, one: engine.feedback(one.id, one.scope, "wrong"),
    "forget": lambda engine, one: engine.forget(one.id, one.scope),
    "forget the message": lambda engine, one: engine.forget(one.sources[0], one.scope),
    "correct the message": lambda engine, one: engine.correct(one.sources[0], "Zeynep moved to Berlin.", one.scope),
}


def dreamt(engine: Reverie, scope: Scope) -> list[Memory]:
    """What dreams made that still holds."""
    made = (memory for memory in engine.admin.formed(scope) if memory.standing.write_source == "dream")
    return [memory for memory in made if memory.standing.state is State.ACTIVE and memory.valid_until is None]


def awake(engine: Reverie, scope: Scope, said: tuple[str, ...]) -> set[str]:
    """Which of the things that were said hold as facts of their own."""
    formed = (memory for memory in engine.admin.formed(scope) if memory.standing.write_source != "dream")
    return {m.text for m in formed if m.standing.state is State.ACTIVE and m.valid_until is None} & {*said}


def theme_of(engine: Reverie, scope: Scope) -> Memory:
    """The theme that holds."""
    return next(memory for memory in dreamt(engine, scope) if memory.standing.tags[0] == "theme")


def told(engine: Reverie, scope: Scope, said: tuple[str, ...]) -> set[str]:
    """Which of the things that were said can still be recalled as formed: by themselves or within a theme."""
    made = "\n".join(memory.text for memory in dreamt(engine, scope))
    return awake(engine, scope, said) | {text for text in said if text in made}


def night(engine: Reverie, scope: Scope, clock: FixedClock) -> None:
    """A day later it dreams."""
    clock.at += timedelta(days=1)
    engine.dream(scope)


def closing(supersede: float) -> OwnRecipe:
    """Document D's recipe, with how likely something must be replaced to be closed."""
    ours = named("v9")
    assert ours.encode.gate is not None
    encode = replace(ours.encode, gate=replace(ours.encode.gate, supersede=supersede))
    return OwnRecipe("closing", ours.recall, encode, ours.dream, ours.working)


def moved(statements: Sequence[Statement], seen: SeenVectors | None = None, alike: Floats | None = None) -> Floats:
    """In place of the learned verdict: who lives in Izmir lives in Ankara no more."""
    named = [[any(term.startswith(city) for term in one.terms) for one in statements] for city in ("ankar", "izm")]
    earlier, later = np.array(named, np.float64)
    result: Floats = earlier[:, np.newaxis] * later[np.newaxis, :] * is_later(statements)
    return result


def lived(clock: FixedClock, scope: Scope, said: tuple[str, ...], path: Path | str = ":memory:") -> Reverie:
    """An engine of document D's recipe that was told a few things about somebody and dreamt."""
    engine = Reverie.open(path, embedder="hash", recipe="v9", clock=clock, ids=RandomIds(seed=1))
    for text in said:
        clock.at += timedelta(minutes=1)
        engine.observe(Message(text, session="s"), scope, deliberate=True)
    night(engine, scope, clock)
    return engine


def rejected(engine: Reverie, scope: Scope) -> Memory:
    """A memory whose sentence stands in something that a dream made."""
    told = "\n".join(memory.text for memory in dreamt(engine, scope))
    formed = (memory for memory in engine.admin.formed(scope) if memory.standing.write_source != "dream")
    return next(memory for memory in formed if memory.text in told)


@pytest.mark.req("D17", "D33")
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
@pytest.mark.parametrize("said", SAID)
def test_what_was_made_of_it_goes_at_once_and_is_made_anew(scope: Scope, said: tuple[str, ...], act: object) -> None:
    """Theme and pattern are closed, what else was in them holds; the next night makes both of it, and then no more."""
    clock = FixedClock(START)
    with lived(clock, scope, said) as engine:
        assert len(dreamt(engine, scope)) == 2
        gone = rejected(engine, scope)
        others = [m.id for m in engine.admin.formed(scope) if m.standing.state is State.SUPERSEDED and m.id != gone.id]
        others = [name for name in others if engine.memory(name, scope).sources != gone.sources]
        act(engine, gone)  # type: ignore[operator]  # one of ACTS
        assert dreamt(engine, scope) == []
        assert {engine.memory(name, scope).standing.state for name in others} == {State.ACTIVE}
        night(engine, scope, clock)
        anew = dreamt(engine, scope)
        assert [memory.standing.tags[0] for memory in anew] == ["theme", "pattern"]
        assert not any(gone.text in memory.text for memory in anew)
        assert not any(gone.sources[0] in memory.sources for memory in anew)
        head = engine.admin.head()
        assert engine.dream(scope).changed == 0
        assert engine.admin.head() == head
        assert engine.admin.verify() == []


@pytest.mark.parametrize("said", SAID)
def test_retiring_is_an_event_that_can_be_taken_back(scope: Scope, said: tuple[str, ...]) -> None:
    """It comes right after the feedback; both taken back, everything stands as before."""
    with lived(FixedClock(START), scope, said) as engine:
        before = engine.admin.formed(scope)
        engine.feedback(rejected(engine, scope).id, scope, "wrong")
        retiring = engine.admin.head()
        theme = next(memory for memory in before if memory.standing.tags[:1] == ("theme",))
        assert engine.admin.history(theme.id, scope)[-1].why == RETIRED
        engine.undo(scope, event=retiring)
        assert len(dreamt(engine, scope)) == 2
        engine.undo(scope, event=retiring - 1)
        assert engine.admin.formed(scope) == before


@pytest.mark.parametrize("said", SAID)
def test_what_a_person_made_their_own_stays(scope: Scope, said: tuple[str, ...]) -> None:
    """A pinned theme is theirs; the pattern beside it goes."""
    with lived(FixedClock(START), scope, said) as engine:
        theme = next(memory for memory in dreamt(engine, scope) if memory.standing.tags[0] == "theme")
        engine.admin.pin(theme.id, scope)
        engine.feedback(rejected(engine, scope).id, scope, "wrong")
        assert [memory.id for memory in dreamt(engine, scope)] == [theme.id]


@pytest.mark.parametrize("said", SAID)
def test_a_pattern_that_was_itself_said_to_be_wrong_is_not_made_again(scope: Scope, said: tuple[str, ...]) -> None:
    """Neither the next night nor when a source of it is taken back."""
    clock = FixedClock(START)
    with lived(clock, scope, said) as engine:
        pattern = next(memory for memory in dreamt(engine, scope) if memory.standing.tags[0] == "pattern")
        engine.feedback(pattern.id, scope, "wrong")
        engine.feedback(rejected(engine, scope).id, scope, "wrong")
        night(engine, scope, clock)
        assert [memory.standing.tags[0] for memory in dreamt(engine, scope)] == ["theme"]


@pytest.mark.parametrize("line", [*english("Ada keeps {} in the shed."), *turkish("Ada kulübede {} saklıyor.")])
def test_a_category_summary_is_made_anew_without_it(scope: Scope, line: str) -> None:
    """It names no edge, but the episodes of its members."""
    clock = FixedClock(START)
    things = ["ropes", "nails", "paint", "lamps", "tents", "drums", "rakes", "books", "coins", "bells", "maps"]
    ours = named("reverie")
    dream = replace(ours.dream, order=(*ours.dream.order, StepName.SUMMARIES), summaries=V9.summaries)
    recipe = OwnRecipe("summing", ours.recall, ours.encode, dream, ours.working)
    with Reverie.open(":memory:", embedder=None, clock=clock, ids=RandomIds(seed=1), recipe=recipe) as engine:
        for thing in things:
            clock.at += timedelta(minutes=1)
            engine.observe(Message(line.format(f"{thing} {thing[::-1]}"), session=thing), scope, deliberate=True)
        night(engine, scope, clock)
        (summary,) = [memory for memory in dreamt(engine, scope) if memory.standing.tags[0] == "category"]
        gone = next(memory for memory in engine.admin.formed(scope) if memory.sources[0] in summary.sources)
        engine.forget(gone.id, scope)
        assert summary.id not in [memory.id for memory in dreamt(engine, scope)]
        night(engine, scope, clock)
        (anew,) = [memory for memory in dreamt(engine, scope) if memory.standing.tags[0] == "category"]
        assert gone.sources[0] not in anew.sources


@pytest.mark.req("D33", "D17")
@pytest.mark.parametrize(("said", "newer"), MOVED)
def test_what_contradicts_a_theme_closes_one_fact_of_it(
    scope: Scope, said: tuple[str, ...], newer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are open again at once, and the next night makes theme and pattern of what holds, once.

    How sure the learned verdict is says another test: here a home in Izmir replaces one in Ankara, and nothing else.
    """
    monkeypatch.setattr(gate, "replacing", moved)
    monkeypatch.setattr(verdict, "replacing", moved)
    clock = FixedClock(START)
    with lived(clock, scope, said, tmp_path / "m.db") as engine:
        theme = theme_of(engine, scope)
        assert said[0] in theme.text
    with Reverie.open(tmp_path / "m.db", embedder="hash", recipe=closing(0.5), clock=clock, ids=RandomIds(2)) as engine:
        engine.observe(Message(newer, session="t"), scope, deliberate=True)
        assert awake(engine, scope, said) == {*said[1:]}
        (old,) = (
            memory for memory in engine.admin.formed(scope) if memory.text == said[0] and memory.kind is Kind.FACT
        )
        by = engine.memory(old.standing.superseded_by, scope)
        assert (by.text, old.valid_until) == (newer, by.at)
        night(engine, scope, clock)
        assert {memory.standing.tags[0] for memory in dreamt(engine, scope)} == {"theme", "pattern"}
        assert theme.id not in {memory.id for memory in dreamt(engine, scope)}
        assert told(engine, scope, said) == {*said[1:]}
        head = engine.admin.head()
        night(engine, scope, clock)
        assert told(engine, scope, said) == {*said[1:]}
        assert [event.why for event in engine.admin.events(scope) if event.seq > head and event.why == RETIRED] == []
        assert engine.admin.verify() == []


@pytest.mark.req("D17")
@pytest.mark.parametrize(("said", "newer"), MOVED)
def test_who_corrects_a_theme_corrects_one_fact_of_it(scope: Scope, said: tuple[str, ...], newer: str) -> None:
    """What the new words contradict stays closed; what they do not speak of is open again."""
    with lived(FixedClock(START), scope, said) as engine:
        corrected = engine.correct(theme_of(engine, scope).id, newer, scope)
        assert awake(engine, scope, said) == {*said[1:]}
        (old,) = (
            memory for memory in engine.admin.formed(scope) if memory.text == said[0] and memory.kind is Kind.FACT
        )
        assert old.standing.superseded_by == corrected.id


@pytest.mark.req("D17")
@pytest.mark.parametrize("act", ["wrong", "forget", "erase"])
@pytest.mark.parametrize("said", SAID)
def test_a_theme_that_goes_by_itself_takes_no_fact_along(scope: Scope, said: tuple[str, ...], act: str) -> None:
    """Nobody said that they are wrong; and the next night does not make it again."""
    clock = FixedClock(START)
    with lived(clock, scope, said) as engine:
        theme = theme_of(engine, scope)
        if act == "erase":
            engine.admin.erase(theme.id, scope, why="asked for")
        else:
            ACTS[act](engine, theme)
        assert awake(engine, scope, said) == {*said}
        night(engine, scope, clock)
        assert awake(engine, scope, said) == {*said}
        assert [memory.standing.tags[0] for memory in dreamt(engine, scope)] == ["pattern"]
        assert engine.admin.verify() == []


@pytest.mark.parametrize("what", ["memory", "message"])
@pytest.mark.parametrize("said", SAID)
def test_what_is_erased_takes_no_other_fact_along(
    scope: Scope, said: tuple[str, ...], what: str, tmp_path: Path
) -> None:
    """Themes and patterns made of it go; the others are open again, and the next night makes both of them."""
    clock = FixedClock(START)
    with lived(clock, scope, said, tmp_path / "m.db") as engine:
        gone = rejected(engine, scope)
        engine.admin.erase(gone.id if what == "memory" else gone.sources[0], scope, why="asked for")
        assert dreamt(engine, scope) == []
        others = {text for text in said if text != gone.text}
        assert awake(engine, scope, said) == others
        night(engine, scope, clock)
        assert {memory.standing.tags[0] for memory in dreamt(engine, scope)} == {"theme", "pattern"}
        assert told(engine, scope, said) == others
        assert engine.admin.verify() == []


@pytest.mark.parametrize("said", SAID)
def test_erasing_what_no_dream_took_up_opens_nothing(scope: Scope, said: tuple[str, ...]) -> None:
    """Theme, pattern and members stand as before."""
    with lived(FixedClock(START), scope, said) as engine:
        before = engine.admin.formed(scope)
        other = engine.remember("Unrelated.", scope)
        engine.admin.erase(other.id, scope, why="asked for")
        assert engine.admin.formed(scope) == before

"""The hot tier: who stands beside the hits whatever the cue."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from math import inf

import pytest

from reverie import FixedClock, Question, RandomIds, Reverie, Scope
from reverie.encode.notes import Note
from reverie.formulas.tiers import HotEdges
from reverie.recipes.published.selection import HotTier
from reverie.recipes.recipe import OwnRecipe, recipe
from reverie.types import Kind, Standing, State, Tier
from tests.recall.fake_corpus import START, FakeCorpus, Line, quest, request, world

EDGES = HotEdges(utility=0.8, accesses=10.0, age_days=30.0, standing_utility=inf)
TIER = HotTier(EDGES, most=2, minutes=5.0)


def known(text: str = "a", utility: float = 0.9, accesses: int = 10, day: float = -1, **life: object) -> Line:
    """A semantic fact."""
    standing = replace(Standing(tier=Tier.SEMANTIC, utility=utility), **life)  # type: ignore[arg-type]  # test's fields
    return Line(text, kind=Kind.FACT, accesses=accesses, day=day, standing=standing)


def hot(*lines: Line, tier: HotTier = TIER) -> list[str]:
    """The texts that stand."""
    return [candidate.memory.text for candidate in tier(quest(request("x"), world(FakeCorpus(lines)))).hot]


@pytest.mark.req("D36")
def test_all_conditions_must_be_met() -> None:
    """Useful, often used, young, active, semantic: each alone keeps a memory out."""
    lines = [
        known("in"),
        known("useless", utility=0.79),
        known("rare", accesses=9),
        known("old", day=-30),
        known("fading", state=State.FADING),
        known("episodic", tier=Tier.EPISODIC),
    ]
    assert hot(*lines) == ["in"]


@pytest.mark.req("D36")
def test_the_most_useful_first_and_so_many() -> None:
    """Equally useful ones: the more used, then the later."""
    lines = [known("a", 0.85), known("b", 0.9), known("c", 0.9, accesses=12), known("d", 0.9, day=0)]
    assert hot(*lines) == ["c", "d"]


@pytest.mark.req("D36")
def test_the_choice_is_kept_and_what_stopped_holding_drops_out() -> None:
    """Who was chosen four minutes ago stands; forgotten since, it does not."""
    before, now = FakeCorpus([known("a"), known("b")]), FakeCorpus([known("a"), replace(known("b"), holds=False)])
    kept: list[tuple[str, ...]] = []

    def keep(minutes: float, make: object) -> tuple[str, ...]:
        assert minutes == 5.0
        if not kept:
            kept.append(make())  # type: ignore[operator]  # what the port hands over
        return kept[0]

    first = TIER(quest(request("x"), replace(world(before), kept=keep)))
    second = TIER(quest(request("x"), replace(world(now), kept=keep)))
    assert [len(first.hot), len(second.hot)] == [2, 1]
    assert second.hot[0].memory.text == "a"


def test_what_is_gone_stands_no_longer() -> None:
    """A name that was kept and is nobody's now is passed over."""
    around = replace(world(FakeCorpus([known("a"), known("b")])), kept=lambda _, __: ("m1", "gone"))
    assert [c.memory.text for c in TIER(quest(request("x"), around)).hot] == ["b"]


SCOPE = Scope("agent", "ada", "home")


@pytest.mark.req("D36")
def test_end_to_end_it_is_chosen_anew_after_five_minutes() -> None:
    """What became hot a moment after the choice stands from the next choice on, and what was erased at no time."""
    clock, own = FixedClock(START), recipe("reverie")
    tier = replace(TIER, edges=replace(EDGES, utility=0.5, accesses=0.0))
    path = replace(own.recall, stages=(tier, *own.recall.stages))
    hot = OwnRecipe("hot", path, own.encode, own.dream, own.working)
    ids = RandomIds(seed=1)
    with Reverie.open(":memory:", embedder=None, recipe=hot, clock=clock, ids=ids, background=False) as engine:
        assert engine.recall("kite", SCOPE).standing == ()
        engine.admin.note([Note(f"Elif bought {what}.") for what in ("a boat", "an oar", "a sail", "a rope")], SCOPE)
        engine.dream(SCOPE)  # several about one name are promoted
        clock.at = START + timedelta(minutes=4, seconds=59)
        assert engine.recall("kite", SCOPE).standing == ()
        clock.at = START + timedelta(minutes=5)
        first, second = engine.recall(Question("hello", automatic=True), SCOPE).standing
        engine.admin.erase(first.memory.id, SCOPE, why="asked")
        assert [hit.memory.id for hit in engine.recall("kite", SCOPE).standing] == [second.memory.id]

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from reverie.consolidate.settings import CurveLaw, DreamSettings, ForesightExpiry, Rehearsal, TierDecay
from reverie.consolidate.tiers import (
    drift,
    emotion,
    foresight,
    hot,
    is_protected,
    mean_accesses,
    rehearsal,
    replay,
    retrievability,
    retrievability_for_test,
    tier_decay,
    tiers,
)
from reverie.recipes.default.dream import DREAM as REVERIE
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.recipes.published.v9.dream import LAW
from reverie.types import Kind, Memory, State, Tier
from tests.consolidate.making import NOW, after, days_ago, memory, snapshot, together

SEMANTIC = {"tier": Tier.SEMANTIC}


def step(recipe: DreamSettings, *memories: Memory) -> dict[str, dict[str, object]]:
    """What the step sets."""
    assert recipe.tiers is not None
    return after(tiers(snapshot(*memories), recipe.tiers, NOW))  # type: ignore[return-value]  # a field is an object


@pytest.mark.req("D35")
def test_three_accesses_promote() -> None:
    """Two do not."""
    assert step(V9, memory("two", accesses=2), memory("three", accesses=3)) == {"three": SEMANTIC}


@pytest.mark.req("D35")
def test_utility_over_a_week_promotes() -> None:
    """.7 for seven days; neither .69 nor six and a half days are enough."""
    lasting = memory("lasting", utility=0.7, age_days=7.0)
    dull = memory("dull", utility=0.69, age_days=7.0)
    young = memory("young", utility=0.7, age_days=6.5)
    assert step(V9, lasting, dull, young) == {"lasting": SEMANTIC}


@pytest.mark.req("D35")
def test_three_memories_around_an_entity_promote_each_other() -> None:
    """Two do not."""
    three = [memory(f"a{n}", entities=("ada",)) for n in range(3)]
    two = [memory(f"b{n}", entities=("bo",)) for n in range(2)]
    assert step(V9, *three, *two) == {"a0": SEMANTIC, "a1": SEMANTIC, "a2": SEMANTIC}


@pytest.mark.req("D35")
def test_sixty_idle_days_and_little_use_put_to_sleep() -> None:
    """Both are needed, and only semantic memories are demoted; the sleeper remembers its tier."""
    semantic = {"tier": Tier.SEMANTIC}
    gone = memory("gone", idle_days=60.0, utility=0.19, **semantic)
    useful = memory("useful", idle_days=60.0, utility=0.2, **semantic)
    recent = memory("recent", idle_days=59.0, utility=0.19, **semantic)
    episodic = memory("episodic", idle_days=60.0, utility=0.19)
    edge = memory("edge", idle_days=57.0, utility=0.0, **semantic)
    found = step(V9, gone, useful, recent, episodic, edge)
    assert found == {"gone": {"state": State.DORMANT}}


@pytest.mark.req("D35")
def test_what_was_promoted_is_looked_at_for_demotion_the_same_night() -> None:
    """Often used long ago and of no use since: it goes to sleep as a semantic memory."""
    found = step(V9, memory("old", accesses=5, idle_days=90.0, utility=0.1))
    assert found == {"old": {"tier": Tier.SEMANTIC, "state": State.DORMANT}}


@pytest.mark.req("D35", "D21")
@pytest.mark.parametrize("flag", ["pinned", "immutable", "flashbulb"])
def test_the_exempt_are_neither_promoted_nor_demoted(flag: str) -> None:
    """Pinned and immutable memories stay where they are; a flashbulb is not demoted."""
    useless = memory("m", tier=Tier.SEMANTIC, idle_days=99.0, utility=0.0, **{flag: True})
    assert is_protected(useless)
    assert step(V9, useless) == {}
    assert step(V9, memory("p", accesses=9, pinned=True), memory("i", accesses=9, immutable=True)) == {}


@pytest.mark.req("D15", "D33")
def test_utility_drifts_to_neutral_by_a_hundredth_a_day() -> None:
    """Twenty days: .9 + .01·20·(.5 − .9) = .82 by the document, .5 + .4·.99²⁰ day by day; neutral stays."""
    used = memory("used", utility=0.9, idle_days=20.0), memory("low", utility=0.1, idle_days=20.0), memory("half")
    assert V9.drift is not None
    document = after(drift(snapshot(*used), V9.drift, NOW))
    assert document["used"]["utility"] == pytest.approx(0.82)
    assert document["low"]["utility"] == pytest.approx(0.18)
    assert document["used"]["drifted_at"] == NOW
    assert "half" not in document
    daily = after(drift(snapshot(*used), replace(V9.drift, daily=True), NOW))
    assert daily["used"]["utility"] == pytest.approx(0.5 + 0.4 * 0.99**20)
    assert daily["low"]["utility"] == pytest.approx(0.5 - 0.4 * 0.99**20)
    assert "half" not in daily


@pytest.mark.req("D15")
def test_drift_counts_from_where_it_was_applied_to() -> None:
    """Or from the last access, if that is later; twice in a night moves nothing the second time."""
    assert V9.drift is not None
    applied = memory("applied", utility=0.9, idle_days=50.0, drifted_at=days_ago(10))
    accessed = memory("accessed", utility=0.9, idle_days=10.0, drifted_at=days_ago(50))
    first = snapshot(applied, accessed)
    outcome = drift(first, V9.drift, NOW)
    assert [what["utility"] for what in after(outcome).values()] == pytest.approx([0.86, 0.86])
    assert not drift(first.after(outcome), V9.drift, NOW).changes


@pytest.mark.req("D32", "D33")
def test_a_flashbulb_lasts_half_as_long_again_once_in_its_life() -> None:
    """Its stability grows by half, though it is pinned; the night after it does not grow again."""
    assert V9.emotion is not None
    bright = memory("bright", flashbulb=True, pinned=True, stability_days=10.0)
    first = snapshot(bright)
    outcome = emotion(first, V9.emotion, NOW)
    assert after(outcome) == {"bright": {"stability_days": 15.0, "consolidated_at": NOW}}
    assert not emotion(first.after(outcome), V9.emotion, NOW).changes


@pytest.mark.req("D33")
def test_what_was_felt_becomes_a_tag() -> None:
    """Once; what is pinned is not edited."""
    assert V9.emotion is not None
    glad = memory("glad", emotion="joy", tags=("tea",))
    settled = memory("settled", emotion="joy", tags=("joy",))
    pinned = memory("pinned", emotion="joy", pinned=True)
    found = emotion(snapshot(glad, settled, pinned), V9.emotion, NOW)
    assert after(found) == {"glad": {"tags": ("tea", "joy")}}


@pytest.mark.req("D21")
def test_an_immutable_flashbulb_stays_as_it_is() -> None:
    """Nothing edits what is immutable."""
    assert V9.emotion is not None
    assert not emotion(snapshot(memory("m", flashbulb=True, immutable=True)), V9.emotion, NOW).changes


@pytest.mark.req("D1", "D35")
def test_retention_is_the_documents_curve_over_the_tiers_stability() -> None:
    """A day of stability, three idle days: semantic (1 + 3/9)⁻² = .5625, episodic (1 + 3·3/9)⁻² = .25."""
    both = memory("s", tier=Tier.SEMANTIC, idle_days=3.0), memory("e", idle_days=3.0)
    assert retrievability(snapshot(*both), LAW) == pytest.approx([0.5625, 0.25])


@pytest.mark.parametrize(("curve", "expected"), [(CurveLaw.EXPONENTIAL, np.exp(-1)), (CurveLaw.FSRS6, 0.9)])
def test_the_other_curves_are_theirs(curve: CurveLaw, expected: float) -> None:
    """After as many days as the stability 1/e is left by Ebbinghaus, and nine in ten by FSRS."""
    one = memory("s", tier=Tier.SEMANTIC, stability_days=5.0, idle_days=5.0)
    assert retrievability(snapshot(one), replace(LAW, curve=curve)) == pytest.approx([expected])


@pytest.mark.req("D5")
def test_the_mean_is_over_active_memories() -> None:
    """What sleeps does not count; what is rare counts with half its stability."""
    found = snapshot(memory("a", accesses=1), memory("b", accesses=9), memory("c", accesses=50, state=State.DORMANT))
    assert mean_accesses(found) == 5.0
    halved = retrievability_for_test(found, LAW)[0]
    assert halved == pytest.approx(retrievability(snapshot(memory("a", stability_days=0.5)), LAW)[0])


@pytest.mark.req("D14", "D17", "D33")
def test_what_was_bounded_in_time_and_is_past_is_superseded() -> None:
    """What holds still, what was merely closed by hand, and what is pinned, is left; its validity is not moved."""
    past = memory("past", time_bounded=True, valid_until=NOW)
    ahead = memory("ahead", time_bounded=True, valid_until=days_ago(-1))
    closed = memory("closed", valid_until=days_ago(1))
    pinned = memory("pinned", time_bounded=True, valid_until=days_ago(1), pinned=True)
    found = after(foresight(snapshot(past, ahead, closed, pinned), ForesightExpiry(), NOW))
    assert found == {"past": {"state": State.SUPERSEDED}}


BOTH = pytest.mark.parametrize("recipe", [V9, REVERIE], ids=["v9", "reverie"])


def ids(recipe: DreamSettings, *memories: Memory) -> tuple[str, ...]:
    """What is hot."""
    assert recipe.hot is not None
    return hot(snapshot(*memories), recipe.hot, NOW).hot


@BOTH
@pytest.mark.req("D36")
def test_useful_used_young_and_active_is_hot(recipe: DreamSettings) -> None:
    """.8, ten accesses, less than thirty days since it was made, semantic; each a hair off is not."""
    good = {"utility": 0.8, "accesses": 10, "age_days": 29.9, "tier": Tier.SEMANTIC}
    off = {"utility": 0.79, "accesses": 9, "age_days": 30.0, "tier": Tier.EPISODIC, "state": State.FADING}
    cold = [memory(name, **(good | {name: value})) for name, value in off.items()]  # type: ignore[arg-type]  # fields by name
    old = memory("old", **(good | {"age_days": 28.0}))  # type: ignore[arg-type]  # fields by name
    assert ids(recipe, memory("hot", **good), old, *cold) == ("hot", "old")  # type: ignore[arg-type]  # fields by name


@BOTH
@pytest.mark.req("D36")
def test_fifteen_at_most_and_the_most_useful_first(recipe: DreamSettings) -> None:
    """Of equally useful ones the more used."""
    many = [memory(f"m{n:02}", utility=0.8 + n / 100, accesses=10, age_days=1.0, tier=Tier.SEMANTIC) for n in range(17)]
    assert ids(recipe, *many) == tuple(f"m{n:02}" for n in range(16, 1, -1))


@pytest.mark.req("D36")
def test_the_default_has_a_second_door_for_standing_instructions() -> None:
    """Instructions and preferences, whatever their count and age, unless they were found useless; not in v9."""
    standing = memory("i", kind=Kind.INSTRUCTION, utility=0.4), memory("p", kind=Kind.PREFERENCE, age_days=999.0)
    useless = memory("u", kind=Kind.INSTRUCTION, utility=0.39)
    assert ids(REVERIE, *standing, useless, memory("f")) == ("p", "i")
    assert ids(V9, *standing) == ()


FSRS6 = replace(V9, rehearsal=Rehearsal(replace(LAW, curve=CurveLaw.FSRS6), below=0.5, factor=1.5, limit=200))
CASES = [(V9, 9 * (0.3**-0.5 - 1), 50), (FSRS6, 90.40, 200)]
"""Recipe, idle days at which a semantic memory with a stability of a day is endangered, memories a night."""


@pytest.mark.req("D25", "D33")
@pytest.mark.parametrize(("recipe", "edge", "limit"), CASES, ids=["v9", "fsrs6"])
def test_what_is_about_to_be_lost_lasts_half_as_long_again(recipe: DreamSettings, edge: float, limit: int) -> None:
    """Below the edge ×1.5, above it nothing."""
    assert recipe.rehearsal is not None
    safe = memory("safe", tier=Tier.SEMANTIC, idle_days=edge * 0.98)
    lost = memory("lost", tier=Tier.SEMANTIC, idle_days=edge * 1.02)
    found = after(rehearsal(snapshot(safe, lost), recipe.rehearsal, NOW))
    assert found == {"lost": {"stability_days": 1.5, "rehearsed_at": NOW}}


@pytest.mark.req("D25")
@pytest.mark.parametrize(("recipe", "edge", "limit"), CASES, ids=["v9", "fsrs6"])
def test_so_many_a_night_and_the_nearest_to_loss_first(recipe: DreamSettings, edge: float, limit: int) -> None:
    """The limit counts for the period: what was rehearsed earlier in it leaves less room, last night's does not."""
    assert recipe.rehearsal is not None
    many = [memory(f"m{n:03}", age_days=999.0, idle_days=edge * 5 + n) for n in range(limit + 3)]
    done = memory("done", idle_days=edge * 9, age_days=999.0, rehearsed_at=NOW)
    before = memory("before", idle_days=edge * 99, age_days=999.0, rehearsed_at=days_ago(1))
    found = rehearsal(snapshot(*many, done, before), recipe.rehearsal, NOW)
    names = [change.memory for change in found.changes]
    assert len(names) == limit - 1
    assert names[0] == "before"
    assert names[1] == f"m{limit + 2:03}"
    assert "done" not in names
    assert found.notes == ("5 more are endangered and wait for the next period",)


@pytest.mark.req("D31", "D33")
def test_pairs_that_met_three_times_grow_by_two_per_cent() -> None:
    """Two meetings are not enough."""
    assert V9.replay is not None
    four = [memory(name, stability_days=10.0) for name in "abcd"]
    found = replay(snapshot(*four, companions=[together("a", "b", 3), together("c", "d", 2)]), V9.replay, NOW)
    assert {name: round(float(what["stability_days"]), 6) for name, what in after(found).items()} == {
        "a": 10.2,
        "b": 10.2,
    }  # type: ignore[arg-type]  # it is a number


def test_a_pair_is_replayed_again_only_after_it_met_again() -> None:
    """What was replayed since the pair last met, or earlier this night, waits."""
    assert V9.replay is not None
    for replayed, met, grows in (
        (None, 5.0, True),
        (days_ago(3), 5.0, False),
        (days_ago(3), 2.0, True),
        (NOW, 2.0, False),
    ):
        pair = memory("a", replayed_at=replayed), memory("b", immutable=True)
        found = replay(snapshot(*pair, companions=[together("a", "b", 9, days=met)]), V9.replay, NOW)
        assert ("a" in after(found)) is grows


@pytest.mark.req("D30", "D33")
def test_a_synaptic_tag_that_ran_out_is_taken_away() -> None:
    """One that still stands is left."""
    assert V9.replay is not None
    old, new = memory("old", tagged_until=NOW), memory("new", tagged_until=NOW + timedelta(hours=1))
    assert after(replay(snapshot(old, new), V9.replay, NOW)) == {"old": {"tagged_until": None}}


# Idle days at which retention falls to the recipe's edge, of a stability of one day, worked out by hand:
# v9: (1 + 3t/9)⁻² = .3; with the curve of FSRS-6: (1 + .9805·3t)^−.1542 = .5, f = .9^(−1/.1542) − 1.
FSRS6_TIER_DECAY = replace(V9, tier_decay=TierDecay(replace(LAW, curve=CurveLaw.FSRS6), fading_below=0.5))
EDGES = [(V9, 3 * (0.3**-0.5 - 1), 9 * (0.3**-0.5 - 1)), (FSRS6_TIER_DECAY, 30.13, 90.40)]


@pytest.mark.req("D35", "D1")
@pytest.mark.parametrize(("recipe", "episodic", "semantic"), EDGES, ids=["v9", "fsrs6"])
@pytest.mark.parametrize("tier", Tier)
def test_each_tier_fades_at_its_own_speed(recipe: DreamSettings, episodic: float, semantic: float, tier: Tier) -> None:
    """An episodic memory fades three times as fast as a semantic one; a hair before the edge it does not."""
    edge = semantic if tier is Tier.SEMANTIC else episodic
    before = memory("before", tier=tier, idle_days=edge * 0.98, accesses=1)
    past = memory("past", tier=tier, idle_days=edge * 1.02, accesses=1)
    assert recipe.tier_decay is not None
    found = after(tier_decay(snapshot(before, past), recipe.tier_decay, NOW))
    assert found == {"past": {"state": State.FADING}}


@pytest.mark.req("D5")
@pytest.mark.parametrize("recipe", [V9, FSRS6_TIER_DECAY], ids=["v9", "fsrs6"])
def test_rare_is_below_half_of_the_mean(recipe: DreamSettings) -> None:
    """14 accesses where the mean is 30 are rare, 15 are not; a rare memory's stability is halved, no more."""
    assert recipe.tier_decay is not None
    full = next(edge for settings, edge, _ in EDGES if settings is recipe)
    for accesses, other, idle, fades in ((14, 46, 0.52, True), (14, 46, 0.49, False), (15, 45, 0.52, False)):
        pair = memory("rare", idle_days=full * idle, accesses=accesses), memory("used", idle_days=0.0, accesses=other)
        assert ("rare" in after(tier_decay(snapshot(*pair), recipe.tier_decay, NOW))) is fades


def test_a_memory_within_reach_again_is_active_again() -> None:
    """A fading memory that was recalled meanwhile loses the mark; one that sleeps does not wake by itself."""
    assert V9.tier_decay is not None
    fading = memory("fading", state=State.FADING, idle_days=0.1)
    asleep = memory("asleep", state=State.DORMANT, idle_days=0.1)
    assert after(tier_decay(snapshot(fading, asleep), V9.tier_decay, NOW)) == {"fading": {"state": State.ACTIVE}}


@pytest.mark.req("D21")
def test_pinned_and_immutable_memories_are_not_marked() -> None:
    """However long they lie idle."""
    assert V9.tier_decay is not None
    kept = memory("pinned", pinned=True, idle_days=999.0), memory("immutable", immutable=True, idle_days=999.0)
    assert not tier_decay(snapshot(*kept), V9.tier_decay, NOW).changes

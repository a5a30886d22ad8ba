from __future__ import annotations

import pytest

from reverie.consolidate.forgetting import forgetting, trimming
from reverie.consolidate.settings import DreamSettings, Trimming
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.recipes.published.v9.dream import RETENTION
from reverie.types import Kind, Memory, Relation, RelationKind, State
from tests.consolidate.making import NOW, Lying, after, at_cosine, days_ago, edge, memory, snapshot, why


def step(recipe: DreamSettings, *memories: Memory, relations: list[Relation] | None = None) -> dict[str, str]:
    """Who goes to sleep, and why."""
    assert recipe.forgetting is not None
    outcome = forgetting(snapshot(*memories, relations=relations or []), recipe.forgetting, NOW)
    assert all(what == {"state": State.DORMANT} for what in after(outcome).values())
    return why(outcome)


@pytest.mark.req("D14")
def test_of_a_contradiction_the_older_side_sleeps() -> None:
    """Whichever way the edge points; a pinned one does not, and a newer one never does in its place."""
    old, new = memory("old", age_days=9.0), memory("new", age_days=2.0)
    for ends in (("old", "new"), ("new", "old")):
        assert set(step(V9, old, new, relations=[edge(*ends, RelationKind.CONTRADICTS)])) == {"old"}
    held = memory("old", age_days=9.0, pinned=True)
    assert step(V9, held, new, relations=[edge("new", "old", RelationKind.CONTRADICTS)]) == {}


@pytest.mark.req("D14")
def test_what_foresight_superseded_sleeps() -> None:
    """Other superseded memories stay as they are."""
    past = memory("past", time_bounded=True, valid_until=days_ago(1), state=State.SUPERSEDED)
    replaced = memory("replaced", state=State.SUPERSEDED)
    assert step(V9, past, replaced) == {"past": "its time is over"}


@pytest.mark.req("D14")
def test_useless_for_a_month_is_forgotten() -> None:
    """Below .15 and 30 days unused, both."""
    gone = memory("gone", utility=0.149, idle_days=30.0)
    useful = memory("useful", utility=0.15, idle_days=30.0)
    almost = memory("almost", utility=0.14, idle_days=29.0)
    assert step(V9, gone, useful, almost) == {"gone": "useless and unused"}


@pytest.mark.req("D5")
@pytest.mark.parametrize(("kind", "days"), [(Kind.DECISION, 45), (Kind.FACT, 14), (Kind.PLAN, 7)])
def test_each_category_is_kept_for_its_time(kind: Kind, days: int) -> None:
    """Younger than its minimum, a memory is spared; the last rules alone ask (here: of two equals one is redundant)."""
    assert V9.forgetting is not None
    where = dict(zip("ab", at_cosine(1.0), strict=True))
    for age, sleeps in ((days - 0.4, False), (days + 0.01, True)):
        pair = [memory(name, "The same words.", kind=kind, age_days=age) for name in "ab"]
        found = forgetting(snapshot(*pair, lying=Lying(where)), V9.forgetting, NOW)
        assert (set(why(found)) == {"a"}) is sleeps


@pytest.mark.req("D5")
@pytest.mark.parametrize("kind", [Kind.CORRECTION, Kind.PREFERENCE, Kind.ENTITY, Kind.INSTRUCTION])
def test_some_categories_are_kept_for_good(kind: Kind) -> None:
    """However old and useless."""
    assert step(V9, memory("m", kind=kind, utility=0.0, age_days=9_999.0)) == {}


@pytest.mark.req("D5", "D14")
def test_what_is_used_far_more_than_the_mean_is_spared() -> None:
    """Accesses 152 and 48 have the mean 100: above one and a half of it nothing useless is forgotten."""
    for accesses, other, spared in ((152, 48, True), (149, 51, False)):
        useless = memory("useless", utility=0.0, idle_days=40.0, accesses=accesses)
        found = step(V9, useless, memory("other", accesses=other))
        assert ("useless" not in found) is spared


@pytest.mark.req("D14")
def test_past_five_hundred_the_least_useful_are_trimmed_to_four_hundred_and_fifty() -> None:
    """Of equally useful ones those hardest to reach; five hundred are not too many."""
    full = [memory(f"m{n:03}", utility=0.5 + n / 10_000, idle_days=1.0) for n in range(500)]
    assert step(V9, *full) == {}
    found = step(V9, *full, memory("last", utility=0.51))
    assert set(found) == {f"m{n:03}" for n in range(51)}
    assert set(found.values()) == {"one too many"}
    equal = [memory(f"m{n:03}", idle_days=float(n % 501) / 10) for n in range(501)]
    assert set(step(V9, *equal)) == {f"m{n:03}" for n in range(450, 501)}


@pytest.mark.req("D14")
def test_a_capacity_holds_for_what_is_kept_long_as_well() -> None:
    """What is young for its category, kept for good or much used goes last, however little use it was; but it goes."""
    for kept in ({"kind": Kind.PREFERENCE}, {"age_days": 1.0}, {"accesses": 900}):
        spared = [memory(f"k{n:03}", utility=0.2, **kept) for n in range(100)]  # type: ignore[arg-type]  # fields by name
        others = [memory(f"o{n:03}", utility=0.9) for n in range(410)]
        assert set(step(V9, *spared, *others)) <= {one.id for one in others}
        assert len(step(V9, *spared, *others)) == 60
    many = [memory(f"p{n:03}", f"Ada likes {n}.", kind=Kind.PREFERENCE) for n in range(510)]
    assert len(step(V9, *many)) == 60


TRIMMING = Trimming(capacity=500, trimmed=450, retention=RETENTION, used_share=1.5)


def trimmed(*memories: Memory) -> dict[str, str]:
    """Who goes to sleep by a limit alone, and why."""
    return why(trimming(snapshot(*memories), TRIMMING, NOW))


@pytest.mark.req("D14")
def test_a_limit_by_itself_lets_the_least_useful_rest() -> None:
    """Five hundred stay; of one more 51 rest, the useless first, then what lies unused longest for its strength."""
    many = [memory(f"m{n:03}", age_days=99.0, idle_days=90.0 + n / 10) for n in range(499)]
    strong = memory("strong", age_days=99.0, idle_days=180.0, stability_days=9.0)
    useless = memory("useless", age_days=99.0, utility=0.1, idle_days=1.0)
    assert trimmed(*many, strong) == {}
    gone = trimmed(*many, strong, useless)
    assert set(gone) == {"useless", *(f"m{n:03}" for n in range(449, 499))}
    assert set(gone.values()) == {"one too many"}


@pytest.mark.req("D14", "D21")
def test_a_limit_by_itself_spares_what_the_fifth_rule_spares() -> None:
    """What is pinned stays; what is young, of a lasting category or much used goes after all others."""
    pinned = [memory(f"p{n:03}", age_days=99.0, utility=0.0, pinned=True) for n in range(5)]
    young = [memory(f"y{n:03}", age_days=1.0, utility=0.0) for n in range(5)]
    liked = [memory(f"l{n:03}", f"Ada likes {n}.", kind=Kind.PREFERENCE, age_days=99.0, utility=0.0) for n in range(5)]
    used = [memory(f"u{n:03}", age_days=99.0, utility=0.0, accesses=99) for n in range(5)]
    others = [memory(f"m{n:03}", age_days=99.0) for n in range(485)]
    gone = trimmed(*pinned, *young, *liked, *used, *others)
    assert len(gone) == 55
    assert {name[0] for name in gone} == {"m"}
    assert len(trimmed(*[memory(f"l{n:03}", kind=Kind.PREFERENCE) for n in range(510)])) == 60


@pytest.mark.req("D14", "D21")
@pytest.mark.parametrize("flag", ["pinned", "immutable"])
def test_no_rule_touches_what_is_protected(flag: str) -> None:
    """Useless, contradicted, expired, repeated and one too many: it stays."""
    kept = [memory(f"k{n:03}", utility=0.0, time_bounded=True, valid_until=None, **{flag: True}) for n in range(510)]
    assert step(V9, *kept, relations=[edge("k001", "k000", RelationKind.CONTRADICTS)]) == {}

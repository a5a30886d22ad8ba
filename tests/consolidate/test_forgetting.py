from __future__ import annotations

import pytest

from reverie.consolidate.forgetting import forgetting, redundancy, resting, spent, trimming
from reverie.consolidate.settings import DreamSettings, Resting, Trimming
from reverie.consolidate.snapshot import Outcome
from reverie.recipes.default.dream import DREAM as REVERIE
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


def let_rest(recipe: DreamSettings, cosine: float, *pair: Memory) -> Outcome:
    """Redundancy over two memories of this cosine."""
    assert recipe.redundancy is not None
    where = dict(zip([one.id for one in pair], at_cosine(cosine), strict=True))
    return redundancy(snapshot(*pair, lying=Lying(where)), recipe.redundancy, NOW)


@pytest.mark.req("D14", "D33")
@pytest.mark.parametrize(("recipe", "edge"), [(V9, 0.9), (REVERIE, 0.965)], ids=["v9", "reverie"])
def test_above_the_cosine_the_less_useful_sleeps(recipe: DreamSettings, edge: float) -> None:
    """At the edge and below both stay."""
    pair = memory("a", "The same.", utility=0.6), memory("b", "The same.", utility=0.5)
    sleeps = after(let_rest(recipe, edge + 0.002, *pair))
    assert sleeps == {"b": {"state": State.DORMANT, "superseded_by": "a", "consolidated_at": NOW}}
    assert not let_rest(recipe, edge - 0.002, *pair).changes


@pytest.mark.req("D14")
def test_of_equally_useful_ones_the_more_used_stays_then_the_newer() -> None:
    """Utility decides first."""
    same = "The same."
    assert set(after(let_rest(V9, 0.99, memory("a", same, accesses=2), memory("b", same, accesses=1)))) == {"b"}
    assert set(after(let_rest(V9, 0.99, memory("a", same), memory("b", same)))) == {"a"}


@pytest.mark.req("D33")
def test_only_what_agrees_is_merged_and_both_stay_reachable() -> None:
    """As near as can be, but not the same number: both stay. The same in other words: an edge leads to the sleeper."""
    kept = (
        memory("a", "The flight leaves at 7 on Monday.", utility=0.9),
        memory("b", "The flight leaves at 8 on Monday."),
    )
    assert not let_rest(REVERIE, 0.999, *kept).changes
    assert not let_rest(V9, 0.999, *kept).changes
    same = (
        memory("a", "The flight leaves at 7 on Monday.", utility=0.9),
        memory("b", "The flight leaves at 7 on Monday!"),
    )
    found = let_rest(REVERIE, 0.999, *same)
    assert set(after(found)) == {"b"}
    assert [(one.source, one.target, one.kind) for one in found.related] == [("a", "b", RelationKind.ELABORATES)]


@pytest.mark.req("D14", "D33")
@pytest.mark.parametrize(("recipe", "limit"), [(V9, 50), (REVERIE, 500)], ids=["v9", "reverie"])
def test_so_many_pairs_a_period(recipe: DreamSettings, limit: int) -> None:
    """What was put to sleep earlier in the period leaves less room."""
    assert recipe.redundancy is not None
    count = limit + 2
    pairs = [memory(f"{n:04}{side}", f"Shelf {n} is full.") for n in range(count) for side in "ab"]
    axes = {one.id: [0.0] * (place // 2) + [1.0] for place, one in enumerate(pairs)}
    lying = Lying(axes, dims=count + 17)
    first = snapshot(*pairs, lying=lying)
    outcome = redundancy(first, recipe.redundancy, NOW)
    assert len(outcome.changes) == limit
    second = first.after(outcome)
    assert spent(second) == limit
    assert not redundancy(second, recipe.redundancy, NOW).changes


@pytest.mark.req("D21")
def test_a_pinned_memory_does_not_sleep_for_a_better_one() -> None:
    """Nor does the better one in its place."""
    assert not let_rest(V9, 0.99, memory("a", utility=0.9), memory("b", utility=0.1, pinned=True)).changes


LIMIT = Resting(capacity=3, trimmed=2, share=0.5)


def said(name: str, text: str, age_days: float, **more: object) -> Memory:
    """An episode."""
    return memory(name, text, age_days=age_days, kind=Kind.EPISODE, **more)


def rests(*episodes: Memory, formed: int = 0, settings: Resting = LIMIT) -> set[str]:
    """The ids of what is put to rest."""
    outcome = resting(episodes, formed, settings, NOW)
    dormant = {c.memory for c in outcome.changes for f in c.fields if (f.name, f.after) == ("state", State.DORMANT)}
    return dormant


FOUR = (
    said("kite", "The kite hangs above the harbour.", 9.0),
    said("rent", "Rent went up again this spring.", 8.0),
    said("boat", "Somebody painted that little boat.", 7.0),
    said("wall", "Yesterday they finished building walls.", 6.0),
)


def test_up_to_the_capacity_nothing_rests() -> None:
    """Not even a repeat: there is room."""
    assert rests(*FOUR[:2], said("again", FOUR[0].text, 1.0)) == set()
    assert rests(*FOUR[:3], formed=1) != set()


def test_above_it_the_least_active_rest() -> None:
    """Two of four are left; age decides where none was told or used more than the others."""
    assert rests(*FOUR) == {"kite", "rent"}


def test_use_keeps_what_is_old() -> None:
    """Recalled and useful twenty times; recalled as often and never useful does not count."""
    used = said("kite", FOUR[0].text, 9.0, accesses=20, utility=0.9)
    useless = said("rent", FOUR[1].text, 8.0, accesses=20, utility=0.0)
    assert rests(used, useless, *FOUR[2:]) == {"rent", "boat"}


def test_of_repeats_the_newest_stays_and_counts_the_tellings() -> None:
    """It takes over the storage of the older ones, and is kept for having been told so often."""
    tellings = [said(f"kite{n}", "The kite hangs above the harbour.", 9.0 - n / 10) for n in range(4)]
    outcome = resting((*tellings, *FOUR[1:]), 0, LIMIT, NOW)
    heirs = {c.memory: {f.name: f.after for f in c.fields} for c in outcome.changes}
    assert heirs["kite3"] == {"storage": 4.0}
    assert {heirs[f"kite{n}"]["superseded_by"] for n in range(3)} == {"kite3"}
    assert heirs["rent"]["state"] is heirs["boat"]["state"] is State.DORMANT


def test_another_speaker_repeats_nothing() -> None:
    """Two people said it: two memories."""
    other = said("echo", FOUR[3].text, 5.0, speaker="Ben")
    assert rests(*FOUR, other) == {"kite", "rent", "boat"}


def test_pinned_and_immutable_words_do_not_rest() -> None:
    """However old; others go in their place."""
    pinned = said("kite", FOUR[0].text, 9.0, pinned=True)
    fixed = said("rent", FOUR[1].text, 8.0, immutable=True)
    assert rests(pinned, fixed, *FOUR[2:]) == {"boat", "wall"}

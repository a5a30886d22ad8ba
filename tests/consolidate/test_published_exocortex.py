from __future__ import annotations

import pytest

from reverie.consolidate.published_steps import company, deduplication, dormancy, links
from reverie.consolidate.snapshot import Outcome
from reverie.recipes.published.exocortex import DREAM
from reverie.types import Memory, RelationKind, State
from tests.consolidate.making import NOW, Lying, after, at_cosine, edge, memory, snapshot, together


@pytest.mark.req("A9", "A16.18")
def test_pairs_that_met_more_than_five_times_are_named() -> None:
    """With ids, count, first and last; five times is not enough, and nothing is done about any of it."""
    assert DREAM.company is not None
    pairs = [together("a", "b", 6), together("b", "c", 5), together("a", "c", 9)]
    found = company(snapshot(*[memory(name) for name in "abc"], companions=pairs), DREAM.company, NOW)
    assert found.notes == (
        "a, c: 9 times, 2026-06-13 to 2026-06-14",
        "a, b: 6 times, 2026-06-13 to 2026-06-14",
    )
    assert not found.changes
    assert not found.related


USER = {"data_source": "user_message"}


def told(name: str, **more: object) -> Memory:
    """A memory that says what the others say."""
    return memory(name, "The bread is in the tin.", **more)  # type: ignore[arg-type]  # fields by name


def step(first: Memory, second: Memory, cosine: float = 0.99) -> Outcome:
    """The step over two memories."""
    assert DREAM.deduplication is not None
    where = dict(zip((first.id, second.id), at_cosine(cosine), strict=True))
    return deduplication(snapshot(first, second, lying=Lying(where)), DREAM.deduplication, NOW)


@pytest.mark.req("A11", "A16.23")
def test_pairs_above_nine_tenths_of_the_hosts_scale_are_duplicates() -> None:
    """(1 + cos)/2 > .90, which is a cosine of .80."""
    pair = told("old", age_days=9.0), told("new", age_days=1.0)
    assert step(*pair, cosine=0.805).changes
    assert not step(*pair, cosine=0.795).changes


@pytest.mark.req("A11", "A16.24")
def test_of_two_inferred_ones_the_older_is_deprecated() -> None:
    """It names what superseded it, and an edge leads there."""
    found = step(told("old", age_days=9.0), told("new", age_days=1.0))
    assert after(found) == {"old": {"state": State.SUPERSEDED, "superseded_by": "new", "consolidated_at": NOW}}
    assert [(one.source, one.target, one.kind) for one in found.related] == [("new", "old", RelationKind.SUPERSEDES)]


@pytest.mark.req("A11", "A16.25")
def test_what_the_user_asserted_is_kept() -> None:
    """Older or not; and what was confirmed before that."""
    assert set(after(step(told("old", age_days=9.0, **USER), told("new", age_days=1.0)))) == {"new"}
    assert set(after(step(told("sure", age_days=9.0, verified=True), told("new", age_days=1.0, **USER)))) == {"new"}


@pytest.mark.req("A11", "A16.26")
def test_two_assertions_of_the_user_are_flagged() -> None:
    """And left as they are."""
    found = step(told("a", **USER), told("b", **USER))
    assert not found.changes
    assert found.notes == ("flagged: the user asserted both: a, b",)


@pytest.mark.req("A11", "A16.27", "D21")
@pytest.mark.parametrize("bears", [{"tags": ("load_bearing",)}, {"pinned": True}, {"immutable": True}])
def test_what_bears_load_is_never_deprecated(bears: dict[str, object]) -> None:
    """Where it would lose the pair is flagged."""
    found = step(told("old", age_days=9.0, **bears), told("new", age_days=1.0))  # type: ignore[arg-type]  # fields by name
    assert not found.changes
    assert found.notes == ("flagged: the one to go is load-bearing: old, new",)


@pytest.mark.req("A11", "A16.28")
def test_twenty_pairs_a_cycle() -> None:
    """The rest waits; what was deprecated earlier in the period counts."""
    assert DREAM.deduplication is not None
    pairs = [told(f"{n:02}{side}") for n in range(22) for side in "ab"]
    lying = Lying({one.id: [0.0] * (place // 2) + [1.0] for place, one in enumerate(pairs)}, dims=24)
    first = snapshot(*pairs, lying=lying)
    outcome = deduplication(first, DREAM.deduplication, NOW)
    assert len(outcome.changes) == 20
    assert not deduplication(first.after(outcome), DREAM.deduplication, NOW).changes


@pytest.mark.req("A11", "A14a")
def test_each_memory_is_held_against_its_five_nearest() -> None:
    """Of seven equal memories each has five neighbours at a time, so one pair of the 21 is not looked at twice."""
    assert DREAM.deduplication is not None
    assert DREAM.deduplication.nearest == 5


@pytest.mark.req("A11")
def test_two_that_differ_in_a_number_are_both_kept() -> None:
    """However near they lie; the note says what would be lost."""
    found = step(memory("one", "Shelf 4 is full."), memory("two", "Shelf 5 is full."))
    assert not found.changes
    assert "does not hold" in found.notes[0]


@pytest.mark.req("A12")
def test_what_was_never_accessed_is_named_and_left() -> None:
    """After thirty passes of a day each; what was accessed, is younger, or sleeps already, is not."""
    assert DREAM.dormancy is not None
    found = snapshot(
        memory("old", age_days=30.5),
        memory("young", age_days=29.5),
        memory("used", age_days=99.0, accesses=1),
        memory("asleep", age_days=99.0, state=State.DORMANT),
    )
    outcome = dormancy(found, DREAM.dormancy, NOW)
    assert outcome.notes == ("never accessed: old",)
    assert not outcome.changes


@pytest.mark.req("A10", "A16.19")
def test_three_shared_tags_link_both_ways() -> None:
    """Two do not; links that are there are not drawn again."""
    assert DREAM.links is not None
    three = memory("a", tags=("x", "y", "z")), memory("b", tags=("z", "y", "x", "w")), memory("c", tags=("x", "y"))
    first = snapshot(*three)
    outcome = links(first, DREAM.links, NOW)
    assert {(one.source, one.target) for one in outcome.related} == {("a", "b"), ("b", "a")}
    assert {one.kind for one in outcome.related} == {RelationKind.RELATED_TO}
    assert not links(first.after(outcome), DREAM.links, NOW).related


@pytest.mark.req("A10", "A16.21")
def test_ten_links_a_memory() -> None:
    """Those it has count, also to memories that have gone."""
    assert DREAM.links is not None
    many = [memory(f"m{n:02}", tags=("x", "y", "z")) for n in range(12)]
    outcome = links(snapshot(*many), DREAM.links, NOW)
    drawn = [one.source for one in outcome.related]
    assert max(drawn.count(one.id) for one in many) == 10
    full = [edge("m00", f"gone{n}", RelationKind.RELATED_TO) for n in range(10)]
    linked = links(snapshot(*many, relations=full), DREAM.links, NOW).related
    assert "m00" not in {one.source for one in linked} | {one.target for one in linked}


@pytest.mark.req("D21")
def test_an_immutable_memory_is_not_linked() -> None:
    """It stays as it is; a pinned one may be linked."""
    assert DREAM.links is not None
    tags = ("x", "y", "z")
    found = snapshot(
        memory("i", tags=tags, immutable=True), memory("p", tags=tags, pinned=True), memory("a", tags=tags)
    )
    assert {one.source for one in links(found, DREAM.links, NOW).related} == {"a", "p"}

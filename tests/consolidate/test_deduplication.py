from __future__ import annotations

import pytest

from reverie.consolidate.published_steps import deduplication
from reverie.consolidate.snapshot import Outcome
from reverie.recipes.published.exocortex import DREAM
from reverie.types import Memory, RelationKind, State
from tests.consolidate.making import NOW, Lying, after, at_cosine, memory, snapshot

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

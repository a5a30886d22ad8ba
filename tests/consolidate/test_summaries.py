from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from reverie.consolidate.settings import DreamSettings
from reverie.consolidate.snapshot import Snapshot, snapshot_of
from reverie.consolidate.summaries import TOLD_MAX, summaries
from reverie.recipes.default.dream import DREAM as REVERIE
from reverie.recipes.v9.dream import DREAM as V9
from reverie.types import Kind, Memory, State, Tier
from tests.consolidate.making import HERE, NOW, after, memory, night, snapshot

BOTH = pytest.mark.parametrize("recipe", [V9, REVERIE], ids=["v9", "reverie"])


def plans(count: int) -> list[Memory]:
    """So many plans."""
    return [memory(f"p{n:02}", f"Ada plans to paint room {n}.", kind=Kind.PLAN) for n in range(count)]


def later(before: Snapshot, seconds: float, *more: Memory) -> Snapshot:
    """The scope some seconds later, with more in it."""
    when = replace(night(), at=NOW + timedelta(seconds=seconds))
    return snapshot_of([*before.memories, *more], when, HERE, before.nearness, before.voice)


@BOTH
@pytest.mark.req("D34")
def test_ten_of_a_category_get_a_summary(recipe: DreamSettings) -> None:
    """Nine do not. It is semantic, of importance .8, and names the episodes it was made of."""
    assert recipe.summaries is not None
    assert not summaries(snapshot(*plans(9)), recipe.summaries, NOW).formed
    (made,) = summaries(snapshot(*plans(10)), recipe.summaries, NOW).formed
    assert (made.kind, made.standing.tier, made.standing.importance) == (Kind.SUMMARY, Tier.SEMANTIC, 0.8)
    assert made.sources == tuple(f"e-p{n:02}" for n in range(10))


@BOTH
@pytest.mark.req("D34")
def test_a_summary_is_brought_up_to_date_and_never_doubled(recipe: DreamSettings) -> None:
    """Unchanged while its category is; with a new member reworded, but not within a minute of the last version."""
    assert recipe.summaries is not None
    first = snapshot(*plans(10))
    first = first.after(summaries(first, recipe.summaries, NOW))
    assert not summaries(later(first, 600), recipe.summaries, NOW).changes
    new = memory("new", "Ada plans to sell the piano.", kind=Kind.PLAN)
    soon = summaries(later(first, 59, new), recipe.summaries, NOW)
    assert (soon.changes, soon.formed) == ([], ())
    outcome = summaries(later(first, 60, new), recipe.summaries, NOW)
    assert outcome.formed == ()
    ((summary, what),) = after(outcome).items()
    assert summary == first.memories[-1].id
    assert "e-new" in str(what["sources"])


@pytest.mark.req("D34", "D21")
def test_a_summary_that_somebody_pinned_stays_as_it_is() -> None:
    """Pinned, immutable, or put to sleep: left alone, and none made in its place."""
    assert V9.summaries is not None
    first = snapshot(*plans(10))
    first = first.after(summaries(first, V9.summaries, NOW))
    for flag in ("pinned", "immutable"):
        summary = first.memories[-1]
        kept = replace(summary, standing=replace(summary.standing, **{flag: True}))
        found = snapshot(*first.memories[:-1], kept, memory("new", kind=Kind.PLAN))
        outcome = summaries(later(found, 600), V9.summaries, NOW)
        assert (outcome.changes, outcome.formed) == ([], ())


def test_a_large_category_is_told_by_its_most_important_memories() -> None:
    """So that a summary's sources stay few."""
    assert V9.summaries is not None
    many = [memory(f"p{n:03}", kind=Kind.PLAN, importance=n / 100) for n in range(100)]
    (made,) = summaries(snapshot(*many), V9.summaries, NOW).formed
    assert made.sources == tuple(f"e-p{n:03}" for n in range(100 - TOLD_MAX, 100))


@pytest.mark.req("D34")
def test_a_summary_that_later_words_closed_is_made_anew() -> None:
    """Else a category would have none for good."""
    assert V9.summaries is not None
    old = memory(
        "s",
        kind=Kind.SUMMARY,
        state=State.SUPERSEDED,
        superseded_by="n",
        tags=("category", "plan"),
        write_source="dream",
    )
    before = snapshot(*plans(10), old, memory("n"))
    assert len(summaries(before, V9.summaries, NOW).formed) == 1

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from reverie.consolidate.snapshot import Snapshot, snapshot_of
from reverie.consolidate.themes import TOLD_MAX, summaries
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.types import Kind, Memory, State, Tier
from tests.consolidate.making import HERE, NOW, after, memory, night, snapshot
from tests.spoken import english, turkish


def plans(count: int) -> list[Memory]:
    """So many plans."""
    return [memory(f"p{n:02}", f"Ada plans to paint room {n}.", kind=Kind.PLAN) for n in range(count)]


def later(before: Snapshot, seconds: float, *more: Memory) -> Snapshot:
    """The scope some seconds later, with more in it."""
    when = replace(night(), at=NOW + timedelta(seconds=seconds))
    return snapshot_of([*before.memories, *more], when, HERE, before.nearness, before.voice)


@pytest.mark.req("D34")
def test_ten_of_a_category_get_a_summary() -> None:
    """Nine do not. It is semantic, of importance .8, and names the episodes it was made of."""
    assert V9.summaries is not None
    assert not summaries(snapshot(*plans(9)), V9.summaries, NOW).formed
    (made,) = summaries(snapshot(*plans(10)), V9.summaries, NOW).formed
    assert (made.kind, made.standing.tier, made.standing.importance) == (Kind.SUMMARY, Tier.SEMANTIC, 0.8)
    assert made.sources == tuple(f"e-p{n:02}" for n in range(10))


@pytest.mark.req("D34")
def test_a_summary_is_brought_up_to_date_and_never_doubled() -> None:
    """Unchanged while its category is; with a new member reworded, but not within a minute of the last version."""
    assert V9.summaries is not None
    first = snapshot(*plans(10))
    first = first.after(summaries(first, V9.summaries, NOW))
    assert not summaries(later(first, 600), V9.summaries, NOW).changes
    new = memory("new", "Ada plans to sell the piano.", kind=Kind.PLAN)
    soon = summaries(later(first, 59, new), V9.summaries, NOW)
    assert (soon.changes, soon.formed) == ([], ())
    outcome = summaries(later(first, 60, new), V9.summaries, NOW)
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


OWN = pytest.mark.parametrize(
    "likes",
    [
        *english((("I love jazz evening {}.", "I hate jazz evening {}."),)),
        *turkish((("{}. caz akşamını severim.", "{}. caz akşamından nefret ederim."),)),
    ],
)


def preferences(speaker: str, template: str, count: int = 10) -> list[Memory]:
    """So many preferences of one speaker."""
    kind = Kind.PREFERENCE
    return [memory(f"{speaker}{n}", template.format(n), kind=kind, speaker=speaker) for n in range(count)]


@OWN
@pytest.mark.req("D34")
def test_each_speaker_has_a_summary_of_their_own(likes: tuple[str, str]) -> None:
    """Two people's "I" are never told in one text; ten of two speakers together are no summary."""
    assert V9.summaries is not None
    ada, bo = preferences("Ada", likes[0]), preferences("Bo", likes[1])
    assert not summaries(snapshot(*ada[:9], *bo[:9]), V9.summaries, NOW).formed
    made = summaries(snapshot(*ada, *bo), V9.summaries, NOW).formed
    assert [one.speaker for one in made] == ["Ada", "Bo"]
    for one, own in zip(made, (ada, bo), strict=True):
        assert one.sources == tuple(source for member in own for source in member.sources)
        assert all(sentence in " ".join(member.text for member in own) for sentence in one.text.split(". ")[:1])
        assert not any(member.text in one.text for member in (bo if own is ada else ada))


@OWN
@pytest.mark.req("D34")
def test_a_summary_that_mixed_two_speakers_becomes_its_own_speakers(likes: tuple[str, str]) -> None:
    """Also where that one has too few memories for a new summary."""
    assert V9.summaries is not None
    ada, bo = preferences("Ada", likes[0], 3), preferences("Bo", likes[1], 3)
    mixed = memory(
        "mixed",
        f"{ada[0].text} {bo[0].text}",
        kind=Kind.SUMMARY,
        speaker="Bo",
        sources=(*ada[0].sources, *bo[0].sources),
        tags=("category", "preference"),
        write_source="dream",
    )
    outcome = summaries(snapshot(*ada, *bo, mixed), V9.summaries, NOW)
    assert outcome.formed == ()
    told = str(after(outcome)["mixed"]["text"])
    assert all(one.text in told for one in bo)
    assert not any(one.text in told for one in ada)


@pytest.mark.req("D34")
def test_a_category_is_not_thinned_out_by_the_themes_of_the_night() -> None:
    """What a theme that is active stands in for still counts; what newer words closed does not."""
    assert V9.summaries is not None
    theme = memory("t", "They paint.", kind=Kind.SUMMARY, write_source="dream", tags=("theme", "rooms"))
    closed = [
        replace(one, standing=replace(one.standing, state=State.SUPERSEDED, superseded_by="t")) for one in plans(10)
    ]
    assert len(summaries(snapshot(*closed, theme), V9.summaries, NOW).formed) == 1
    newer = memory("t", "Ada plans nothing.")
    assert not summaries(snapshot(*closed, newer), V9.summaries, NOW).formed
    assert not summaries(snapshot(*closed), V9.summaries, NOW).formed

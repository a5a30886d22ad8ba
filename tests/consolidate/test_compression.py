"""Digests of clusters: no member sleeps unless its digest holds all that it says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.compression import planted
from reverie.consolidate.compression import compression
from reverie.consolidate.lossless import lawful, left_out
from reverie.consolidate.settings import Compression
from reverie.consolidate.snapshot import Cluster, Outcome, Snapshot
from reverie.types import Memory, RelationKind, State
from tests.consolidate.making import NOW, after, days_ago, edge, memory, snapshot

pytestmark = pytest.mark.req("D56", "D56b")
LAW = Compression(limit=20, importance=0.8, share=1.0)


def clustered(*members: Memory, law: Compression = LAW, seen: Snapshot | None = None) -> Outcome:
    """What the step makes of one cluster of all these memories; the law of the dream takes nothing back of it."""
    found = seen or snapshot(*members)
    rows = tuple(range(len(found.memories)))
    outcome = compression(replace(found, clusters=(Cluster("tap", rows),) if rows else ()), law, NOW)
    held = {one.id: one for one in found.memories}
    assert lawful(outcome, held.get, NOW, lambda _: ()) == outcome
    return outcome


def asleep(outcome: Outcome) -> set[str]:
    """The memories that the step put to sleep."""
    return {name for name, fields in after(outcome).items() if fields.get("state") == State.DORMANT}


TAP = memory("a", "The tap is really in the kitchen of the house.", at=days_ago(3))
FLAT = memory("b", "The rent of the flat is 900 euro, not 950.", at=days_ago(2))


def test_members_sleep_in_a_digest_that_says_the_same_in_fewer_words() -> None:
    """In the order in which they were said, each with an edge, by which it is found and restored."""
    outcome = clustered(FLAT, TAP)
    (made,) = outcome.formed
    assert made.text == "tap kitchen house.\nrent flat is 900 euro, not 950."
    assert asleep(outcome) == {"a", "b"}
    assert {(one.source, one.target, one.kind) for one in outcome.related} == {
        (made.id, name, RelationKind.SUPERSEDES) for name in ("a", "b")
    }
    assert made.sources == ("e-a", "e-b")


def test_a_second_night_changes_nothing() -> None:
    """A digest is not compressed again, nor what sleeps in it."""
    first = snapshot(TAP, FLAT)
    seen = first.after(clustered(seen=first))
    again = compression(replace(seen, clusters=(Cluster("tap", (0, 1)),)), LAW, NOW)
    assert (again.formed, again.changes) == ((), [])


@pytest.mark.parametrize(
    "member",
    [
        memory("c", "The tap drips.", pinned=True),
        memory("c", "The tap drips.", immutable=True),
        memory("c", "The tap drips.", valid_until=NOW.replace(year=2027)),
        memory("c", "The tap drips.", state=State.SUPERSEDED),
        memory("c", "The tap broke yesterday.", at=days_ago(9)),
        memory("c", "Tap drips.", speaker="Bob"),
    ],
)
def test_who_may_not_sleep_is_not_in_the_digest(member: Memory) -> None:
    """Pinned, ending, of another day's yesterday, or of another speaker: it stays, and no word of it is taken."""
    outcome = clustered(TAP, FLAT, member)
    assert "c" not in asleep(outcome)
    assert all("drips" not in one.text and "broke" not in one.text for one in outcome.formed)


def test_what_contradicts_stays_as_it_is() -> None:
    """Both sides stay awake, so that a recall can mark them."""
    here, gone = memory("c", "The lease ends in May."), memory("d", "The lease ends in June.")
    seen = snapshot(TAP, FLAT, here, gone, relations=(edge("c", "d", RelationKind.CONTRADICTS),))
    assert asleep(clustered(seen=seen)) == {"a", "b"}


def test_nothing_is_made_of_too_little_or_without_a_gain() -> None:
    """No members, one, or a digest that is longer than it may be."""
    assert not clustered().formed
    assert not clustered(TAP).formed
    assert not clustered(TAP, FLAT, law=replace(LAW, share=0.3)).formed
    assert not clustered(TAP, FLAT, law=replace(LAW, limit=0)).formed


def test_code_and_a_very_long_text_are_held_whole() -> None:
    """A megabyte is no exception."""
    code = memory("c", "This is it:\n```\nfor the in a:\n    is = of\n```\nThat's the end.")
    long = memory("d", " ".join(f"Item{n} is the name of number {n}." for n in range(25_000)))
    outcome = clustered(code, long)
    assert asleep(outcome) == {"c", "d"}
    assert "```\nfor the in a:\n    is = of\n```" in outcome.formed[0].text


def test_no_planted_fact_is_lost() -> None:
    """Names, numbers, dates and denials of everything that sleeps stand in its digest."""
    texts = planted(7, 60)
    members = [memory(f"m{place:02}", one.text) for place, one in enumerate(texts)]
    outcome = clustered(*members)
    (made,) = outcome.formed
    sleeping = asleep(outcome)
    assert len(sleeping) > 50
    for one, member in zip(texts, members, strict=True):
        if member.id in sleeping:
            assert not left_out(made, member)
            assert [fact for fact in one.facts if fact not in made.text] == []


def test_only_a_digest_may_leave_words_out() -> None:
    """A theme with the same words replaces nothing."""
    (made,) = clustered(TAP, FLAT).formed
    theme = replace(made, standing=replace(made.standing, tags=("theme",)))
    assert left_out(made, TAP) == ()
    assert left_out(theme, TAP)

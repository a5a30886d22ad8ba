from __future__ import annotations

from dataclasses import replace

from reverie.consolidate.themes import (
    PATTERN,
    THEME,
    NewMemory,
    common_entities,
    is_made,
    is_outdated,
    made_id,
    made_since,
    make,
    sources_of,
)
from reverie.types import Kind, Role, State
from tests.consolidate.making import NOW, days_ago, memory, snapshot

THOUGHT = NewMemory(Kind.SUMMARY, "Ada gardens.", 0.8, THEME, "ada")


def test_a_made_memory_names_where_it_comes_from() -> None:
    """Sources of all members, the place and time of the latest, written by the dream."""
    members = [
        memory("a", sources=("e1", "e2"), age_days=9.0),
        memory("b", sources=("e2", "e3"), age_days=3.0, session="t"),
    ]
    made = make(snapshot(*members), THOUGHT, members)
    assert made.sources == sources_of(members) == ("e1", "e2", "e3")
    assert (made.at, made.session, made.recorded_at) == (days_ago(3.0), "t", NOW)
    assert (made.standing.write_source, made.standing.tags) == ("dream", ("theme", "ada"))
    assert is_made(made, THEME)
    assert not is_made(made, PATTERN)
    assert not is_made(memory("c", tags=("theme",)), THEME)


def test_the_common_entities_come_first() -> None:
    """Equally common ones by name."""
    assert common_entities([memory("a", entities=("x", "y")), memory("b", entities=("y", "w"))]) == ("y", "w", "x")


def test_what_was_made_this_period_is_counted() -> None:
    """What an earlier night made is not."""
    tonight = make(snapshot(memory("a")), THOUGHT, [memory("a")])
    before = memory("b", write_source="dream", tags=("theme",), age_days=2.0)
    assert made_since(snapshot(tonight, before), THEME) == 1


def test_ids_follow_from_what_they_are_of() -> None:
    """Twenty-six characters that sort by time; other parts, another id; odd text is taken."""
    assert made_id(NOW, "a", "b") == made_id(NOW, "a", "b")
    assert len({made_id(NOW, "a", "b"), made_id(NOW, "ab"), made_id(NOW, "a", "\ud83d")}) == 3
    assert made_id(days_ago(1), "z") < made_id(NOW, "a")
    assert len(made_id(NOW, "a")) == 26


def test_words_that_are_one_members_own_are_its_speakers() -> None:
    """So recall knows a pattern as the repetition that it is. Words of several speakers are nobody's."""
    members = [
        memory("a", "Ada gardens. Ada rests.", speaker="Bo", age_days=9.0),
        memory("b", "Mert sleeps.", speaker="Cem", role=Role.ASSISTANT, age_days=3.0),
    ]
    own, new = THOUGHT, replace(THOUGHT, text="They live.")
    made = [make(snapshot(*members), one, members) for one in (own, new)]
    assert [(one.speaker, one.role) for one in made] == [("Bo", Role.USER), ("", Role.PERSON)]
    assert make(snapshot(*members), new, members[1:]).speaker == "Cem"


def test_what_later_words_closed_is_outdated_but_not_what_a_person_replaced() -> None:
    """A correction is of the kind of what it corrects; what still holds or was erased is not outdated."""
    closed = {"kind": Kind.PATTERN, "state": State.SUPERSEDED}
    by = {kind: memory(kind.value, kind=kind) for kind in (Kind.FACT, Kind.PATTERN)}
    for superseded_by, is_so in (("fact", True), ("pattern", False), ("", False), ("erased", False)):
        one = memory("p", superseded_by=superseded_by, **closed)
        assert is_outdated(snapshot(one, *by.values()), one) is is_so
    assert not is_outdated(snapshot(by[Kind.FACT]), memory("p", kind=Kind.PATTERN, superseded_by="fact"))

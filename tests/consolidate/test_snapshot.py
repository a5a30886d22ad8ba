from __future__ import annotations

from datetime import timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reverie.consolidate.snapshot import TOLD, Columns, Gathering, Outcome, days_between
from reverie.types import ALPHABET, RelationKind, State, base32
from tests.consolidate.making import NOW, days_ago, edge, memory, night, snapshot


def test_what_is_active_holds_and_is_recalled() -> None:
    """Active and fading; not asleep, not past its validity."""
    found = snapshot(
        memory("a"),
        memory("f", state=State.FADING),
        memory("d", state=State.DORMANT),
        memory("q", state=State.QUARANTINED),
        memory("past", valid_until=NOW),
        memory("ahead", valid_until=NOW + timedelta(seconds=1)),
    )
    assert found.active.tolist() == [True, True, False, False, False, True]


def test_what_is_free_is_unprotected_and_has_not_had_its_night() -> None:
    """Recorded after an earlier dream of the period, where there was one."""
    pinned, locked = memory("p", pinned=True), memory("i", immutable=True)
    assert snapshot(memory("m"), pinned, locked).free.tolist() == [True, False, False]
    later = snapshot(memory("old", age_days=1.0), memory("new", age_days=0.01), when=night(since=days_ago(0.05)))
    assert later.free.tolist() == [False, True]


def test_idle_days_count_from_the_last_access_else_from_recording() -> None:
    """A clock that ran backwards counts as none."""
    found = snapshot(memory("a", age_days=9.0, idle_days=2.0), memory("b", age_days=9.0), memory("c", age_days=-3.0))
    assert found.columns.idle_days.tolist() == [2.0, 9.0, 0.0]
    assert found.columns.age_days.tolist() == [9.0, 9.0, 0.0]
    assert days_between(days_ago(1), NOW) == 1.0


def test_the_next_step_sees_what_an_outcome_led_to() -> None:
    """Changed and new memories, edges that came and went; the snapshot before is as it was."""
    first = snapshot(memory("a"), memory("b"), relations=[edge("a", "b", RelationKind.CAUSES)])
    gathering = Gathering()
    gathering.alter(first.memories[1], "x", utility=0.9, state=State.DORMANT)
    gathering.formed.append(memory("new"))
    made = gathering.outcome()
    outcome = Outcome(made.changes, made.formed, [edge("new", "a", RelationKind.RELATED_TO)], first.relations)
    second = first.after(outcome)
    assert [one.id for one in second.memories] == ["a", "b", "new"]
    assert second.row("new") == 2
    assert second.columns.utility.tolist() == [0.5, 0.9, 0.5]
    assert second.active.tolist() == [True, False, True]
    assert second.linked() == {("new", "a", RelationKind.RELATED_TO)}
    assert (first.row("new"), first.columns.utility.tolist(), len(first.relations)) == (None, [0.5, 0.5], 1)


def test_columns_follow_from_the_memories_alone() -> None:
    """Replacing rows gives what reading them all anew gives."""
    old = [memory(f"m{n}", utility=n / 10, accesses=n) for n in range(5)]
    new = [*old[:2], memory("x", utility=0.9), old[3], old[4], memory("y", importance=0.1)]
    put = Columns.of(old, NOW, None).put([2, 5], Columns.of([new[2], new[5]], NOW, None))
    whole = Columns.of(new, NOW, None)
    assert all(np.array_equal(getattr(put, name), getattr(whole, name)) for name in Columns.__slots__)


def test_an_empty_scope_has_empty_columns() -> None:
    """And nothing is active in it."""
    assert snapshot().active.tolist() == []


def test_nothing_to_change_is_no_change() -> None:
    """It is not gathered."""
    gathering = Gathering()
    gathering.alter(memory("m"), "no reason", state=State.ACTIVE)
    assert gathering.outcome().changes == []


def test_the_words_of_a_few_changed_memories_are_kept() -> None:
    """As they were before, so that a report can tell the memories by them."""
    gathering = Gathering()
    for number in range(TOLD + 2):
        gathering.alter(memory(f"m{number}", f"Tea {number}."), "because", text="Coffee.")
    assert gathering.outcome().texts == {f"m{number}": f"Tea {number}." for number in range(TOLD)}


def test_base32_counts_in_order() -> None:
    """Text order is number order."""
    assert base32(31) < base32(32) < base32(33)


@given(st.integers(0, 2**131))
def test_base_32_reads_back_as_the_number(value: int) -> None:
    """Digit by digit, the lowest 130 bits."""
    read = 0
    for digit in base32(value):
        read = 32 * read + ALPHABET.index(digit)
    assert read == value % 2**130

"""A row and a memory, each as the other."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.stores.lance.table import (
    TableRow,
    category_of,
    clean,
    from_ms,
    is_row_id,
    is_shown,
    kind_of,
    own_mark,
    row_id,
    row_of,
    scope_of,
    to_ms,
    words_mark,
)
from reverie.types import Kind, Scope, Standing, State
from tests.stores.making import ADA, GRACE, START, episode, memory_of

FACT = memory_of(episode(ADA, "m1", "The harbour café opens at seven"), "f1", Kind.FACT)


def test_a_row_id_is_a_uuid_of_scope_and_memory() -> None:
    """The same memory has the same row each time, another one or another scope's another."""
    name = row_id(FACT)
    assert str(UUID(name)) == name
    assert is_row_id(name)
    assert row_id(replace(FACT, text="other")) == name
    assert len({name, row_id(replace(FACT, id="f2")), row_id(replace(FACT, scope=GRACE))}) == 3
    assert is_row_id(row_id(replace(FACT, id="\ud83d")))


@pytest.mark.parametrize("name", ["", "__schema__", "x' OR true --", "ab000000-0000-4000-8000-00000000000g", "ab" * 16])
def test_nothing_but_a_uuid_may_stand_in_a_predicate(name: str) -> None:
    """Whatever else an id is, it never reaches LanceDB's parser."""
    assert not is_row_id(name)


def test_kinds_and_categories_say_the_same_both_ways() -> None:
    """Every category of the plugin's is a kind and comes back as itself; a kind it does not know has a near one."""
    for category in ("preference", "fact", "decision", "entity", "other"):
        assert category_of(kind_of(category), category) == category
    assert category_of(Kind.FACT, "other") == "other"
    assert category_of(Kind.DECISION, "other") == "decision"
    assert {category_of(kind) for kind in Kind} <= {"preference", "fact", "decision", "entity", "other"}
    assert category_of(Kind.INSTRUCTION) == "preference"


@given(st.text() | st.text(alphabet="\ud800\udc00\udfffa😀"))
def test_clean_text_is_utf8_and_otherwise_the_same(text: str) -> None:
    """What UTF-8 carries stays as it is; what it does not is marked, and the rest stays."""
    cleaned = clean(text)
    cleaned.encode()
    if all(not 0xD800 <= ord(character) <= 0xDFFF for character in text):
        assert cleaned == text
    assert clean(cleaned) == cleaned


def test_a_memory_is_told_with_all_the_columns() -> None:
    """Text, importance, category, creation, agent, accesses and how it stands."""
    life = Standing(importance=0.8, stability_days=1.2, state=State.FADING)
    row = row_of(replace(FACT, standing=life, accesses=3, last_access=START + timedelta(days=1)), "id", None)
    begun = START.timestamp() * 1000
    assert row == TableRow("id", FACT.text, 0.8, "fact", begun, "tester", 3.0, begun + 86_400_000, 1.2, "fading")
    before = replace(row, created_ms=5.0, category="other")
    assert (row_of(FACT, "id", before).created_ms, row_of(FACT, "id", before).category) == (5.0, "other")


def test_marks_change_with_what_they_stand_for() -> None:
    """A row's with its words, importance and category, ours with all that is told, the other with our words."""
    row = row_of(FACT, "id", None)
    assert row.mark == replace(row, accesses=9.0, agent="x").mark
    others = (replace(row, text="x"), replace(row, importance=0.1), replace(row, category="other"))
    assert len({row.mark, *(other.mark for other in others)}) == 4
    assert own_mark(FACT) == own_mark(replace(FACT, session="other"))
    assert own_mark(FACT) != own_mark(replace(FACT, accesses=1))
    assert words_mark("ab") != words_mark("a\ud83db")


@pytest.mark.parametrize("state", list(State))
def test_what_holds_is_shown(state: State) -> None:
    """Active, fading and sleeping memories stand in the table as long as they hold; episodes never do."""
    now = START + timedelta(days=1)
    memory = replace(FACT, standing=Standing(state=state))
    assert is_shown(memory, now) is (state in (State.ACTIVE, State.FADING, State.DORMANT))
    assert not is_shown(replace(memory, valid_until=now), now)
    assert not is_shown(replace(memory, kind=Kind.EPISODE), now)


def test_a_row_belongs_to_its_agent_at_home() -> None:
    """Without an agent to the home's; with a name nobody can have to nobody."""
    row = row_of(FACT, "id", None)
    assert scope_of(row, GRACE) == GRACE
    assert scope_of(replace(row, agent="coder"), ADA) == Scope("coder", ADA.user, ADA.project)
    assert scope_of(replace(row, agent=""), ADA) == ADA
    assert scope_of(replace(row, agent="x" * 201), ADA) is None
    assert scope_of(replace(row, agent=" "), ADA) is None


@given(st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(9000, 1, 1)))
def test_times_come_back(naive: datetime) -> None:
    """To the millisecond that the table keeps."""
    at = naive.replace(tzinfo=UTC)
    back = from_ms(to_ms(at))
    assert back is not None
    assert abs(back - at) < timedelta(milliseconds=1)


@pytest.mark.parametrize("ms", [None, float("nan"), float("inf"), -1.0, 1e300])
def test_what_is_no_moment_is_none(ms: float | None) -> None:
    """A table may hold any number there."""
    assert from_ms(ms) is None

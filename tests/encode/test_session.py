"""What a session holds: working memory, what was said last, where the talk has been; and no leaks."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from reverie.encode.session import SESSIONS_KEPT, Sessions, WorkingMemory
from reverie.recipes.recipe import recipe
from reverie.types import Scope
from tests.encode.making import AT, SCOPE, memory
from tests.spoken import english, turkish

WORKING = recipe("v9").working


def working(*importances: float) -> WorkingMemory:
    """Working memory with an item of each importance, put in one after another at one moment: m0 and so on."""
    held = WorkingMemory(WORKING)
    for n, importance in enumerate(importances):
        held.put(memory("x", f"m{n}", importance=importance), AT)
    return held


@pytest.mark.req("D35")
def test_nine_items_and_no_more() -> None:
    """The tenth drives out the one with the lowest score."""
    held = working(0.5, 0.5, 0.5, 0.2, 0.5, 0.5, 0.5, 0.5, 0.5)
    assert len(held.items(AT)) == 9
    held.put(memory("x", "new", importance=0.5), AT)
    assert len(held.items(AT)) == 9
    assert "m3" not in [item.id for item in held.items(AT)]


@pytest.mark.req("D35")
@pytest.mark.parametrize(("minutes", "first"), [(28, "old"), (29, "old"), (31, "new"), (34, "new")])
def test_recency_falls_to_a_third_in_half_an_hour(minutes: int, first: str) -> None:
    """Score = importance · e^(−minutes/30) · (1 + .1 · accesses): .5 · e^−1 = .1839 against .184 now."""
    held = WorkingMemory(WORKING)
    held.put(memory("x", "old", importance=0.5), AT)
    later = AT + timedelta(minutes=minutes)
    held.put(memory("x", "new", importance=0.5 * float(np.exp(-1.0))), later)
    assert held.items(later)[0].id == first


@pytest.mark.req("D35")
@pytest.mark.parametrize(("accesses", "first"), [(4, "fresh"), (5, "fresh"), (6, "used")])
def test_each_access_adds_a_tenth(accesses: int, first: str) -> None:
    """.5 · 1.6 = .8 against .79; .5 · 1.5 = .75 is less."""
    held = WorkingMemory(WORKING)
    held.put(replace(memory("x", "used", importance=0.5), accesses=accesses), AT)
    held.put(memory("x", "fresh", importance=0.79), AT)
    assert held.items(AT)[0].id == first


@pytest.mark.req("D35")
def test_an_item_that_comes_again_is_touched_in_place() -> None:
    """It drives out nothing, counts an access, and takes the newer text and importance."""
    held = working(*[0.5] * 9)
    held.put(memory("y", "m4", importance=0.7), AT + timedelta(minutes=1))
    items = {item.id: item for item in held.items(AT)}
    assert len(items) == 9
    assert (items["m4"].text, items["m4"].accesses, items["m4"].importance) == ("y", 1, 0.7)
    assert (items["m4"].added_at, items["m4"].last_access) == (AT, AT + timedelta(minutes=1))


@pytest.mark.req("D35")
@pytest.mark.parametrize(
    ("accesses", "importance", "outlives"), [(2, 0.1, True), (1, 0.59, False), (0, 0.6, True), (1, 0.57, False)]
)
def test_what_was_used_twice_or_is_important_outlives_the_session(
    accesses: int, importance: float, outlives: bool
) -> None:
    """Two accesses, or an importance of .6."""
    held = WorkingMemory(WORKING)
    held.put(replace(memory("x", importance=importance), accesses=accesses), AT)
    assert bool(held.outliving(AT)) is outlives


@pytest.mark.req("D35", "D20")
@pytest.mark.parametrize(
    ("stability", "hours", "there"), [(1.0, 17.8, True), (1.0, 17.9, False), (3.0, 53.0, True), (3.0, 54.0, False)]
)
def test_working_memory_fades_ten_times_as_fast(stability: float, hours: float, there: bool) -> None:
    """(1 + 10·t/(9·S))⁻² falls to .3 after .9·S·(.3^−½ − 1) = .743·S days: what nobody ended is over by then."""
    held, later = WorkingMemory(WORKING), AT + timedelta(hours=hours)
    found = memory("x", "m", importance=0.9)
    held.put(replace(found, standing=replace(found.standing, stability_days=stability)), AT)
    assert bool(held.outliving(later)) is there
    assert bool(held.items(later)) is there
    held.put(memory("x", "new"), later)
    assert len(held.items(later)) == 1 + there


@pytest.mark.req("D20")
@pytest.mark.parametrize(
    ("scope", "name"),
    [
        (SCOPE, "other"),
        (Scope("another", "ada", "home"), "s"),
        (Scope("helper", "bora", "home"), "s"),
        (Scope("helper", "ada", "work"), "s"),
    ],
)
def test_nothing_passes_from_one_session_to_another(scope: Scope, name: str) -> None:
    """Bug B1 of the document: neither across sessions nor across agents, users or projects of one session name."""
    sessions = Sessions(WORKING)
    here = sessions.of(SCOPE, "s")
    here.heard("Maya Demir moved to Lisbon.", np.array([1.0, 0.0], np.float32))
    here.working.put(memory("x"), AT)
    there = sessions.of(scope, name)
    assert (list(there.texts), there.talk, there.working.items(AT)) == ([], None, [])
    assert sessions.of(SCOPE, "s") is here


@pytest.mark.req("D35", "D20")
def test_an_ended_session_begins_anew() -> None:
    """Cleared, guaranteed: what comes after knows nothing."""
    sessions = Sessions(WORKING)
    sessions.of(SCOPE, "s").working.put(memory("x"), AT)
    assert sessions.end(SCOPE, "s") is not None
    assert sessions.end(SCOPE, "s") is None
    assert sessions.of(SCOPE, "s").working.items(AT) == []


def test_forgetting_a_scope_leaves_the_others() -> None:
    """Where something was erased, no session keeps a word of it."""
    sessions, other = Sessions(WORKING), Scope("b", "b", "b")
    sessions.of(SCOPE, "s")
    kept = sessions.of(other, "s")
    sessions.forget(SCOPE)
    assert (sessions.find(SCOPE, "s"), sessions.find(other, "s")) == (None, kept)


def test_the_sessions_longest_silent_go_first() -> None:
    """A process that serves many keeps a bounded number."""
    sessions = Sessions(WORKING)
    for n in range(SESSIONS_KEPT):
        sessions.of(SCOPE, f"s{n}")
    sessions.of(SCOPE, "s0")
    sessions.of(SCOPE, "one more")
    assert sessions.find(SCOPE, "s0") is not None
    assert sessions.find(SCOPE, "s1") is None


@pytest.mark.parametrize("text", [*english("Maya Demir called."), *turkish("Ayşe Kaya aradı.")])
def test_the_last_messages_are_held(text: str) -> None:
    """As they stand, for pronouns, and with who said them, for a model; four of them."""
    session = Sessions(WORKING).of(SCOPE, "s")
    for said in (text, "ok", "ok", "ok"):
        session.heard(said, None, "bora")
    assert (session.texts[0], session.said[0]) == (text, f"bora: {text}")
    session.heard("ok", None)
    assert (text in session.texts, len(session.texts)) == (False, 4)


@pytest.mark.req("D3")
def test_attention_is_the_cosine_to_the_talk_so_far() -> None:
    """Unknown at first; then what was said last weighs three tenths."""
    session = Sessions(WORKING).of(SCOPE, "s")
    east, north = np.array([1.0, 0.0], np.float32), np.array([0.0, 1.0], np.float32)
    assert session.attention(east) is None
    session.heard("x", east)
    assert session.attention(east) == pytest.approx(1.0)
    session.heard("y", north)
    assert session.attention(north) == pytest.approx(0.3 / np.hypot(0.7, 0.3))
    assert session.attention(np.zeros(3, np.float32)) is None
    assert session.attention(None) is None

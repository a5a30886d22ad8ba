"""A script knows what holds in the place of what."""

from __future__ import annotations

from datetime import timedelta

from benchmarks.longrun.script import Asked, Change, Origin, Said, Script
from benchmarks.values import Item
from reverie.types import Role
from tests.benchmarks.longrun.runs import FIRST


def test_the_newest_of_a_chain_holds_from_its_moment_on() -> None:
    """Twice changed: before, between and after."""
    day = timedelta(days=1)
    changes = {"a": Change(FIRST + day, "b"), "b": Change(FIRST + 2 * day, "c")}
    script = Script("s", (), (), changes)
    assert [script.current("a", FIRST + n * day) for n in range(3)] == ["a", "b", "c"]
    assert [script.is_stale("b", FIRST + n * day) for n in range(3)] == [False, False, True]


def test_a_host_keeps_what_is_asked_along_the_way_and_not_what_is_asked_last() -> None:
    """The question is said a moment after it was asked, by who spoke first, and answers nothing."""
    hour = timedelta(hours=1)
    item = Item("m1", "s1", "ada", Role.USER, FIRST, "I like tea.")
    asked = (
        Asked("q1", "What does Ada like?", "fact", ("m1",), FIRST + hour),
        Asked("q1", "What does Ada like?", "fact", ("m1",), FIRST + 2 * hour, last=True),
    )
    script = Script("s", (Said(item, Origin.OWN, "m1"),), asked, {}).keeping_questions()
    assert [said.item.text for said in script.said] == ["I like tea.", "What does Ada like?"]
    heard = script.said[-1]
    assert (heard.content, heard.item.speaker, heard.item.at > FIRST + hour) == ("", "ada", True)
    assert script.asked == asked

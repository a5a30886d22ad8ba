"""What counts as keeping up, worked out by hand."""

from __future__ import annotations

import pytest

from benchmarks import stale
from benchmarks.stale import Place, Shown
from benchmarks.values import Change, Question
from tests.benchmarks.toy import NOON


def update(*sides: tuple[str, ...], change: Change = Change.UPDATE) -> Question:
    """A question whose evidence is told apart."""
    gold = tuple(one for side in sides for one in side)
    return Question("q", "How many?", "all", gold, NOON, sides=sides, change=change)


def shown(*ids: str, marks: dict[str, str] | None = None) -> Shown:
    """Places of one item each; a mark by item."""
    marked = marks or {}
    return tuple(Place((one,), frozenset({marked[one]} if one in marked else ())) for one in ids)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (("new", "old"), 1.0),
        (("old", "new"), 0.0),
        (("x", "new2", "old", "new"), 1.0),
        (("new",), 1.0),
        (("old",), 0.0),
        ((), 0.0),
    ],
)
def test_the_newest_above_all_older(order: tuple[str, ...], expected: float) -> None:
    """By the best place of each side; what is not shown stands last."""
    assert stale.newer_above(shown(*order), update(("old",), ("new", "new2"))) == expected


def test_the_newest_must_pass_every_older_side() -> None:
    """Three tellings."""
    question = update(("a",), ("b",), ("c",))
    assert stale.newer_above(shown("a", "c", "b"), question) == 0.0
    assert stale.newer_above(shown("c", "a", "b"), question) == 1.0


def test_what_does_not_count() -> None:
    """Sides that share a message, one side, and other kinds of questions."""
    assert stale.newer_above(shown("a"), update(("a",), ("a",))) is None
    assert stale.newer_above(shown("a"), update(("a",))) is None
    assert stale.newer_above(shown("a"), update(("a",), ("b",), change=Change.NONE)) is None


def test_the_older_is_marked() -> None:
    """Of the two older ones that are shown one is; what is not among the first ten does not count."""
    question = update(("a", "b", "far"), ("c",))
    fill = [f"x{number}" for number in range(7)]
    places = shown("c", "a", "b", *fill, "far", marks={"a": "outdated", "far": "outdated"})
    assert stale.older_marked(places, question) == 0.5
    assert stale.older_marked(shown("c"), question) is None


def test_both_sides() -> None:
    """Something of each side, and marked as contradicting."""
    question = update(("a", "b"), ("c",), change=Change.CONTRADICTION)
    assert stale.both_sides(shown("b", "c"), question) == 1.0
    assert stale.both_sides(shown("a", "b"), question) == 0.0
    assert stale.both_marked(shown("b", "c", marks={"b": "contradicts", "c": "contradicts"}), question) == 1.0
    assert stale.both_marked(shown("b", "c", marks={"b": "contradicts", "c": "outdated"}), question) == 0.0
    assert stale.both_sides(shown("a"), update(("a",), ("b",))) is None


def test_of_what_is_marked_the_share_that_is_evidence() -> None:
    """What is marked beside the two sides counts against it; where nothing is marked there is nothing to say."""
    question = update(("a",), ("b",), change=Change.CONTRADICTION)
    found = shown("a", "x", "b", "y", marks={"a": "contradicts", "x": "contradicts", "b": "contradicts"})
    assert stale.rightly_opposed(found, question) == pytest.approx(2 / 3)
    assert stale.rightly_opposed(shown("a", "b"), question) is None


def test_false_marks() -> None:
    """Only on evidence of questions about something else."""
    question = update(("a",), change=Change.NONE)
    assert stale.wrongly_outdated(shown("a", "x", marks={"a": "superseded"}), question) == 1.0
    assert stale.wrongly_outdated(shown("a", "x", marks={"x": "superseded"}), question) == 0.0
    assert stale.wrongly_opposed(shown("a", marks={"a": "contradicts"}), question) == 1.0
    assert stale.wrongly_outdated(shown("a"), update(("a",), ("b",))) is None


@pytest.mark.parametrize(
    ("order", "expected"), [(("old", "new"), 1.0), (("new", "old"), 0.0), (("old",), 1.0), (("new",), 0.0), ((), 0.0)]
)
def test_what_still_holds_stands_above_what_only_looks_newer(order: tuple[str, ...], expected: float) -> None:
    """Of a trap; of anything else there is nothing to say."""
    assert stale.still_above(shown(*order), update(("old",), ("new",), change=Change.TRAP)) == expected
    assert stale.still_above(shown(*order), update(("old",), ("new",))) is None

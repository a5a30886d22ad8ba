"""Explaining: which signal moved which hit."""

from __future__ import annotations

from reverie.answers import Hit, Recollection, Signal
from reverie.recall.explain import explain
from reverie.types import Cue
from tests.recall.fake_corpus import SCOPE, START, FakeCorpus, Line

FIRST, SECOND = FakeCorpus([Line("a"), Line("b")]).fetch([0, 1])


def recollection() -> Recollection:
    """Two hits: the first leads by its speaker alone."""
    hits = (
        Hit(FIRST, 1, 0.5, (Signal("text", 0.2, 1.0, 0.2), Signal("speaker", 1.0, 0.3, 0.3)), None, 5),
        Hit(SECOND, 2, 0.4, (Signal("text", 0.4, 1.0, 0.4), Signal("speaker", 0.0, 0.3, 0.0)), None, 5),
    )
    return Recollection(Cue("q", (), "en"), SCOPE, START, hits, (), (), 10, 2)


def test_a_signal_that_decided_the_order_is_named() -> None:
    """Without the speaker the two would change places; without the text they would not."""
    shifts = explain(recollection()).shifts
    assert {(shift.signal, shift.rank, shift.instead) for shift in shifts} == {("speaker", 1, 2), ("speaker", 2, 1)}


def test_the_lines_show_every_share() -> None:
    """What is printed is the whole of the score."""
    text = "\n".join(explain(recollection()).lines())
    assert "text 0.200" in text
    assert "speaker 0.300" in text
    assert "without speaker: number 1" in text


def test_nothing_found_explains_to_nothing() -> None:
    """An empty answer has no shifts."""
    empty = Recollection(Cue("q", (), "en"), SCOPE, START, (), (), (), 0, 0)
    assert explain(empty).shifts == ()

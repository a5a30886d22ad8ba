"""Explaining: which signal moved which hit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie import FixedClock, HashEmbedder, Question, RandomIds, Reverie
from reverie.answers import Hit, Recollection, Signal
from reverie.recall.explain import explain
from reverie.recipes.recipe import NAMES
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


def test_a_reader_is_told_what_holds_instead() -> None:
    """The remarks that any face shows beside a text, by the memory they are about."""
    told = recollection()
    old = replace(told.hits[1], signals=(*told.hits[1].signals, Signal("superseded", 1.0, 0.0, 0.0, FIRST.id)))
    remarks = explain(replace(told, hits=(told.hits[0], old))).remarks
    assert [(one.memory, one.name, one.other) for one in remarks] == [(SECOND.id, "superseded", FIRST.id)]
    assert explain(told).remarks == ()


def test_nothing_found_explains_to_nothing() -> None:
    """An empty answer has no shifts."""
    empty = Recollection(Cue("q", (), "en"), SCOPE, START, (), (), (), 0, 0)
    assert explain(empty).shifts == ()


def test_signals_may_differ_from_hit_to_hit() -> None:
    """A boost that only the first hit got is taken out as well."""
    boosted = Hit(FIRST, 1, 0.5, (Signal("text", 0.2, 1.0, 0.2), Signal("mood", 1.0, 1.1, 0.3)), None, 5)
    plain = Hit(SECOND, 2, 0.4, (Signal("text", 0.4, 1.0, 0.4),), None, 5)
    shifts = explain(replace(recollection(), hits=(boosted, plain))).shifts
    assert {(shift.signal, shift.rank, shift.instead) for shift in shifts} == {("mood", 1, 2), ("mood", 2, 1)}
    swapped = (replace(plain, rank=1, score=0.6, signals=(Signal("age", 1.0, 1.0, 0.6),)), replace(boosted, rank=2))
    assert {shift.signal for shift in explain(replace(recollection(), hits=swapped)).shifts} == {"age"}


def test_what_another_rule_reordered_is_no_shift() -> None:
    """The lower score stands first, by time say: taking out a signal both lack moves nobody."""
    late = Hit(FIRST, 1, 0.3, (Signal("text", 0.3, 1.0, 0.3),), None, 5)
    early = Hit(SECOND, 2, 0.9, (Signal("text", 0.8, 1.0, 0.8), Signal("mood", 1.0, 1.1, 0.1)), None, 5)
    names = {shift.signal for shift in explain(replace(recollection(), hits=(late, early))).shifts}
    assert "mood" not in names


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("said", "cue"),
    [
        (("I am so happy about the red kite!", "The kite is with Ada.", "We sail on Monday."), "Where is my kite?"),
        (("Kırmızı uçurtma için çok mutluyum!", "Uçurtma Ada'da.", "Pazartesi denizdeyiz."), "Uçurtma nerede?"),
    ],
)
def test_in_every_recipe_the_shares_add_up_to_the_score(name: str, said: tuple[str, ...], cue: str) -> None:
    """Whatever stages touched a hit, shown or withheld."""
    ids, clock = RandomIds(seed=1), FixedClock(START)
    with Reverie.open(
        ":memory:", recipe=name, embedder=HashEmbedder(), clock=clock, ids=ids, background=False
    ) as engine:
        for text in said:
            engine.observe(text, SCOPE)
        for _ in range(3):
            engine.recall(cue, SCOPE)
        explained = engine.explain(Question(cue, session="default"), SCOPE)
    hits = (*explained.recollection.hits, *explained.recollection.withheld, *explained.recollection.standing)
    assert hits or explained.recollection.ended
    for hit in hits:
        assert hit.score == pytest.approx(sum(signal.share for signal in hit.signals), abs=1e-6)
    assert explained.lines()


def test_the_grounds_of_the_confidence_are_told() -> None:
    """A line for each piece of evidence, with what it adds to the log-odds."""
    grounds = (Signal("absent", 0.5, -0.4, -0.62),)
    lines = explain(replace(recollection(), confidence=0.3, grounds=grounds)).lines()
    assert "answerable: absent 0.50 adds -0.62 log-odds" in lines

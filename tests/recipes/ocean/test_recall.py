"""Document B's search, by its published numbers: worked through the recipe's own stage."""

from __future__ import annotations

from math import inf

import pytest

from reverie.recall.pipeline import recall
from reverie.recipes.published.ocean import Tfidf
from reverie.recipes.recipe import recipe
from reverie.types import Kind, Standing
from tests.recall.fake_corpus import FakeCorpus, Line, request, world
from tests.recall.stages import stage_of

PATH = recipe("ocean").recall


def score(line: Line, cue: str = "kite") -> float | None:
    """The score of one line, None where it is not found."""
    hits = recall(request(cue), world(FakeCorpus([line])), PATH)[0].hits
    return hits[0].score if hits else None


def note(kind: Kind, day: float, importance: float = 0.5, text: str = "kite") -> Line:
    """An observation."""
    return Line(text, kind=kind, day=day, standing=Standing(importance=importance))


@pytest.mark.req("B8")
@pytest.mark.parametrize("word", ["kite", "deniz"])
def test_cosine_times_importance_times_freshness(word: str) -> None:
    """One word of one text, half of a fact's thirty days gone: 1 · .5 · .525."""
    assert score(note(Kind.FACT, -15, text=word), word) == pytest.approx(0.5 * 0.525)


@pytest.mark.req("B5", "B8")
@pytest.mark.parametrize(
    ("kind", "days"),
    [
        (Kind.PLAN, 14),
        (Kind.FACT, 30),
        (Kind.DECISION, 90),
        (Kind.PREFERENCE, 90),
        (Kind.SUMMARY, 30),
    ],
)
def test_each_class_has_its_age(kind: Kind, days: int) -> None:
    """On its last day .05 of the freshness is left, the day after nothing; twice as long from .8, thrice from .9."""
    assert score(note(kind, -days)) == pytest.approx(0.5 * 0.05)
    assert score(note(kind, -days - 1)) is None
    assert score(note(kind, -2 * days, 0.8)) == pytest.approx(0.8 * 0.05)
    assert score(note(kind, -2 * days, 0.79)) is None
    assert score(note(kind, -3 * days, 0.9)) == pytest.approx(0.9 * 0.05)
    assert score(note(kind, -3 * days, 0.89)) is None
    assert score(note(kind, -3 * days - 1, 0.9)) is None


@pytest.mark.req("B8", "D12")
@pytest.mark.parametrize("day", [-14, -15, -4_000])
def test_what_was_said_is_always_found_again(day: int) -> None:
    """With the last of its freshness (reading 26)."""
    assert score(note(Kind.EPISODE, day)) == pytest.approx(0.5 * 0.05)


@pytest.mark.req("B8")
def test_what_was_formed_stands_before_the_words_it_was_formed_from() -> None:
    """Though the words match better (reading 26)."""
    formed = Line("kite boat", kind=Kind.FACT, sources=("m0",), standing=Standing(importance=0.5))
    lines = [note(Kind.EPISODE, 0), formed]
    hits = recall(request("kite"), world(FakeCorpus(lines)), PATH)[0].hits
    assert [hit.memory.id for hit in hits] == ["m1", "m0"]


@pytest.mark.req("B5")
def test_a_standing_order_does_not_age() -> None:
    """Permanent where declared."""
    assert score(note(Kind.INSTRUCTION, -9_999)) == pytest.approx(0.5)
    assert dict(stage_of(PATH, Tfidf).max_age_days)[Kind.INSTRUCTION] == inf


@pytest.mark.req("B8")
def test_what_has_lost_its_importance_is_not_found() -> None:
    """It must lie above .1."""
    assert score(note(Kind.FACT, 0, 0.1)) is None
    assert score(note(Kind.FACT, 0, 0.1001)) is not None


@pytest.mark.req("B8")
def test_five_hundred_are_read_for_their_words() -> None:
    """The most promising by the index."""
    lines = [note(Kind.FACT, 0) for _ in range(502)]
    answer = recall(request("kite", top_k=600), world(FakeCorpus(lines)), PATH)[0]
    notes = {step.stage: step.note for step in answer.trace}
    assert notes["tf-idf"] == "500 of 500 are searchable"


@pytest.mark.req("B5", "B8")
@pytest.mark.parametrize(("kind", "days"), [(Kind.INTENTION, 14), (Kind.CORRECTION, 180), (Kind.ENTITY, 30)])
def test_what_the_sweep_keeps_is_found(kind: Kind, days: int) -> None:
    """A correction for half a year, as long as the dream keeps it."""
    assert score(note(kind, -days)) == pytest.approx(0.5 * 0.05)
    assert score(note(kind, -days - 1)) is None


@pytest.mark.req("B5")
def test_a_skill_does_not_age() -> None:
    """Permanent, as in the sweep."""
    assert score(note(Kind.SKILL, -9_999)) == pytest.approx(0.5)

"""The vault's search: words, importance, freshness."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from reverie.formulas.freshness import Extension
from reverie.recall.state import Candidate
from reverie.recipes.published.ocean import Tfidf
from reverie.types import Kind, Standing
from tests.recall.fake_corpus import FakeCorpus, Line, by_id, quest, request, world
from tests.spoken import english, turkish

STAGE = Tfidf(((Kind.FACT, 30.0),), 10.0, (Extension(0.8, 2.0),), floor=0.1, least=0.05, most=50)


def found(lines: Sequence[Line], cue: str = "kite") -> dict[str, Candidate]:
    """What a cue finds."""
    return by_id(STAGE(quest(request(cue), world(FakeCorpus(lines)))))


def note(text: str = "kite", importance: float = 0.5, day: float = 0, kind: Kind = Kind.FACT) -> Line:
    """An observation."""
    return Line(text, kind=kind, day=day, standing=Standing(importance=importance))


@pytest.mark.req("B8")
@pytest.mark.parametrize(("one", "other"), [("kite", "boat"), ("deniz", "sel")])
def test_a_score_by_hand(one: str, other: str) -> None:
    """Two of two words, one of them asked for; half its age gone: cosine × .5 × .525."""
    lines = [note(f"{one} {other}", day=-15), note(other)]
    rare, common = math.log(3 / 2) + 1, math.log(3 / 3) + 1
    cosine = rare / math.hypot(rare, common)
    assert found(lines, one)["m0"].score == pytest.approx(cosine * 0.5 * (1 - 0.95 * 0.5))


@pytest.mark.req("B8")
def test_what_matters_too_little_or_is_past_its_age_is_not_looked_at() -> None:
    """At .1, and on the day after its thirtieth; on the thirtieth it is."""
    assert list(found([note(importance=0.1), note(importance=0.11)])) == ["m1"]
    assert list(found([note(day=-31), note(day=-30)])) == ["m1"]


@pytest.mark.req("B5")
def test_what_matters_stays_longer() -> None:
    """Twice as long at .8; other kinds have their own age."""
    assert list(found([note(importance=0.8, day=-59)])) == ["m0"]
    assert list(found([note(day=-11, kind=Kind.PLAN)])) == []


def test_without_a_shared_word_nothing_is_found() -> None:
    """No vectors here."""
    assert found([note("boat")]) == {}


def test_only_the_most_promising_are_read() -> None:
    """By the index: who says it in fewer words goes first."""
    narrow = Tfidf(((Kind.FACT, 30.0),), 10.0, (), floor=0.1, least=0.05, most=1)
    lines = [note("kite and much more about other things"), note("kite")]
    assert list(by_id(narrow(quest(request("kite"), world(FakeCorpus(lines)))))) == ["m1"]


@pytest.mark.req("B6", "B8")
@pytest.mark.parametrize("word", [*english("kite"), *turkish("deniz")])
def test_time_that_the_sweep_gave_holds_in_search(word: str) -> None:
    """Found to its forty-fifth day, fresh by that age; twice as long where it matters."""
    given = Standing(importance=0.75, tags=("max_age: 45d",))
    lines = [Line(word, kind=Kind.FACT, day=day, standing=given) for day in (-32, -45, -46)]
    hits = found(lines, word)
    assert set(hits) == {"m0", "m1"}
    assert hits["m0"].score == pytest.approx(0.75 * (1 - 0.95 * 32 / 45))
    doubled = Line(word, kind=Kind.FACT, day=-89, standing=Standing(importance=0.8, tags=given.tags))
    assert list(found([doubled], word)) == ["m0"]

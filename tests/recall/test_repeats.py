"""Repeats: of what was said several times in nearly the same words the newest is injected, where a host asks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.recall.contradictions import MARK
from reverie.recall.deduplication import NearDuplicates
from reverie.recall.state import Candidate
from tests.recall.fake_corpus import FakeCorpus, Line, holding, request
from tests.spoken import english, turkish

STAGE = NearDuplicates(times=3, share=0.5)


def told(*lines: Line, automatic: bool = True) -> list[Candidate]:
    """The candidates after the stage; the lines come in rank order, scoring 1, then a tenth less each."""
    scores = [1.0 - n / 10 for n in range(len(lines))]
    return list(STAGE(holding(request("x", automatic=automatic), FakeCorpus(lines), scores)).candidates)


def said(text: str, day: float, speaker: str = "Ada") -> Line:
    """Something said on a day."""
    return Line(text, speaker, day=day)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("My favourite colour is turquoise.", "My favourite colour is crimson now."),
        ("En sevdiğim renk turkuaz.", "Artık en sevdiğim renk bordo."),
        ("The parrot sleeps in the kitchen.", "As I said, the parrot sleeps in the kitchen."),
        ("Papağan mutfakta uyuyor.", "Dediğim gibi, papağan mutfakta uyuyor."),
    ],
)
def test_the_newest_stands_where_the_best_stood(older: str, newer: str) -> None:
    """The older ranks first; the newer takes its score, the older is withheld and says why."""
    first, last = told(said(older, 1), said(newer, 2))
    assert (first.memory.text, first.score, first.withheld) == (newer, 1.0, "")
    assert last.memory.text == older
    assert last.withheld == f"told again in {first.memory.id}"


def test_two_speakers_and_two_matters_are_no_repeats() -> None:
    """The same words of another person, and other words of the same, stay."""
    found = told(said("We adopted a parrot.", 1), said("We adopted a parrot.", 2, "Ben"), said("Rent went up.", 3))
    assert [candidate.withheld for candidate in found] == ["", "", ""]


@pytest.mark.parametrize(
    ("told_before", "asked_later"),
    [
        *english(("Our staging database listens on port 6543.", "Which port has our staging database?")),
        *turkish(("Ablam Elif Ankara'da oturuyor.", "Ablam Elif nerede oturuyor?")),
    ],
)
def test_a_question_never_stands_for_what_answers_it(told_before: str, asked_later: str) -> None:
    """It repeats the words of what was said, and says nothing of it."""
    found = told(said(told_before, 1), said(asked_later, 2))
    assert [candidate.withheld for candidate in found] == ["", ""]


def test_what_is_withheld_comes_last() -> None:
    """Packing gives up after so many withheld: a crowd of repeats must not keep others out."""
    lines = [said("The parrot sleeps in the kitchen.", n) for n in range(5)]
    found = told(*lines, said("The rent went up again.", 9))
    assert [bool(candidate.withheld) for candidate in found] == [False, False, True, True, True, True]


def test_asked_by_hand_everything_comes() -> None:
    """Whoever asks may want to know when it was said first."""
    found = told(said("The parrot sleeps.", 1), said("The parrot sleeps.", 2), automatic=False)
    assert [candidate.withheld for candidate in found] == ["", ""]


def test_a_megabyte_is_known_by_its_beginning() -> None:
    """Two texts that begin alike for pages are repeats, however they end."""
    page = " ".join(f"word{n}" for n in range(2_000))
    first, last = told(said(page + " turquoise", 1), said(page + " crimson" * 100_000, 2))
    assert (first.withheld, last.withheld) == ("", f"told again in {first.memory.id}")


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I never drink coffee at home.", "I drink coffee at home."),
        ("Evde asla kahve içmiyorum.", "Evde kahve içiyorum."),
    ],
)
@pytest.mark.parametrize("marked", [0, 1])
def test_both_sides_of_a_contradiction_stay(older: str, newer: str, marked: int) -> None:
    """Whichever of the two names the other."""
    lines = [said(older, 1), said(newer, 2)]
    quest = holding(request("x", automatic=True), FakeCorpus(lines), [1.0, 0.9])
    pool = list(quest.candidates)
    pool[marked] = pool[marked].marked(MARK, pool[1 - marked].memory.id)
    found = list(STAGE(replace(quest, candidates=pool)).candidates)
    assert [(one.memory.text, bool(one.withheld)) for one in found] == [(older, False), (newer, False)]

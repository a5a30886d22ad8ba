"""What the default hands to a host that asks on its own.

Nothing where nothing here is likely to matter, no earlier questions, and the newest of what repeats.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.recall.deduplication import NearDuplicates, QueryDuplicates
from reverie.recall.gates import AnswerGate
from reverie.recall.pipeline import recall
from reverie.recipes.recipe import recipe
from tests.recall.fake_corpus import FakeCorpus, Line, holding, request, world
from tests.recall.stages import stage_of

PATH = recipe("reverie").recall


def withheld(stage: NearDuplicates, *texts: str, step: float) -> int:
    """How many of these lines are withheld from a host; the first scores 1, each further one ``step`` less."""
    lines = [Line(text, day=n) for n, text in enumerate(texts)]
    quest = holding(request("x", automatic=True), FakeCorpus(lines), [1.0 - step * n for n in range(len(lines))])
    return sum(bool(candidate.withheld) for candidate in stage(quest).candidates)


def test_half_of_the_words_make_a_repeat() -> None:
    """Two of four long words in common are enough, one of four is not; six of eleven are, five are not."""
    stage = stage_of(PATH, NearDuplicates)
    words = [f"word{n}" for n in range(11)]
    for common, repeats in ((6, 1), (5, 0)):
        other = [*words[:common], *(f"thing{n}" for n in range(11 - common))]
        assert withheld(stage, " ".join(words), " ".join(other), step=0.1) == repeats
    assert withheld(stage, "green boats cross harbours", "green boats leave tomorrow", step=0.1) == 1
    assert withheld(stage, "green boats cross harbours", "green trams leave tomorrow", step=0.1) == 0


def test_three_times_as_many_as_are_wanted_are_compared() -> None:
    """The thirtieth is found to repeat the first, the thirty-first is not looked at."""
    stage = stage_of(PATH, NearDuplicates)
    others = [f"word{n} thing{n} place{n}" for n in range(28)]
    assert withheld(stage, "green boats", *others, "green boats", step=0.01) == 1
    assert withheld(stage, "green boats", *others, "word28", "green boats", step=0.01) == 0


def echoes(cue: str, *texts: str) -> list[bool]:
    """Which of these lines, in rank order, are withheld as echoes of the cue."""
    scores = [1.0 - 0.01 * n for n in range(len(texts))]
    found = stage_of(PATH, QueryDuplicates)(
        holding(request(cue, automatic=True), FakeCorpus([Line(text) for text in texts]), scores)
    )
    held = {candidate.ordinal: bool(candidate.withheld) for candidate in found.candidates}
    return [held[place] for place in range(len(texts))]


@pytest.mark.parametrize(
    ("cue", "echo", "another"),
    [
        ("green boats cross harbours?", "green boats moor?", "boats moor?"),
        ("yeşil tekneler sabah limana?", "yeşil tekneler gece?", "tekneler gece?"),
    ],
)
def test_a_question_of_half_of_the_terms_is_the_same_one(cue: str, echo: str, another: str) -> None:
    """Two of four are; one of four is not, and four of ten neither."""
    assert echoes(cue, echo, another) == [True, False]
    ten = [f"word{n}" for n in range(10)]
    assert echoes(f"{' '.join(ten)}?", f"{' '.join(ten[:5])} moor?", f"{' '.join(ten[:4])} moor?") == [True, False]


def test_twice_as_many_as_are_wanted_are_heard() -> None:
    """The twentieth is known for an echo, the twenty-first is not looked at."""
    others = [f"boat {n}" for n in range(19)]
    assert echoes("green boats?", *others, "green boats?")[-1]
    assert not echoes("green boats?", *others, "boat 19", "green boats?")[-1]


@pytest.mark.parametrize(("likely", "withheld"), [(0.6, False), (0.5, False), (0.49, True)])
def test_how_likely_it_must_be_that_anything_matters(likely: float, withheld: bool) -> None:
    """From one half on all of it, whole; below nothing."""
    quest = holding(request("x", automatic=True), FakeCorpus([Line("word " * 60)]), [0.5])
    (found,) = stage_of(PATH, AnswerGate)(replace(quest, confidence=likely)).candidates
    assert (bool(found.withheld), found.shown) == (withheld, "")


@pytest.mark.parametrize(("automatic", "count"), [(True, 40), (False, 10)])
def test_a_host_that_asks_on_its_own_is_handed_more(automatic: bool, count: int) -> None:
    """Forty where nobody waits to read them, ten by hand; the budget decides how many of them are injected."""
    lines = [Line(f"kite{n} thing{n} place{n} word kite", session=str(n)) for n in range(60)]
    answer = recall(request("kite", automatic=automatic), world(FakeCorpus(lines)), PATH)[0]
    assert len(answer.hits) == count

"""What the default hands to a host that asks on its own: the newest of what repeats, and nothing far below the best."""

from __future__ import annotations

import pytest

from reverie.recall.cut import Cut
from reverie.recall.repeats import Repeats
from reverie.recipes.named import recipe
from tests.recall.fake_corpus import FakeCorpus, Line, holding, request
from tests.recall.stages import stage_of

PATH = recipe("reverie").recall


def withheld(stage: Repeats | Cut, *texts: str, step: float) -> int:
    """How many of these lines are withheld from a host; the first scores 1, each further one ``step`` less."""
    lines = [Line(text, day=n) for n, text in enumerate(texts)]
    quest = holding(request("x", automatic=True), FakeCorpus(lines), [1.0 - step * n for n in range(len(lines))])
    return sum(bool(candidate.withheld) for candidate in stage(quest).candidates)


def test_half_of_the_words_make_a_repeat() -> None:
    """Two of four long words in common are enough, one of four is not."""
    stage = stage_of(PATH, Repeats)
    assert withheld(stage, "green boats cross harbours", "green boats leave tomorrow", step=0.1) == 1
    assert withheld(stage, "green boats cross harbours", "green trams leave tomorrow", step=0.1) == 0


def test_three_times_as_many_as_are_wanted_are_compared() -> None:
    """The thirtieth is found to repeat the first, the thirty-first is not looked at."""
    stage = stage_of(PATH, Repeats)
    others = [f"word{n} thing{n} place{n}" for n in range(28)]
    assert withheld(stage, "green boats", *others, "green boats", step=0.01) == 1
    assert withheld(stage, "green boats", *others, "word28", "green boats", step=0.01) == 0


@pytest.mark.parametrize(("step", "expected"), [(0.29, 0), (0.31, 1)])
def test_seven_tenths_of_the_best_are_worth_their_tokens(step: float, expected: int) -> None:
    """.71 stays, .69 is withheld."""
    assert withheld(stage_of(PATH, Cut), "a kite", "a boat", step=step) == expected

"""What only asks answers nothing."""

from __future__ import annotations

import pytest

from reverie.recipes.published.selection import WHY, QuestionFilter, only_asks
from reverie.types import Kind
from tests.recall.fake_corpus import FakeCorpus, Line, holding, request
from tests.spoken import english, neither, turkish


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        *english(
            ("Which editor do I like?", True),
            ("Which one? And why?", True),
            ("I like Helix. Which one do you like?", False),
            ("I like Helix.", False),
        ),
        *turkish(
            ("Hangi çayı severim?", True),
            ("Hangisi? Peki neden?", True),
            ("Helix'i severim. Sen hangisini seversin?", False),
            ("Helix'i severim.", False),
        ),
        *neither(("", False), ("?" + "a" * 3_000, False)),
    ],
)
def test_nothing_but_questions(text: str, asks: bool) -> None:
    """One statement is enough to be worth telling."""
    assert only_asks(text) is asks


@pytest.mark.req("C4")
@pytest.mark.parametrize(
    ("asked", "answer"), [*english(("Which editor?", "Helix it is.")), *turkish(("Hangi editör?", "Helix olsun."))]
)
def test_questions_that_were_kept_are_withheld_and_what_was_formed_is_not(asked: str, answer: str) -> None:
    """By hand too: an explanation shows them with the reason."""
    lines = [Line(asked), Line(answer), Line(asked, kind=Kind.FACT)]
    found = QuestionFilter()(holding(request(asked), FakeCorpus(lines), [0.9, 0.5, 0.4]))
    assert [candidate.withheld for candidate in found.candidates] == [WHY, "", ""]
    assert found.notes[-1] == "1 only ask"

"""What recall is overheard to see: signals by value, scores as weighed, and which candidates answer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from benchmarks.bending.overheard import NAMES, overheard
from benchmarks.values import Haystack, Item, Question
from reverie.models.hashing import HashEmbedder
from reverie.types import Role

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
SAID = ("Mira adopted a parrot.", "The weather is grey.", "Always answer in metric units.", "The parrot likes nuts.")


def item(place: int, text: str) -> Item:
    """One turn of a user."""
    return Item(f"t{place}", "s1", "user", Role.USER, START + timedelta(minutes=place), text)


def haystack(*questions: tuple[str, tuple[str, ...], bool]) -> Haystack:
    """The four turns, and questions with their gold, answerable or not."""
    asked = tuple(
        Question(f"q{n}", text, "all", gold, START + timedelta(days=1), answerable)
        for n, (text, gold, answerable) in enumerate(questions)
    )
    return Haystack("toy", "en", tuple(item(n, text) for n, text in enumerate(SAID)), asked)


def test_each_question_with_its_candidates() -> None:
    """A column a name, the best first, the gold marked; what answers nothing and what has no gold is left out."""
    asked = haystack(
        ("Which bird is the parrot?", ("t0", "t3"), True), ("And the cat?", (), True), ("Whose parrot?", ("t0",), False)
    )
    (one,) = overheard("locomo", asked, HashEmbedder(64))
    assert (one.set, one.haystack, one.gold) == ("locomo", "toy", 2)
    assert one.values.shape == (len(one.scores), len(NAMES))
    assert one.scores.tolist() == sorted(one.scores.tolist(), reverse=True)
    assert one.answers.sum() == 2
    own_words = one.values[:, NAMES.index("own words")]
    assert own_words[one.answers].min() > own_words[~one.answers].max()


def test_what_stands_is_no_answer_to_learn_from() -> None:
    """An order is brought whatever its score, so a question for it alone says nothing of scores."""
    asked = haystack(("How far is the sea, in which units?", ("t2",), True))
    assert list(overheard("beam", asked, HashEmbedder(64))) == []

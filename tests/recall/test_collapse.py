"""Once is enough: repeats, and formed memories beside their episodes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from reverie.recall.deduplication import BelowFormed, Deduplication, leading
from reverie.types import Kind
from tests.recall.fake_corpus import FakeCorpus, Line, holding, request


def marks(*lines: Line) -> list[str]:
    """Why each line is withheld, in rank order."""
    scores = [1.0 - n / 10 for n in range(len(lines))]
    return [c.withheld for c in Deduplication()(holding(request("x"), FakeCorpus(lines), scores)).candidates]


def formed(text: str, *sources: str) -> Line:
    """A fact made of episodes."""
    return Line(text, kind=Kind.FACT, sources=sources)


def test_the_second_of_two_equal_texts_points_to_the_first() -> None:
    """Case and blanks do not make a difference."""
    assert marks(Line("I like tea."), Line("I  LIKE tea."), Line("I like coffee.")) == ["", "repeats number 1", ""]


def test_the_same_words_from_another_speaker_are_another_memory() -> None:
    """Both people may like tea."""
    assert marks(Line("I like tea.", "Ada"), Line("I like tea.", "Ben")) == ["", ""]


@pytest.mark.parametrize(
    ("fact", "episode"),
    [("Ada likes green tea.", "Well, I like green tea."), ("Ada yeşil çay sever.", "Ben yeşil çay severim.")],
)
def test_of_a_fact_and_its_episode_one_is_handed_over(fact: str, episode: str) -> None:
    """Whichever stands first."""
    assert marks(formed(fact, "m1"), Line(episode)) == ["", "repeats number 1"]
    assert marks(Line(episode), formed(fact, "m0")) == ["", "repeats number 1"]


def test_a_long_episode_is_not_hidden_by_a_short_fact() -> None:
    """The rest of it would be lost: .6 of its length must be there."""
    assert marks(formed("a" * 59, "m1"), Line("b" * 100)) == ["", ""]
    assert marks(formed("a" * 60, "m1"), Line("b" * 100)) == ["", "repeats number 1"]


def test_what_was_formed_of_several_is_no_repeat_of_one() -> None:
    """It says more than each."""
    assert marks(Line("one"), formed("a theme", "m0", "m5")) == ["", ""]


def order(lines: Sequence[Line], scores: Sequence[float]) -> list[str]:
    """The ids after the formed ones were put first."""
    return [c.memory.id for c in BelowFormed()(holding(request("x"), FakeCorpus(lines), scores)).candidates]


@pytest.mark.req("D39")
def test_what_was_formed_comes_up_to_its_episode() -> None:
    """The fact takes the episode's place, the episode stands right behind it; the others keep their order."""
    lines = [Line("said"), Line("other"), formed("fact", "m0"), Line("last")]
    assert order(lines, [0.9, 0.8, 0.7, 0.6]) == ["m2", "m0", "m1", "m3"]


def test_an_episode_that_stands_behind_already_is_not_lifted() -> None:
    """It keeps its own place."""
    lines = [formed("fact", "m3"), Line("other"), Line("more"), Line("said")]
    assert order(lines, [0.9, 0.8, 0.7, 0.6]) == ["m0", "m1", "m2", "m3"]


def first(count: int, *lines: Line) -> tuple[list[str], list[str]]:
    """The texts of the first so many, and of what stands behind them."""
    quest = holding(request("x"), FakeCorpus(lines), [1.0 - n / 10 for n in range(len(lines))])
    head, rest = leading(quest.candidates, count, 0.6)
    return [one.memory.text for one in head], [one.memory.text for one in rest]


def test_among_the_first_a_fact_and_its_episode_take_one_place() -> None:
    """The second stands right behind the first ones; whichever it is."""
    tea, fact, coffee, milk = Line("I like tea."), formed("Ada likes tea.", "m0"), Line("I like coffee."), Line("Milk?")
    assert first(2, tea, fact, coffee, milk) == (["I like tea.", "I like coffee."], ["Ada likes tea.", "Milk?"])
    cay, olgu, kahve = Line("Çay severim."), formed("Ada çay sever.", "m0"), Line("Kahve severim.")
    assert first(2, cay, olgu, kahve) == (["Çay severim.", "Kahve severim."], ["Ada çay sever."])


def test_no_more_than_twice_as_many_are_looked_at_for_the_first() -> None:
    """Where most is said already, the rest is left unread."""
    tea = Line("I like tea.")
    facts = [formed(f"Ada likes tea, {n}.", "m0") for n in range(4)]
    head, rest = first(2, tea, *facts, Line("I like coffee."))
    assert head == ["I like tea."]
    assert rest[-1] == "I like coffee."

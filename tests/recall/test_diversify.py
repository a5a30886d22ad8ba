"""Word-for-word repeats are handed over once."""

from __future__ import annotations

from reverie.recall.diversify import Repeats
from tests.recall.fake_corpus import FakeCorpus, Line


def marks(*lines: Line) -> list[int | None]:
    """The rank each line repeats."""
    repeats = Repeats()
    memories = FakeCorpus(lines).fetch(range(len(lines)))
    return [repeats.of(memory, rank) for rank, memory in enumerate(memories, start=1)]


def test_the_second_of_two_equal_texts_points_to_the_first() -> None:
    """Case and blanks do not make a difference."""
    assert marks(Line("I like tea."), Line("I  LIKE tea."), Line("I like coffee.")) == [None, 1, None]


def test_the_same_words_from_another_speaker_are_another_memory() -> None:
    """Both people may like tea."""
    assert marks(Line("I like tea.", "Ada"), Line("I like tea.", "Ben")) == [None, None]

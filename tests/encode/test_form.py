"""Forming: the episode itself becomes its unit of recall."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reverie.encode.memory_factory import form
from reverie.types import Episode, Kind, Role, Scope
from tests.spoken import english, turkish

AT = datetime(2026, 5, 4, tzinfo=UTC)
LATER = datetime(2026, 5, 5, tzinfo=UTC)


def episode(text: str) -> Episode:
    """An episode with this text."""
    return Episode("e1", Scope("a", "u", "p"), "s1", 3, "Ada", Role.PERSON, text, AT)


@pytest.mark.parametrize(
    "text", [*english("  We moved to  Lisbon.\0"), *turkish("  İzmir'e \n TAŞINDIK, ışıl ışıl.\0")]
)
def test_the_memory_is_the_episode_word_for_word(text: str) -> None:
    """Same id, same text, same place; it names the episode as its source."""
    memory = form(episode(text), LATER)
    assert (memory.id, memory.kind, memory.text) == ("e1", Kind.EPISODE, text)
    assert (memory.session, memory.seq, memory.speaker, memory.sources) == ("s1", 3, "Ada", ("e1",))
    assert (memory.at, memory.recorded_at, memory.valid_until) == (AT, LATER, None)


@pytest.mark.parametrize(
    ("text", "name", "word"),
    [
        *english(("We moved to Lisbon because of the harbour.", "Lisbon", "harbour")),
        *turkish(("Güzel bir liman için İzmir'e taşındık.", "İzmir", "liman")),
    ],
)
def test_names_and_content_words_are_noted(text: str, name: str, word: str) -> None:
    """Entities and keywords come from the text."""
    memory = form(episode(text), LATER)
    assert any(name in entity for entity in memory.entities)
    assert word in memory.keywords

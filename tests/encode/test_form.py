"""Forming: the episode itself becomes its unit of recall."""

from __future__ import annotations

from datetime import UTC, datetime

from reverie.encode.form import form
from reverie.types import Episode, Kind, Role, Scope

AT = datetime(2026, 5, 4, tzinfo=UTC)
LATER = datetime(2026, 5, 5, tzinfo=UTC)


def episode(text: str) -> Episode:
    """An episode with this text."""
    return Episode("e1", Scope("a", "u", "p"), "s1", 3, "Ada", Role.PERSON, text, AT)


def test_the_memory_is_the_episode_word_for_word() -> None:
    """Same id, same text, same place; it names the episode as its source."""
    memory = form(episode("  We moved to  Lisbon.\0"), LATER)
    assert (memory.id, memory.kind, memory.text) == ("e1", Kind.EPISODE, "  We moved to  Lisbon.\0")
    assert (memory.session, memory.seq, memory.speaker, memory.sources) == ("s1", 3, "Ada", ("e1",))
    assert (memory.at, memory.recorded_at, memory.valid_until) == (AT, LATER, None)


def test_names_and_content_words_are_noted() -> None:
    """Entities and keywords come from the text."""
    memory = form(episode("We moved to Lisbon because of the harbour."), LATER)
    assert any("Lisbon" in entity or "lisbon" in entity for entity in memory.entities)
    assert "harbour" in memory.keywords

"""Indexing: a memory is found by its words, its speaker and its date."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reverie.encode.memory_factory import form, index
from reverie.language.text.analyzer import query_terms, stems
from reverie.types import Episode, Role, Scope


def terms(text: str, speaker: str = "Caroline") -> set[str]:
    """What is indexed for a message of 7 May 2023."""
    at = datetime(2023, 5, 7, tzinfo=UTC)
    episode = Episode("e1", Scope("a", "u", "p"), "s1", 0, speaker, Role.PERSON, text, at)
    return set(index(form(episode, at)).terms)


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("We painted a sunrise.", "sunrise"),
        ("We painted a sunrise.", "Caroline"),
        ("We painted a sunrise.", "7 May 2023"),
        ("Dün akşam çok güzel bir film izledik.", "7 Mayıs 2023"),
    ],
)
def test_words_speaker_and_date_are_findable(text: str, cue: str) -> None:
    """Every word of the cue has a stem in the index of the message."""
    asked = [stems(term) for term in query_terms(cue)]
    assert all(not terms(text).isdisjoint(forms) for forms in asked)


def test_words_are_counted_from_the_text_alone() -> None:
    """Speaker and date do not make a message longer."""
    at = datetime(2023, 5, 7, tzinfo=UTC)
    episode = Episode("e1", Scope("a", "u", "p"), "s1", 0, "Caroline", Role.PERSON, "one two three", at)
    assert index(form(episode, at)).words == 3

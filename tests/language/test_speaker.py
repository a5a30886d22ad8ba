"""Whether a text is about its speaker."""

from __future__ import annotations

import pytest

from reverie.language.speaker import is_of_speaker
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    "text",
    [
        *english("I quit.", "My pay was bad.", "Tom told me.", "We moved."),
        *turkish("İstifa ettim.", "Maaşım düşüktü.", "Tarık bana söyledi.", "Taşındık.", "Kiramız arttı."),
    ],
)
def test_what_is_told_of_oneself(text: str) -> None:
    """By a pronoun, by what one owns, by a verb."""
    assert is_of_speaker(text)


@pytest.mark.parametrize(
    "text",
    [
        *english("The pay was bad.", "Tom quit.", "The disk is full.", ""),
        *turkish("Maaş düşüktü.", "Tarık istifa etti.", "Disk doldu.", "Resim güzeldi."),
    ],
)
def test_what_is_told_of_the_world(text: str) -> None:
    """Of things and of other people."""
    assert not is_of_speaker(text)

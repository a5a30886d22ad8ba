"""In what mood a text says something."""

from __future__ import annotations

import pytest

from reverie.language.moods import moods
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        *english(
            ("I live in Paris.", "en", set()),
            ("I’d like to live in Paris.", "en", {"wish"}),
            ("Perhaps they may come.", "en", {"doubt"}),
            ("You ought to write tests.", "en", {"duty"}),
            ("We'll ship in May.", "en", {"ahead"}),
            ("If it rains, I will stay.", "en", {"condition", "ahead"}),
            ("I am going to the market in May.", "en", set()),
        ),
        *turkish(
            ("Paris'te yaşıyorum.", "tr", set()),
            ("Paris'te yaşamak isterim.", "tr", {"wish"}),
            ("Belki gelebilirler.", "tr", {"doubt"}),
            ("Test yazman gerekiyor.", "tr", {"duty"}),
            ("Mayısta yayınlayacağız.", "tr", {"ahead"}),
            ("Yağmur yağarsa kalacağım.", "tr", {"condition", "ahead"}),
            ("Gelecek hafta sıcak içecekleri satıyoruz, evin temeli sağlam.", "tr", set()),
        ),
    ],
)
def test_a_mood_is_told_by_its_words(text: str, language: str, expected: set[str]) -> None:
    """A plain fact has none; a month, a noun in -ecek and a way to the market are none."""
    assert moods(text, language) == expected

"""What can be understood by itself, and what only in its place."""

from __future__ import annotations

import pytest

from reverie.encode.statements import stands_alone
from tests.spoken import english, neither, turkish


@pytest.mark.parametrize(
    "statement",
    [
        *english(
            "I prefer tea.",
            "I'm going to Berlin next week.",
            "I'm vegan.",
            "Always use tabs.",
            "There are three servers in Lisbon.",
            "Maya's kite is red.",
            "My sister lost her keys.",
            "I'm not married.",
            "I don't have asthma.",
            "I'm vegetarian.",
            "Don't apologise in every message.",
        ),
        *turkish(
            "Çayı severim.",
            "Bundan sonra bana hep kısa cümlelerle cevap ver.",
            "Ben veganım.",
            "Her zaman tab kullan.",
            "Orada üç sunucu var.",
            "Ayşe'nin uçurtması kırmızı.",
            "Kardeşim anahtarını kendisi buldu.",
            "Evli değilim.",
            "Astımım yok.",
            "Vejetaryenim.",
            "Her mesajda özür dileme.",
        ),
    ],
)
def test_what_says_something_of_something_stands_alone(statement: str) -> None:
    """A year later one still knows what is meant."""
    assert stands_alone(statement)


@pytest.mark.parametrize(
    "statement",
    [
        *english(
            "They love the animals.",
            "It reminds me of home.",
            "Luna and Oliver!",
            "Selim.",
            "Yeah, I love to.",
            "I love making her happy.",
        ),
        *turkish(
            "Onlar hayvanları sever.",
            "Bunu çok seviyorum.",
            "Ayşe ve Mehmet!",
            "İbrahim.",
            "Evet, çok severim.",
            "Dün onunla yemeğe çıktık.",
        ),
        *neither("", "…"),
    ],
)
def test_what_points_back_or_says_nothing_does_not(statement: str) -> None:
    """Pronouns, bare names, a liking without what is liked."""
    assert not stands_alone(statement)

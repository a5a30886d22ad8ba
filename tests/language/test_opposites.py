"""Words by which two texts alike in all else say different things."""

from __future__ import annotations

import pytest

from reverie.language.contradiction_words import tokens
from reverie.language.opposites import telling
from tests.spoken import english, turkish


def is_opposed(one: str, other: str, language: str) -> bool:
    """Whether one has a word, and the other its opposite."""
    sides, others = (telling(tokens(text, language), language).sides for text in (one, other))
    return any((line, 1 - side) in others - sides for line, side in sides - others)


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        *english(
            ("take it before meals", "take it after meals", "en"),
            ("my old job", "my new job", "en"),
            ("I bought a car", "I sold a car", "en"),
            ("tea with milk", "tea without milk", "en"),
            ("I flew to Ankara", "I flew from Ankara", "en"),
            ("the older brother", "the younger brother", "en"),
            ("I agree with the plan", "I disagree with the plan", "en"),
            ("deploy to production", "deploy to staging", "en"),
            ("my landlord allows pets", "my landlord forbids pets", "en"),
        ),
        *turkish(
            ("yemekten önce al", "yemekten sonra al", "tr"),
            ("eski işim", "yeni işim", "tr"),
            ("araba aldım", "araba sattım", "tr"),
            ("Ankara'ya gidiyorum", "Ankara'dan geliyorum", "tr"),
            ("büyük ağabeyim", "küçük ağabeyim", "tr"),
            ("planı destekliyorum", "plana karşıyım", "tr"),
            ("teklifi kabul ettim", "teklifi reddettim", "tr"),
            ("evcil hayvana izin var", "evcil hayvan yasak", "tr"),
            ("canlıya kur", "test ortamına kur", "tr"),
            ("hâlâ bekârım", "artık evliyim", "tr"),
        ),
    ],
)
def test_a_word_and_its_opposite(one: str, other: str, language: str) -> None:
    """Before and after, old and new, with and without."""
    assert is_opposed(one, other, language)


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        *english(
            ("from Ankara to Izmir", "to Izmir", "en"),
            ("before and after meals", "after meals", "en"),
            ("the blue pill", "the red pill", "en"),
            ("an important unit under the table", "a table", "en"),
        ),
        *turkish(
            ("önce Ankara sonra İzmir", "sonra İzmir", "tr"),
            ("hâlâ denizde", "denizde", "tr"),
            ("mavi hap", "kırmızı hap", "tr"),
            ("evli bir çift", "bir çift", "tr"),
        ),
    ],
)
def test_nothing_is_opposed(one: str, other: str, language: str) -> None:
    """A word more, words without an opposite."""
    assert not is_opposed(one, other, language)

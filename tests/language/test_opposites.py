"""Words by which two texts alike in all else say different things."""

from __future__ import annotations

import pytest

from reverie.language.contradiction_words import tokens
from reverie.language.opposites import opposed, telling
from tests.spoken import english, turkish


def is_opposed(one: str, other: str, language: str) -> bool:
    """Whether they are, which has no direction."""
    read = [telling(tokens(text, language), language) for text in (one, other)]
    assert opposed(*read) is opposed(*read[::-1])
    return opposed(*read)


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
            ("my grandma's house", "my aunt's house", "en"),
            ("I am allergic", "my son is allergic", "en"),
            ("coffee sweetened", "coffee unsweetened", "en"),
            ("I agree with the plan", "I disagree with the plan", "en"),
            ("he is a vegetarian", "he is a non-vegetarian", "en"),
            ("sugar-free cola", "cola with sugar", "en"),
            ("deploy to production", "deploy to staging", "en"),
            ("my landlord allows pets", "my landlord forbids pets", "en"),
        ),
        *turkish(
            ("yemekten önce al", "yemekten sonra al", "tr"),
            ("eski işim", "yeni işim", "tr"),
            ("araba aldım", "araba sattım", "tr"),
            ("sütlü çay", "sütsüz çay", "tr"),
            ("Ankara'ya gidiyorum", "Ankara'dan geliyorum", "tr"),
            ("büyük ağabeyim", "küçük ağabeyim", "tr"),
            ("anneannemin evi", "teyzemin evi", "tr"),
            ("alerjim var", "oğlumun alerjisi var", "tr"),
            ("şekerli kahve", "şekersiz kahve", "tr"),
            ("planı destekliyorum", "plana karşıyım", "tr"),
            ("teklifi kabul ettim", "teklifi reddettim", "tr"),
            ("evcil hayvana izin var", "evcil hayvan yasak", "tr"),
            ("canlıya kur", "test ortamına kur", "tr"),
            ("hâlâ bekârım", "artık evliyim", "tr"),
        ),
    ],
)
def test_opposites_and_other_relatives(one: str, other: str, language: str) -> None:
    """Before and after, old and new, with and without; and who of the family."""
    assert is_opposed(one, other, language)


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        *english(
            ("from Ankara to Izmir", "to Izmir", "en"),
            ("my mom", "my mother", "en"),
            ("before and after meals", "after meals", "en"),
            ("the blue pill", "the red pill", "en"),
            ("an important unit under the table", "a table", "en"),
            ("unsweetened tea", "tea", "en"),
        ),
        *turkish(
            ("önce Ankara sonra İzmir", "sonra İzmir", "tr"),
            ("abim geldi", "ağabeyim geldi", "tr"),
            ("hâlâ denizde", "denizde", "tr"),
            ("mavi hap", "kırmızı hap", "tr"),
            ("sütsüz çay", "çay", "tr"),
            ("evli bir çift", "bir çift", "tr"),
        ),
    ],
)
def test_nothing_is_opposed(one: str, other: str, language: str) -> None:
    """A word more, another word for the same person, words without an opposite."""
    assert not is_opposed(one, other, language)

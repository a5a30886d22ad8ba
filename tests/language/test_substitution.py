"""Two statements of one frame in which another thing is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.contradiction_words import tokens
from reverie.language.substitution import frame, substituted
from tests.spoken import NEITHER, english, turkish


def is_substituted(one: str, other: str, language: str) -> bool:
    """Whether it is, which has no direction."""
    read = [frame(tokens(text, language), language) for text in (one, other)]
    assert substituted(*read) is substituted(*read[::-1])
    return substituted(*read)


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        *english(
            ("Always use tea in my reports.", "Always use coffee in my reports.", "en"),
            ("Always write in blue ink.", "Always write in green ink.", "en"),
            ("End every report with a joke.", "End every report with a short poem.", "en"),
            ("My sister plays the piano.", "My sister plays the violin.", "en"),
            ("I am allergic to peanuts.", "I am allergic to shellfish.", "en"),
            ("I like tea at work.", "I like the team at work.", "en"),
            ("I decided to keep the car.", "I decided to sell the car.", "en"),
            ("I bought the red bike.", "I rented the red bike.", "en"),
            ("We merge on green builds.", "We revert on green builds.", "en"),
        ),
        *turkish(
            ("Raporlarımda hep çay kullan.", "Raporlarımda hep kahve kullan.", "tr"),
            ("Hep mavi kalemle yaz.", "Hep yeşil kalemle yaz.", "tr"),
            ("Her raporu bir fıkrayla bitir.", "Her raporu kısa bir şiirle bitir.", "tr"),
            ("Ablam piyano çalıyor.", "Ablam keman çalıyor.", "tr"),
            ("Fıstığa alerjim var.", "Karidese alerjim var.", "tr"),
            ("İşte çay severim.", "İşte takımı severim.", "tr"),
            ("Arabayı tutmaya karar verdim.", "Arabayı satmaya karar verdim.", "tr"),
            ("Kırmızı bisikleti aldım.", "Kırmızı bisikleti kiraladım.", "tr"),
            ("Derlemeler Linux'ta geçiyor.", "Derlemeler Linux'ta kırılıyor.", "tr"),
        ),
    ],
)
def test_another_thing_in_the_same_frame(one: str, other: str, language: str) -> None:
    """One place of the sentence differs, and names something else."""
    assert is_substituted(one, other, language)


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        *english(
            ("I watched a great movie.", "I watched a great film.", "en"),
            ("I usually drink tea at work.", "I normally drink tea at work.", "en"),
            ("I bought a new car.", "I purchased a new car.", "en"),
            ("My dog is sick.", "My dog is ill.", "en"),
            ("Always use tea.", "Always use tea, please.", "en"),
            ("I drink tea at work.", "At work I drink tea.", "en"),
            ("I bought a car.", "I bought a new car.", "en"),
            ("I began learning piano.", "I started learning piano.", "en"),
            ("The ticket price is high.", "The ticket costs high.", "en"),
        ),
        *turkish(
            ("Güzel bir kent gördüm.", "Güzel bir şehir gördüm.", "tr"),
            ("Genelde iş yerinde çay içerim.", "Genellikle iş yerinde çay içerim.", "tr"),
            ("Dağlarda yürümeyi severim.", "Dağlarda yürümekten hoşlanırım.", "tr"),
            ("Köpeğim hasta.", "Köpeğim rahatsız.", "tr"),
            ("Hep çay kullan.", "Hep çay kullan lütfen.", "tr"),
            ("Evin önünde çay içerim.", "Çayı evimin önünde içerim.", "tr"),
            ("Araba aldım.", "Yeni araba aldım.", "tr"),
            ("Bursa'da oturuyorum.", "Bursa'da yaşarım.", "tr"),
            ("Hatayı düzelttim.", "Hatayı çözdüm.", "tr"),
        ),
    ],
)
def test_a_rewording_names_nothing_else(one: str, other: str, language: str) -> None:
    """A like word, another verb, another ending, a word more, another order."""
    assert not is_substituted(one, other, language)


@NEITHER
@given(st.text(), st.text())
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    """Nothing is raised, and nothing stands for itself."""
    is_substituted(one, other, "tr")
    assert not is_substituted(one, one, "en")

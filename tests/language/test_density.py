"""How much new information a message holds, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.classify.worth import Density, density
from tests.spoken import NEITHER, english, turkish

TELLING = [
    *english(
        "I prefer tea",
        "I like tea",
        "I'm allergic to peanuts",
        "My name is Ellen",
        "We moved to Berlin in May 2021",
        "Actually, it's Tuesday, not Monday",
        "The API port is 8080",
        "I joined a chess club last week",
        "Always answer in German",
        "Tom met Anna in Paris",
        "I have an exam on Friday.",
        "I don't have a car.",
        "I earn $80k a year.",
        "I'm not a vegetarian anymore.",
        "Don't schedule anything before 9 am.",
    ),
    *turkish(
        "Çayı tercih ederim",
        "Çayı severim",
        "Fıstığa alerjim var",
        "Adım Elif",
        "Mayıs 2021'de Bursa'ya taşındık",
        "Aslında pazartesi değil, salı",
        "API portu 8080",
        "Geçen hafta satranç kulübüne katıldım",
        "Her zaman Almanca cevap ver",
        "Mehmet dün Ankara'da Ayşe'yle tanıştı",
        "Cuma günü sınavım var.",
        "Arabam yok.",
        "Yılda 600 bin lira kazanıyorum.",
        "Artık vejetaryen değilim.",
        "Sabah 9'dan önce toplantı koyma.",
    ),
]
FILLER = [
    *english(
        "sounds good",
        "let me think about that",
        "that is so nice of you",
        "how do you like it?",
        "what a day that was",
    ),
    *turkish(
        "kulağa hoş geliyor",
        "bunu bir düşüneyim",
        "çok naziksin gerçekten",
        "sen nasıl buluyorsun?",
        "ne gündü ama",
    ),
]


@pytest.mark.req("D27")
@pytest.mark.parametrize("text", TELLING)
def test_a_message_that_tells_something_holds_two_or_more(text: str) -> None:
    """A statement and what it speaks of, an event, a name, a time, a number."""
    assert density(text).total >= 2


@pytest.mark.req("D27")
@pytest.mark.parametrize("text", FILLER)
def test_filler_holds_less_than_two(text: str) -> None:
    """The documents' own examples first."""
    assert density(text).total < 2


@NEITHER
@pytest.mark.req("D27")
def test_the_total_is_the_sum_of_the_four() -> None:
    """Each counts once."""
    assert Density(1, 2, 4, 8).total == 15


@pytest.mark.parametrize(
    ("text", "found"),
    [
        *english(
            ("Anna and Tom met Kate in Rome", (4, 0, 0, 0)),
            ("see you on 7 May 2023 and next Friday", (0, 0, 2, 0)),
            ("it costs $120 and weighs 3.5 kg", (0, 2, 0, 0)),
        ),
        *turkish(
            ("Dün Ayşe, Mehmet ve Elif geldi", (3, 0, 1, 0)),
            ("7 Mayıs 2023'te ve gelecek cuma görüşürüz", (0, 0, 2, 0)),
            ("fiyatı ₺120, ağırlığı 3,5 kg", (0, 4, 0, 0)),
            ("Aslında hiç", (0, 0, 0, 1)),
        ),
    ],
)
def test_each_signal_is_counted(text: str, found: tuple[int, int, int, int]) -> None:
    """Distinct names, facts, times and corrections; a date's digits are no facts besides."""
    counted = density(text)
    assert (counted.entities, counted.facts, counted.temporal, counted.corrections) == found


@NEITHER
@given(st.text())
def test_any_text_is_counted(text: str) -> None:
    """Nothing fails, nothing is negative."""
    assert density(text).total >= 0

"""What kind of memory a message is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.classify.categories import ENTITIES_MIN, category
from reverie.types import Kind
from tests.spoken import BOTH, NEITHER, english, neither, turkish

SAID = {  # of each kind as many in Turkish, behind the English ones
    Kind.CORRECTION: [
        "Actually, my name is Jon, not John.",
        "No, I meant the red one.",
        "That date was wrong.",
        "Correction: the port is 8081.",
        "Aslında adım Can değil, Cem.",
        "Hayır, kırmızıyı demek istedim.",
        "O tarih yanlış.",
        "Düzeltme: port 8081.",
    ],
    Kind.INSTRUCTION: [
        "Always answer in Turkish.",
        "From now on call me Max, please, in every answer.",
        "Never use tabs when you write my code.",
        "Please stop adding emojis.",
        "Lütfen kısa cevap ver.",
        "Bundan sonra bana Max de.",
        "Kodumda asla sekme kullanma.",
        "Cevapları hep Türkçe yaz.",
    ],
    Kind.PREFERENCE: [
        "I prefer tea to coffee.",
        "My favorite color is green.",
        "I hate cilantro.",
        "I'm allergic to nuts.",
        "Çayı kahveye tercih ederim.",
        "En sevdiğim renk yeşil.",
        "Maydanozdan nefret ederim.",
        "Fındığa alerjim var.",
    ],
    Kind.DECISION: [
        "We decided to use Postgres.",
        "I'm going with the blue one.",
        "I chose the window seat.",
        "Our final decision is Rome.",
        "Postgres kullanmaya karar verdik.",
        "Mavi olanla devam ediyorum.",
        "Pencere kenarını seçtim.",
        "Kararımız Roma.",
    ],
    Kind.PLAN: [
        "I'm planning to visit Rome.",
        "I will repaint the kitchen.",
        "We're going to sell the car.",
        "I have a dentist appointment tomorrow.",
        "My dentist appointment is on Friday at 10.",
        "It is late. I have a job interview on Monday.",
        "Roma'yı gezmeyi planlıyorum.",
        "Mutfağı boyayacağım.",
        "Arabayı satmayı düşünüyoruz.",
        "Yarın sabah dişçi randevum var.",
        "Cuma saat 10'da dişçi randevum var.",
        "Geç oldu. Ayın 20'sinde toplantım var.",
    ],
    Kind.FACT: [
        "My name is Max.",
        "I work at a bakery.",
        "I have two cats.",
        "I'm 32 years old.",
        "My daughter Ada is 5 years old.",
        "My wife's name is Elif.",
        "My doctor told me to avoid salt.",
        "Our office is in Ankara.",
        "We use PostgreSQL 15 in production.",
        "I play the guitar.",
        "The key rotates every 90 days.",
        "Elif is allergic to nuts.",
        "It is late. My rent went up to $1000.",
        "Adım Max.",
        "Geç oldu. Kiram 18.000 TL oldu.",
        "Bir fırında çalışıyorum.",
        "İki kedim var.",
        "32 yaşındayım.",
        "Kızım Ada beş yaşında.",
        "Eşimin adı Elif.",
        "Annem öğretmen.",
        "Ofisimiz Ankara'da.",
        "Üretimde PostgreSQL 15 kullanıyoruz.",
        "Gitar çalıyorum.",
        "Anahtar her 90 günde bir değişir.",
        "Elif'in fındığa alerjisi var.",
    ],
    Kind.ENTITY: [
        "Caroline talked to Melanie about Acme",
        "the road from Bergen to Oslo is closed",
        "Caroline bugün Melanie ile Acme'de konuştu",
        "Oslo'dan Bergen'e giden yol kapalı",
    ],
}
NONE = [
    *english(
        "Sounds good!",
        "Do I prefer tea?",
        "I'd like to know more.",
        "It feels like summer.",
        "Never saw this coming.",
        "I love that!",
        "It's not easy, but it works.",
        "Let's play it by ear.",
        "We run out of milk.",
    ),
    *turkish(
        "Kulağa hoş geliyor!",
        "Çayı mı tercih ederim?",
        "Daha çok bilmek isterim.",
        "Yaz gibi.",
        "Böyle olacağı belli değildi.",
        "Harika!",
        "Kolay değil ama oluyor.",
        "Babam yolda.",
        "Evde bir sorun var.",
    ),
    *neither("", "..."),
]


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *english(*((text, kind) for kind, texts in SAID.items() for text in texts[: len(texts) // 2])),
        *turkish(*((text, kind) for kind, texts in SAID.items() for text in texts[len(texts) // 2 :])),
    ],
)
def test_the_category_of_a_message(text: str, kind: Kind) -> None:
    """Seven kinds, in English and in Turkish."""
    assert category(text) is kind


@pytest.mark.req("D12")
@pytest.mark.parametrize("text", NONE)
def test_small_talk_and_questions_have_no_category(text: str) -> None:
    """Nothing is stated in them, or nothing about anybody."""
    assert category(text) is None


@BOTH
def test_a_correction_goes_before_what_it_corrects() -> None:
    """The name in a correction is no new fact."""
    assert category("Actually, my name is Jon, not John, and I prefer tea.") is Kind.CORRECTION
    assert category("Aslında adım Can değil, Cem, ve çayı tercih ederim.") is Kind.CORRECTION


@pytest.mark.parametrize("text", [*english("then Caroline came"), *turkish("sonra Zeynep geldi")])
def test_two_names_make_a_message_about_entities(text: str) -> None:
    """One is not enough."""
    assert ENTITIES_MIN == 2
    assert category(text) is None


@NEITHER
@given(st.text(max_size=200))
def test_any_text_has_a_category_or_none(text: str) -> None:
    """Nothing is raised, and an episode is never formed."""
    assert category(text) in {*SAID, None}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *english(
            ("Selin moved to Alanya.", Kind.FACT),
            ("I'm flying to Istanbul next Tuesday.", Kind.PLAN),
            ("What are you doing next week?", None),
        ),
        *turkish(
            ("Selin Alanya'ya taşındı.", Kind.FACT),
            ("Annemler Bodrum'a yerleşti.", Kind.FACT),
            ("Haftaya salı İstanbul'a uçuyorum.", Kind.PLAN),
            ("Dosyalar klasöre taşındı.", None),
        ),
    ],
)
def test_who_moves_where_is_a_fact_and_who_will_travel_a_plan(text: str, kind: Kind | None) -> None:
    """A place has a name; what is put into a folder moves nowhere."""
    assert category(text) is kind

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.classify.categories import (
    BASES,
    CLASSES,
    ENTITIES_MIN,
    BaseConfidences,
    Classified,
    category,
    classify,
)
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


SURE = 0.45
"""A confidence no plain trigger reaches."""

ENGLISH = [
    ("Small correction: the meeting is on Tuesday", "correction"),
    ("You got my address wrong", "correction"),
    ("It's Katherine, not Catherine.", "correction"),
    ("I no longer work at the bakery anymore", "correction"),
    ("From now on answer in German", "instruction"),
    ("Always use metric units.", "instruction"),
    ("Please never mention my ex-husband", "instruction"),
    ("When I send code, please explain it line by line", "instruction"),
    ("We decided to paint the kitchen green", "decision"),
    ("I'm going with the smaller flat", "decision"),
    ("Let's use SQLite for the prototype", "decision"),
    ("My decision is final: the decision is no", "decision"),
    ("I prefer tea in the morning", "preference"),
    ("My favourite composer is Satie", "preference"),
    ("I can't stand cilantro", "preference"),
    ("I'd rather walk", "preference"),
    ("My name is Ellen", "fact"),
    ("I live in a small town", "fact"),
    ("I'm allergic to peanuts", "fact"),
    ("I have two cats and a dog", "fact"),
]
TURKISH = [
    ("Küçük bir düzeltme: toplantı salı günü", "correction"),
    ("Adresimi yanlış yazmışsın", "correction"),
    ("Cumartesi değil, pazar.", "correction"),
    ("Hayır, benim adım Selin", "correction"),
    ("Bundan sonra hep Almanca cevap ver", "instruction"),
    ("Her zaman metrik birim kullan.", "instruction"),
    ("Lütfen asla eski eşimden bahsetme", "instruction"),
    ("Kod gönderdiğimde satır satır açıkla", "instruction"),
    ("Mutfağı yeşile boyamaya karar verdik", "decision"),
    ("Küçük daire ile devam ediyoruz", "decision"),
    ("Prototip için SQLite kullanalım", "decision"),
    ("Son kararım bu", "decision"),
    ("Sabahları çayı tercih ederim", "preference"),
    ("En sevdiğim besteci Satie", "preference"),
    ("Kişnişe katlanamıyorum", "preference"),
    ("Kahve yerine çay isterim", "preference"),
    ("Adım Elif", "fact"),
    ("Küçük bir kasabada yaşıyorum", "fact"),
    ("Fıstığa alerjim var", "fact"),
    ("İki kedim var, bir de kızım", "fact"),
]
NONE_OF_THEM = [
    *english(
        "Do you prefer tea?",
        "Let's keep it up!",
        "I love it, that's so cool",
        "I finally picked up a book",
        "Not yet, but soon",
        "That is just not right",
        "The weather was lovely all week",
        "Always great to see you",
        "Never been there",
        "What is your name?",
    ),
    *turkish(
        "Çayı tercih eder misin?",
        "Böyle devam!",
        "Bayıldım, çok güzel olmuş",
        "Kitabı elime aldım",
        "Güzel değil mi",
        "Bu hiç adil olmadı",
        "Hava bütün hafta güzeldi",
        "Seni görmek her zaman güzel",
        "Oraya hiç gitmemiş",
        "Senin adın ne?",
    ),
]
PLAIN = [
    *english(
        ("I actually slept well", "correction", 0.4),
        ("People prefer cats", "preference", 0.3),
        ("They decided yesterday", "decision", 0.35),
        ("My sister and hers are here, my car is red", "fact", 0.25),
    ),
    *turkish(
        ("Aslında iyi uyudum", "correction", 0.4),
        ("İnsanlar kedileri tercih ediyor", "preference", 0.3),
        ("Dün karar verdiler", "decision", 0.35),
        ("Benim arabam kırmızı", "fact", 0.25),
    ),
]


@pytest.mark.req("D11")
@pytest.mark.parametrize(("text", "kind"), [*english(*ENGLISH), *turkish(*TURKISH)])
def test_a_clear_statement_is_of_its_class(text: str, kind: str) -> None:
    """With more than the base confidence, so that precision can be asked for."""
    found = {one.kind: one.confidence for one in classify(text)}
    assert found[kind] >= SURE


@pytest.mark.req("D11")
@pytest.mark.parametrize(("text", "kind", "base"), PLAIN)
def test_a_plain_trigger_has_the_base_confidence(text: str, kind: str, base: float) -> None:
    """The documents' numbers."""
    assert {one.kind: one.confidence for one in classify(text)}[kind] == base


@pytest.mark.parametrize("text", [*english("I don't have a car."), *turkish("Arabam yok.")])
def test_a_plain_fact_of_a_life_is_a_fact(text: str) -> None:
    """Also where no trigger of the documents is in it."""
    assert [one.kind for one in classify(text)] == ["fact"]
    assert classify(text)[0].confidence >= SURE


@BOTH
@pytest.mark.req("D11")
def test_two_entities_make_a_text_rich() -> None:
    """At .3, a little more with each further one."""
    assert classify("Anna met Tom") == (Classified("entity-rich", 0.3),)
    assert classify("Ayşe, Mehmet'le tanıştı") == (Classified("entity-rich", 0.3),)
    assert classify("Anna met Tom and Kate")[0].confidence > 0.3
    assert classify("Anna slept") == ()


@pytest.mark.parametrize("text", NONE_OF_THEM)
def test_questions_and_talk_are_no_sure_statement(text: str) -> None:
    """False alarms cost more than misses."""
    assert [one for one in classify(text) if one.confidence >= SURE] == []


@BOTH
def test_what_is_quoted_is_not_the_speakers() -> None:
    """She said "I prefer tea"."""
    assert classify('she said "I prefer tea" and left') == ()
    assert classify('bana "çayı tercih ederim" dedi') == ()


@pytest.mark.req("D11")
@pytest.mark.parametrize(
    "text",
    [
        *english("From now on use tabs, I prefer them"),
        *turkish("Ben çayı tercih ederim, bundan sonra hep çay öner"),
    ],
)
def test_the_best_comes_first_and_bases_are_arguments(text: str) -> None:
    """A recipe may have other bases."""
    assert [one.kind for one in classify(text)][:2] == ["instruction", "preference"]
    assert classify(text, BaseConfidences(preference=0.65))[0].kind == "preference"
    assert (BASES.correction, BASES.preference, BASES.decision) == (0.4, 0.3, 0.35)
    assert (BASES.entity_rich, BASES.fact) == (0.3, 0.25)


@NEITHER
@given(st.text())
def test_any_text_is_classified(text: str) -> None:
    """Nothing fails; confidences are within bounds and fall."""
    found = classify(text)
    assert all(one.kind in CLASSES and 0 < one.confidence <= 1 for one in found)
    assert [one.confidence for one in found] == sorted((one.confidence for one in found), reverse=True)

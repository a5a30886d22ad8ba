"""Future and past, English and Turkish."""

from __future__ import annotations

import pytest

from reverie.language.claims import is_future, is_past, is_past_verb
from tests.spoken import ENGLISH, english, turkish

FUTURE_ENGLISH = [
    "I will move to Oslo.",
    "I'm going to visit Rome.",
    "We plan to sell the car.",
    "They're planning on having a party.",
    "I'll call her tomorrow.",
    "She intends to quit.",
    "We're looking forward to the trip.",
    "I'm flying to Rome next week.",
    "I have a job interview on Monday.",
    "We are moving at the end of the month.",
]
FUTURE_TURKISH = [
    "Oslo'ya taşınacağım.",
    "Roma'ya gideceğiz.",
    "Arabayı satmayı planlıyoruz.",
    "Bir parti vermeyi düşünüyorlar.",
    "Yarın onu arayacağım.",
    "İstifa etmeye niyetliyim.",
    "Geziyi dört gözle bekliyoruz.",
    "Gelecek hafta Roma'ya uçuyorum.",
    "Pazartesi iş görüşmem var.",
    "Ay sonunda taşınıyoruz.",
]
NOT_FUTURE_ENGLISH = [
    "I moved to Oslo.",
    "Will you move to Oslo?",
    "If I get the job, I will move.",
    "It will rain.",
    "I was going to call.",
    "I'm going to the gym.",
    "The will is in the drawer.",
    "You will find it there.",
]
NOT_FUTURE_TURKISH = [
    "Oslo'ya taşındım.",
    "Oslo'ya taşınacak mısın?",
    "Eğer işi alırsam taşınacağım.",
    "Gelecek güzel.",
    "Arayacaktım.",
    "Spor salonuna gidiyorum.",
    "Yiyecek aldım.",
    "Yapılacak işler çok.",
]
PAST = [
    *english("I flew to Rome.", "We visited Tom.", "It was fun.", "I lent Tom my car.", "They fed Tom."),
    *turkish(
        "Roma'ya uçtum.",
        "Tom'u ziyaret ettik.",
        "Eğlenceliydi.",
        "Tom'a arabamı verdim.",
        "Tom'u beslediler.",
        "Roma'ya gitmiştim.",
    ),
]
NOT_PAST = [
    *english("I fly to Rome.", "We need Tom.", "It is red.", "I am married."),
    *turkish("Roma'ya uçuyorum.", "Tom'a ihtiyacımız var.", "O kırmızı.", "Evliyim."),
]


@pytest.mark.req("D12")
@pytest.mark.parametrize("sentence", [*english(*FUTURE_ENGLISH), *turkish(*FUTURE_TURKISH)])
def test_plans(sentence: str) -> None:
    """Will, going to, plan to; -acağım, planlıyorum."""
    assert is_future(sentence)


@pytest.mark.req("D12")
@pytest.mark.parametrize("sentence", [*english(*NOT_FUTURE_ENGLISH), *turkish(*NOT_FUTURE_TURKISH)])
def test_no_plans(sentence: str) -> None:
    """The past, questions, conditions, the weather, what was going to be, nouns that look like it."""
    assert not is_future(sentence)


@pytest.mark.parametrize("sentence", PAST)
def test_the_past(sentence: str) -> None:
    """Regular, irregular, to be."""
    assert is_past(sentence)


@pytest.mark.parametrize("sentence", NOT_PAST)
def test_not_the_past(sentence: str) -> None:
    """The present, and words that look like the past."""
    assert not is_past(sentence)


@ENGLISH
def test_a_verb_of_the_past_by_itself() -> None:
    """Irregular, regular, and "married", which is one where a sentence has its verb; "need" is none."""
    assert [is_past_verb(word) for word in ("lent", "visited", "married", "need", "red")] == [True] * 3 + [False] * 2


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        *english(("I'm engaged.", False), ("The talk is held here.", False), ("We are not divorced.", False)),
        *english(("She retired and they divorced.", True), ("I was engaged.", True), ("We moved and are happy.", True)),
        *turkish(("Nişanlıyım.", False), ("Toplantı burada yapılıyor.", False), ("Evliyiz.", False)),
        *turkish(("Nişanlandım.", True), ("Nişanlıydım.", True), ("Taşındık ve mutluyuz.", True)),
    ],
)
def test_how_somebody_is_is_no_past(sentence: str, expected: bool) -> None:
    """Neither is what is done to something now."""
    assert is_past(sentence) is expected

"""Future and past, English and Turkish."""

from __future__ import annotations

import pytest

from reverie.language.tenses import is_future, is_past

FUTURE = [
    "I will move to Oslo.",
    "I'm going to visit Rome.",
    "We plan to sell the car.",
    "They're planning on having a party.",
    "I'll call her tomorrow.",
    "She intends to quit.",
    "We're looking forward to the trip.",
    "I'm flying to Rome next week.",
    "Oslo'ya taşınacağım.",
    "Roma'ya gideceğiz.",
    "Arabayı satmayı planlıyoruz.",
    "Bir parti vermeyi düşünüyorlar.",
    "Yarın onu arayacağım.",
    "İstifa etmeye niyetliyim.",
    "Geziyi dört gözle bekliyoruz.",
    "Gelecek hafta Roma'ya uçuyorum.",
]
NOT_FUTURE = [
    "I moved to Oslo.",
    "Will you move to Oslo?",
    "If I get the job, I will move.",
    "It will rain.",
    "I was going to call.",
    "I'm going to the gym.",
    "The will is in the drawer.",
    "You will find it there.",
    "Oslo'ya taşındım.",
    "Oslo'ya taşınacak mısın?",
    "Eğer işi alırsam taşınacağım.",
    "Gelecek güzel.",
    "Arayacaktım.",
    "Spor salonuna gidiyorum.",
    "Yiyecek aldım.",
    "Yapılacak işler çok.",
]
PAST = ["I flew to Rome.", "We visited Tom.", "It was fun.", "Roma'ya uçtum.", "Tom'u ziyaret ettik.", "Eğlenceliydi."]
NOT_PAST = ["I fly to Rome.", "We need Tom.", "It is red.", "Roma'ya uçuyorum.", "Tom'a ihtiyacımız var.", "O kırmızı."]


@pytest.mark.req("D12")
@pytest.mark.parametrize("sentence", FUTURE)
def test_plans(sentence: str) -> None:
    """Will, going to, plan to; -acağım, planlıyorum."""
    assert is_future(sentence)


@pytest.mark.req("D12")
@pytest.mark.parametrize("sentence", NOT_FUTURE)
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

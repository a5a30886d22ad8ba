"""What kind of statement a text makes, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.classify.categories import BASES, CLASSES, BaseConfidences, Classified, classify
from tests.spoken import BOTH, NEITHER, english, turkish

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

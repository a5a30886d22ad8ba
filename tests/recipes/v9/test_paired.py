"""Two facts of one sentence, and what stays one."""

from __future__ import annotations

import pytest

from reverie.recipes.published.v9.facts import atomic, pair
from tests.spoken import ENGLISH, TURKISH, english, turkish

FACTS = [
    *english(
        ("I'm vegan and allergic to nuts.", ("I'm vegan.", "I'm allergic to nuts.")),
        (
            "I'm married, I live in Berlin and I have two kids.",
            ("I'm married.", "I live in Berlin.", "I have two kids."),
        ),
        ("I work at Bosch and my wife works at Bosch.", ("I work at Bosch.", "My wife works at Bosch.")),
        (
            "We use GitHub Actions for CI and Datadog for monitoring.",
            ("We use GitHub Actions for CI.", "We use Datadog for monitoring."),
        ),
        (
            "I'm allergic to peanuts and I have a doctor's appointment on Friday.",
            ("I'm allergic to peanuts.", "I have a doctor's appointment on Friday."),
        ),
        ("I don't eat pork and I don't drink alcohol.", ("I don't eat pork.", "I don't drink alcohol.")),
        ("I'm a nurse and live in Berlin.", ("I'm a nurse.", "I live in Berlin.")),
        ("My sister is vegan and allergic to nuts.", ("My sister is vegan.", "My sister is allergic to nuts.")),
        ("I live in Berlin, but I work in Potsdam.", ("I live in Berlin.", "I work in Potsdam.")),
        (
            "I'm vegan, allergic to nuts and live in Berlin.",
            ("I'm vegan.", "I'm allergic to nuts.", "I live in Berlin."),
        ),
        ("im vegan and allergic to nuts", ("im vegan", "I'm allergic to nuts")),
    ),
    *turkish(
        ("Veganım ve fındığa alerjim var.", ("Veganım.", "Fındığa alerjim var.")),
        ("Evliyim ve Getir'de çalışıyorum.", ("Evliyim.", "Getir'de çalışıyorum.")),
        ("34 yaşındayım ve hemşireyim.", ("34 yaşındayım.", "Hemşireyim.")),
        ("Domuz eti yemiyorum ve alkol içmiyorum.", ("Domuz eti yemiyorum.", "Alkol içmiyorum.")),
        (
            "Bosch'ta çalışıyorum ve karım Bosch'ta çalışıyor.",
            ("Bosch'ta çalışıyorum.", "Karım Bosch'ta çalışıyor."),
        ),
        (
            "CI için GitHub Actions ve izleme için Datadog kullanıyoruz.",
            ("CI için GitHub Actions kullanıyoruz.", "İzleme için Datadog kullanıyoruz."),
        ),
        (
            "Fıstığa alerjim var ve cuma günü doktor randevum var.",
            ("Fıstığa alerjim var.", "Cuma günü doktor randevum var."),
        ),
        (
            "Adım Ali, Bursa'da yaşıyorum, 34 yaşındayım ve hemşireyim.",
            ("Adım Ali.", "Bursa'da yaşıyorum.", "34 yaşındayım.", "Hemşireyim."),
        ),
        ("Annem hemşire ve babam doktor.", ("Annem hemşire.", "Babam doktor.")),
        ("Evliyim ama çocuğum yok.", ("Evliyim.", "Çocuğum yok.")),
    ),
]
WHOLE = [
    *english(
        "I like bread and butter.",
        "My wife and I live in Berlin.",
        "I live between Berlin and Hamburg.",
        "I live in Berlin and Paris.",
        "I live in Berlin, Germany.",
        "I'm from Oslo, Norway.",
        "I'm allergic to nuts and eggs.",
        "My dog is black and white.",
        "I bought and sold a house.",
        "I love the sound and love theme.",
        "I want to live in Berlin and work at Bosch.",
        "If I'm vegan and I live in Berlin, tell me.",
        "I think I'm allergic to nuts and I have asthma.",
        "I don't like Rome and my wife hates Rome.",
        "I used to smoke but I quit smoking.",
        "I have a cat named Tom and a dog named Rex.",
        "I live in Berlin with my wife and two kids.",
        "Tom is a nurse, and he's vegan.",
        "I'm planning to visit Oslo, which is my favorite city.",
        "I'm diabetic, my wife isn't.",
        "I have a cat, my sister has two.",
        "My brother lives in Rome and his wife works at Fiat.",
        "It seems I'm allergic to nuts and I'm lactose intolerant.",
        "On stage I'm a widow and I have three sons.",
    ),
    *turkish(
        "Ekmek ve peynir severim.",
        "Eşim ve ben Berlin'de yaşıyoruz.",
        "Annem ve babam doktor.",
        "Annem Bursa'da ve babam İzmir'de yaşıyor.",
        "Bosch'ta ve Siemens'te çalışıyorum.",
        "Fındığa ve yumurtaya alerjim var.",
        "Öğretmenim ve annem İzmir'de yaşıyor.",
        "Adım ve soyadım aynı.",
        "Kedim ve köpeğim var.",
        "Kahveyi seviyorum ve içiyorum.",
        "Yemiyorum ve içmiyorum.",
        "Sigara ve alkol kullanmıyorum.",
        "Vegansam ve Berlin'de yaşıyorsam söyle.",
        "Sanırım veganım ve fındığa alerjim var.",
        "Doktorum ve öğretmenim Ankara'da yaşıyor.",
        "Telefonum ve adresim değişti.",
        "Eskiden sigara içiyordum ama sigarayı bıraktım.",
        "Eve gittim ve uyudum.",
        "Çay ve kahve severim.",
        "Ben et yemiyorum, kocam yiyor.",
        "Bosch'ta çalışıyorum, orayı seviyorum.",
        "Selin Bosch'ta çalışıyor, Mert orada çalışmıyor.",
        "2010'da Roma'da yaşıyordum ve Fiat'ta çalışıyordum.",
        "Sahnede dulum ve üç oğlum var.",
    ),
]


@pytest.mark.req("D12")
@pytest.mark.parametrize(("text", "facts"), FACTS)
def test_two_facts_of_one_sentence_stand_by_themselves(text: str, facts: tuple[str, ...]) -> None:
    """Each with the subject they share, so that one can change without the other."""
    assert atomic(text) == facts


@pytest.mark.req("D12")
@pytest.mark.parametrize("text", WHOLE)
def test_what_is_no_fact_by_itself_is_not_cut_off(text: str) -> None:
    """Phrases, names, shared verbs and objects, conditions, doubts, and what would point back."""
    assert atomic(text) == (text,)


@ENGLISH
def test_two_plans_may_share_their_day() -> None:
    """Cut, the first would have none."""
    assert pair("I'm going to pack", "I'm going to fly to Rome on Friday", "en", comma=False) is None


@TURKISH
def test_nothing_has_no_halves() -> None:
    """A sentence may begin or end with its connective."""
    assert pair("", "veganım", "tr", comma=False) is None
    assert pair("Veganım", "", "tr", comma=True) is None

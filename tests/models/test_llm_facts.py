from __future__ import annotations

import pytest

from reverie.models.llm_grounding import coverage, inventions, losses, lost_negations
from tests.spoken import TURKISH, english, neither, turkish

# old, new, a merge that says both
KEPT_ENGLISH = [
    ("Ada likes tea.", "Ada prefers green tea.", "Ada likes tea, preferably green tea."),
    ("Ada has two cats.", "Ada's cats are called Mia and Leo.", "Ada has 2 cats, called Mia and Leo."),
    (
        "The API is at version 2.3.1.",
        "The API moved to version 2.4.0 on 3 May.",
        "The API moved from version 2.3.1 to version 2.4.0 on 3 May.",
    ),
    ("Ben does not eat meat.", "Ben eats fish on Fridays.", "Ben does not eat meat, but eats fish on Fridays."),
    (
        "Ada lives in Ankara.",
        "Ada lives in İzmir since 2021.",
        "Ada lives in İzmir since 2021; before, she lived in Ankara.",
    ),
    ("Deploy never on Friday.", "Deploy after 18:00.", "Never deploy on Friday; deploy after 18:00."),
    ("The budget is 1,200 euros.", "The budget covers travel.", "The budget is 1200 euros and covers travel."),
]
KEPT_TURKISH = [
    ("Ada çayı sever.", "Ada yeşil çayı tercih eder.", "Ada çayı sever, yeşil çayı tercih eder."),
    ("Ada'nın iki kedisi var.", "Kedilerinin adı Mia ve Leo.", "Ada'nın 2 kedisi var, adı Mia ve Leo."),
    (
        "API sürümü 2.3.1.",
        "API 3 Mayıs'ta 2.4.0 sürümüne geçti.",
        "API 3 Mayıs'ta 2.3.1 sürümünden 2.4.0 sürümüne geçti.",
    ),
    ("Ben et yemez.", "Ben cuma günü balık yer.", "Ben et yemez ama cuma günü balık yer."),
    (
        "Ada Ankara'da yaşıyor.",
        "Ada 2021'den beri İzmir'de yaşıyor.",
        "Ada 2021'den beri İzmir'de yaşıyor, önce Ankara'da yaşıyordu.",
    ),
    (
        "Cuma günü asla yayın yapma.",
        "Yayın saat 18:00'den sonra.",
        "Cuma günü asla yayın yapma, yayın saat 18:00'den sonra.",
    ),
    ("Yıllık bütçe 1.200 avro.", "Bütçe seyahati de kapsar.", "Yıllık bütçe 1200 avro, seyahati de kapsar."),
]
# old, new, a merge that lost something, what
LOST_ENGLISH = [
    ("Ada likes tea.", "Ada moved to Berlin in 2021.", "Ada likes tea and moved to Berlin.", "numbers"),
    ("Ada has two cats.", "Ada likes tea.", "Ada has cats and likes tea.", "numbers"),
    ("The server runs 2.3.1.", "The server is slow.", "The slow server runs 2.3.", "numbers"),
    ("Today Ada met Grace in Oslo.", "Ada likes tea.", "Ada met Grace and likes tea today.", "names"),
    ("Ben does not eat meat.", "Ben eats fish.", "Ben eats meat and fish.", "negations"),
    ("Never deploy on Friday.", "Deploy by script.", "Deploy on Friday by script.", "negations"),
    (
        "Ada drinks coffee without sugar.",
        "Ada drinks coffee daily.",
        "Ada drinks coffee with sugar daily.",
        "negations",
    ),
    ("Ada is allergic to walnuts, peanuts and shellfish.", "Ada likes tea.", "Ada likes tea.", "too much"),
    (
        "Ada is allergic to walnuts, peanuts and shellfish.",
        "Ada likes tea.",
        "Ada is allergic to walnuts and likes tea.",
        "much",
    ),
    (
        "I am allergic to nuts, shrimp and figs.",
        "I carry a pen.",
        "Allergic to nuts and shrimp, I carry a pen.",
        "much",
    ),
    ("My left knee hurts.", "My knee hurts when I run.", "My right knee hurts when I run.", "much"),
    ("I decided not to quit smoking.", "Smoking is costly.", "I decided to quit costly smoking.", "negations"),
]
LOST_TURKISH = [
    ("Ada çayı sever.", "Ada 2021'de Berlin'e taşındı.", "Ada çayı sever, Berlin'e taşındı.", "numbers"),
    ("Ada'nın iki kedisi var.", "Ada çayı sever.", "Ada'nın kedisi var, çayı sever.", "numbers"),
    ("Sunucuda 2.3.1 çalışıyor.", "Sunucu yavaş.", "Yavaş sunucuda 2.3 çalışıyor.", "numbers"),
    ("Bugün Ada, Oslo'da Defne ile buluştu.", "Ada çayı sever.", "Ada bugün Defne ile buluştu, çayı sever.", "names"),
    ("Ben et yemiyor.", "Ben balık yer.", "Ben et ve balık yer.", "negations"),
    ("Cuma günü asla yayın yapma.", "Yayın betikle.", "Cuma günü betikle yayın yap.", "negations"),
    ("Ada kahveyi şekersiz içer.", "Ada her gün kahve içer.", "Ada her gün şekerli kahve içer.", "negations"),
    ("Ada'nın cevize, fıstığa ve karidese alerjisi var.", "Ada çayı sever.", "Ada çayı sever.", "too much"),
    (
        "Ada'nın cevize, fıstığa ve karidese alerjisi var.",
        "Ada çayı sever.",
        "Ada'nın alerjisi var, çayı sever.",
        "much",
    ),
    (
        "Fıstığa, karidese ve çileğe alerjim var.",
        "Kalem taşırım.",
        "Fıstığa, karidese alerjim var, kalem taşırım.",
        "much",
    ),
    ("Benim sol dizim ağrıyor.", "Dizim koşunca ağrıyor.", "Benim sağ dizim koşunca ağrıyor.", "much"),
    ("Sigarayı bırakmamaya karar verdim.", "Sigara pahalı.", "Sigara pahalı, bırakmaya karar verdim.", "negations"),
]


@pytest.mark.req("D28")
@pytest.mark.parametrize(("old", "new", "merged"), [*english(*KEPT_ENGLISH), *turkish(*KEPT_TURKISH)])
def test_a_merge_that_says_both_is_kept(old: str, new: str, merged: str) -> None:
    """Other order, digits for number words, another case ending: nothing is lost and nothing invented."""
    assert losses((old, new), merged) == ""
    assert inventions((old, new), merged) == ""


@pytest.mark.req("D28")
@pytest.mark.parametrize(("old", "new", "merged", "what"), [*english(*LOST_ENGLISH), *turkish(*LOST_TURKISH)])
def test_a_merge_that_lost_a_fact_is_told(old: str, new: str, merged: str, what: str) -> None:
    """A number, a name, a negation, or simply most of what was said."""
    assert what in losses((old, new), merged)


@pytest.mark.parametrize(
    ("source", "text", "what"),
    [
        *english(
            ("Ada has a cat.", "Ada has 3 cats.", "numbers"),
            ("Ada likes tea.", "Ada likes tea from Zanzibar.", "names"),
            ("Ada likes tea.", "Ada does not like tea.", "negations"),
        ),
        *turkish(
            ("Ada'nın kedisi var.", "Ada'nın 3 kedisi var.", "numbers"),
            ("Ada çayı sever.", "Ada çayı Rize'den alır.", "names"),
            ("Ada çayı sever.", "Ada çayı sevmez.", "negations"),
        ),
    ],
)
def test_what_no_source_says_is_told(source: str, text: str, what: str) -> None:
    """A model that adds is no better than one that drops."""
    assert what in inventions([source], text)


@pytest.mark.parametrize(
    ("old", "new", "merged"),
    [
        *english(("Ada met Grace in Oslo on 12 May.", "Ben never came.", "Nothing much.")),
        *turkish(("Selin, Defne ile 12 Mayıs'ta Oslo'da buluştu.", "Kaan gelmedi.", "Aslında pek bir şey olmadı.")),
    ],
)
def test_the_complaint_holds_counts_alone(old: str, new: str, merged: str) -> None:
    """It goes back to the model and into the log: no word of the texts is in it."""
    assert losses((old, new), merged) == "It lacks 1 of the numbers, 4 of the names, 1 of the negations."


@TURKISH
@pytest.mark.parametrize(
    ("negated", "plain"),
    [
        ("gitmedi", "gitti"),
        ("sevmiyor", "seviyor"),
        ("yapmayacağım", "yapacağım"),
        ("gelmez", "gelir"),
        ("almamalı", "almalı"),
        ("bakmadan", "bakıp"),
        ("sevmeyen", "seven"),
        ("şekersiz", "şekerli"),
        ("gitmemiş", "gitmiş"),
        ("evde değil", "evde"),
        ("gitmemeyi sever", "gitmeyi sever"),
        ("gitmeyince aradı", "gidince aradı"),
    ],
)
def test_turkish_verbs_carry_their_negation(negated: str, plain: str) -> None:
    """Twelve endings, each lost when the verb is turned around; words that only look so are none."""
    assert lost_negations(f"Ada okula {negated}.", f"Ada okula {plain}.") != ""
    assert lost_negations(f"Ada okula {negated}.", f"Ada okula {negated}.") == ""


@TURKISH
@pytest.mark.parametrize(
    "word", ["namaz", "deniz", "temiz", "Fransız", "hırsız", "madden", "kadın", "tırmandı", "yalnız", "temmuz"]
)
def test_words_that_only_look_negated(word: str) -> None:
    """They may go without a fact being turned around."""
    assert lost_negations(f"Bugün {word} üzerine konuştuk.", "Bugün konuştuk.") == ""


@pytest.mark.parametrize(
    "word", english("not", "never", "don't", "cannot", "without", "unless", "neither", "no", "won’t", "isn't")
)
def test_english_negations(word: str) -> None:
    """Ten words, with either apostrophe."""
    assert lost_negations(f"They {word} drink coffee.", "They drink coffee.") != ""


@pytest.mark.parametrize(
    ("source", "text", "language"),
    [
        *english(("Ada likes tea", "Ada likes coffee", "en")),
        *turkish(("Ada çayı sever", "Ada kahveyi sever", "tr")),
    ],
)
def test_coverage_is_a_share(source: str, text: str, language: str) -> None:
    """Two of three content stems; a text without any is covered by anything."""
    assert coverage(source, text, language) == pytest.approx(2 / 3)
    assert coverage("", "x", language) == 1.0


@pytest.mark.parametrize("odd", neither("", "\x00", "\ud83d\ude00"[:1], "שלום", "1" * 5000, "😀" * 50))
def test_odd_texts_do_no_harm(odd: str) -> None:
    """A text merged with itself lost nothing."""
    assert losses((odd, odd), odd) == ""
    assert inventions((odd,), odd) == ""

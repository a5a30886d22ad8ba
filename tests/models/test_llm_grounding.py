from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reverie.models.llm_grounding import Ground, coverage, inventions, losses, lost_negations, turned, unborne, until_of
from reverie.ports import Said
from tests.spoken import NEITHER, TURKISH, english, neither, turkish

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)
"""A Monday."""
COUSIN, KUZEN = "My cousin Elif works at Google in Berlin.", "Kuzenim Elif Berlin'de Google'da çalışıyor."
MOVED = "I don't live in Paris, I moved to Rome yesterday with 3 cats."
TAŞINDI = "Paris'te yaşamıyorum, dün 3 kediyle Roma'ya taşındım."
TWO, İKİ = "I work at Google and my sister Elif studies law.", "Google'da çalışıyorum, kız kardeşim Elif hukuk okuyor."


def ground(message: str, *before: str) -> Ground:
    """A message of Ada's."""
    return Ground(Said(message, AT, (message,), "Ada", before))


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("message", "fact"),
    [
        *english(
            (COUSIN, "Elif works at Google in Berlin."),
            (COUSIN, "Ada's cousin Elif works at Google in Berlin."),
            (MOVED, "Ada does not live in Paris."),
            (MOVED, "Ada moved to Rome on 2026-05-03."),
            (MOVED, "User moved to Rome on 3 May 2026 with three cats."),
            (TWO, "My sister Elif studies law."),
            ("I bought a house in Ankara.", "The user bought a house in Ankara."),
        ),
        *turkish(
            (KUZEN, "Elif Berlin'de Google'da çalışıyor."),
            (KUZEN, "Ada'nın kuzeni Elif Berlin'de Google'da çalışıyor."),
            (TAŞINDI, "Ada Paris'te yaşamıyor."),
            (TAŞINDI, "Ada 2026-05-03'te Roma'ya taşındı."),
            (TAŞINDI, "Kullanıcı 3 Mayıs 2026'da üç kediyle Roma'ya taşındı."),
            (İKİ, "Kız kardeşim Elif hukuk okuyor."),
            ("Ankara'da ev aldım.", "Kullanıcı Ankara'da ev aldı."),
        ),
    ],
)
def test_what_the_message_says_is_borne(message: str, fact: str) -> None:
    """In the third person, with digits for words and the dates of its days."""
    assert unborne(fact, ground(message)) == ""


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("message", "fact", "why"),
    [
        *english(
            (COUSIN, "I live in Moscow and my salary is 5000000 dollars.", "names 'Moscow'"),
            (COUSIN, "Elif earns 5000 dollars at Google.", "the number '5000'"),
            (COUSIN, "Elif hates Google in Berlin.", "says what the message does not"),
            (COUSIN, "Elif does not work at Google.", "turns a denial around"),
            (COUSIN, "I work at Google in Berlin.", "somebody else"),
            (COUSIN, "Ada works at Google in Berlin.", "somebody else"),
            (MOVED, "I live in Paris.", "turns a denial around"),
            (MOVED, "Ada moved to Rome on 2026-05-01.", "the number '1'"),
            (TWO, "Elif works at Google.", "somebody else"),
            (TWO, "Ada studies law.", "somebody else"),
            ("If I lived in Paris I would be happy.", "I live in Paris.", "only supposed"),
            ("I like tea.", " ", "no single fact"),
        ),
        *turkish(
            (KUZEN, "Moskova'da yaşıyorum, maaşım 5000000 dolar.", "names 'Moskova'"),
            (KUZEN, "Elif Google'da 5000 lira kazanıyor.", "the number '5000'"),
            (KUZEN, "Elif Berlin'den nefret ediyor.", "says what the message does not"),
            (KUZEN, "Elif Google'da çalışmıyor.", "turns a denial around"),
            (KUZEN, "Berlin'de Google'da çalışıyorum.", "somebody else"),
            (KUZEN, "Ada Berlin'de Google'da çalışıyor.", "somebody else"),
            ("Et yemem, balık yerim.", "Ada et yer.", "turns a denial around"),
            (TAŞINDI, "Ada 2026-05-01'de Roma'ya taşındı.", "the number '1'"),
            (İKİ, "Elif Google'da çalışıyor.", "somebody else"),
            (İKİ, "Ada hukuk okuyor.", "somebody else"),
            ("Belki Elif evlendi.", "Elif evlendi.", "only supposed"),
            ("Çay severim.", " ", "no single fact"),
        ),
    ],
)
def test_what_it_does_not_say_is_refused(message: str, fact: str, why: str) -> None:
    """A name, a number, a denial, a person, a word of its own, or a wish taken for a fact; the reason says which."""
    found = unborne(fact, ground(message))
    assert found
    assert why in found


@pytest.mark.parametrize(
    ("message", "before", "fact", "borne"),
    [
        *english(
            ("I like it.", "Bot: Do you like tea?", "Ada likes tea.", True),
            ("I like it.", "Bot: Do you like tea?", "Ada likes coffee.", False),
            ("Thanks a lot!", "Ada: I live in Paris.", "Ada lives in Paris.", False),
        ),
        *turkish(
            ("Onu severim.", "Bot: Çay sever misin?", "Ada çay sever.", True),
            ("Onu severim.", "Bot: Çay sever misin?", "Ada kahve sever.", False),
            ("Çok teşekkürler!", "Ada: Paris'te yaşıyorum.", "Ada Paris'te yaşıyor.", False),
        ),
    ],
)
def test_what_came_before_explains_but_is_not_said_again(message: str, before: str, fact: str, borne: bool) -> None:
    """A word may come from it; a fact that was said then is not one of this message."""
    assert (unborne(fact, ground(message, before)) == "") is borne


@pytest.mark.req("D12", "D17")
@pytest.mark.parametrize(
    ("message", "fact"),
    [
        *english(("I will fly to Oslo tomorrow.", "Ada will fly to Oslo tomorrow.")),
        *turkish(("Yarın Oslo'ya uçacağım.", "Ada yarın Oslo'ya uçacak.")),
    ],
)
def test_a_plan_ends_with_a_day_that_the_message_names(message: str, fact: str) -> None:
    """No other day is believed, and no day that is over."""
    named, other = datetime(2026, 5, 6, tzinfo=UTC), datetime(2026, 5, 9, tzinfo=UTC)
    assert until_of(fact, ((fact, other), (fact, named)), ground(message)) == named
    assert until_of(fact, ((fact, other),), ground(message)) is None


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


@pytest.mark.req("D28")
@pytest.mark.parametrize(
    ("old", "new", "merged", "what"),
    [
        *english(
            ("I used to live in Paris.", "I live near a park.", "I live in Paris near a park.", "what was"),
            ("I live in Paris.", "I have a cat in Paris.", "I lived in Paris and had a cat.", "what was"),
            ("I might move to Oslo.", "I like Oslo.", "I move to Oslo and like it.", "planned"),
            ("I want to learn Japanese.", "I live in Tokyo.", "I learn Japanese and live in Tokyo.", "planned"),
            (
                "I switched from tea to coffee.",
                "I like coffee.",
                "I switched from coffee to tea, like coffee.",
                "stands",
            ),
            ("Take it before meals.", "Take it with water.", "Take it with water after meals.", "stands"),
            (
                "Mert works at Getir.",
                "Elif works at Insider.",
                "Mert works at Insider, Elif works at Getir.",
                "another",
            ),
            (
                "My sister likes tea.",
                "My brother likes figs.",
                "My sister likes figs, my brother likes tea.",
                "another",
            ),
            ("I avoid eggs.", "I eat at noon.", "I eat eggs at noon.", "denial"),
        ),
        *turkish(
            ("Eskiden Paris'te yaşıyordum.", "Parkta yürürüm.", "Paris'te yaşıyorum, parkta yürürüm.", "what was"),
            ("Paris'te yaşıyorum.", "Kedim var.", "Paris'te yaşıyordum, kedim vardı.", "what was"),
            ("Belki Oslo'ya taşınırım.", "Oslo'yu severim.", "Oslo'ya taşınırım, Oslo'yu severim.", "planned"),
            ("Japonca öğrenmek isterim.", "Tokyo'dayım.", "Tokyo'dayım, Japonca öğrenirim.", "planned"),
            ("Çaydan kahveye geçtim.", "Kahve severim.", "Kahveden çaya geçtim, kahve severim.", "stands"),
            ("Yemekten önce al.", "Su ile al.", "Su ile yemekten sonra al.", "stands"),
            ("Mert Getir'de çalışıyor.", "Elif Insider'da.", "Mert Insider'da çalışıyor, Elif Getir'de.", "another"),
            ("Ablam çay sever.", "Abim incir sever.", "Ablam incir sever, abim çay sever.", "another"),
            ("Bana e-posta gönderme.", "Bana mesaj at.", "Bana e-posta gönder, mesaj at.", "denial"),
        ),
    ],
)
def test_a_merge_that_turns_something_round_is_told(old: str, new: str, merged: str, what: str) -> None:
    """Time, mood, order, and whose it is."""
    assert what in turned((old, new), merged)
    assert losses((old, new), merged)


@pytest.mark.req("D28")
@pytest.mark.parametrize(
    ("old", "new", "merged"),
    [
        *english(
            ("I used to live in Paris.", "I live in Oslo.", "I used to live in Paris, and now live in Oslo."),
            ("I might move to Oslo.", "I like Oslo.", "I like Oslo and might move there."),
            ("I will visit Rome in June.", "I love Rome.", "I love Rome and will visit it in June."),
            ("I switched from tea to coffee.", "I drink coffee.", "I switched from tea to coffee and drink it."),
            ("Mert works at Getir.", "Elif works at Insider.", "Mert works at Getir and Elif works at Insider."),
            ("My sister likes tea.", "My brother likes figs.", "My sister likes tea and my brother likes figs."),
            ("The team uses Postgres.", "The team backs up Postgres.", "The team uses Postgres and backs it up."),
            ("My sister lives in Oslo.", "My sister has a cat.", "My sister lives in Oslo and has a cat."),
        ),
        *turkish(
            ("Eskiden Paris'te yaşardım.", "Oslo'da yaşıyorum.", "Eskiden Paris'te yaşardım, Oslo'da yaşıyorum."),
            ("Belki Oslo'ya taşınırım.", "Oslo'yu severim.", "Oslo'yu severim, belki oraya taşınırım."),
            ("Haziranda Roma'ya gideceğim.", "Roma'yı severim.", "Roma'yı severim, haziranda oraya gideceğim."),
            ("Çaydan kahveye geçtim.", "Kahve içiyorum.", "Çaydan kahveye geçtim, kahve içiyorum."),
            ("Mert Getir'de çalışıyor.", "Elif Insider'da.", "Mert Getir'de çalışıyor, Elif Insider'da."),
            ("Ablam çay sever.", "Abim incir sever.", "Ablam çay, abim incir sever."),
            ("Ekip Postgres kullanıyor.", "Ekip Postgres'i yedekliyor.", "Ekip Postgres kullanıyor ve yedekliyor."),
            ("Ablam Oslo'da yaşıyor.", "Ablamın kedisi var.", "Ablam Oslo'da yaşıyor, bir kedisi var."),
        ),
    ],
)
def test_a_merge_that_leaves_all_as_it_stands_is_kept(old: str, new: str, merged: str) -> None:
    """Clauses side by side, in either order, and a pronoun for what was named."""
    assert losses((old, new), merged) == ""


@NEITHER
@pytest.mark.parametrize("odd", ["", "\x00", "שלום", "1" * 5000, "😀" * 50])
def test_odd_texts_turn_nothing(odd: str) -> None:
    """A text that is its own source says what it says."""
    assert turned((odd, odd), odd) == ""

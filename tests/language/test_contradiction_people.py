"""Of whom a statement speaks."""

from __future__ import annotations

import pytest

from reverie.language.contradiction import contradicts
from reverie.language.contradiction_people import called, is_one_of_several, is_relation, is_same_owner, people
from reverie.language.contradiction_words import tokens
from reverie.language.letters import plain
from tests.spoken import BOTH, english, turkish


@pytest.mark.parametrize(
    ("text", "language", "who"),
    [
        *english(
            ("my sister called", "en", {"sister"}),
            ("my older sister called", "en", {"older sister"}),
            ("my new boss called", "en", {"new boss"}),
            ("my cousin in Oslo called", "en", {"oslo cousin"}),
            ("the neighbour upstairs called", "en", {"upstair neighbour"}),
            ("now he called them", "en", {"he", "they"}),
            ("my mother in law called", "en", {"law mother"}),
        ),
        *turkish(
            ("ablam aradı", "tr", {"abla"}),
            ("küçük kızım aradı", "tr", {"kucuk kiz"}),
            ("yeni patronum aradı", "tr", {"yeni patron"}),
            ("Oslo'daki kuzenim aradı", "tr", {"oslo kuzen"}),
            ("üst kattaki komşum aradı", "tr", {"kat ust komsu"}),
            ("şimdi o onları aradı", "tr", {"o"}),
            ("son tarih yarın", "tr", set()),
        ),
    ],
)
def test_who_is_told_by_all_that_describes_them(text: str, language: str, who: set[str]) -> None:
    """A relation with its adjectives; a pronoun by itself."""
    assert people(tokens(text, language), language) == who


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *english(
            ("My older sister lives in Izmir.", "My younger sister lives in Ankara."),
            ("My big brother works at Google.", "My little brother works at Meta."),
            ("My maternal grandmother lives in Izmir.", "My paternal grandmother lives in Ankara."),
            ("My boss lives in Paris.", "My former boss lives in Rome."),
            ("My wife works at Google.", "My ex-wife works at Meta."),
            ("My new boss lives in Paris.", "My old boss lives in Rome."),
            ("My neighbour lives in Paris.", "The neighbour upstairs lives in Rome."),
            ("My brother's boss lives in Paris.", "My boss lives in Rome."),
            ("My older sister's favourite colour is green.", "My younger sister's favourite colour is red."),
            ("My older sister is single.", "My younger sister is married."),
            ("My uncle on my mother's side lives in Rome.", "My uncle on my father's side lives in Berlin."),
        ),
        *turkish(
            ("Ablam İzmir'de yaşıyor.", "Kız kardeşim Ankara'da yaşıyor."),
            ("Büyük kızım Google'da çalışıyor.", "Küçük kızım Meta'da çalışıyor."),
            ("Anneannem İzmir'de yaşıyor.", "Babaannem Ankara'da yaşıyor."),
            ("Patronum Paris'te yaşıyor.", "Eski patronum Roma'da yaşıyor."),
            ("Eski eşim Google'da çalışıyor.", "Eşim Meta'da çalışıyor."),
            ("Yeni patronum Paris'te yaşıyor.", "Eski patronum Roma'da yaşıyor."),
            ("Komşum Paris'te yaşıyor.", "Üst kattaki komşum Roma'da yaşıyor."),
            ("Abimin patronu Paris'te yaşıyor.", "Patronum Roma'da yaşıyor."),
            ("Büyük ablamın en sevdiği renk yeşil.", "Küçük ablamın en sevdiği renk kırmızı."),
            ("Büyük ablam bekar.", "Küçük ablam evli."),
            ("Büyük ablamın doğum günü 4 Mayıs.", "Küçük ablamın doğum günü 14 Mayıs."),
        ),
    ],
)
def test_what_is_said_of_one_takes_nothing_back_of_another(one: str, other: str) -> None:
    """Two people told apart by a word only, in either order."""
    assert contradicts(one, other) is None
    assert contradicts(other, one) is None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("My older sister lives in Izmir.", "My older sister lives in Ankara now."),
            ("My sister still lives in Izmir.", "Actually, my sister currently lives in Ankara."),
            ("My friend Elif lives in Izmir.", "My friend Elif just moved to Ankara."),
            ("My current boss works at Google.", "My current boss now works at Meta."),
        ),
        *turkish(
            ("Büyük kızım İzmir'de yaşıyor.", "Büyük kızım artık Ankara'da yaşıyor."),
            ("Ablam hâlâ İzmir'de yaşıyor.", "Aslında ablam şimdi Ankara'da yaşıyor."),
            ("Arkadaşım Elif İzmir'de yaşıyor.", "Arkadaşım Elif Ankara'ya taşındı."),
            ("Şimdiki patronum Google'da çalışıyor.", "Şimdiki patronum artık Meta'da çalışıyor."),
        ),
    ],
)
def test_another_value_of_the_same_person_is_found(earlier: str, later: str) -> None:
    """With the same description; still, now and actually describe nobody."""
    assert contradicts(earlier, later) is not None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("My cousin lives in Berlin.", "My cousin lives in London."),
            ("My uncle works at Google.", "My uncle works at Meta."),
            ("My client's budget is $5000.", "My client's budget is $9000."),
            ("A friend of mine lives in Berlin.", "A friend of mine lives in London now."),
            ("One of my cats is 3 years old.", "One of my cats is 5 years old."),
            ("My friend eats meat.", "My friend doesn't eat meat."),
            ("My friend is a vegan.", "My friend is a vegetarian."),
            ("My cousin has 2 kids.", "My cousin has 3 kids."),
            ("My cousin lives in Berlin.", "I moved to Izmir. My cousin lives in Rome."),
            ("My friend Elif lives in Berlin.", "My friend lives in London."),
        ),
        *turkish(
            ("Kuzenim Berlin'de yaşıyor.", "Kuzenim Londra'da yaşıyor."),
            ("Amcam Google'da çalışıyor.", "Amcam Meta'da çalışıyor."),
            ("Bir müşterimin bütçesi 5000 dolar.", "Bir müşterimin bütçesi 9000 dolar."),
            ("Bir arkadaşım Berlin'de yaşıyor.", "Bir arkadaşım artık Londra'da yaşıyor."),
            ("Bir kedim 3 yaşında.", "Bir kedim 5 yaşında."),
            ("Arkadaşım et yiyor.", "Arkadaşım et yemiyor."),
            ("Arkadaşım vegan.", "Arkadaşım vejetaryen."),
            ("Kuzenimin 2 çocuğu var.", "Kuzenimin 3 çocuğu var."),
            ("Kuzenim Berlin'de yaşıyor.", "İzmir'e taşındım. Kuzenim Roma'da yaşıyor."),
            ("Arkadaşım Elif Berlin'de yaşıyor.", "Arkadaşım Londra'da yaşıyor."),
        ),
    ],
)
def test_of_whom_one_has_several_two_may_be_meant(earlier: str, later: str) -> None:
    """A cousin, a client, a friend without a name; one of several at any time."""
    assert contradicts(earlier, later) is None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("My cousin lives in Berlin.", "My cousin lives in London now."),
            ("My uncle works at Google.", "Correction: my uncle works at Meta."),
            ("My friend Elif lives in Berlin.", "My friend Elif lives in London."),
            ("My best friend lives in Berlin.", "My best friend lives in London."),
        ),
        *turkish(
            ("Kuzenim Berlin'de yaşıyor.", "Kuzenim Londra'ya taşındı."),
            ("Amcam Google'da çalışıyor.", "Düzeltme: amcam Meta'da çalışıyor."),
            ("Arkadaşım Elif Berlin'de yaşıyor.", "Arkadaşım Elif Londra'da yaşıyor."),
            ("En iyi arkadaşım Berlin'de yaşıyor.", "En iyi arkadaşım Londra'da yaşıyor."),
        ),
    ],
)
def test_a_change_or_a_name_tells_that_one_of_several_is_the_same(earlier: str, later: str) -> None:
    """So does the best of them."""
    assert contradicts(earlier, later) is not None


@pytest.mark.parametrize(
    ("earlier", "later", "same"),
    [
        *english(
            ("My husband Mert works at Getir.", "No, Mert doesn't work at Getir, he works at Insider.", True),
            ("My husband Mert works at Getir.", "Mert works at Insider.", True),
            ("My husband Mert works at Getir.", "My husband works at Insider.", True),
            ("My husband Mert works at Getir.", "My colleague Mert works at Insider.", False),
            ("My husband Mert works at Getir.", "Mert's brother works at Insider.", False),
            ("My sister Elif lives in Berlin.", "My sister lives in London.", False),
            ("My sister Elif lives in Berlin.", "My sister lives in London now.", True),
            ("My sister Elif lives in Berlin.", "Elif lives in London now.", True),
            ("My older sister Elif lives in Berlin.", "Elif lives in London now.", True),
            ("My sister Elif works at Google.", "My sister works at Meta now.", True),
            ("My sister Elif lives in Berlin.", "My other sister lives in London now.", False),
            ("My sister Elif lives in Berlin.", "My sister Ada lives in London now.", False),
            ("My older sister lives in Berlin.", "My sister lives in London now.", False),
            ("My cousin Elif lives in Berlin.", "My cousin lives in London now.", False),
            ("Elif's brother lives in Berlin.", "Elif lives in London now.", False),
            ("My husband Mert works at Getir.", "I don't work at Getir.", False),
        ),
        *turkish(
            ("Eşim Mert Getir'de çalışıyor.", "Hayır, Mert Getir'de çalışmıyor, Insider'da çalışıyor.", True),
            ("Eşim Mert Getir'de çalışıyor.", "Mert Insider'da çalışıyor.", True),
            ("Eşim Mert Getir'de çalışıyor.", "Eşim Insider'da çalışıyor.", True),
            ("Eşim Mert Getir'de çalışıyor.", "Arkadaşım Mert Insider'da çalışıyor.", False),
            ("Eşim Mert Getir'de çalışıyor.", "Mert'in kardeşi Insider'da çalışıyor.", False),
            ("Ablam Elif Berlin'de yaşıyor.", "Ablam Londra'da yaşıyor.", False),
            ("Kız kardeşim Selin İzmir'de oturuyor.", "Kız kardeşim artık Bursa'da oturuyor.", True),
            ("Kız kardeşim Selin İzmir'de oturuyor.", "Selin artık Bursa'da oturuyor.", True),
            ("Kız kardeşim Selin İzmir'de oturuyor.", "Aslında Selin artık Bursa'da oturuyor, İzmir'de değil.", True),
            ("Ablam Elif Google'da çalışıyor.", "Ablam artık Meta'da çalışıyor.", True),
            ("Kız kardeşim Selin İzmir'de oturuyor.", "Diğer kız kardeşim artık Bursa'da oturuyor.", False),
            ("Kız kardeşim Selin İzmir'de oturuyor.", "Kız kardeşim Ada artık Bursa'da oturuyor.", False),
            ("Küçük ablam Berlin'de yaşıyor.", "Ablam artık Londra'da yaşıyor.", False),
            ("Kuzenim Selin İzmir'de oturuyor.", "Kuzenim artık Bursa'da oturuyor.", False),
            ("Selin'in kardeşi İzmir'de oturuyor.", "Selin artık Bursa'da oturuyor.", False),
            ("Eşim Mert Getir'de çalışıyor.", "Getir'de çalışmıyorum.", False),
        ),
    ],
)
def test_who_was_named_once_is_known_by_the_name(earlier: str, later: str, *, same: bool) -> None:
    """And a husband without it; of sisters there may be two, unless the later says that it changed."""
    assert (contradicts(earlier, later) is not None) == same


@BOTH
def test_names_relations_and_owners() -> None:
    """A name right behind a relation, a relation and no pronoun, the same owner, one of several."""
    assert called(tokens("my husband Mert called", "en"), "en") == called(tokens("eşim Mert aradı", "tr"), "tr")
    assert [is_relation(token, "tr") for token in tokens("o eşim", "tr")] == [False, True]
    assert is_same_owner(frozenset({"es", "mert"}), frozenset({"mert"}))
    assert not is_same_owner(frozenset({"mert"}), frozenset({"es", "mert"}))
    for text, language in (("My cousin Can is ill.", "en"), ("Kuzenim Can hasta.", "tr")):
        assert not is_one_of_several(text, plain(text), language)
    assert is_one_of_several("My cousin is ill.", "my cousin is ill.", "en")

"""Of whom a statement speaks."""

from __future__ import annotations

import pytest

from reverie.language.contradiction import contradicts
from reverie.language.contradiction_people import people
from reverie.language.contradiction_words import tokens
from tests.spoken import english, turkish


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

"""Whether what follows a connective is a clause, and with which subject."""

from __future__ import annotations

import pytest

from reverie.recipes.published.v9.clauses import is_own_clause, second_clause
from tests.spoken import ENGLISH, TURKISH, english, turkish


@pytest.mark.parametrize(
    ("left", "right", "language", "whole"),
    [
        *english(
            ("I live in Berlin", "work at Siemens", "en", "I work at Siemens"),
            ("Alice Smith lives in Berlin", "works at Siemens", "en", "Alice Smith works at Siemens"),
            ("My brother moved to Rome", "married Ann", "en", "My brother married Ann"),
            ("I live in Berlin", "I work at Siemens", "en", "I work at Siemens"),
            ("Alice is loved by Google", "hired by Apple", "en", ""),
            ("I will visit Rome", "see Paris", "en", ""),
            ("I love the beaches of Rome", "the museum visits in Paris", "en", ""),
            ("Wow, John, sounds like you", "Max had a great time", "en", ""),
            ("My mother lives in Rome, my father lives in Paris", "works at Fiat", "en", "my father works at Fiat"),
            ("Tom lives in Oslo but Ann lives in Bergen", "works at Fiat", "en", "Ann works at Fiat"),
            ("I live in Paris, France", "work at Fiat", "en", "I work at Fiat"),
            ("Ann moved to Rome, Kim and Tom moved to Oslo", "married Max", "en", ""),
            ("Ann moved to Rome (Tom stayed in Paris)", "married Max", "en", ""),
            ("I learned Tom moved to Oslo", "worked at Fiat", "en", ""),
            ("Ann moved to Rome, the whole family of Tom in Paris", "married Max", "en", ""),
        ),
        *turkish(
            ("Ali Ankara'da yaşıyor", "İzmir'de çalışıyor", "tr", "Ali İzmir'de çalışıyor"),
            ("Ben Ankara'da doğdum", "İzmir'de büyüdüm", "tr", "Ben İzmir'de büyüdüm"),
            ("Kardeşim Roma'ya taşındı", "Paris'te evlendi", "tr", "Kardeşim Paris'te evlendi"),
            ("Ali Ankara'da yaşıyor", "Ayşe İzmir'de çalışıyor", "tr", "Ayşe İzmir'de çalışıyor"),
            ("Ankara'da doğdum", "İzmir'de okudu", "tr", ""),
            ("Ali Ankara'da bir kedi", "Ayşe İzmir'de bir köpek aldı", "tr", ""),
            ("Ali Roma'ya geldi", "Mingo lideri gitti", "tr", ""),
            ("Grainger Çarşısı'nın kendisi açıldı", "Newcastle'ın çarşısıydı", "tr", ""),
            ("Annem Roma'da yaşıyor, babam Paris'te yaşıyor", "Fiat'ta çalışıyor", "tr", "babam Fiat'ta çalışıyor"),
            ("Elif Roma'da yaşıyor ama Can Paris'te yaşıyor", "Fiat'ta çalışıyor", "tr", "Can Fiat'ta çalışıyor"),
            ("Ali Roma'da yaşıyor, Paris'te çalışıyor", "Oslo'yu seviyor", "tr", "Ali Oslo'yu seviyor"),
            ("Kız kardeşim Oslo'da yaşıyor", "Fiat'ta çalışıyor", "tr", "Kız kardeşim Fiat'ta çalışıyor"),
            ("En yakın arkadaşım Oslo'da oturuyor", "Fiat'ta çalışıyor", "tr", "En yakın arkadaşım Fiat'ta çalışıyor"),
            ("Şirketimiz Postgres kullanıyor", "AWS'de çalışıyor", "tr", "Şirketimiz AWS'de çalışıyor"),
            ("Annem Elif Oslo'da yaşıyor", "Fiat'ta çalışıyor", "tr", "Annem Elif Fiat'ta çalışıyor"),
            ("Annem ve babam Oslo'da yaşıyor", "Fiat'ta çalışıyor", "tr", ""),
            ("Annem gibi Oslo'da yaşıyor", "Fiat'ta çalışıyor", "tr", ""),
            ("Ankara'da annem yaşıyor", "İzmir'de çalışıyor", "tr", ""),
            ("Ali Roma'da Ayşe Paris'te yaşıyor", "Fiat'ta çalışıyor", "tr", ""),
            ("Ali Roma'ya taşındı (Ayşe Paris'te kaldı)", "Oslo'da evlendi", "tr", ""),
            ("Annem Oslo'da yaşıyor, yan komşu Roma'da yaşıyor", "Fiat'ta çalışıyor", "tr", ""),
            ("Annem Oslo'da yaşıyor", "Ankara'da çalışıyorum", "tr", ""),
            ("Ankara'da yaşıyor", "İzmir'de çalışıyor", "tr", ""),
        ),
    ],
)
def test_the_second_clause_and_its_subject(left: str, right: str, language: str, whole: str) -> None:
    """A subject is repeated where it is missing; what is no clause is nothing."""
    assert second_clause(left, right, language, by_mark=False) == whole


@ENGLISH
def test_a_negation_does_not_reach_over_a_semicolon() -> None:
    """Over "and" it might."""
    assert second_clause("I don't use Windows", "my wife uses Linux", "en", by_mark=True) == "my wife uses Linux"
    assert second_clause("I don't use Windows", "my wife uses Linux", "en", by_mark=False) == ""


@TURKISH
@pytest.mark.parametrize("by_mark", [True, False])
def test_a_turkish_negation_reaches_over_nothing(by_mark: bool) -> None:
    """It stands in the verb at the end of its own clause."""
    left, right = "Ben Windows kullanmıyorum", "eşim Linux kullanıyor"
    assert second_clause(left, right, "tr", by_mark=by_mark) == right


@pytest.mark.parametrize(
    ("text", "language", "whole"),
    [
        *english(
            ("Tom lives in Oslo", "en", True),
            ("Tom is too", "en", False),
            ("he lives in Oslo", "en", False),
            ("Tom said Ann lives in Oslo", "en", False),
            ("if Tom lives in Oslo", "en", False),
        ),
        *turkish(
            ("Can Oslo'da yaşıyor", "tr", True),
            ("kız kardeşim Oslo'da yaşıyor", "tr", True),
            ("Can da yaşıyor", "tr", False),
            ("Oslo'da yaşıyor", "tr", False),
            ("Can Oslo'da yaşıyor dedi", "tr", False),
            ("Can Oslo'da yaşıyorsa", "tr", False),
        ),
    ],
)
def test_a_clause_of_its_own_has_a_subject_and_a_name_behind_it(text: str, language: str, whole: bool) -> None:
    """And no word in it rules over more."""
    assert is_own_clause(text, language) is whole

"""Whether what follows a connective is a clause, and with which subject."""

from __future__ import annotations

import pytest

from reverie.language.clauses import second_clause
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

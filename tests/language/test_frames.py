"""The frame of a question is not searched for; its subject is."""

from __future__ import annotations

import pytest

from reverie.language.text.analyzer import query_terms, without_frame
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    ("asked", "language", "left"),
    [
        *english(
            ("How often does he row?", "en", "does he row?"),
            ("How many different kinds of kites?", "en", "kites?"),
            ("And what types of boats?", "en", "And boats?"),
            ("What are some of the different sorts of tea?", "en", "tea?"),
        ),
        *turkish(
            ("Kaç farklı çeşit uçurtma?", "tr", "uçurtma?"),
            ("Hangi türden kitaplar?", "tr", "kitaplar?"),
            ("Ne kadar sıklıkta koşuyor?", "tr", "koşuyor?"),
            ("Ne kadar süredir koşuyor?", "tr", "koşuyor?"),
            ("Ne kadar uzun süredir yüzüyor?", "tr", "yüzüyor?"),
            ("Kaç türlü uçurtma var?", "tr", "uçurtma var?"),
            ("Hangi sıklıkla yüzüyor?", "tr", "yüzüyor?"),
        ),
    ],
)
def test_the_words_of_the_frame_go(asked: str, language: str, left: str) -> None:
    """How often, what kinds of; ne sıklıkta, hangi türden."""
    assert " ".join(without_frame(asked, language).split()) == left


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        *english(
            ("It is a long way, and often dark.", "en"),
            ("Which type did she buy?", "en"),
            ("The different kinds of kites", "en"),
        ),
        *turkish(
            ("Bu türün adı ne?", "tr"),
            ("Kaç tane uçurtma?", "tr"),
            ("Aynı türden kitaplar", "tr"),
            ("Yol uzun, sık sık da karanlık.", "tr"),
        ),
    ],
)
def test_the_same_words_elsewhere_stay(asked: str, language: str) -> None:
    """A long way is no "how long", and a type that was bought is a thing."""
    assert without_frame(asked, language) == asked


@pytest.mark.parametrize(
    ("asked", "subject"),
    [
        *english(("How long has the kite been in the harbour?", "the kite in the harbour")),
        *turkish(("Kaç farklı uçurtma bu limanda?", "uçurtma bu limanda")),
    ],
)
def test_a_search_does_without_it(asked: str, subject: str) -> None:
    """What lasts long elsewhere is not found by it."""
    assert query_terms(asked) == query_terms(subject)


@pytest.mark.parametrize(
    ("asked", "terms"),
    [*english(("How long?", ("how", "long"))), *turkish(("Ne sıklıkla?", ("ne", "sikli|siklikla")))],
)
def test_a_question_of_nothing_else_keeps_its_words(asked: str, terms: tuple[str, ...]) -> None:
    """Something has to be searched for."""
    assert query_terms(asked) == terms

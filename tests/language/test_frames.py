"""The frame of a question is not searched for; its subject is."""

from __future__ import annotations

import pytest

from reverie.language.analyzer import query_terms
from reverie.language.frames import without_frame


@pytest.mark.parametrize(
    ("asked", "language", "left"),
    [
        ("How often does he row?", "en", "does he row?"),
        ("How many different kinds of kites?", "en", "kites?"),
        ("And what types of boats?", "en", "And boats?"),
        ("What are some of the different sorts of tea?", "en", "tea?"),
        ("Kaç farklı çeşit uçurtma?", "tr", "uçurtma?"),
        ("Hangi türden kitaplar?", "tr", "kitaplar?"),
        ("Ne kadar sıklıkta koşuyor?", "tr", "koşuyor?"),
        ("Ne kadar süredir koşuyor?", "tr", "koşuyor?"),
    ],
)
def test_the_words_of_the_frame_go(asked: str, language: str, left: str) -> None:
    """How often, what kinds of; ne sıklıkta, hangi türden."""
    assert " ".join(without_frame(asked, language).split()) == left


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("It is a long way, and often dark.", "en"),
        ("Which type did she buy?", "en"),
        ("The different kinds of kites", "en"),
        ("Bu türün adı ne?", "tr"),
        ("Kaç tane uçurtma?", "tr"),
    ],
)
def test_the_same_words_elsewhere_stay(asked: str, language: str) -> None:
    """A long way is no "how long", and a type that was bought is a thing."""
    assert without_frame(asked, language) == asked


@pytest.mark.parametrize(
    ("asked", "subject"),
    [
        ("How long has the kite been in the harbour?", "the kite in the harbour"),
        ("Kaç farklı uçurtma bu limanda?", "uçurtma bu limanda"),
    ],
)
def test_a_search_does_without_it(asked: str, subject: str) -> None:
    """What lasts long elsewhere is not found by it."""
    assert query_terms(asked) == query_terms(subject)


def test_a_question_of_nothing_else_keeps_its_words() -> None:
    """Something has to be searched for."""
    assert query_terms("How long?") == ("how", "long")

"""The words of telling and asking, as stems of the index."""

from __future__ import annotations

import pytest

from reverie.language.text.analyzer import asked_terms, index_terms, self_terms, time_terms
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    ("text", "language"),
    [*english(("my mother told me about our house", "en")), *turkish(("bana bizim evi anlattı, benim annem", "tr"))],
)
def test_who_speaks_of_themselves_is_counted(text: str, language: str) -> None:
    """Three words of the first person, none of the other's."""
    terms = index_terms(text, language)
    assert sum(term in self_terms() for term in terms) == 3
    assert not set(terms) & set(asked_terms())


@pytest.mark.parametrize(
    ("text", "language"),
    [
        *english(("why did your brother leave, and which way", "en")),
        *turkish(("senin kardeşin niye gitti, hangi yöne", "tr")),
    ],
)
def test_who_turns_to_the_other_is_counted(text: str, language: str) -> None:
    """Three words to the other, none of the first person."""
    terms = index_terms(text, language)
    assert sum(term in asked_terms() for term in terms) == 3
    assert not set(terms) & set(self_terms())


@pytest.mark.parametrize(
    "text",
    [*turkish("Bu nedenle şehir büyüdü.", "Neredeyse herkes kaçtı."), *english("Kim Lee lives in a small size flat.")],
)
def test_what_only_sounds_like_it_is_not_counted(text: str) -> None:
    """A cause, an almost, a flight, a name and a measure ask nobody anything."""
    assert not set(index_terms(text)) & set(asked_terms())


@pytest.mark.parametrize(
    ("text", "language"),
    [*english(("two weeks ago, on a Tuesday", "en")), *turkish(("geçen hafta, salı günü", "tr"))],
)
def test_who_tells_when_is_counted(text: str, language: str) -> None:
    """Three words of time; the month of a message is no such word, every message is indexed with it."""
    assert sum(term in time_terms() for term in index_terms(text, language)) == 3
    assert not set(index_terms("May 2023", "en")) & set(time_terms())

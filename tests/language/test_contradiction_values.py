"""Values in statements, in the form in which two ways of writing them are equal."""

from __future__ import annotations

import pytest

from reverie.language.contradiction_values import values
from reverie.language.contradiction_words import tokens

CASES = [
    ("en", "it costs $1,200", [("usd", "1200", "")]),
    ("tr", "fiyatı 1.200 lira", [("try", "1200", "")]),
    ("en", "1.2 million dollars", [("usd", "1200000", "")]),
    ("tr", "1,2 milyon dolar", [("usd", "1200000", "")]),
    ("en", "12k euros", [("eur", "12000", "")]),
    ("tr", "12 bin avro", [("eur", "12000", "")]),
    ("en", "two cats", [("number", "2", "cat")]),
    ("tr", "iki kedi", [("number", "2", "kedi")]),
    ("en", "twenty-five chairs", [("number", "25", "chair")]),
    ("tr", "yirmi beş sandalye", [("number", "25", "sanda")]),
    ("en", "87%", [("percent", "87", "")]),
    ("tr", "%87", [("percent", "87", "")]),
    ("en", "on April 5", [("date", "4-5", "")]),
    ("tr", "5 Nisan'da", [("date", "4-5", "")]),
    ("en", "the 5th of April", [("date", "4-5", "")]),
    ("tr", "2024-04-05", [("date", "4-5", "")]),
    ("en", "at 3 PM", [("clock", "15:00", "")]),
    ("tr", "öğleden sonra saat 3'te", [("clock", "15:00", "")]),
    ("en", "at 15:00", [("clock", "15:00", "")]),
    ("tr", "saat 15:00'te", [("clock", "15:00", "")]),
    ("en", "on Tuesday", [("weekday", "1", "")]),
    ("tr", "salı günü", [("weekday", "1", "")]),
    ("en", "Python 3.12", [("version", "3.12", "python")]),
    ("tr", "Python 3.12", [("version", "3.12", "pytho")]),
    ("en", "v2.0.1", [("version", "2.0.1", "")]),
    ("tr", "v2.0.1", [("version", "2.0.1", "")]),
    ("en", "the third floor", [("order", "3", "floor")]),
    ("tr", "üçüncü katta", [("order", "3", "kat")]),
    ("en", "the third sprint", []),
    ("tr", "üçüncü sprint", []),
]


@pytest.mark.parametrize(("language", "text", "expected"), CASES)
def test_values_in_their_normal_form(language: str, text: str, expected: list[tuple[str, str, str]]) -> None:
    """Kind, number and unit."""
    assert [(value.kind, value.normal, value.unit) for value in values(tokens(text, language), language)] == expected


def test_a_value_knows_its_words() -> None:
    """From the first to the last of them."""
    words = tokens("about 12 thousand dollars a year", "en")
    (value,) = values(words, "en")
    assert [word.raw for word in words[value.first : value.last + 1]] == ["12", "thousand", "dollars"]

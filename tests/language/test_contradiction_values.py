"""Values in statements, in the form in which two ways of writing them are equal."""

from __future__ import annotations

import pytest

from reverie.language.contradiction_values import values
from reverie.language.contradiction_words import tokens
from tests.spoken import english, neither, turkish

CASES = [
    *english(
        ("en", "it costs $1,200", [("usd", "1200", "")]),
        ("en", "1.2 million dollars", [("usd", "1200000", "")]),
        ("en", "12k euros", [("eur", "12000", "")]),
        ("en", "two cats", [("number", "2", "cat")]),
        ("en", "twenty-five chairs", [("number", "25", "chair")]),
        ("en", "87%", [("percent", "87", "")]),
        ("en", "on April 5", [("date", "4-5", "")]),
        ("en", "the 5th of April", [("date", "4-5", "")]),
        ("en", "at 3 PM", [("clock", "15:00", "")]),
        ("en", "at 15:00", [("clock", "15:00", "")]),
        ("en", "on Tuesday", [("weekday", "1", "")]),
        ("en", "on Tuesdays", [("weekday", "1", "")]),
        ("en", "Python 3.12", [("version", "3.12", "python")]),
        ("en", "v2.0.1", [("version", "2.0.1", "")]),
        ("en", "the third floor", [("order", "3", "floor")]),
        ("en", "the third sprint", []),
    ),
    *turkish(
        ("tr", "fiyatı 1.200 lira", [("try", "1200", "")]),
        ("tr", "1,2 milyon dolar", [("usd", "1200000", "")]),
        ("tr", "12 bin avro", [("eur", "12000", "")]),
        ("tr", "iki kedi", [("number", "2", "kedi")]),
        ("tr", "yirmi beş sandalye", [("number", "25", "sanda")]),
        ("tr", "%87", [("percent", "87", "")]),
        ("tr", "5 Nisan'da", [("date", "4-5", "")]),
        ("tr", "Nisan'ın 5'inde", [("date", "4-5", "")]),
        ("tr", "öğleden sonra saat 3'te", [("clock", "15:00", "")]),
        ("tr", "saat 15:00'te", [("clock", "15:00", "")]),
        ("tr", "saat üç buçukta", [("clock", "3:30", "")]),
        ("tr", "on iki buçuk bin lira", [("try", "12500", "")]),
        ("tr", "salı günü", [("weekday", "1", "")]),
        ("tr", "salıları", [("weekday", "1", "")]),
        ("tr", "cumartesiye ertelendi", [("weekday", "5", "")]),
        ("tr", "Python 3.12", [("version", "3.12", "pytho")]),
        ("tr", "v2.0.1", [("version", "2.0.1", "")]),
        ("tr", "üçüncü katta", [("order", "3", "kat")]),
        ("tr", "üçüncü sprint", []),
    ),
    *neither(("tr", "2024-04-05", [("date", "4-5", "")])),
]


@pytest.mark.parametrize(("language", "text", "expected"), CASES)
def test_values_in_their_normal_form(language: str, text: str, expected: list[tuple[str, str, str]]) -> None:
    """Kind, number and unit."""
    assert [(value.kind, value.normal, value.unit) for value in values(tokens(text, language), language)] == expected


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        *english(("en", "about 12 thousand dollars a year", ["12", "thousand", "dollars"])),
        *turkish(("tr", "yılda yaklaşık 12 bin lira", ["12", "bin", "lira"])),
    ],
)
def test_a_value_knows_its_words(language: str, text: str, said: list[str]) -> None:
    """From the first to the last of them."""
    words = tokens(text, language)
    (value,) = values(words, language)
    assert [word.raw for word in words[value.first : value.last + 1]] == said

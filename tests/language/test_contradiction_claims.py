"""Claims about attributes of one value."""

from __future__ import annotations

import pytest

from reverie.language.contradiction_claims import nouns
from reverie.language.contradiction_framed import places
from reverie.language.contradiction_people import people
from reverie.language.contradiction_reading import reading
from reverie.language.contradiction_words import tokens
from tests.spoken import BOTH, english, turkish


def claimed(text: str) -> list[tuple[str, set[str], set[str]]]:
    """Name, terms and value of each claim in a text."""
    found = [claim for clause in reading(text).clauses for claim in clause.claims]
    return [(claim.name, set(claim.attribute), set(claim.value)) for claim in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("My book budget is $50.", [("budget", {"budget", "book"}, {"50"})]),
            ("I live in Munich with a friend.", [("home", {"home"}, {"munich"})]),
            ("I work at Bosch.", [("employer", {"employer"}, {"bosch"})]),
            ("My son is 7 years old.", [("age", {"age", "son"}, {"7"})]),
            ("I work at night.", []),
            ("I live in a small flat.", []),
            ("My new manager is Priya.", [("manager", {"manag"}, {"priya"})]),
            ("My new dog's name is Rex.", [("name", {"name", "dog", "new"}, {"rex"})]),
            ("My phone number is +1 555-1234.", [("number", {"number", "phone"}, {"5551234"})]),
            ("My order number is 555-1234.", []),
            ("I'm 34 years old.", [("age", {"age", "1"}, {"34"})]),
            ("I lost my job at Bosch.", []),
        ),
        *turkish(
            ("Kitap bütçem 50 lira.", [("butce", {"butce", "kitap"}, {"50"})]),
            ("Münih'te oturuyorum.", [("home", {"home"}, {"munich"})]),
            ("Bosch'ta çalışıyorum.", [("employer", {"employer"}, {"bosch"})]),
            ("Oğlum 7 yaşında.", [("age", {"age", "ogl"}, {"7"})]),
            ("Geceleri çalışıyorum.", []),
            ("Küçük bir dairede oturuyorum.", []),
            ("Yeni müdürüm Pelin.", [("mudur", {"mudur"}, {"pel"})]),
            ("Yeni köpeğimin adı Duman.", [("ad", {"ad", "kopek", "yeni"}, {"duma"})]),
            ("Telefon numaram 0555 123 45 67.", [("numara", {"numara", "telef"}, {"1234567"})]),
            ("Sipariş numaram 555-1234.", []),
            ("34 yaşındayım.", [("age", {"age", "1"}, {"34"})]),
            ("Akşamları Bosch'ta çalışıyorum.", [("employer", {"employer"}, {"bosch"})]),
            ("Amcam Bosch'ta çalışıyor.", [("employer", {"employer"}, {"bosch"})]),
        ),
    ],
)
def test_what_is_claimed(text: str, expected: list[tuple[str, set[str], set[str]]]) -> None:
    """The attribute with what describes it closer, and its value."""
    assert claimed(text) == expected


@BOTH
def test_a_question_claims_nothing() -> None:
    """Nor does a wish."""
    assert claimed("Is my book budget $50?") == claimed("Keşke kitap bütçem 50 lira olsaydı.") == []


@BOTH
def test_cities_and_countries_are_told_apart_in_both_languages() -> None:
    """Münih is Munich, and no country."""
    assert places()["munih"] == places()["munich"] == ("city", "munich")
    assert places()["almanya"] == places()["germany"] == ("country", "germany")


@BOTH
def test_people_other_than_the_speaker() -> None:
    """By relation or pronoun."""
    assert people(tokens("my mother told him", "en"), "en") == {"mother", "he"}
    assert people(tokens("annem geldi", "tr"), "tr") == {"anne"}


@BOTH
def test_both_languages_know_attributes_of_every_kind() -> None:
    """Numbers, dates and names."""
    for language in ("en", "tr"):
        kinds = set().union(*nouns(language).values())
        assert {"number", "date", "name", "any", "once"} <= kinds

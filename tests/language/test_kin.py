"""Who of a family a word names, and that all who ask about people know every word for kin."""

from __future__ import annotations

import pytest

from reverie.encode.mentioning import has_person
from reverie.language import lists
from reverie.language.clauses import second_clause
from reverie.language.contradiction import contradicts
from reverie.language.contradiction_people import is_one_of_several, people
from reverie.language.contradiction_words import tokens
from reverie.language.harmony import possessive
from reverie.language.kin import kin, kin_of, owned_kin, theirs
from reverie.language.letters import plain
from reverie.language.named_entities import named
from reverie.language.opposites import telling
from reverie.language.relations import is_person_noun, is_relation
from reverie.language.rewriting_turkish import rewritten
from tests.spoken import BOTH, ENGLISH, TURKISH, english, turkish


@pytest.mark.parametrize(
    ("word", "language", "person"),
    [
        *english(
            ("mum", "en", "mother"),
            ("Daddy", "en", "father"),
            ("auntie", "en", "aunt"),
            ("fiancée", "en", "fiance"),
            ("mother-in-law", "en", "mother-in-law"),
            ("mothers", "en", ""),
            ("table", "en", ""),
        ),
        *turkish(
            ("anneciğim", "tr", "anne"),
            ("Kaynanamdan", "tr", "kayinvalide"),
            ("damadımız", "tr", "damat"),
            ("halası", "tr", "hala"),
            ("hâlâ", "tr", ""),
            ("gelin", "tr", ""),
            ("kocaman", "tr", ""),
            ("teyzemlerde", "tr", "teyze"),
        ),
    ],
)
def test_who_a_word_names(word: str, language: str, person: str) -> None:
    """However it is written, and with its endings; a root that is another word needs its owner."""
    assert kin_of(word, language) == person


@TURKISH
@pytest.mark.parametrize(
    ("word", "person"),
    [
        ("annem", "anne"),
        ("annesinin", "anne"),
        ("eşini", "es"),
        ("anneannemiz", "anneanne"),
        ("annemle", ""),
        ("annemler", ""),
        ("kardeşlerim", ""),
        ("annen", ""),
        ("anne", ""),
        ("esin", ""),
    ],
)
def test_of_whom_something_is_said(word: str, person: str) -> None:
    """Of one of the speaker's or somebody's: not of whom one is with, nor of several; Esin is a name."""
    assert owned_kin(plain(word), "tr") == person


@TURKISH
@pytest.mark.parametrize(
    ("mine", "another"),
    [
        ("evim", "evi"),
        ("annem", "annesi"),
        ("yengem", "yengesi"),
        ("kaynanam", "kaynanası"),
        ("damadım", "damadı"),
        ("oğlum", "oğlu"),
        ("bacanağım", "bacanağı"),
        ("kardeşlerim", "kardeşleri"),
        ("annemiz", ""),
        ("annemden", ""),
        ("annesi", ""),
        ("masa", ""),
    ],
)
def test_what_is_mine_as_somebodys(mine: str, another: str) -> None:
    """Nouns of the list, and kin by the harmony of vowels."""
    assert theirs(mine) == another


@ENGLISH
def test_every_english_word_for_kin_is_known_to_all_who_ask() -> None:
    """Statements of two people, opposites, nouns for a person, and a name behind it."""
    for person, names in lists.table("kin.en").items():
        for name in names:
            assert people(tokens(f"my {name} called", "en"), "en") == {person}
            assert telling(tokens(f"my {name} called", "en"), "en").kin == {person}
            assert is_person_noun(name, "en")
            assert has_person([name])
            assert "person" in {one.kind for one in named(f"My {name} Xochitl called.")}, name
            assert second_clause("I moved", f"my {name} visits Ann", "en", by_mark=True), name


YOURS = ("oglun", "esin")
"""Turkish: your son, your wife; these forms take no other owner."""


@TURKISH
def test_every_turkish_word_for_kin_is_known_to_all_who_ask() -> None:
    """With the ending of the speaker: the same, and who tells of the speaker in the third person."""
    for person, names in lists.table("kin.tr").items():
        for name in (one.rstrip("+") for one in names if one not in YOURS):
            owned = possessive(name)
            mine = name + ("m" if owned[-2] == "s" and owned[-3] in "aeiou" else owned[-1] + "m")
            mine = plain(mine)
            assert people(tokens(f"{mine} aradı", "tr"), "tr") == {person}, mine
            assert telling(tokens(f"{mine} aradı", "tr"), "tr").kin == {person}
            assert is_person_noun(mine, "tr")
            assert has_person([mine])
            assert is_relation(mine)
            assert is_relation(owned)
            assert second_clause("Taşındım", f"{mine} Ankara'da yaşıyor", "tr", by_mark=False), mine
            assert rewritten(f"{mine} aradı", "Ada") == f"Ada'nın {owned} aradı"


@BOTH
def test_no_list_of_people_repeats_kin() -> None:
    """Who reads one asks for kin, too."""
    for name in ("person-nouns.en", "relations.en", "contradiction-relations.en"):
        assert not [entry for entry in lists.entries(name) if kin(entry, "en")]
    assert not [entry for entry in lists.entries("relations.tr") if kin_of(entry, "tr")]
    assert not [mine for mine in lists.table("owned.tr") if kin_of(mine, "tr")]
    assert not [entry for entry in lists.entries("person-nouns.tr") if kin(entry, "tr")]


LIVES_ENGLISH = ("mommy", "hubby", "nana", "papa", "stepmom", "stepdad", "mother-in-law", "father-in-law", "fiancee")
LIVES_TURKISH = (
    "Anneciğim",
    "Kaynanam",
    "Kaynatam",
    "Kayınvalidem",
    "Ninemiz",
    "Ağabeyim",
    "Nişanlım",
    "Sevgilim",
    "Karısı",
)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            *((f"My {who} lives in Ankara.", f"My {who} lives in Izmir.") for who in LIVES_ENGLISH),
            ("My dad lives in Ankara.", "My daddy lives in Izmir."),
            ("My grandson Ali lives in Ankara.", "My grandson Ali lives in Izmir."),
        ),
        *turkish(
            *((f"{who} Ankara'da yaşıyor.", f"{who} İzmir'de yaşıyor.") for who in LIVES_TURKISH),
            ("Kaynanam Ankara'da yaşıyor.", "Kayınvalidem İzmir'de yaşıyor."),
            ("Torunum Ali Ankara'da yaşıyor.", "Torunum Ali İzmir'de yaşıyor."),
        ),
    ],
)
def test_one_of_the_family_moves(earlier: str, later: str) -> None:
    """By any word for them."""
    assert contradicts(earlier, later) is not None


SEVERAL_ENGLISH = (
    "auntie",
    "grandson",
    "granddaughter",
    "sister-in-law",
    "son-in-law",
    "stepson",
    "half-brother",
    "uncles",
)
SEVERAL_TURKISH = ("Torunum", "Damadım", "Gelinim", "Yengem", "Bacanağım", "Kayınbiraderim", "Görümcem", "Eniştem")


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            *((f"My {who} lives in Ankara.", f"My {who} lives in Izmir.") for who in SEVERAL_ENGLISH),
            ("My uncle lives in Ankara.", "My uncles live in Izmir."),
            ("I live in Ankara.", "My stepmom lives in Izmir."),
            ("My mother lives in Ankara.", "My stepmother lives in Izmir."),
        ),
        *turkish(
            *((f"{who} Ankara'da yaşıyor.", f"{who} İzmir'de yaşıyor.") for who in SEVERAL_TURKISH),
            ("Amcam Ankara'da yaşıyor.", "Amcalarım İzmir'de yaşıyor."),
            ("Ankara'da yaşıyorum.", "Kaynanam İzmir'de yaşıyor."),
            ("Annem Ankara'da yaşıyor.", "Kaynanam İzmir'de yaşıyor."),
        ),
    ],
)
def test_of_several_it_may_be_another(earlier: str, later: str) -> None:
    """Of grandsons and in-laws one may have two, and another of the family is another."""
    assert contradicts(earlier, later) is None


@BOTH
def test_one_of_one_is_not_one_of_several() -> None:
    """One has one mother-in-law, and sisters-in-law may be two."""
    for one, several, language in (
        ("My mother-in-law is ill.", "My sister-in-law is ill.", "en"),
        ("My stepmom is ill.", "My brother in law is ill.", "en"),
        ("Kayınvalidem hasta.", "Baldızım hasta.", "tr"),
        ("Kaynatam hasta.", "Damadım hasta.", "tr"),
    ):
        assert not is_one_of_several(one, plain(one), language)
        assert is_one_of_several(several, plain(several), language)

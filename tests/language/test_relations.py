"""A name behind a word for kin or another close one."""

from __future__ import annotations

import pytest

from reverie.language.names.named_entities import named
from reverie.language.names.people import is_relation
from tests.spoken import english, turkish


@pytest.mark.req("D11")
@pytest.mark.parametrize(
    ("text", "person"),
    [
        *english(
            ("My wife Lena is pregnant.", "lena"),
            ("My best friend Xochitl called.", "xochitl"),
            ("Tom said that his brother Mark moved.", "mark"),
            ("My boss, Xochitl Ramos, quit.", "xochitl-ramos"),
        ),
        *turkish(
            ("Eşim Lena hamile.", "lena"),
            ("En yakın arkadaşım Xochitl aradı.", "xochitl"),
            ("Oğlum Rüzgar okula başladı.", "ruzgar"),
            ("Kız kardeşim Asya Oslo'da yaşıyor.", "asya"),
            ("Oğlu Rüzgar okula başladı.", "ruzgar"),
        ),
    ],
)
def test_a_relation_makes_the_name_a_persons(text: str, person: str) -> None:
    """Though no list knows it."""
    assert f"entity://person/{person}" in {one.uri for one in named(text)}


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "I gave my wife Zumba lessons.",
            "My friend's Zumba broke.",
            "Besides my brother, Zumba is fun.",
            "We call my wife Honey.",
            "My brother Docker runs.",
        ),
        *turkish(
            "Annem Zumba yapıyor.",
            "Annem Zumba kursuna gidiyor.",
            "Annem Zumba yapmaya başladı.",
            "Kardeşim Fransızca kursa gidiyor.",
            "Babam Docker kullanıyor.",
            "Annem Pilates hocası.",
        ),
    ],
)
def test_a_thing_behind_a_relation_stays_one(text: str) -> None:
    """A second object, an owner, another clause, a Turkish object."""
    assert "person" not in {one.kind for one in named(text)}


@pytest.mark.parametrize("word", turkish("Oğlum", "komşumuz", "eşi"))
def test_turkish_relations_are_known(word: str) -> None:
    """Of the speaker, of several, of another."""
    assert is_relation(word)
    assert not is_relation("araba")

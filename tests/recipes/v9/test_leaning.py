"""Halves of a sentence that cannot stand without the other."""

from __future__ import annotations

import pytest

from reverie.recipes.published.v9.facts import is_bare, is_framed, leans
from tests.spoken import english, turkish

LEANING = [
    *english(
        ("my wife isn't", "en"),
        ("my sister has two", "en"),
        ("my son has one too", "en"),
        ("my dad lives there too", "en"),
        ("I have two kids with his sister", "en"),
    ),
    *turkish(
        ("kocam yiyor", "tr"),
        ("eşim sevmez", "tr"),
        ("babam onu hiç aramıyor", "tr"),
        ("Mert orada çalışmıyor", "tr"),
        ("nefret ediyorum", "tr"),
        ("annem değil", "tr"),
    ),
]
UPRIGHT = [
    *english(("my wife works at Bosch", "en"), ("I'm 34", "en"), ("I have two kids", "en"), ("I have one dog", "en")),
    *turkish(("karım Bosch'ta çalışıyor", "tr"), ("yaşım 34", "tr"), ("iki çocuğum var", "tr"), ("babam doktor", "tr")),
]
FRAMED = [
    *english(
        ("It seems I'm allergic to nuts", "en"),
        ("On stage I'm a widow", "en"),
        ("I'm supposedly married", "en"),
        ("I play a character: I'm married", "en"),
    ),
    *turkish(
        ("Yazın İspanya'da yaşıyorum", "tr"),
        ("Mayıstan itibaren Bosch'ta çalışıyorum", "tr"),
        ("2010'da Roma'da yaşıyordum", "tr"),
        ("Çocukken Bursa'da yaşıyordum", "tr"),
        ("Güya evliyim", "tr"),
        ("Sahnede dulum", "tr"),
        ("Bir karakteri oynuyorum: evliyim", "tr"),
    ),
]
FREE = [
    *english(("I'm vegan", "en"), ("I live in Berlin", "en"), ("My sister is vegan", "en")),
    *turkish(("Evliyim", "tr"), ("Evde çalışıyorum", "tr"), ("Bosch'ta mühendisim", "tr"), ("Erken yatarım", "tr")),
]
BARE = [
    *english(("I quit.", "en"), ("We've stopped.", "en"), ("I didn't quit.", "en")),
    *turkish(("Gelmedim.", "tr"), ("Taşındık.", "tr"), ("Bıraktım.", "tr")),
]
TOLD = [
    *english(("I quit my job.", "en"), ("I'm vegan.", "en"), ("The pay was bad.", "en")),
    *turkish(("İşi bıraktım.", "tr"), ("Veganım.", "tr"), ("Maaş düşüktü.", "tr")),
]


@pytest.mark.parametrize(("clause", "language"), LEANING)
def test_what_points_back_or_leaves_something_out_leans(clause: str, language: str) -> None:
    """Pronouns, "too", a bare auxiliary or number, a verb without its object."""
    assert leans(clause, language)


@pytest.mark.parametrize(("clause", "language"), UPRIGHT)
def test_what_says_its_own_does_not_lean(clause: str, language: str) -> None:
    """A number may be an age, or count what is named."""
    assert not leans(clause, language)


@pytest.mark.parametrize(("clause", "language"), FRAMED)
def test_a_time_a_place_a_doubt_or_a_role_rules_over_what_follows(clause: str, language: str) -> None:
    """The second half would hold always, everywhere and surely."""
    assert is_framed(clause, language)


@pytest.mark.parametrize(("clause", "language"), FREE)
def test_what_opens_with_its_fact_is_no_frame(clause: str, language: str) -> None:
    """The place of a verb, and a name, are no place apart."""
    assert not is_framed(clause, language)


@pytest.mark.parametrize(("sentence", "language"), BARE)
def test_a_verb_alone_says_nothing_of_what(sentence: str, language: str) -> None:
    """Nobody knows later what was quit."""
    assert is_bare(sentence, language)


@pytest.mark.parametrize(("sentence", "language"), TOLD)
def test_an_object_or_a_complement_is_enough(sentence: str, language: str) -> None:
    """What somebody is can be one word."""
    assert not is_bare(sentence, language)

"""Whose a taste is, in English and Turkish."""

from __future__ import annotations

import pytest

from reverie.language.tastes import is_anothers
from tests.spoken import TURKISH, english, turkish


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "My colleague Priya prefers tabs.",
            "My wife Claire prefers window seats.",
            "Priya prefers tabs.",
            "My kids hate broccoli.",
            "My sister can't stand coriander.",
        ),
        *turkish(
            "Kemal Bey toplantıları sabah yapmayı tercih eder.",
            "Murat acı yemeği çok sever.",
            "Eşim pencere kenarını tercih ediyor.",
            "Çocuklarım brokoliden nefret ediyor.",
            "Kızım vegan.",
            "Oğlum süt içmez.",
        ),
    ],
)
def test_a_taste_of_somebody_else_is_told_from_the_speakers(text: str) -> None:
    """By what they are or by name; but not where the name is the speaker's own."""
    assert is_anothers(text, "user")
    assert not is_anothers(text, text.split()[0]) or text.startswith("My ")


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "I prefer tabs.",
            "Ada prefers tea.",
            "The user prefers tabs.",
            "User prefers dark mode.",
            "Always prefers tea.",
            "She prefers window seats.",
            "My wife prefers aisle seats but I prefer window seats.",
            "I'm allergic to nuts, and my wife is vegan.",
            "We love hiking.",
            "I live in Hull.",
        ),
        *turkish(
            "Çayı tercih ederim.",
            "Ada çay sever.",
            "Kullanıcı çayı tercih ediyor.",
            "Midem sütü sevmez.",
            "Çayı tercih ediyor.",
            "Koyu tema tercih ediyor.",
            "Annem balık sevmez, ben severim.",
            "Çayı tercih ederim. Eşim kahve sever.",
            "Artık balık yemiyorum, vejetaryen oldum.",
            "Yürüyüşü severiz.",
            "Hull'da oturuyorum.",
        ),
    ],
)
def test_the_speakers_own_taste_is_nobody_elses(text: str) -> None:
    """By "I", by name, as "the user", beside somebody else's; what is no taste is nobody's."""
    assert not is_anothers(text, "Ada")


@TURKISH
def test_a_capital_with_a_dot_is_one_letter() -> None:
    """In whose name a taste is told."""
    assert not is_anothers("İrem çay sever.", "İrem")

"""Whose a taste is, and whether it was given up, in English and Turkish."""

from __future__ import annotations

import pytest

from reverie.language.tastes import gives_up, is_anothers
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


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I love lamb.", "I no longer eat lamb, I've become vegetarian."),
            ("I love coffee.", "I gave up coffee."),
            ("I really like coffee.", "I don't drink coffee anymore."),
            ("I enjoy eggs.", "I've stopped eating eggs because of my cholesterol."),
        ),
        *turkish(
            ("Balığı çok severim.", "Artık balık yemiyorum, vejetaryen oldum."),
            ("Kahveyi çok severim.", "Kahveyi bıraktım."),
            ("Kuzu etini severim.", "Kuzu etini artık yemiyorum."),
            ("Yumurta severim.", "Yumurta yemeyi bıraktım."),
        ),
    ],
)
def test_what_is_eaten_no_longer_is_liked_no_longer(earlier: str, later: str) -> None:
    """Whatever the endings; and not the other way round."""
    assert gives_up(earlier, later)
    assert not gives_up(later, earlier)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I love coffee.", "I no longer drink coffee at night."),
            ("I love tea.", "I gave up coffee."),
            ("I hate lamb.", "I no longer eat lamb."),
            ("I love lamb and beef.", "I no longer eat lamb."),
            ("I love lamb.", "My wife no longer eats lamb."),
            ("I love lamb.", "Should I say I no longer eat lamb?"),
        ),
        *turkish(
            ("Kahve severim.", "Akşamları artık kahve içmiyorum."),
            ("Çay severim.", "Kahveyi bıraktım."),
            ("Bal severim.", "Artık balık yemiyorum."),
            ("Balık sevmem.", "Artık balık yemiyorum."),
            ("Balığı ve eti severim.", "Artık balık yemiyorum."),
            ("Balık severim.", "Eşim artık balık yemiyor."),
        ),
    ],
)
def test_a_taste_stands_where_it_is_not_given_up_for_certain(earlier: str, later: str) -> None:
    """Another thing, a part of the day, one of two, somebody else; who dislikes it still does."""
    assert not gives_up(earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I prefer decaf over coffee.", "I no longer drink coffee."),
            ("I prefer vim to emacs", "I no longer use emacs"),
        ),
        *turkish(
            ("Çayı kahveye tercih ederim.", "Artık kahve içmiyorum."),
            ("Treni uçağa tercih ederim.", "Artık uçağa binmiyorum."),
        ),
    ],
)
def test_what_is_liked_better_than_another_stays_when_that_is_given_up(earlier: str, later: str) -> None:
    """It is all the truer then."""
    assert not gives_up(earlier, later)


@TURKISH
def test_a_capital_with_a_dot_is_one_letter() -> None:
    """In a name as in a fruit."""
    assert not is_anothers("İrem çay sever.", "İrem")
    assert gives_up("İncir severim.", "Artık incir yemiyorum.")

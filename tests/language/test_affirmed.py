"""Denials of plain facts: what they deny, and that they tell as much."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.affirmed import affirmed, denied, meant
from reverie.types import Kind
from tests.spoken import NEITHER, english, turkish


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *english(
            ("I don't live in Ankara.", "i live in ankara."),
            ("She does not work at Getir.", "she works at getir."),
            ("He doesn't have a car.", "he has a car."),
            ("My sister doesn't study law.", "my sister studies law."),
            ("I'm not married.", "i'm married."),
            ("My wife isn't pregnant.", "my wife is pregnant."),
            ("We haven't moved to Berlin.", "we have moved to berlin."),
        ),
        *turkish(
            ("Ankara'da yaşamıyorum.", "ankara'da yasiyorum."),
            ("Google'da çalışmıyor.", "google'da calisiyor."),
            ("Tenis oynamıyoruz.", "tenis oynuyoruz."),
            ("Okula gitmiyorum.", "okula gidiyorum."),
            ("Evli değilim.", "evliyim."),
            ("Doktor değilim.", "doktorum."),
            ("Solak değilim.", "solagim."),
            ("Eşim hamile değil.", "esim hamile."),
            ("Arabam yok.", "arabam var."),
            ("İzmir'e taşınmadım.", "izmir'e tasindim."),
        ),
    ],
)
def test_a_denial_without_its_not(text: str, said: str) -> None:
    """As patterns read it: in lower case, without diacritics."""
    assert affirmed(text) == said


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *english(
            ("I don't live in Ankara.", Kind.FACT),
            ("We don't use MongoDB.", Kind.FACT),
            ("I'm not allergic to peanuts.", Kind.PREFERENCE),
            ("My boss isn't married.", Kind.FACT),
            ("I don't smoke.", Kind.FACT),
        ),
        *turkish(
            ("Ankara'da yaşamıyorum.", Kind.FACT),
            ("MongoDB kullanmıyoruz.", Kind.FACT),
            ("Vejetaryen değilim.", Kind.PREFERENCE),
            ("Patronum evli değil.", Kind.FACT),
            ("Sigara içmiyorum.", Kind.FACT),
        ),
    ],
)
def test_a_denial_is_of_the_kind_of_what_it_denies(text: str, kind: Kind) -> None:
    """By the patterns of plain facts; nothing is listed twice."""
    assert denied(text) is kind


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "I live in Ankara.",
            "I don't know.",
            "I don't think I live in the right place.",
            "I'm not only a teacher.",
            "If I don't live in Ankara by May, call me.",
            "I'm not sure.",
            "It isn't bad.",
        ),
        *turkish(
            "Ankara'da yaşıyorum.",
            "Bilmiyorum.",
            "Doğru yerde yaşadığımı sanmıyorum.",
            "Sadece öğretmen değilim.",
            "Orada çalışmıyor.",
            "Emin değilim.",
            "Bir sorun yok.",
        ),
    ],
)
def test_what_denies_no_plain_fact(text: str) -> None:
    """Opinions, half denials, conditions, and what denies nothing."""
    assert denied(text) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *english(
            ("I'm not allergic to peanuts, I was joking.", "I'm not allergic to peanuts."),
            ("I'm allergic to peanuts, just kidding.", "I'm allergic to peanuts, just kidding."),
        ),
        *turkish(
            ("Evli değilim, şaka yapıyordum.", "Evli değilim."),
            ("Evliyim, şaka yapıyordum.", "Evliyim, şaka yapıyordum."),
        ),
    ],
)
def test_of_a_denial_the_joke_is_what_it_denies(text: str, said: str) -> None:
    """Of anything else it is the sentence itself."""
    assert meant(text) == said


@NEITHER
@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    """No text breaks it."""
    assert denied(text) in (None, Kind.FACT, Kind.PREFERENCE)

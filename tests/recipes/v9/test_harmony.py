"""Turkish endings of names."""

from __future__ import annotations

import pytest

from reverie.language.names.people import possessive
from reverie.recipes.published.v9.coreference import inflected
from tests.spoken import turkish

CASES = ("genitive", "accusative", "dative", "ablative", "locative")


@pytest.mark.parametrize(
    ("name", "forms"),
    turkish(
        ("Ali", "Ali'nin Ali'yi Ali'ye Ali'den Ali'de"),
        ("Ayşe", "Ayşe'nin Ayşe'yi Ayşe'ye Ayşe'den Ayşe'de"),
        ("Murat", "Murat'ın Murat'ı Murat'a Murat'tan Murat'ta"),
        ("Gülgün", "Gülgün'ün Gülgün'ü Gülgün'e Gülgün'den Gülgün'de"),
        ("Onur", "Onur'un Onur'u Onur'a Onur'dan Onur'da"),
        ("IŞIL", "IŞIL'ın IŞIL'ı IŞIL'a IŞIL'dan IŞIL'da"),
        ("NTV", "NTV'nin NTV'yi NTV'ye NTV'den NTV'de"),
    ),
)
def test_endings_follow_the_last_vowel_and_consonant(name: str, forms: str) -> None:
    """Four high vowels, two low ones, n and y between vowels, t behind a hard consonant."""
    assert [inflected(name, case) for case in CASES] == forms.split()


@pytest.mark.parametrize(
    ("noun", "form"),
    turkish(
        ("anne", "annesi"),
        ("kardeş", "kardeşi"),
        ("oğl", "oğlu"),
        ("görümce", "görümcesi"),
        ("amca", "amcası"),
        ("damad", "damadı"),
    ),
)
def test_what_is_somebodys(noun: str, form: str) -> None:
    """An s behind a vowel, and the high vowel that fits."""
    assert possessive(noun) == form

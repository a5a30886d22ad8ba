"""Apostrophes that were left out in typing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.classify.categories import category
from reverie.language.text.letters import spelled
from reverie.types import Kind
from tests.spoken import NEITHER, english, turkish


@pytest.mark.parametrize(
    ("text", "written"),
    [
        *english(
            ("im allergic to penicillin", "i'm allergic to penicillin"),
            ("IM a vegetarian", "I'M a vegetarian"),
            ("he doesnt eat meat and she dont care", "he doesn't eat meat and she don't care"),
            ("ive moved", "i've moved"),
            ("id like to go", "i'd like to go"),
            ("ill be in Rome", "i'll be in Rome"),
            ("my id is 5", "my id is 5"),
            ("I was ill and well", "I was ill and well"),
            ("the shell and its id were off", "the shell and its id were off"),
            ("a im-port of hes.txt", "a im-port of hes.txt"),
        ),
        *turkish(
            ("evim çok güzel im", "evim çok güzel im"),
            ("benim id like değil", "benim id like değil"),
            ("çünkü wont dediler", "çünkü wont dediler"),
            ("şu ive markası", "şu ive markası"),
            ("yarın geleceğim dont", "yarın geleceğim dont"),
            ("Ali'nin kedisi", "Ali'nin kedisi"),
            ("kızım Elif", "kızım Elif"),
            ("değilim", "değilim"),
            ("im ve ım", "im ve ım"),
            ("çayım var", "çayım var"),
        ),
    ],
)
def test_contractions_get_their_apostrophe(text: str, written: str) -> None:
    """Words of their own only where the next word decides, and Turkish words never."""
    assert spelled(text) == written


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *english(
            ("im allergic to penicillin", Kind.PREFERENCE),
            ("im a vegetarian", Kind.FACT),
            ("I dont eat pork", Kind.PREFERENCE),
            ("ive moved to Berlin", Kind.FACT),
        ),
        *turkish(
            ("penisiline alerjim var", Kind.PREFERENCE),
            ("vejetaryenim", Kind.PREFERENCE),
            ("domuz eti yemiyorum", Kind.PREFERENCE),
            ("Berline taşındım", Kind.FACT),
        ),
    ],
)
def test_what_is_typed_in_haste_has_its_class(text: str, kind: Kind) -> None:
    """The patterns of the classes know one spelling."""
    assert category(text) is kind


@NEITHER
@given(st.text(max_size=100))
def test_nothing_but_apostrophes_is_added(text: str) -> None:
    """Without them the text is what it was."""
    assert spelled(text).replace("'", "") == text.replace("'", "")


@NEITHER
@pytest.mark.parametrize("text", ["ıd like to live in Oslo", "I doeſnt know", "İm here", "DONT", "ıve İve"])
def test_letters_that_only_look_alike_are_left_alone(text: str) -> None:
    """A dotless ı and a long s are like i and s to a pattern that passes over case, and to no list."""
    assert spelled(text).replace("'", "") == text

"""Words of feeling in a technical sense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.recipes.published.v9.emotion import emotion, is_technical
from reverie.types import CALM
from tests.spoken import NEITHER, english, turkish


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "The process was killed",
            "The server crashed",
            "Fatal error",
            "I killed the stuck process",
            "The kernel panicked",
            "My phone died at noon",
            "The app keeps crashing",
            "The program aborts with a fatal exception",
        ),
        *turkish(
            "process öldürüldü",
            "Sunucu çöktü",
            "Ölümcül hata",
            "Takılan süreci öldürdüm",
            "Sistem çöktü",
            "Telefonum öğlen öldü",
            "Uygulama dün gece çöktü",
            "Program ölümcül bir hatayla kapandı",
        ),
    ],
)
def test_what_happens_to_a_program_is_not_felt(text: str) -> None:
    """A technical word of a technical thing has no emotion."""
    assert emotion(text) == CALM


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "My dog died",
            "My neighbour was killed",
            "The fatal accident killed three",
            "My dad died fixing the server",
            "He died in the process",
            "The system killed him",
            "My server crashed and my dog died",
        ),
        *turkish(
            "Köpeğim öldü",
            "Komşum öldürüldü",
            "Ölümcül kaza",
            "Babam bilgisayar başında öldü",
            "Telefonda konuşurken öldü",
            "Programcı öldü",
            "Sunucu çöktü, köpeğim öldü",
        ),
    ],
)
def test_what_happens_to_somebody_is_felt(text: str) -> None:
    """Also where a machine is beside."""
    assert emotion(text).valence < 0


@NEITHER
@given(st.lists(st.text(), min_size=1), st.sampled_from(["en", "tr"]))
def test_any_words_are_read(words: list[str], language: str) -> None:
    """Nothing is raised."""
    assert is_technical(words, 0, language) in (True, False)

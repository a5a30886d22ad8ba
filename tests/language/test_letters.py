"""Lower case and diacritics in two alphabets."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.text.letters import compose, fold, lower, plain
from tests.spoken import NEITHER, TURKISH, english, neither, turkish


@pytest.mark.parametrize(
    ("text", "language", "low"),
    [
        *turkish(
            ("ISPARTA", "tr", "ısparta"),
            ("İZMİR", "tr", "izmir"),
            ("IĞDIR'DA İNEK", "tr", "ığdır'da inek"),
            ("ŞÖFÖR ÇÜNKÜ", "tr", "şöför çünkü"),
        ),
        *english(("İZMİR", "en", "izmir"), ("ISTANBUL", "en", "istanbul"), ("Straße", "en", "straße")),
    ],
)
def test_lower_case_follows_the_language(text: str, language: str, low: str) -> None:
    """Turkish has two letters i; English drops the dot that Python leaves of an İ."""
    assert lower(text, language) == low


@pytest.mark.parametrize(
    ("word", "folded"),
    [
        *turkish(("çağrı", "cagri"), ("kâğıdı", "kagidi"), ("öğütülmüş", "ogutulmus")),
        *english(("café", "cafe")),
        *neither(("straße", "strasse"), ("łódź", "lodz"), ("việt", "viet"), ("ñ", "n")),
    ],
)
def test_folding_leaves_the_base_letters(word: str, folded: str) -> None:
    """Latin letters lose what is above, below and through them."""
    assert fold(word) == folded
    assert fold(unicodedata.normalize("NFD", word)) == folded


@NEITHER
@pytest.mark.parametrize("word", ["हिन्दी", "ёлка", "ภาษา", "ά", "日本"])
def test_folding_leaves_other_scripts_alone(word: str) -> None:
    """There the marks are letters."""
    assert fold(word) == word


@TURKISH
def test_plain_keeps_places() -> None:
    """What is found in the plain text is cut out of the text at the same place."""
    text = "Şimdi İzmir’de IŞIK var"
    assert plain(text) == "simdi izmir'de isik var"
    assert text[6:11] == "İzmir"


@NEITHER
@given(st.text())
def test_plain_is_as_long_as_the_text(text: str) -> None:
    """Whatever the text, one character stands for one."""
    assert len(plain(text)) == len(text)


@NEITHER
@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    """A folded text has nothing left to fold."""
    once = fold(lower(text, "en"))
    assert fold(once) == once


@TURKISH
def test_compose_puts_marks_on_their_letters() -> None:
    """A decomposed text reads like a composed one; a lone surrogate passes."""
    assert compose("s\u0327imdi") == "şimdi"
    assert compose("é\ud800") == "é\ud800"

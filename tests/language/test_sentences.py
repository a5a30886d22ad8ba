"""Cutting a text into sentences, and what in it is nobody's own words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.text.patterns import MASK, is_question, masked, sentences
from tests.spoken import NEITHER, english, neither, turkish


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        *english(
            ("I live in Oslo. I like it!", ["I live in Oslo.", "I like it!"]),
            ("Dr. Smith called at 5.30 p.m. today", ["Dr. Smith called at 5.30 p.m. today"]),
            ("He said “Stop. Now.” and left. Then rain.", ["He said “Stop. Now.” and left.", "Then rain."]),
            ("one line\nanother line", ["one line", "another line"]),
            ("It was 2019. We moved.", ["It was 2019.", "We moved."]),
        ),
        *turkish(
            ("Oslo'da yaşıyorum. Seviyorum!", ["Oslo'da yaşıyorum.", "Seviyorum!"]),
            ("Dr. Yılmaz 5.30'da aradı", ["Dr. Yılmaz 5.30'da aradı"]),
            ("“Dur. Hemen.” dedi ve gitti. Sonra yağmur.", ["“Dur. Hemen.” dedi ve gitti.", "Sonra yağmur."]),
            ("bir satır\nbaşka satır", ["bir satır", "başka satır"]),
            ("Bu 20. yüzyılda oldu. Şimdi değil.", ["Bu 20. yüzyılda oldu.", "Şimdi değil."]),
        ),
        *neither(("", []), (" \n ", [])),
    ],
)
def test_sentences_of_a_text(text: str, cut: list[str]) -> None:
    """Stops, lines and question marks end a sentence; abbreviations, numbers and quotations do not."""
    assert list(sentences(text)) == cut


@NEITHER
@given(st.text(max_size=300))
def test_nothing_but_white_space_is_left_out(text: str) -> None:
    """Whatever the text, its sentences hold all of it."""
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@NEITHER
@given(st.text(max_size=300))
def test_a_masked_text_keeps_its_places(text: str) -> None:
    """Masking changes no length, and every sign it leaves is where it was."""
    hidden = masked(text)
    assert len(hidden) == len(text)
    assert all(sign in (MASK, own) for sign, own in zip(hidden, text, strict=True))


@pytest.mark.parametrize(
    "foreign", ['"quoted"', "“quoted”", "`code`", "```\ncode\n```", "https://example.org/a", "«söz»"]
)
@NEITHER
def test_quotations_code_and_addresses_are_masked(foreign: str) -> None:
    """What somebody else wrote is not read."""
    assert masked(f"a: {foreign} b") == f"a: {MASK * len(foreign)} b"


@pytest.mark.parametrize(
    ("sentence", "asks"),
    [
        *english(("Really?", True), ("(Really?)", True), ("Really? Yes, it is so.", False)),
        *turkish(("Gerçekten mi?", True), ("(Gerçekten mi?)", True), ("Gerçekten mi? Evet, öyle.", False)),
    ],
)
def test_a_question_ends_in_its_mark(sentence: str, asks: bool) -> None:
    """Also with a bracket behind it."""
    assert is_question(sentence) is asks

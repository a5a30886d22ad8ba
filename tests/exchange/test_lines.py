"""Lines of JSON that any tool can cut and show."""

from __future__ import annotations

import json

import pytest

from reverie.exchange.fields import FieldError, dumped, from_base64, is_odd, line, to_base64

ODD = "a\x00b\x1b[31m \x85 \u2028 \u202e ışık 😀"


def test_a_line_is_one_line_and_reads_back() -> None:
    """Whatever the text: one break, at the end, and nothing a terminal acts on."""
    raw = line(dumped({"text": ODD}))
    assert raw.decode("utf-8").splitlines() == [raw.decode("utf-8")[:-1]]
    assert b"\x1b" not in raw
    assert json.loads(raw) == {"text": ODD}


@pytest.mark.parametrize("text", ["\ud83d\ude00", "\udcff", "\ud800a"])
def test_surrogates_go_by_base64(text: str) -> None:
    """Two halves of a pair stay two characters."""
    assert is_odd(text)
    assert from_base64("x", to_base64(text)) == text


def test_ordinary_text_is_not_odd() -> None:
    """An emoji that is one character needs nothing."""
    assert not is_odd(ODD)


@pytest.mark.parametrize("value", ["*", "/w==", "YQ"])
def test_what_is_no_base64_of_a_text_is_named(value: str) -> None:
    """By its field."""
    with pytest.raises(FieldError, match="text_base64"):
        from_base64("text_base64", value)

from __future__ import annotations

import pytest

from reverie.models.port_values import MAX_CHARS, clean


def test_ordinary_text_is_left_alone() -> None:
    """Letters of any script pass unchanged."""
    assert clean("Merhaba, 世界 👋") == "Merhaba, 世界 👋"


@pytest.mark.parametrize(
    ("text", "cleaned"), [("a\x00b", "a b"), ("\ud800", "\ufffd"), ("a\udfffb", "a\ufffdb"), ("", "")]
)
def test_what_cannot_be_encoded_is_replaced(text: str, cleaned: str) -> None:
    """NULs become spaces, lone surrogates the replacement character."""
    assert clean(text) == cleaned
    clean(text).encode("utf-8")


def test_long_text_is_cut() -> None:
    """Only the beginning is kept, by default of a fixed length."""
    assert len(clean("x" * 1_000_000)) == MAX_CHARS
    assert clean("abcdef", max_chars=3) == "abc"

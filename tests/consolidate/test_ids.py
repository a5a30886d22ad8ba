"""Ids sort as their numbers do."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reverie.types import ALPHABET, base32


def test_base32_counts_in_order() -> None:
    """Text order is number order."""
    assert base32(31) < base32(32) < base32(33)


@given(st.integers(0, 2**131))
def test_base_32_reads_back_as_the_number(value: int) -> None:
    """Digit by digit, the lowest 130 bits."""
    read = 0
    for digit in base32(value):
        read = 32 * read + ALPHABET.index(digit)
    assert read == value % 2**130

"""The form of an id: a number in, 26 characters out that sort as the numbers do (the ULID layout)."""

from __future__ import annotations

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O or U to be misread."""
_PAIRS = tuple(first + second for first in ALPHABET for second in ALPHABET)


def base32(value: int) -> str:
    """The lowest 130 bits as 26 characters."""
    return "".join([_PAIRS[(value >> shift) & 1023] for shift in range(120, -1, -10)])

"""Patterns that are compiled when something is first looked for."""

from __future__ import annotations

import re

import pytest

from reverie.language.text.words import expression
from tests.spoken import NEITHER


@NEITHER
def test_it_finds_what_the_compiled_pattern_finds() -> None:
    """Every method and attribute, at the first use and after it."""
    waiting, compiled = expression(r"(?P<word>te\w)", re.IGNORECASE), re.compile(r"(?P<word>te\w)", re.IGNORECASE)
    for _ in range(2):
        assert waiting.findall("Tea and teak") == compiled.findall("Tea and teak")
        assert waiting.sub("x", "tea", 1) == "x"
        assert [match.span() for match in waiting.finditer("a tea")] == [(2, 5)]
        assert (waiting.pattern, waiting.flags, waiting.groupindex) == (
            compiled.pattern,
            compiled.flags,
            compiled.groupindex,
        )


@NEITHER
def test_nothing_is_compiled_before_it_is_needed() -> None:
    """A badly written pattern is told at its first use, and again at the next."""
    waiting = expression("(")
    for _ in range(2):
        with pytest.raises(re.error, match="unterminated"):
            waiting.search("tea")

"""The estimate of injected tokens."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.text_statistics import estimated_tokens


def test_ten_words_cost_thirteen_tokens() -> None:
    """1.3 tokens a word."""
    assert estimated_tokens("one two six ten red big dog cat sun sky") == 13


def test_text_without_spaces_is_not_free() -> None:
    """600 characters without a blank cost 100 tokens, not 2."""
    assert estimated_tokens("x" * 600) == 100


def test_nothing_costs_nothing() -> None:
    """The empty text costs no token."""
    assert estimated_tokens("") == 0


@given(st.text(max_size=200), st.text(max_size=200))
def test_more_text_never_costs_less(one: str, two: str) -> None:
    """Appending words can only raise the cost."""
    assert estimated_tokens(one) <= estimated_tokens(f"{one} {two}")

"""Text heads: the laws of their sum."""

from __future__ import annotations

import time
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.orders import standing
from reverie.language.text import heads as text_heads
from reverie.language.text.heads import PLACES, TextHeads, likely, shipped
from tests.spoken import NEITHER


@NEITHER
@given(st.lists(st.sampled_from(("always", "answer", "in", "short", "kite", "rent")), max_size=12), st.randoms())
def test_the_order_of_words_does_not_matter(words: list[str], chance: Random) -> None:
    """A text is what words are in it."""
    other = chance.sample(words, len(words))
    assert np.allclose(shipped().log_odds(" ".join(words)), shipped().log_odds(" ".join(other)))


@NEITHER
@pytest.mark.parametrize("text", ["", " \n", "\x00", "\ud83d", "…", "🙂"])
def test_what_holds_no_word_is_as_likely_as_a_kind_is_rare(text: str) -> None:
    """The intercept alone."""
    assert shipped().log_odds(text).tolist() == shipped().intercepts.tolist()
    assert standing(text) is None


@NEITHER
def test_a_long_text_is_read_at_its_beginning() -> None:
    """In no time."""
    begun = time.process_time()
    assert likely("kite " * 200_000, text_heads.ORDER) == likely("kite " * 300, text_heads.ORDER)
    assert time.process_time() - begun < 1.0


@NEITHER
def test_the_odds_are_the_sum_of_the_pieces_over_the_root_of_their_number() -> None:
    """One word of one letter has itself and its only piece, ^a$: two steps of a half, over √2, and the intercept."""
    steps = np.ones((PLACES, 1), np.int8)
    heads = TextHeads(("any",), steps, np.array([0.5]), np.array([-1.0]))
    assert heads.log_odds("a")[0] == pytest.approx(-1.0 + 2 * 0.5 / np.sqrt(2.0))
    assert heads.of("a", "any") == heads.log_odds("a")[0]

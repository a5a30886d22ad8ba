"""Heads: directions in a model's space, read as log-odds."""

from __future__ import annotations

import numpy as np
import pytest

from reverie.conflicts.pairs import KINDS, Heads, heads_of


def test_the_log_odds_follow_the_direction() -> None:
    """Along a direction they rise by its length, across it not at all; what nothing is known of has the intercept."""
    heads = Heads(np.array([[2.0, 0.0], [0.0, -1.0], [0.0, 0.0]], np.float32), np.array([-1.0, 0.5, 3.0], np.float32))
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], np.float32)
    assert heads.log_odds(rows).tolist() == [[1.0, 0.5, 3.0], [-1.0, -0.5, 3.0], [-1.0, 0.5, 3.0]]


def test_the_default_model_has_a_head_a_kind() -> None:
    """Of its dimensions."""
    heads = heads_of("use-multilingual-v3")
    assert heads is not None
    assert heads.directions.shape == (len(KINDS), 512)
    assert np.isfinite(heads.directions).all()


@pytest.mark.parametrize("model", ["", "hash", "../kinds", "a/b", "use multilingual"])
def test_other_models_have_none(model: str) -> None:
    """A name is no path."""
    assert heads_of(model) is None

"""A cue's vector comes from the question and from its content words."""

from __future__ import annotations

import numpy as np
import pytest

from reverie.recall.query import cue_vector
from reverie.types import FloatArray


def test_question_and_content_count_alike() -> None:
    """Two vectors at a right angle give the one between them."""
    seen: list[str] = []

    def embed(text: str) -> FloatArray:
        seen.append(text)
        return np.array([1, 0] if len(seen) == 1 else [0, 1], np.float32)

    vector = cue_vector("When did Caroline paint the harbour?", embed)
    assert vector.tolist() == pytest.approx([0.5**0.5, 0.5**0.5])
    assert seen[0] == "When did Caroline paint the harbour?"
    assert "When" not in seen[1]
    assert "harbour" in seen[1]


def test_a_cue_of_content_words_is_embedded_once() -> None:
    """Nothing to leave out, nothing to pay twice."""
    seen: list[str] = []

    def embed(text: str) -> FloatArray:
        seen.append(text)
        return np.array([1, 0], np.float32)

    cue_vector("harbour boat", embed)
    assert seen == ["harbour boat"]


def test_whom_the_cue_asks_about_is_not_looked_for() -> None:
    """Who tells of themself does not say their own name: it is in the question, not among its words."""
    seen: list[str] = []

    def embed(text: str) -> FloatArray:
        seen.append(text)
        return np.array([1, 0], np.float32)

    cue_vector("When did Caroline paint the harbour?", embed, ["Caroline"])
    assert seen == ["When did Caroline paint the harbour?", "paint the harbour?"]

"""Meaning in its place: a share of the neighbours', by the length of both."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reverie.recall.search import compare, in_place
from reverie.recipes.default.recall import SIGNALS
from reverie.types import IntArray
from tests.recall.fake_corpus import FakeCorpus, Line

SETTINGS = replace(SIGNALS, meaning_neighbour=0.4, neighbour_full_words=60.0)
QUERY = np.array([1, 0], np.float32)
NOTHING_KNOWN = (np.empty(0, np.int64), np.empty(0, np.float32))


def meant(lines: list[Line], ordinals: IntArray) -> list[float]:
    """The meaning of some lines for the query."""
    corpus = FakeCorpus(lines)
    result: list[float] = in_place(corpus, compare(corpus, QUERY, ordinals, NOTHING_KNOWN), SETTINGS).tolist()
    return result


def test_an_answer_is_near_through_its_question() -> None:
    """The reply has .6 of its own and .4 of the question's 1, though the question is no candidate."""
    lines = [Line("question", vector=(1.0, 0.0)), Line("reply", vector=(0.6, 0.8))]
    assert meant(lines, np.array([1])) == pytest.approx([0.6 + 0.4 * 1.0])


def test_a_page_gives_and_takes_little() -> None:
    """A hundred and twenty words beside one: half is given, and half is taken."""
    lines = [Line("word " * 120, vector=(1.0, 0.0)), Line("reply", vector=(0.6, 0.8))]
    assert meant(lines, np.array([0, 1])) == pytest.approx([1.0 + 0.5 * 0.4 * 0.6, 0.6 + 0.4 * 0.5 * 1.0])


def test_what_is_unlike_takes_nothing_away() -> None:
    """A neighbour on another subject counts as 0, not below; so does one in another session."""
    lines = [Line("far", vector=(-1.0, 0.0)), Line("near", vector=(1.0, 0.0)), Line("other", "user", "s2", (1.0, 0.0))]
    assert meant(lines, np.array([0, 1, 2])) == pytest.approx([0.4, 1.0, 1.0])


def test_no_candidates_have_no_meaning() -> None:
    """Nothing found, nothing compared."""
    assert meant([Line("a", vector=(1.0, 0.0))], np.empty(0, np.int64)) == []

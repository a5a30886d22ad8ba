"""The two lists a pool is made of."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reverie.recipes.published.candidates import Bm25, by_text, by_vector, text_scores
from tests.recall.fake_corpus import FakeCorpus, Line

LAW = Bm25(k1=1.2, b=0.75, postings=100)
CORPUS = FakeCorpus([Line("red kite", vector=(0.6, 0.8)), Line("a blue boat sails", vector=(1.0, 0.0)), Line("boat")])


@pytest.mark.req("D6")
def test_text_is_bm25_by_hand() -> None:
    """One term in one of three lines of 2, 4 and 1 terms: idf · 1/(1 + 1.2·(.25 + .75·2/(7/3)))."""
    expected = math.log(1 + 2.5 / 1.5) / (1 + 1.2 * (0.25 + 0.75 * 2 / (7 / 3)))
    assert text_scores(CORPUS, ["kite"], None, LAW).tolist() == pytest.approx([expected, 0, 0])


def test_the_text_list_is_scaled_by_its_best() -> None:
    """The shorter of two lines with the term comes first, at 1."""
    told = by_text(CORPUS, "boat", 5, None, LAW)
    assert list(told) == [2, 1]
    assert told[2] == 1.0
    assert 0 < told[1] < 1


def test_the_text_list_keeps_to_what_may_come() -> None:
    """A masked line is not told."""
    assert list(by_text(CORPUS, "boat", 5, np.array([True, True, False]), LAW)) == [1]


@pytest.mark.req("D6")
def test_the_vector_list_is_by_raw_cosine() -> None:
    """Best first, at most so many; what has no vector and no model bring nothing."""
    query = np.array([0.0, 1.0], np.float32)
    assert by_vector(CORPUS, query, 1, None) == [0]
    assert by_vector(CORPUS, query, 5, None) == [0, 1]
    assert by_vector(CORPUS, None, 5, None) == []

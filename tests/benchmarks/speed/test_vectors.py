"""The stand-in model: vectors that lie as real ones do."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.speed.corpus import SyntheticCorpus
from benchmarks.speed.vectors import DIMS, FakeEmbedder


def test_a_texts_vector_is_the_same_in_every_process_and_batch() -> None:
    """It follows from the text and the seed alone, and has unit length."""
    texts = ["one", "two", "lone \ud800 surrogate", ""]
    together = FakeEmbedder(1).embed_passages(texts)
    apart = np.stack([FakeEmbedder(1).embed_passages([text])[0] for text in texts])
    assert np.allclose(together, apart, atol=1e-6)
    assert np.allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-5)
    assert together.shape == (4, DIMS)
    assert not np.allclose(FakeEmbedder(2).embed_passages(["one"]), together[0], atol=0.1)


def test_a_query_lies_near_the_message_it_was_made_from() -> None:
    """At a cosine of about .85; two texts at about .26."""
    corpus = SyntheticCorpus(3)
    queries = corpus.queries(40, 900)
    embedder = FakeEmbedder(3, {query.text: query.target for query in queries})
    stored = [message.text for message in corpus.messages(0, 900)]
    vectors = embedder.embed_passages(stored)
    cosines = np.stack([embedder.embed_query(query.text) for query in queries]) @ vectors.T
    best = [stored[place] for place in cosines.argmax(axis=1)]
    assert best == [query.target for query in queries]
    assert np.median(cosines.max(axis=1)) == pytest.approx(0.85, abs=0.03)
    assert (vectors @ vectors.T).mean() == pytest.approx(0.26, abs=0.03)


def test_what_was_prepared_costs_no_time_but_is_the_same() -> None:
    """The clock of a measurement must not run on embedding."""
    embedder = FakeEmbedder(1)
    plain = embedder.embed_passages(["hello"])
    embedder.prepare(["hello"])
    assert np.allclose(embedder.embed_passages(["hello"]), plain, atol=1e-6)

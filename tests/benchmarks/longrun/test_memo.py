"""Remembering pure functions, and keeping vectors."""

from __future__ import annotations

from importlib import import_module

import numpy as np

from benchmarks.embedding import KeptVectors
from benchmarks.longrun.run import PURE, remembering
from reverie.models.hashing import HashEmbedder


def test_everything_is_put_back() -> None:
    """The functions are themselves again afterwards."""
    before = [getattr(import_module(module), name) for module, name in PURE]
    with remembering():
        within = [getattr(import_module(module), name) for module, name in PURE]
        assert not any(one is other for one, other in zip(before, within, strict=True))
    assert [getattr(import_module(module), name) for module, name in PURE] == before


def test_vectors_are_the_model_s_own() -> None:
    """Also the second time, and for no texts at all."""
    kept, plain = KeptVectors(HashEmbedder()), HashEmbedder()
    texts = ["a kite", "a boat", "a kite"]
    for _ in range(2):
        assert np.array_equal(kept.embed_passages(texts), plain.embed_passages(texts))
        assert np.array_equal(kept.embed_query("a kite"), plain.embed_query("a kite"))
    assert kept.embed_passages([]).shape == (0, plain.info.dims)
    assert kept.info == plain.info

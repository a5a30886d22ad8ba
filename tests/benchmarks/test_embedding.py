"""The embedding cache: the same vectors, made once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from benchmarks.embedding import PROBES, CachedEmbedder, KeptVectors, default_cache
from reverie.models.hashing import HashEmbedder
from reverie.ports import scale_of
from reverie.types import FloatArray, ModelInfo


class Counting:
    """A model that counts what it is asked, and can give itself out as another."""

    def __init__(self, revision: str = "1", sign: float = 1.0) -> None:
        self.inner = HashEmbedder(16)
        self.sign = sign
        self.info = ModelInfo("counting", revision, 16)
        self.asked = 0

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        self.asked += 0 if tuple(texts) == PROBES else len(texts)
        return np.float32(self.sign) * self.inner.embed_passages(texts)

    def embed_query(self, text: str) -> FloatArray:
        self.asked += 1
        return -self.inner.embed_query(text)


def test_vectors_are_those_of_the_model_and_made_once(tmp_path: Path) -> None:
    """A second run, with another object, asks the model for nothing."""
    texts = ["bees", "", "bees", "lone \ud800 surrogate", "train"]
    first = CachedEmbedder(Counting(), tmp_path)
    made = first.embed_passages(texts)
    first.close()
    model = Counting()
    second = CachedEmbedder(model, tmp_path)
    assert np.array_equal(second.embed_passages(texts), made)
    assert np.array_equal(made, HashEmbedder(16).embed_passages(texts))
    assert (model.asked, second.made) == (0, 0)
    assert second.embed_passages([]).shape == (0, 16)
    second.close()


def test_cosines_are_read_as_the_model_reads_them(tmp_path: Path) -> None:
    """What gates by cosine sees the model behind the cache; one without a scale of its own is taken as it is."""

    class Crowded(Counting):
        def calibration(self, cosine: float) -> float:
            return 2 * cosine - 1

    for model, read in ((Crowded("2"), 0.6), (Counting(), 0.8)):
        cached = CachedEmbedder(model, tmp_path)
        assert scale_of(cached)(0.8) == scale_of(KeptVectors(model))(0.8) == pytest.approx(read)
        cached.close()


def test_questions_and_passages_are_kept_apart(tmp_path: Path) -> None:
    """Some models embed them differently, as this one does."""
    cached = CachedEmbedder(Counting(), tmp_path)
    passage = cached.embed_passages(["bees"])[0]
    assert np.array_equal(cached.embed_query("bees"), -passage)
    assert np.array_equal(cached.embed_query("bees"), -passage)
    cached.close()


def test_another_model_has_its_own_vectors(tmp_path: Path) -> None:
    """A new revision is another model."""
    for revision in ("1", "2"):
        model = Counting(revision)
        cached = CachedEmbedder(model, tmp_path)
        cached.embed_passages(["bees"])
        cached.close()
        assert model.asked == 1


def test_a_model_that_changed_under_its_name_is_asked_anew(tmp_path: Path) -> None:
    """What it makes of a few fixed texts tells it from what it was."""
    for sign in (1.0, -1.0):
        model = Counting(sign=sign)
        cached = CachedEmbedder(model, tmp_path)
        assert np.array_equal(cached.embed_passages(["bees"]), model.embed_passages(["bees"]))
        cached.close()


def test_the_cache_lies_in_the_users_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Never in the project."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache() == tmp_path / "reverie-benchmarks"

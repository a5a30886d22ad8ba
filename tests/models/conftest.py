"""Models small enough to be made for a test."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from reverie.models import e5
from reverie.models.e5 import Arithmetic, E5Embedder
from reverie.models.e5_onnx import is_installed
from reverie.models.port_values import WeightsFile
from tests.models.tiny_e5 import tiny_file

needs_onnx = pytest.mark.skipif(not is_installed(), reason="onnxruntime, the quicker arithmetic, is missing")


@pytest.fixture(params=[Arithmetic.NUMPY, pytest.param(Arithmetic.ONNX, marks=needs_onnx)], ids=str)
def tiny(request: pytest.FixtureRequest, tiny_weights: WeightsFile) -> E5Embedder:
    """The adapter over a tiny file instead of the published one, by each arithmetic."""
    assert e5.WEIGHTS is tiny_weights
    return E5Embedder(request.param)


@pytest.fixture
def tiny_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WeightsFile:
    """A tiny file in the place of the published one."""
    data, _ = tiny_file()
    folder = tmp_path / "reverie_tiny_e5"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "tiny.bin").write_bytes(data)
    monkeypatch.syspath_prepend(tmp_path)
    weights = WeightsFile(folder.name, "tiny.bin", hashlib.sha256(data).hexdigest(), "again")
    monkeypatch.setattr(e5, "WEIGHTS", weights)
    return weights

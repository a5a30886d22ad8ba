"""Models small enough to be made for a test."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from reverie.models import e5
from reverie.models.e5 import E5Embedder
from reverie.models.weights import WeightsFile
from tests.models.tiny_e5 import tiny_file


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> E5Embedder:
    """The adapter over a tiny file instead of the published one."""
    data, _ = tiny_file()
    folder = tmp_path / "reverie_tiny_e5"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "tiny.bin").write_bytes(data)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(e5, "WEIGHTS", WeightsFile(folder.name, "tiny.bin", hashlib.sha256(data).hexdigest(), "again"))
    return E5Embedder()

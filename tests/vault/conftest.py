"""What the tests of the vault ask for: an empty vault of two agents, and how to write into it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from reverie.vault.files import Places
from reverie.vault.laws import Laws, ocean_laws
from reverie.vault.vault import Vault

DAY = date(2026, 2, 15)


@pytest.fixture(scope="session")
def laws() -> Laws:
    """The document's numbers."""
    return ocean_laws()


@pytest.fixture
def vault(tmp_path: Path, laws: Laws) -> Vault:
    """An empty vault of the agents hawk and owl."""
    made = Vault(Places(tmp_path / "repo"), laws)
    made.init(("hawk", "owl"))
    return made

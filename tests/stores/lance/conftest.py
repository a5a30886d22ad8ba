"""A table of the stock plugin's, and an engine on it; without LanceDB its tests are skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie import Reverie
from tests.stores.lance.making import Stock, opened, row


@pytest.fixture
def stock(tmp_path: Path) -> Stock:
    """A table with three rows of the stock plugin's."""
    stock = Stock(tmp_path / "lancedb")
    stock.store(*(row(number, f"row {number} about tea") for number in (1, 2, 3)))
    return stock


@pytest.fixture
def memory(stock: Stock) -> Reverie:
    """An engine on it, with the model that made the table's vectors."""
    return opened(stock)

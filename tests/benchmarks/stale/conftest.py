"""A verdict of our own, so that no learned weight decides what the benchmark finds."""

from __future__ import annotations

import pytest

from reverie.conflicts import verdict
from tests.conflicts.verdicts import amounts


@pytest.fixture
def amounts_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """What tells another amount replaced what told one."""
    monkeypatch.setattr(verdict, "shipped", amounts)

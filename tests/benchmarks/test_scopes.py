"""The measurement of many scopes in one store."""

import re

import pytest

from benchmarks import scopes
from benchmarks.scopes import measure


def test_each_part_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small run tells of opening by both recipes, of recalls in turn, and of threads with both models."""
    monkeypatch.setattr(scopes, "TURNS", 2)
    lines = list(measure(3, 2, 4))
    assert [line.partition(":")[0] for line in lines] == [
        "open, 3 scopes, reverie",
        "open, 3 scopes, openclaw",
        "recall, 2 scopes of 4 in turn",
        "turns a second, model in the process",
        "turns a second, model behind an endpoint",
    ]
    assert all(float(number) > 0 for line in lines for number in re.findall(r"[\d.]+(?= ms)", line))

"""Systems by name."""

from __future__ import annotations

import sys

import pytest

from benchmarks.systems import NAMES, build
from benchmarks.systems.peer import PYTHON_VARIABLE
from reverie.errors import InvalidInput
from reverie.models.hashing import HashEmbedder
from reverie.recall import signals
from reverie.recall.signals import TEXT_ALONE, TRAITS, Ranking
from tests.benchmarks import toy


def test_each_name_gives_its_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order asked for."""
    monkeypatch.setenv(PYTHON_VARIABLE, sys.executable)  # the peers need an environment, whatever is in it
    assert [system.name for system in build(NAMES, HashEmbedder())] == list(NAMES)


def test_without_a_mechanism_the_order_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a neighbour asks for comes right after it; without context reinstatement the longest does."""
    rest = (0.0,) * (len(TRAITS) - 1)
    learned = {TEXT_ALONE: Ranking({"text": (1.0, *rest), "size": (0.1, *rest)})}
    monkeypatch.setattr(signals, "shipped", lambda: learned)
    told = [("q", "What did you plant by the gate?"), ("a", "Tulips."), ("b", "It rained."), ("c", "The bus was full.")]
    store = toy.haystack([toy.item(name, text) for name, text in told], [toy.question("What is planted at the gate?")])
    whole, without = (system.rank(store, 10)[0] for system in build(["reverie", "-context reinstatement"], None))
    assert [entry.ids for entry in whole][:2] == [("q",), ("a",)]
    assert [entry.ids for entry in without][:2] == [("q",), ("c",)]


@pytest.mark.parametrize("name", ["dense", "rrf", "mem0", "oracle"])
def test_what_cannot_be_built_is_refused(name: str) -> None:
    """Meaning needs a model; unknown names are named."""
    with pytest.raises(InvalidInput, match=name):
        build([name], None)

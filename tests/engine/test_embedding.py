"""Catching up with a new model, interrupted and taken up again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from reverie import HashEmbedder, Reverie, Scope
from reverie.engine.embedding import BATCH, catch_up
from reverie.engine.opening import open_store
from reverie.errors import ModelCorrupt
from reverie.ports import Store
from reverie.types import FloatArray, ModelInfo
from tests.engine.conftest import open_at

SCOPE = Scope("a", "u", "p")


class Breaks:
    """A model that fails after so many batches."""

    def __init__(self, batches: int) -> None:
        self.left = batches
        self.inner = HashEmbedder()

    @property
    def info(self) -> ModelInfo:
        """The model's identity."""
        return self.inner.info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Vectors, until it breaks."""
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        return self.inner.embed_passages(texts)

    def embed_query(self, text: str) -> FloatArray:
        """A vector."""
        return self.inner.embed_query(text)


@pytest.fixture
def store(tmp_path: object) -> Store:
    """A store of 200 messages without a vector."""
    file = f"{tmp_path}/memory.db"
    with open_at(file, None) as engine:
        for n in range(200):
            engine.remember(f"note {n}", SCOPE)
    return open_store(file, create=False)


def test_an_interrupted_run_is_taken_up_where_it_stopped(store: Store) -> None:
    """What was embedded before the interruption is not embedded again."""
    with pytest.raises(KeyboardInterrupt):
        catch_up(store, Breaks(2), threading.RLock())
    done: list[int] = []
    assert catch_up(store, HashEmbedder(), threading.RLock(), done.append) == 200 - 2 * BATCH
    assert store.missing(HashEmbedder().info) == 0
    store.close()


def test_a_second_run_has_nothing_to_do(store: Store) -> None:
    """Twice is once."""
    catch_up(store, HashEmbedder(), threading.RLock())
    assert catch_up(store, HashEmbedder(), threading.RLock()) == 0
    store.close()


class Broken(Breaks):
    """A model whose weights turn out to be damaged."""

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Fails as the real one would."""
        raise ModelCorrupt("The weights are not the published ones.", "Install the package again.")


def test_a_fault_in_the_background_is_told_by_doctor(tmp_path: Path) -> None:
    """Nobody watches a thread: its fault waits where faults are looked for."""
    file = str(tmp_path / "memory.db")
    with open_at(file, None) as engine:
        engine.remember("note", SCOPE)
    with Reverie.open(file, embedder=Broken(0)) as engine:
        assert engine._catching_up is not None
        engine._catching_up.stop()
        assert {"catch-up-stopped", "not-embedded"} == {fault.name for fault in engine.doctor()}
        assert engine.recall("note", SCOPE).hits


def test_it_stops_when_asked(store: Store) -> None:
    """Closing does not wait for the whole store."""
    stop = threading.Event()
    stop.set()
    assert catch_up(store, HashEmbedder(), threading.RLock(), stop=stop) == 0
    store.close()

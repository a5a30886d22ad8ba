"""Catching up with a new model, interrupted and taken up again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from reverie import HashEmbedder, Message, Reverie, Scope
from reverie.answers import Recollection
from reverie.engine.embedding import BATCH, Pace, embed_missing
from reverie.engine.factories import open_store
from reverie.engine.locks import ScopeLocks
from reverie.errors import ModelCorrupt
from reverie.ports import Embedder, Store
from reverie.recall.signals import BY_SECOND
from reverie.types import FloatArray, ModelInfo
from tests.engine.conftest import open_at, until

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
        embed_missing(store, Breaks(2), ScopeLocks())
    done: list[int] = []
    assert embed_missing(store, HashEmbedder(), ScopeLocks(), done.append) == 200 - 2 * BATCH
    assert store.missing(HashEmbedder().info) == 0
    store.close()


def test_a_second_run_has_nothing_to_do(store: Store) -> None:
    """Twice is once."""
    embed_missing(store, HashEmbedder(), ScopeLocks())
    assert embed_missing(store, HashEmbedder(), ScopeLocks()) == 0
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
        until(lambda: engine._context.catch_up_fault is not None)
        assert {"catch-up-stopped", "not-embedded"} == {fault.name for fault in engine.admin.doctor()}
        assert engine.recall("note", SCOPE).hits


def test_it_stops_when_asked(store: Store) -> None:
    """Closing does not wait for the whole store."""
    assert embed_missing(store, HashEmbedder(), ScopeLocks(), pace=Pace(lambda: True)) == 0
    store.close()


class Slow(Breaks):
    """A better model: other vectors, of other dimensions."""

    def __init__(self, reading: threading.Event | None = None) -> None:
        super().__init__(10**9)
        self.inner = HashEmbedder(64)
        self.reading = reading

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Vectors, once it may read."""
        if self.reading is not None:
            assert self.reading.wait(30)
        return self.inner.embed_passages(texts)


class Both(Breaks):
    """A quick model with a slower one beside it (``ports.Paired``)."""

    def __init__(self, slow: Breaks) -> None:
        super().__init__(10**9)
        self.slow = slow

    @property
    def info(self) -> ModelInfo:
        """Both identities."""
        return replace(self.inner.info, second=self.slow.info)

    def second(self) -> Embedder:
        """The slower one."""
        return self.slow


def test_only_the_second_model_rests_between_batches(store: Store) -> None:
    """The quick one is needed for the very next recall."""
    model, left = Both(Slow()), []
    embed_missing(store, model, ScopeLocks(), pace=Pace(rest=lambda: left.append(store.missing(model.inner.info))))
    assert set(left) == {0}
    assert len(left) > 1
    store.close()


def test_the_second_model_reads_in_the_background_once_writing_pauses(tmp_path: Path) -> None:
    """A write is answered before the slower model has read it; recall goes by the quick one meanwhile, then by both."""
    reading = threading.Event()
    slow = Slow(reading)
    with Reverie.open(tmp_path / "memory.db", embedder=Both(slow)) as memory:
        memory.transfer.remember_many([Message(f"note {n}", message_id=str(n)) for n in range(20)], SCOPE)
        memory.remember("tea at four", SCOPE)
        assert memory.admin.missing() == 21
        before = memory.explain("when is tea?", SCOPE).recollection
        assert before.hits[0].memory.text == "tea at four"
        assert not _second(before)
        reading.set()
        until(lambda: memory.admin.missing() == 0)
        assert _second(memory.explain("when is tea?", SCOPE).recollection)


def test_closing_does_not_wait_for_what_is_left_and_opening_goes_on_with_it(tmp_path: Path) -> None:
    """A process that ends leaves the slower model's work to the next; nothing is embedded twice by the quick one."""
    file = tmp_path / "memory.db"
    with Reverie.open(file, embedder=Both(Slow())) as memory:
        memory.transfer.remember_many([Message(f"note {n}", message_id=str(n)) for n in range(50)], SCOPE)
    with Reverie.open(file, embedder=Both(Slow()), background=False) as memory:
        assert memory.admin.missing(quick=True) == 0
        left = memory.admin.missing()
        assert left > 0
        assert memory.admin.embed(quick=True) == 0
        assert memory.admin.embed() == left
        assert memory.admin.missing() == 0
        memory.correct(memory.timeline(SCOPE)[0].id, "another note", SCOPE)
        assert memory.admin.missing() == 1


def _second(found: Recollection) -> bool:
    return any(s.name == BY_SECOND and s.value for hit in found.hits for s in hit.signals)


def test_a_job_does_not_wait_for_a_long_catching_up(tmp_path: Path) -> None:
    """Vectors are left for it between two batches, and gone on with afterwards; nothing is embedded twice."""
    file = tmp_path / "memory.db"
    with open_at(str(file), None) as memory:
        memory.transfer.remember_many([Message(f"note {n}", message_id=str(n)) for n in range(5 * BATCH)], SCOPE)
    turns, model = threading.Semaphore(0), Counting()
    model.turns = turns
    with Reverie.open(file, embedder=model) as memory:
        until(lambda: model.begun == 1)
        job = memory.jobs.enqueue("reindex", SCOPE)
        turns.release()
        until(lambda: not memory.jobs.show(job.id, SCOPE).is_open)
        assert memory.admin.missing() >= 3 * BATCH
        turns.release(9)
        until(lambda: memory.admin.missing() == 0)
    assert model.texts == 5 * BATCH


class Counting(Breaks):
    """A model that embeds a batch whenever it is let."""

    turns: threading.Semaphore

    def __init__(self) -> None:
        super().__init__(10**9)
        self.begun = self.texts = 0

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Vectors, once it may."""
        self.begun += 1
        assert self.turns.acquire(timeout=30)
        self.texts += len(texts)
        return self.inner.embed_passages(texts)

"""Embed memories that have no vector of the current model, in batches, at once or in a background thread."""

from __future__ import annotations

import threading
from collections.abc import Callable

from reverie.engine.locks import ScopeLocks
from reverie.errors import ModelError, ReverieError, StoreClosed, StoreError
from reverie.ports import Embedder, Store, paired

BATCH = 64
SECOND_BATCH = 8
"""Batch size for the slower model, a third of a second's work: closing the engine waits for one batch at most."""
IDLE_S = 0.25
"""The slower model waits until nothing was written for this long, as it would take processor time from writers."""


def embed_missing(
    store: Store,
    embedder: Embedder,
    locks: ScopeLocks,
    progress: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
    *,
    quick: bool = False,
) -> int:
    """Embed memories without vectors, by the model and then, unless ``quick``, by its second model.

    Vectors of other models are deleted at the end.

    Each batch is one transaction, so the next run continues where a stopped one ended. The locks of
    a batch's scopes are held only while its vectors are written, so others can read and write meanwhile.

    Returns:
        How many vectors were made.
    """
    info = embedder.info  # before the lock: an endpoint may take its time
    done = _embed_rest(store, embedder, locks, BATCH, progress, stop)
    pair = None if quick or (stop and stop.is_set()) else paired(embedder)
    if pair is not None and info.second is not None and store.missing(info.second) > 0:
        done += _embed_rest(store, pair.second(), locks, SECOND_BATCH, progress, stop)
    if not (stop and stop.is_set()):
        for scope in store.outdated(info):
            with locks.of(scope):
                store.drop_vectors(scope, keep=info)
    return done


def _embed_rest(
    store: Store,
    embedder: Embedder,
    locks: ScopeLocks,
    most: int,
    progress: Callable[[int], None] | None,
    stop: threading.Event | None,
) -> int:
    """Embed the memories without a vector of one model, ``most`` at a time; return how many."""
    done, info = 0, embedder.info
    while not (stop and stop.is_set()):
        batch = store.unindexed(info, most)
        if not batch:
            break
        vectors = embedder.embed_passages([memory.text for memory in batch])
        rows = [(memory.scope, memory.id, vector) for memory, vector in zip(batch, vectors, strict=True)]
        with locks.of(*{memory.scope for memory in batch}):
            store.put_vectors(info, rows)
        done += len(batch)
        if progress:
            progress(len(batch))
    return done


class BackgroundCatchUp:
    """Runs ``embed_missing`` in a background thread, each time after something was written and writing has paused.

    An error of the store or the model ends the thread and is kept in ``fault``.
    """

    def __init__(self, store: Store, embedder: Embedder, locks: ScopeLocks) -> None:
        self.fault: ReverieError | None = None
        self._store, self._embedder, self._locks = store, embedder, locks
        self._stop = threading.Event()
        self._written = threading.Event()
        self._thread: threading.Thread | None = None
        self._pause_s = IDLE_S

    def start(self, pause_s: float = IDLE_S) -> None:
        """Embed missing vectors in the thread, once nothing was written for ``pause_s`` seconds."""
        self._pause_s = pause_s
        self._written.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="reverie-catch-up", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        try:
            while self._awaited():
                embed_missing(self._store, self._embedder, self._locks, stop=self._stop)
        except StoreClosed:
            return
        except (StoreError, ModelError) as fault:
            self.fault = fault

    def _awaited(self) -> bool:
        """Wait until something was written and writing has paused; return False when the thread is to stop."""
        self._written.wait()
        while self._written.is_set() and not self._stop.is_set():
            self._written.clear()
            self._stop.wait(self._pause_s)
        return not self._stop.is_set()

    def stop(self) -> None:
        """Stop the thread and wait for its current batch."""
        self._stop.set()
        self._written.set()
        if self._thread is not None:
            self._thread.join()

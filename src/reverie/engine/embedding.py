"""Catching up: memories that have no vector of the current model get one, in batches, wherever it stopped before."""

from __future__ import annotations

import threading
from collections.abc import Callable

from reverie.errors import ModelError, ModelUnavailable, ReverieError, StoreClosed, StoreError
from reverie.ports import Embedder, Store
from reverie.types import ModelInfo

BATCH = 64


def info_of(embedder: Embedder | None) -> ModelInfo | None:
    """What an embedder is; None without one, and while its endpoint, which alone can tell, does not answer."""
    try:
        return embedder.info if embedder is not None else None
    except ModelUnavailable:
        return None


def catch_up(
    store: Store,
    embedder: Embedder,
    lock: threading.RLock,
    progress: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> int:
    """Embed what is not embedded; other models' vectors go once all is done.

    Each batch is one transaction, so a stopped run loses nothing and the next goes on. The lock is held only while
    the store is used, so others recall meanwhile.

    Returns:
        How many memories were embedded.
    """
    done, info = 0, embedder.info  # before the lock: an endpoint may take its time
    while not (stop and stop.is_set()):
        with lock:
            batch = store.unindexed(info, BATCH)
        if not batch:
            with lock:
                store.drop_vectors(keep=info)
            break
        vectors = embedder.embed_passages([memory.text for memory in batch])
        rows = [(memory.scope, memory.id, vector) for memory, vector in zip(batch, vectors, strict=True)]
        with lock:
            store.put_vectors(info, rows)
        done += len(batch)
        if progress:
            progress(len(batch))
    return done


class BackgroundCatchUp:
    """Runs ``catch_up`` in a thread of its own from opening to closing; a fault ends it and is kept in ``fault``."""

    def __init__(self, store: Store, embedder: Embedder, lock: threading.RLock) -> None:
        self.fault: ReverieError | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=self._run, args=(store, embedder, lock), name="reverie-catch-up", daemon=True
        )
        self._thread.start()

    def _run(self, store: Store, embedder: Embedder, lock: threading.RLock) -> None:
        try:
            catch_up(store, embedder, lock, stop=self._stop)
        except StoreClosed:
            return
        except (StoreError, ModelError) as fault:
            self.fault = fault

    def stop(self) -> None:
        """Ask it to end and wait for the batch under way."""
        self._stop.set()
        self._thread.join()

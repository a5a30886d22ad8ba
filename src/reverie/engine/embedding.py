"""Embed memories that have no vector of the current model, in batches; `engine.jobs` does it in the background."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reverie.engine.locks import ScopeLocks
from reverie.ports import Embedder, Store, paired

BATCH = 64
SECOND_BATCH = 4
"""Batch size for the slower model, a tenth of a second's work: a recall and closing the engine wait for it at most."""
IDLE_S = 0.25
"""The slower model waits until nothing was written for this long, as it would take processor time from writers."""


@dataclass(frozen=True, slots=True)
class Pace:
    """When to go on between batches: ``is_over`` says whether to stop, ``rest`` waits so that recalls go first."""

    is_over: Callable[[], bool] = lambda: False
    rest: Callable[[], None] = lambda: None


def embed_missing(
    store: Store,
    embedder: Embedder,
    locks: ScopeLocks,
    progress: Callable[[int], None] | None = None,
    pace: Pace = Pace(),
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
    done = _embed_rest(store, embedder, locks, BATCH, progress, Pace(pace.is_over))
    pair = None if quick or pace.is_over() else paired(embedder)
    if pair is not None and info.second is not None and store.missing(info.second) > 0:
        done += _embed_rest(store, pair.second(), locks, SECOND_BATCH, progress, pace)
    if not pace.is_over():
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
    pace: Pace,
) -> int:
    """Embed the memories without a vector of one model, ``most`` at a time; return how many."""
    done, info = 0, embedder.info
    while not pace.is_over():
        pace.rest()
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

"""What a store needs to receive rows that it has not written itself: handed in by the engine, which has it anyway."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from reverie.errors import ModelError
from reverie.ports import Clock, Embedder, Ids
from reverie.types import FloatArray, IndexEntry, Memory, ModelInfo


class Indexing(Protocol):
    """What makes a memory findable."""

    def __call__(self, memory: Memory, vector: FloatArray | None = None, model: ModelInfo | None = None) -> IndexEntry:
        """The entry for one memory."""


def _unheard(_: ModelError) -> None:
    """Nobody listens."""


@dataclass(slots=True)
class Reception:
    """How a foreign row becomes a memory.

    Attributes:
        index: makes a memory findable.
        screened: a text → what may be written down of it, and why it must not be recalled ("": it may).
        clock: when it came in.
        ids: salts for the journal.
        embedder: embeds a few rows as they come; None: they are found by text until somebody catches up.
        unembedded: told why new rows got no vector, where the model is down.
    """

    index: Indexing
    screened: Callable[[str], tuple[str, str]]
    clock: Clock
    ids: Ids
    embedder: Embedder | None = None
    unembedded: Callable[[ModelError], None] = _unheard

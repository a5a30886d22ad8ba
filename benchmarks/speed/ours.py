"""Reverie under the clock, through its public calls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from benchmarks.mechanisms import MECHANISMS
from benchmarks.speed.contender import BUDGET_TOKENS, TOP_K
from benchmarks.speed.measurements import Stopwatch
from benchmarks.speed.vectors import FakeEmbedder
from reverie import Reverie, Scope
from reverie.recipes.recipe import OwnRecipe, recipe
from reverie.types import Message

BEYOND_SEARCH = (
    *("pre-gate", "echoes", "answerable", "opposed", "outdated"),
    *("company", "updates", "repeats", "standing orders", "collapse"),
)
"""What stands around the search."""
SCOPE = Scope(agent="benchmark", user="reader", project="speed")
STORE = "store.db"


class OurContender:
    """One store file, one scope."""

    def __init__(self, folder: Path, embedder: FakeEmbedder, *, whole: bool = True) -> None:
        """``whole``: with all that is on by default; else keeping, searching, packing and counting alone."""
        folder.mkdir(parents=True, exist_ok=True)
        self._whole = whole
        self._path = folder / STORE
        self._embedder = embedder
        self._engine: Reverie | None = None

    def build(self, messages: Iterator[Message]) -> list[float]:
        """Bulk import; making the messages and their vectors is left out."""
        making = Stopwatch()
        batches: list[float] = []
        since = [perf_counter(), 0.0]

        def note(size: int) -> None:
            now, excluded = perf_counter(), making.spent_s + self._embedder.watch.spent_s
            batches.append((now - since[0] - (excluded - since[1])) * 1000.0 / size)
            since[:] = [now, excluded]

        self.open()
        since[:] = [perf_counter(), self._embedder.watch.spent_s]
        self._ready().transfer.remember_many(making.over(messages), SCOPE, progress=note)
        return batches

    def open(self) -> None:
        """Open the store."""
        if self._whole:
            self._engine = Reverie.open(self._path, embedder=self._embedder)
        else:
            self._engine = Reverie.open(self._path, embedder=self._embedder, recipe=search_alone(), screen=None)

    def recall(self, query: str) -> int:
        """A recall as an agent's: ten memories, 1,000 tokens, counted."""
        return len(self._ready().recall(query, SCOPE, top_k=TOP_K, budget_tokens=BUDGET_TOKENS).hits)

    def settle(self) -> None:
        """Nothing: what a recall leaves behind is part of its price."""

    def remember(self, message: Message) -> None:
        """One durable message."""
        self._ready().remember(message, SCOPE)

    def close(self) -> None:
        """Close the store."""
        self._ready().close()

    def _ready(self) -> Reverie:
        if self._engine is None:
            self.open()
        assert self._engine is not None
        return self._engine


def search_alone() -> OwnRecipe:
    """The default recipe as far as it finds: its search, with every signal."""
    found = recipe("reverie")
    kept = OwnRecipe("search", found.recall, found.encode, found.dream, found.working)
    for name in BEYOND_SEARCH:
        kept = MECHANISMS[name](kept)
    return kept

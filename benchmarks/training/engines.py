"""An engine that hears a haystack message by message and is asked by a part of its read path, as training sees it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType

from benchmarks.embedding import KeptVectors
from benchmarks.systems.reverie import message
from benchmarks.values import Item
from reverie import FixedClock, Reverie, Scope
from reverie.answers import Hit, Recollection
from reverie.conflicts.pairs import Heads, SeenVectors
from reverie.formulas.centring import centre, unit
from reverie.ports import Embedder
from reverie.recipes.recipe import OwnRecipe, recipe
from reverie.types import FloatArray

SCOPE = Scope(agent="benchmark", user="reader", project="training")


class Heard:
    """A store that hears ``items`` as far as each cue has heard them; ``known`` gives a memory's item."""

    def __init__(
        self, items: Sequence[Item], embedder: Embedder | None, stages: Collection[str] = frozenset({"search"})
    ) -> None:
        """``stages``: those of the default's read path that are run."""
        default = recipe("reverie")
        search = tuple(stage for stage in default.recall.stages if stage.name in stages)
        alone = OwnRecipe(
            "search", replace(default.recall, stages=search), default.encode, default.dream, default.working
        )
        self._clock = FixedClock(datetime.min.replace(tzinfo=UTC))
        self._items = items
        self._embedder = None if embedder is None else KeptVectors(embedder)
        self._engine = Reverie.open(
            ":memory:", embedder=self._embedder, clock=self._clock, recipe=alone, screen=None, background=False
        )
        self.known: dict[str, str] = {}
        self._told = 0

    def __enter__(self) -> Heard:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self._engine.close()

    def answer(self, text: str, at: datetime, heard: int, depth: int) -> Recollection:
        """What the search finds once so many messages have been heard; ``heard`` may not fall."""
        for item in self._items[self._told : heard]:
            self._clock.at = max(self._clock.at, item.at)
            self.known[self._engine.remember(message(item), SCOPE).id] = item.id
        self._told = max(self._told, heard)
        self._engine.admin.embed()
        return self._engine.explain(text, SCOPE, top_k=depth, budget_tokens=None, now=at).recollection

    def ask(self, text: str, at: datetime, heard: int, depth: int) -> Sequence[Hit]:
        """The hits of an answer."""
        return self.answer(text, at, heard, depth).hits

    def seen(self, hits: Sequence[Hit], heads: Heads | None) -> SeenVectors | None:
        """The vectors of hits, from the middle of what was heard; None without a model."""
        model = self._embedder
        if model is None:
            return None
        first = self._from_the_middle(model, hits)
        second = self._from_the_middle(model.second(), hits) if model.info.second is not None else None
        return SeenVectors(first, second, None if heads is None else heads.log_odds(first))

    def _from_the_middle(self, model: Embedder, hits: Sequence[Hit]) -> FloatArray:
        everything = model.embed_passages([item.text for item in self._items[: self._told]])
        rows = model.embed_passages([hit.memory.text for hit in hits])
        return unit(rows - centre(everything.mean(axis=0), len(everything)))

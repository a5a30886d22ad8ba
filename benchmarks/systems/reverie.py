"""Reverie itself, through its public calls only: remember everything, recall each question as of when it was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from benchmarks.embedding import affordable
from benchmarks.metrics import count_words
from benchmarks.values import Entry, Haystack, Item, Question, Ranking
from reverie import FixedClock, Message, Reverie, Scope
from reverie.answers import Hit
from reverie.events import Remembered
from reverie.ports import Embedder
from reverie.recipes.recipe import Recipe


class ReverieSystem:
    """The engine over a store in memory, one a haystack."""

    def __init__(self, embedder: Embedder | None, name: str = "reverie", recipe: str | Recipe = "reverie") -> None:
        self.embedder = embedder
        self.name = name
        self.recipe = recipe

    def rank(self, haystack: Haystack, depth: int) -> list[Ranking]:
        """A ranking for each question: what stands, as it is injected first, then all hits in order of rank.

        Those that a gate or cut withheld are marked as such.
        """
        scope = Scope(agent="benchmark", user="reader", project="retrieval")
        found: dict[int, Ranking] = {}
        with self._open(affordable(self.embedder, (item.text for item in haystack.items))) as engine:
            for place, known in self._asked(engine, haystack, scope):
                found[place] = self._rank(engine, scope, haystack.questions[place], depth, known)
        return [found[place] for place in range(len(haystack.questions))]

    def _asked(self, engine: Reverie, haystack: Haystack, scope: Scope) -> Iterator[tuple[int, dict[str, str]]]:
        """The place of each question once what was said before it has been told, and the message of each episode."""
        told = 0
        for heard, places in haystack.stages():
            self._tell(engine, haystack.items[told:heard], scope)
            told = heard
            engine.admin.embed()
            known = dict(message_ids(engine, scope))
            yield from ((place, known) for place in places)

    def _open(self, embedder: Embedder | None) -> Reverie:
        return Reverie.open(":memory:", embedder=embedder, recipe=self.recipe, background=False)

    def _tell(self, engine: Reverie, items: Sequence[Item], scope: Scope) -> None:
        engine.transfer.remember_many((message(item) for item in items), scope)

    def _rank(self, engine: Reverie, scope: Scope, question: Question, depth: int, known: dict[str, str]) -> Ranking:
        # `explain` is the same recall without counting accesses, so no question can change the next one's answer.
        seen = engine.explain(question.text, scope, top_k=depth, budget_tokens=None, now=question.asked_at)
        found = seen.recollection
        hits = sorted((*found.hits, *found.withheld), key=lambda hit: hit.rank)
        return tuple(entry(hit, known) for hit in (*found.standing, *hits))


class ObservedSystem(ReverieSystem):
    """A recipe that observes the conversation, each message at the time it was said."""

    def __init__(self, embedder: Embedder | None, name: str, recipe: str) -> None:
        super().__init__(embedder, name, recipe)
        self._clock = FixedClock(datetime.min.replace(tzinfo=UTC))

    def _open(self, embedder: Embedder | None) -> Reverie:
        return Reverie.open(":memory:", embedder=embedder, recipe=self.recipe, clock=self._clock, background=False)

    def _tell(self, engine: Reverie, items: Sequence[Item], scope: Scope) -> None:
        for item in items:
            self._clock.at = item.at
            engine.observe(message(item), scope)


def message(item: Item) -> Message:
    """An item as a user would hand it in."""
    return Message(
        text=item.text,
        speaker=item.speaker,
        role=item.role,
        session=item.session,
        at=item.at,
        message_id=item.id,
    )


def message_ids(engine: Reverie, scope: Scope) -> Iterator[tuple[str, str]]:
    """Episode id → the message id it came with, as the journal tells."""
    for event in engine.admin.events(scope):
        if isinstance(event.payload, Remembered) and event.payload.episode.message_id is not None:
            yield event.payload.episode.id, event.payload.episode.message_id


def entry(hit: Hit, known: dict[str, str]) -> Entry:
    """A hit as a place in a ranking: a formed memory stands for the episodes it came from."""
    episodes = hit.memory.sources or (hit.memory.id,)
    return Entry(tuple(known[one] for one in episodes), count_words(hit.memory.text), bool(hit.withheld))

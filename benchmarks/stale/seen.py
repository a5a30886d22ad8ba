"""What a system shows for a question: places in order, each with the marks the system put on it.

In: a haystack. Out: one list of places a question. BM25 and cosine mark nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from benchmarks import systems
from benchmarks.embedding import affordable
from benchmarks.longrun.mechanisms import without
from benchmarks.systems.reverie import ObservedSystem, ReverieSystem, entry
from benchmarks.values import Haystack, Question
from reverie import Reverie, Scope
from reverie.errors import InvalidInput
from reverie.ports import Embedder

NAMES = ("bm25", "dense", "reverie", "observed")
"""The systems compared; ``observed`` is ``reverie`` that hears the conversation through ``observe``."""
MARKING = ("updates", "outdated", "opposed")
"""What of the default's read path puts the newer first, marks the older, and brings both sides."""
WITHOUT = tuple(f"-{name}" for name in MARKING)
"""Rows of ``reverie`` with one of these taken out (``longrun.mechanisms``)."""
OUTDATED = frozenset({"outdated", "superseded"})
"""Marks that say a fact was true once: possibly so, or certainly."""
OPPOSED = frozenset({"contradicts"})
"""Marks that say something else says the opposite."""
_SCOPE = Scope(agent="benchmark", user="reader", project="stale")


@dataclass(frozen=True, slots=True)
class Place:
    """The items that one place stands for, and its marks."""

    ids: tuple[str, ...]
    marks: frozenset[str] = frozenset()


Shown: TypeAlias = tuple[Place, ...]
"""Best first, what is withheld left out."""


class Shower(Protocol):
    """Something that shows."""

    @property
    def name(self) -> str:
        """As in the rows."""
        ...

    def show(self, haystack: Haystack, depth: int) -> list[Shown]:
        """One answer a question, in the order of the questions."""
        ...


def showers(embedder: Embedder | None, names: Sequence[str] = NAMES) -> list[Shower]:
    """The systems of these names.

    Raises:
        InvalidInput: a name is unknown.
    """
    unknown = [name for name in names if name not in (*NAMES, *WITHOUT)]
    if unknown:
        raise InvalidInput(f"There is no system {unknown[0]!r} here.", f"Choose from {', '.join((*NAMES, *WITHOUT))}.")
    return [_shower(name, embedder) for name in names]


def _shower(name: str, embedder: Embedder | None) -> Shower:
    if name == "reverie":
        return _Remembering(embedder)
    if name in WITHOUT:
        return _Remembering(embedder, name, without(name[1:]))
    return _Observing(embedder, name, "reverie") if name == "observed" else _Ranking(name, embedder)


class _Ranking:
    """A system that only ranks."""

    def __init__(self, name: str, embedder: Embedder | None) -> None:
        self.name = name
        (self._system,) = systems.build([name], embedder)

    def show(self, haystack: Haystack, depth: int) -> list[Shown]:
        return [tuple(Place(one.ids) for one in ranking) for ranking in self._system.rank(haystack, depth)]


class _Marking(ReverieSystem):
    """Reverie: what it injects, with the signals that mark it."""

    def show(self, haystack: Haystack, depth: int) -> list[Shown]:
        found: dict[int, Shown] = {}
        with self._open(affordable(self.embedder, (item.text for item in haystack.items))) as engine:
            for place, known in self._asked(engine, haystack, _SCOPE):
                found[place] = tuple(_places(engine, haystack.questions[place], depth, known))
        return [found[place] for place in range(len(haystack.questions))]


class _Remembering(_Marking):
    """Words alone."""


class _Observing(_Marking, ObservedSystem):
    """What was formed of them beside."""


def _places(engine: Reverie, question: Question, depth: int, known: dict[str, str]) -> Iterator[Place]:
    answer = engine.explain(question.text, _SCOPE, top_k=depth, budget_tokens=None, now=question.asked_at).recollection
    for hit in (*answer.standing, *answer.hits):
        yield Place(entry(hit, known).ids, frozenset(signal.name for signal in hit.signals))

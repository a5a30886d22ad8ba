"""The systems that are compared. Each ranks every question of a haystack; all see the same items and questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from benchmarks.systems.baselines import Bm25, Dense, Rrf
from benchmarks.values import Haystack, Ranking
from reverie.errors import InvalidInput
from reverie.ports import Embedder

RECIPES = {"observed": "reverie", "v9": "v9", "exocortex": "exocortex", "openclaw": "openclaw", "ocean": "ocean"}
"""Rows of the recipes: each hears the conversation through ``observe``, so that it forms what it forms."""
PEERS = ("mem0", "mempalace", "langgraph")
"""Rows of memory systems of others, which run where ``make peers`` has put them."""
SIGNALS = (
    "text",
    "meaning",
    "context reinstatement",
    "speaker weight",
    "time weight",
    "roles",
    "telling",
    "length",
    "recency",
    "updates",
    "opposed",
    "standing orders",
)
"""What of the default's read path decides the order of what is asked by hand (``benchmarks.mechanisms``)."""
WITHOUT = tuple(f"-{name}" for name in SIGNALS)
"""Rows of ``reverie`` with one of these taken out: what each is worth."""
GROUPS = {"without": WITHOUT}
NAMES = ("bm25", "dense", "rrf", "reverie", *RECIPES, *PEERS, *WITHOUT)
DEFAULT = ("bm25", "dense", "rrf", "reverie")
"""The systems compared unless others are named; ``reverie`` keeps the words alone."""


class System(Protocol):
    """Something that ranks."""

    @property
    def name(self) -> str:
        """As in the rows."""
        ...

    def rank(self, haystack: Haystack, depth: int) -> list[Ranking]:
        """One ranking a question, in the order of the questions; ``depth``: how many places are looked at."""
        ...


def build(names: Sequence[str], embedder: Embedder | None) -> list[System]:
    """The systems of these names.

    Raises:
        InvalidInput: a name is unknown, or dense or rrf is wanted without an embedding model.
    """
    return [_build(name, embedder) for name in names]


def _build(name: str, embedder: Embedder | None) -> System:
    if name == "bm25":
        return Bm25()
    if name == "reverie":
        from benchmarks.systems.reverie import ReverieSystem  # the engine is loaded only where it is measured

        return ReverieSystem(embedder)
    if name in WITHOUT:
        from benchmarks.mechanisms import without
        from benchmarks.systems.reverie import ReverieSystem

        return ReverieSystem(embedder, name, without(name[1:]))
    if name in RECIPES:
        from benchmarks.systems.reverie import ObservedSystem

        return ObservedSystem(embedder, name, RECIPES[name])
    if name not in NAMES:
        raise InvalidInput(f"There is no system {name!r}.", f"Choose from {', '.join(NAMES)}.")
    if embedder is None:
        raise InvalidInput(f"{name} needs an embedding model.", "Leave --embedder out, or take other --systems.")
    if name in PEERS:
        from benchmarks.systems.peer import PeerSystem

        return PeerSystem(name, embedder)
    return Dense(embedder) if name == "dense" else Rrf(embedder)

"""What is timed: a system that takes messages in, recalls ten of them, and writes down that it did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from reverie.types import Message

OURS = "reverie"
SEARCH = "reverie-search"
"""The default recipe's search alone: no screen before it, nothing that judges or reorders what it found."""
LANCEDB = "lancedb"
SYSTEMS = (OURS, SEARCH, LANCEDB)
TOP_K = 10
BUDGET_TOKENS = 1000


class Contender(Protocol):
    """One system over one folder, embedding with the stand-in model."""

    def build(self, messages: Iterator[Message]) -> list[float]:
        """Bulk import with everything that makes it searchable; ms a message, one figure a batch."""
        ...

    def open(self) -> None:
        """Make ready to recall."""
        ...

    def recall(self, query: str) -> int:
        """Find the best ten and count their access; how many were found."""
        ...

    def settle(self) -> None:
        """Tidy up off the clock, between blocks, as far as the system needs it."""
        ...

    def remember(self, message: Message) -> None:
        """Keep one message."""
        ...

    def close(self) -> None:
        """Let go of the files."""
        ...

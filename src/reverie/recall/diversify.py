"""Diversify where it helps: the same words from the same speaker are handed over once.

Softer diversity (MMR, session coverage) cost evidence on every development set, so it is not done here.
"""

from __future__ import annotations

from reverie.types import Memory


class Repeats:
    """Remembers what has passed, in rank order, and knows a word-for-word repeat; case and blanks do not count."""

    def __init__(self) -> None:
        self._ranks: dict[tuple[str, str], int] = {}

    def of(self, memory: Memory, rank: int) -> int | None:
        """The rank of the earlier memory this one repeats; None where it is the first of its kind."""
        key = (memory.speaker, " ".join(memory.text.split()).casefold())
        earlier = self._ranks.setdefault(key, rank)
        return None if earlier == rank else earlier

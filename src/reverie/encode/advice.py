"""Advice: what a language model said about thoughts that are about to be written, asked before anything was locked.

Merged texts and bonds are looked up by the very texts they were made from: where the store has moved on meanwhile there
is no advice, and the heuristics decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reverie.ports import Bond


@dataclass(frozen=True, slots=True)
class Advice:
    """What a model said; empty without one."""

    merges: Mapping[tuple[str, str], str] = field(default_factory=dict)
    bonds: Mapping[tuple[str, tuple[str, ...]], tuple[Bond, ...]] = field(default_factory=dict)

    def merged(self, old: str, new: str) -> str | None:
        """One text with every fact of both."""
        return self.merges.get((old, new))

    def related(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """How a new memory stands to others."""
        return self.bonds.get((new, tuple(others)))


NO_ADVICE = Advice()

"""Advice: what a language model says about thoughts that are about to be written, asked before anything is locked.

In: thoughts with their neighbours and the gate's foresight. Out: merged texts and bonds, looked up by the very texts
they were made from: where the store has moved on meanwhile there is no advice, and the heuristics decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reverie.formulas.prediction_error import Verdict
from reverie.ports import Bond, Mind

if TYPE_CHECKING:
    from reverie.encode.judging import Judged


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


def advise(mind: Mind, judged: Iterable[Judged], *, relates: bool) -> Advice:
    """Ask the model what it will be needed for: a wording where one is updated, bonds where one is created."""
    merges: dict[tuple[str, str], str] = {}
    bonds: dict[tuple[str, tuple[str, ...]], tuple[Bond, ...]] = {}
    for one in judged:
        text, target = one.one.thought.text, one.passage.target
        if one.passage.verdict is Verdict.UPDATE and target is not None:
            wording = mind.merge(target.text, text)
            if wording is not None:
                merges[target.text, text] = wording
        elif relates and one.near and one.passage.verdict in (Verdict.CREATE, Verdict.SUPERSEDE):
            others = tuple(near.memory.text for near in one.near)
            found = mind.relate(text, others)
            if found is not None:
                bonds[text, others] = found
    return Advice(merges, bonds)

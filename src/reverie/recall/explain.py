"""Explain the order of a recollection's hits: how each signal contributed, and what the order were without it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reverie.answers import Hit, Recollection, Signal


@dataclass(frozen=True, slots=True)
class Shift:
    """The effect of one signal on one memory: at ``rank`` with it, it would be at ``instead`` without it."""

    signal: str
    memory: str
    rank: int
    instead: int


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on one memory of the answer, such as superseded, outdated, contradicts or quoted.

    ``other`` is the id of the memory that replaced or contradicts it, if one is known.
    """

    memory: str
    name: str
    other: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A recollection, how its hits would change places if single signals were left out, and the remarks on them."""

    recollection: Recollection
    shifts: tuple[Shift, ...]
    remarks: tuple[Remark, ...] = ()

    def lines(self) -> list[str]:
        """Return the explanation as lines of text: the trace, the evidence, a line per hit, then the shifts."""
        lines = [f"{step.stage}: {step.note} ({step.took_ms:.2f} ms)" for step in self.recollection.trace]
        if told := ", ".join(f"{trait.name} {trait.value:.2f}" for trait in self.recollection.traits[1:]):
            lines.append(f"weights follow from: {told}")
        lines += [f"answerable: {g.name} {g.value:.2f} adds {g.share:+.2f} log-odds" for g in self.recollection.grounds]
        for hit in self.recollection.hits:
            shares = ", ".join(f"{s.name} {s.share:.3f} ({_measured(s)})" for s in hit.signals)
            whose = f" from {hit.origin}" if hit.origin else ""
            lines.append(f"{hit.rank}. {hit.memory.id}{whose} score {hit.score:.3f} = {shares}")
        lines += [f"withheld {hit.memory.id}: {hit.withheld}" for hit in self.recollection.withheld]
        lines += [f"without {s.signal}: number {s.rank} ({s.memory}) would be number {s.instead}" for s in self.shifts]
        return lines


def explain(recollection: Recollection) -> Explanation:
    """Explain a recollection: compute how the hits would change places without each of their signals.

    Only differences of score count. What a stage reordered for other reasons than the score stays as it is.
    """
    hits = sorted((*recollection.hits, *recollection.withheld), key=lambda hit: hit.rank)
    names = dict.fromkeys(signal.name for hit in hits for signal in hit.signals)
    shifts = [shift for name in names for shift in _without(name, hits)]
    return Explanation(recollection, tuple(shifts), tuple(_remarks((*recollection.standing, *hits))))


def _remarks(hits: Iterable[Hit]) -> Iterator[Remark]:
    from reverie.recall.annotations import marks

    for hit in hits:
        for mark in marks(hit.memory, hit.signals):
            yield Remark(hit.memory.id, mark.name, mark.other)


def _measured(signal: Signal) -> str:
    """Format a signal's value, and its weight where it has one (signals of annotations have none)."""
    return f"{signal.value:.2f}×{signal.weight:g}" if signal.weight else f"{signal.value:.2f}"


def _without(name: str, hits: Sequence[Hit]) -> list[Shift]:
    """Return the shifts that leaving out one signal causes."""
    before, after = _places(hits, ""), _places(hits, name)
    ranks = sorted(hit.rank for hit in hits)
    found = []
    for hit in sorted(hits, key=lambda hit: after[hit.rank]):
        moved = ranks.index(hit.rank) + after[hit.rank] - before[hit.rank]
        if after[hit.rank] != before[hit.rank]:
            found.append(Shift(name, hit.memory.id, hit.rank, ranks[min(max(moved, 0), len(ranks) - 1)]))
    return found


def _places(hits: Sequence[Hit], without: str) -> dict[int, int]:
    """Map each hit's rank to its place by score, from 0, with one signal left out; equal scores keep their order."""

    def rest(hit: Hit) -> float:
        return sum(signal.share for signal in hit.signals if signal.name != without)

    order = sorted(hits, key=lambda hit: (-round(rest(hit), 6), hit.rank))
    return {hit.rank: place for place, hit in enumerate(order)}

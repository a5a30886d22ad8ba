"""What counts as keeping up with what changed: numbers for one question.

In: what a system showed, and a question with its sides. Out: a value in [0, 1], or None where the question has none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from benchmarks.stale.seen import OPPOSED, OUTDATED, Shown
from benchmarks.values import Change, Question

TOP = 10
"""Places that a reader sees."""


def newer_above(shown: Shown, question: Question) -> float | None:
    """1 if the newest evidence stands above all older evidence, each by its best place; what is not found stands last.

    None unless something was overtaken: a side that shares a message with a later one has not been.
    """
    sides = overtaken(question)
    if not sides:
        return None
    newest = _place(shown, question.sides[-1])
    return float(newest is not None and all(_stands_above(newest, _place(shown, side)) for side in sides))


def still_above(shown: Shown, question: Question) -> float | None:
    """1 if what still holds stands above the later message that only looks as if it took its place."""
    if question.change is not Change.TRAP or len(question.sides) < 2:
        return None
    holds, later = (_place(shown, side) for side in question.sides)
    return float(holds is not None and _stands_above(holds, later))


def older_marked(shown: Shown, question: Question) -> float | None:
    """Of the overtaken evidence among the first ten the share that is marked; None where none is there."""
    old = {one for side in overtaken(question) for one in side}
    return _share_marked(shown, old, OUTDATED)


def wrongly_outdated(shown: Shown, question: Question) -> float | None:
    """Of the evidence of a question about nothing that changed, among the first ten, the share marked as outdated."""
    is_about_change = question.change in (Change.UPDATE, Change.CONTRADICTION)
    return None if is_about_change else _share_marked(shown, question.gold, OUTDATED)


def wrongly_opposed(shown: Shown, question: Question) -> float | None:
    """Of the evidence of a question about no contradiction, among the first ten, the share marked as contradicted."""
    return None if question.change is Change.CONTRADICTION else _share_marked(shown, question.gold, OPPOSED)


def rightly_opposed(shown: Shown, question: Question) -> float | None:
    """Of what a question about a contradiction finds marked among the first ten, the share that is its evidence.

    A low bound: the sets name one message a side, and others that say the same are counted as wrong.
    """
    marked = [one for place in shown[:TOP] if place.marks & OPPOSED for one in place.ids]
    if question.change is not Change.CONTRADICTION or not marked:
        return None
    return sum(one in question.gold for one in marked) / len(marked)


def both_sides(shown: Shown, question: Question) -> float | None:
    """1 if something of each side of a contradiction is among the first ten."""
    if question.change is not Change.CONTRADICTION or len(question.sides) < 2:
        return None
    there = {one for place in shown[:TOP] for one in place.ids}
    return float(all(not there.isdisjoint(side) for side in question.sides))


def both_marked(shown: Shown, question: Question) -> float | None:
    """1 if something of each side of a contradiction is among the first ten and marked as contradicted."""
    if question.change is not Change.CONTRADICTION or len(question.sides) < 2:
        return None
    marked = {one for place in shown[:TOP] if place.marks & OPPOSED for one in place.ids}
    return float(all(not marked.isdisjoint(side) for side in question.sides))


def overtaken(question: Question) -> list[tuple[str, ...]]:
    """The older sides of a knowledge update."""
    if question.change is not Change.UPDATE or not question.sides:
        return []
    newest = frozenset(question.sides[-1])
    return [side for side in question.sides[:-1] if side and newest and newest.isdisjoint(side)]


def _place(shown: Shown, side: Sequence[str]) -> int | None:
    wanted = frozenset(side)
    return next((number for number, place in enumerate(shown) if not wanted.isdisjoint(place.ids)), None)


def _stands_above(place: int, other: int | None) -> bool:
    return other is None or place < other


def _share_marked(shown: Shown, wanted: Collection[str], marks: frozenset[str]) -> float | None:
    there = [(one, bool(place.marks & marks)) for place in shown[:TOP] for one in place.ids if one in wanted]
    return sum(marked for _, marked in there) / len(there) if there else None

"""Unit vectors of a known nearness: in, a cosine; out, a vector that has it to the first axis."""

from __future__ import annotations

from math import sqrt


def at(cosine: float, axis: int = 1) -> list[float]:
    """A vector at ``cosine`` to the first axis, the rest of it along another one."""
    made = [0.0] * (axis + 1)
    made[0] = cosine
    if axis:
        made[axis] = sqrt(max(0.0, 1 - cosine * cosine))
    return made


def scored(score: float, axis: int = 1) -> list[float]:
    """The same by Agent Zero's own score, (1 + cosine)/2."""
    return at(2 * score - 1, axis)


def axis(number: int) -> list[float]:
    """The unit vector along one axis."""
    return [0.0] * number + [1.0]

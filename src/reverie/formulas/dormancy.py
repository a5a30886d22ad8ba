"""Which memories were never needed: named to a person, not put away."""

from __future__ import annotations


def is_candidate(accesses: int, age_cycles: float, threshold_cycles: float) -> bool:
    """Whether a memory was never accessed and has seen more than ``threshold_cycles`` passes of maintenance.

    Source: exocortex-memory
    """
    return accesses == 0 and age_cycles > threshold_cycles

"""How fresh an observation is: it fades evenly towards the end of its time."""

from __future__ import annotations

import math


def freshness(age_days: float, effective_max_age_days: float, least: float) -> float:
    """From 1 at creation in a straight line to ``least`` at the effective maximum age, and ``least`` beyond.

    Args:
        age_days: since creation; a clock that ran backwards counts as 0.
        effective_max_age_days: > 0; inf for what is permanent, which stays at 1.
        least: in [0, 1].

    Source: ocean-vault
    """
    if math.isinf(effective_max_age_days):
        return 1.0
    share = min(1.0, max(0.0, age_days) / effective_max_age_days)
    return 1.0 - (1.0 - least) * share

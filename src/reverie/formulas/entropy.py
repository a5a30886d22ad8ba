"""How evenly scores are spread: 0 where one stands out, the logarithm of their number where all are alike."""

from __future__ import annotations

import math
from collections.abc import Sequence


def entropy(scores: Sequence[float]) -> float:
    """−Σ p·ln p of p = e^score / Σ e^score, in [0, ln n]; 0 for none.

    Source: shannon-communication
    """
    if not scores:
        return 0.0
    best = max(scores)
    raised = [math.exp(score - best) for score in scores]
    whole = math.fsum(raised)
    return -math.fsum(part / whole * math.log(part / whole) for part in raised if part > 0.0)

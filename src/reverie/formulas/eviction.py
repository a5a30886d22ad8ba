"""Which item working memory gives up: the one that matters least, was touched longest ago and used least."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Floats, Values


@dataclass(frozen=True, slots=True)
class EvictionLaw:
    """Minutes until recency has fallen to 1/e, and what each access adds."""

    fade_minutes: float
    per_access: float


def eviction_score(importance: Values, idle_minutes: Values, accesses: Values, law: EvictionLaw) -> Floats:
    """Importance times e^(−idle/fade) times (1 + per access · accesses), ≥ 0; the lowest goes.

    The document calls its 30 minutes a half-life, but its formula, which stands, falls to 1/e in that time.

    Source: cognitive-memory-v9
    """
    recency = np.exp(-np.maximum(idle_minutes, 0.0) / law.fade_minutes)
    result: Floats = np.multiply(importance, recency) * (1.0 + law.per_access * np.asarray(accesses))
    return result

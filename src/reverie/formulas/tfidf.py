"""TF-IDF by the standard library alone: what the vault searches with, and no index to build."""

from __future__ import annotations

import math
from collections.abc import Mapping

from reverie.formulas.text_cosine import text_cosine


def idf(containing: int, size: int) -> float:
    """Weight of a term found in ``containing`` of ``size`` texts: ln((N + 1)/(df + 1)) + 1, never below 1.

    Source: ocean-vault, salton-buckley-weighting
    """
    return math.log((size + 1) / (containing + 1)) + 1.0


def weighted(counts: Mapping[str, int], idfs: Mapping[str, float]) -> dict[str, float]:
    """Term → count times idf; a term that no text holds (and that has no idf) is left out.

    Source: ocean-vault, salton-buckley-weighting
    """
    return {term: count * idfs[term] for term, count in counts.items() if term in idfs}


def score(query: Mapping[str, float], text: Mapping[str, float], importance: float, freshness: float) -> float:
    """Cosine of two weighted texts times importance times freshness, each in [0, 1].

    Source: ocean-vault
    """
    return text_cosine(query, text) * importance * freshness


def is_searchable(importance: float, age_days: float, max_age_days: float, floor: float) -> bool:
    """Whether search looks at an observation at all: more important than ``floor`` and not past its age.

    Source: ocean-vault
    """
    return importance > floor and age_days <= max_age_days

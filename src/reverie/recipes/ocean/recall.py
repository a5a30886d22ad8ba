"""How ``ocean`` recalls: document B to the letter. Words alone, importance that was earned, and freshness."""

from __future__ import annotations

from math import inf

from reverie.recall.ocean import Tfidf
from reverie.recall.pipeline import ReadPath
from reverie.recipes.ocean import numbers
from reverie.types import Kind

MAX_AGE_DAYS = (
    (Kind.EPISODE, 14.0),
    (Kind.PLAN, 14.0),
    (Kind.FACT, 30.0),
    (Kind.DECISION, 90.0),
    (Kind.PREFERENCE, 180.0),
    (Kind.INSTRUCTION, inf),
)
"""B5's classes: tactical, operational, strategic, compliance, permanent; which is which is ours (decision 0014)."""

RECALL = ReadPath(
    stages=(
        Tfidf(
            max_age_days=MAX_AGE_DAYS,
            other_age_days=30.0,
            extensions=numbers.EXTENSIONS,
            floor=numbers.SEARCH_FLOOR,
            least=numbers.LEAST_FRESHNESS,
            most=500,
        ),
    ),
)

"""How ``ocean`` recalls: document B to the letter. Words alone, importance that was earned, and freshness."""

from __future__ import annotations

from math import inf

from reverie.formulas.max_age import Extension
from reverie.recall.ocean import Tfidf
from reverie.recall.pipeline import ReadPath
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

EXTENSIONS = (Extension(0.8, 2.0), Extension(0.9, 3.0))

RECALL = ReadPath(
    stages=(
        Tfidf(
            max_age_days=MAX_AGE_DAYS,
            other_age_days=30.0,
            extensions=EXTENSIONS,
            floor=0.1,
            least=0.05,
            most=500,
        ),
    ),
)

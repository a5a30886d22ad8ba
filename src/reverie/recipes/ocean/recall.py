"""How ``ocean`` recalls: document B, with the differences that docs/vault.md lists.

Words alone, importance that was earned, and freshness.
"""

from __future__ import annotations

from reverie.recall.collapse import BelowFormed
from reverie.recall.ocean import Tfidf
from reverie.recall.pipeline import ReadPath
from reverie.recipes.ocean import numbers
from reverie.recipes.ocean.ages import AGES, OTHER_DAYS

RECALL = ReadPath(
    stages=(
        Tfidf(
            max_age_days=AGES,
            other_age_days=OTHER_DAYS,
            extensions=numbers.EXTENSIONS,
            floor=numbers.SEARCH_FLOOR,
            least=numbers.LEAST_FRESHNESS,
            most=500,
        ),
        BelowFormed(),  # reading 26
    ),
)

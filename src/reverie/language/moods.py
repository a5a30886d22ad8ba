"""In what mood a text says something: as a wish, a doubt, a duty, a plan, or on a condition; a plain fact has none.

In: a text. Out: its moods. Two texts of different moods do not say the same: I live in Paris, I'd like to live there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from reverie.language import lists
from reverie.language.letters import plain


@lru_cache(maxsize=1 << 12)
def moods(text: str, language: str) -> frozenset[str]:
    """The moods of a text, by the names of their list."""
    folded = plain(text).replace("’", "'")
    return frozenset(mood for mood, shape in _shapes(language).items() if shape.search(folded))


@cache
def _shapes(language: str) -> Mapping[str, re.Pattern[str]]:
    table = lists.table(f"moods.{language}")
    return {mood: re.compile("|".join(f"(?:{shape})" for shape in shapes)) for mood, shapes in table.items()}

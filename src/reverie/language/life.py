"""Plain facts of a life: my rent is $900, arabam yok; and what somebody has before them: I have an exam on Friday.

In: one sentence, English or Turkish. Out: the kind of memory to form of it, or None. By patterns.
"""

from __future__ import annotations

from functools import lru_cache

from reverie.language import patterns
from reverie.language.apostrophes import spelled
from reverie.types import Kind


@lru_cache(maxsize=64)  # the class, the density and the category ask about the same sentences
def life(sentence: str) -> Kind | None:
    """FACT or PLAN for a sentence that tells one of somebody's own life; None for a wish, a condition, a supposal.

    The caller leaves questions out.
    """
    said = spelled(sentence[: patterns.TEXT_MAX])
    label = patterns.label("statement/life", said)
    return Kind(label) if label and not patterns.found("statement/life-not", said) else None

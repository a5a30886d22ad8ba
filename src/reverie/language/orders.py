"""Standing orders by what they ask for: how to answer, what never to use; and orders about one task alone.

In: one sentence, English or Turkish. Out: yes or no. Patterns: data/orders.*, data/one-task.*, data/lasting.*,
data/requests.*; what says itself that it holds: data/standing.*.
"""

from __future__ import annotations

import re
from functools import lru_cache

from reverie.language import patterns
from reverie.language.expressions import expression

_COURTESY = expression(
    r"[\s,]+(?:please|thanks|thank you|l[uü]tfen|te[sş]ekk[uü]rler)(?=\s*(?:[.!…]+|\Z|\n))", re.IGNORECASE
)


def without_courtesy(text: str) -> str:
    """The text without the "please" or "lütfen" at the end of its sentences."""
    return _COURTESY.sub("", text)


@lru_cache(maxsize=64)  # the category, the density and the mark of a message ask about the same sentences
def is_order(sentence: str) -> bool:
    """Whether a sentence orders something that is to hold from then on, even if it does not say "always"."""
    said = without_courtesy(sentence)
    if patterns.found("orders", said):
        return not is_for_one_task(sentence)
    return patterns.label("standing", said) == "instruction" and not is_request(sentence)


def is_for_one_task(sentence: str) -> bool:
    """Whether what a sentence orders is over with what lies on the table: this line, for now."""
    return patterns.found("one-task", sentence) and not patterns.found("lasting", sentence)


def is_request(sentence: str) -> bool:
    """Whether a sentence asks for one thing, however politely."""
    return is_for_one_task(sentence) or (
        patterns.found("requests", sentence) and not patterns.found("lasting", sentence)
    )

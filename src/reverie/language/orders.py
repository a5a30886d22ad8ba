"""Standing orders by what they ask for: how to answer, what never to use; and orders about one task alone.

In: one sentence, English or Turkish. Out: yes or no. Patterns: data/orders.*, data/imperatives.* with
data/order-holds.*, data/order-openers.*, data/order-remarks.*, data/one-task.*, data/lasting.*, data/requests.*,
data/revoked.*; what says itself that it holds: data/standing.*; what only sounds like it: data/order-not.*,
data/preference-not.*.
"""

from __future__ import annotations

import re
from functools import lru_cache

from reverie.language import patterns
from reverie.language.expressions import expression
from reverie.language.letters import compose

_COURTESY = expression(
    r"(?<![\s,])[\s,]+(?:please|thanks|thank you|l[uü]tfen|te[sş]ekk[uü]rler)(?=\s*(?:[.!…]+|\Z|\n))", re.IGNORECASE
)


def without_courtesy(text: str) -> str:
    """The text without the "please" or "lütfen" at the end of its sentences."""
    return _COURTESY.sub("", text)


@lru_cache(maxsize=64)  # the category, the density and the mark of a message ask about the same sentences
def is_order(sentence: str) -> bool:
    """Whether a sentence orders what is to hold from then on, even if it does not say "always", or takes it back."""
    if is_revoked(sentence) or _orders(sentence):
        return True
    order = without_remark(sentence)
    return order != sentence and _orders(order) and not sounds_only("instruction", sentence)


def _orders(sentence: str) -> bool:
    """Whether a sentence orders what is to hold, with nothing behind the order."""
    said = without_courtesy(sentence)
    bare = without_opener(said)
    holds = patterns.found("imperatives", bare) and patterns.found("order-holds", said)
    if holds or any(patterns.found("orders", one) for one in {bare, said}):
        return not is_for_one_task(bare) and not sounds_only("instruction", sentence)
    is_held = patterns.label("standing", said) == "instruction"
    return is_held and not is_request(sentence) and not sounds_only("instruction", sentence)


def sounds_only(kind: str, sentence: str) -> bool:
    """Whether what sounds like an order or a preference is none: what others say or do, advice, a choice once made."""
    return patterns.found("order-not" if kind == "instruction" else "preference-not", sentence)


def without_opener(text: str) -> str:
    """The sentence without what stands before the order: "Actually,", "One more thing:"."""
    text = compose(text)
    words, languages = patterns.read(text)
    opened = (patterns.any_of(f"order-openers.{language}").match(words) for language in languages)
    return text[max((found.end() for found in opened if found), default=0) :]


def without_remark(sentence: str) -> str:
    """The sentence without the reason behind the order: be brief, I read you on my phone."""
    sentence = compose(sentence)
    words, languages = patterns.read(sentence)
    found = (patterns.any_of(f"order-remarks.{language}").search(words) for language in languages)
    return sentence[: min((one.start() for one in found if one), default=len(sentence))].rstrip()


@lru_cache(maxsize=64)
def is_revoked(sentence: str) -> bool:
    """Whether a sentence takes back an order: what was forbidden is allowed again, what was asked is not needed."""
    return patterns.found("revoked", sentence)


def is_for_one_task(sentence: str) -> bool:
    """Whether what a sentence orders is over with what lies on the table: this line, for now."""
    return patterns.found("one-task", sentence) and not patterns.found("lasting", sentence)


def is_request(sentence: str) -> bool:
    """Whether a sentence asks for one thing, however politely."""
    return is_for_one_task(sentence) or (
        patterns.found("requests", sentence) and not patterns.found("lasting", sentence)
    )

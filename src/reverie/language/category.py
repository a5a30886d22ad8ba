"""The category of what is said: correction, instruction, preference, decision, plan, fact, entity; or none of them.

In: a message or one fact of it. Out: the kind of memory to form; the first in the order above wins. What stands is told
by learned heads (``standing``), the rest by patterns.
"""

from __future__ import annotations

from functools import lru_cache

from reverie.language import patterns
from reverie.language.apostrophes import spelled
from reverie.language.entities import entities
from reverie.language.life import life
from reverie.language.sentences import is_question, sentences
from reverie.language.standing import HEADS, standing
from reverie.language.text_heads import likely
from reverie.types import Kind

SURELY = {Kind.INSTRUCTION: 0.4, Kind.PREFERENCE: 0.7}
"""How likely a text must be an order or a taste to be kept as one: what is merely marked is not written anew."""
ENTITIES_MIN = 2
"""Names from which on a statement without any other sign is about entities (document D's "entity-rich")."""


@lru_cache(maxsize=64)  # the density, the kind and the reasons ask about the same texts
def category(text: str) -> Kind | None:
    """The kind a text would be kept as; None if it shows none, and for a question, which states nothing."""
    stated = _stated(text)
    said = "\n".join(stated)
    label = patterns.label("category", said)
    stands = None if label == Kind.CORRECTION else standing(said)
    is_sure = stands is not None and likely(said, HEADS[stands]) >= SURELY[stands]
    if stands is Kind.INSTRUCTION and is_sure:
        return stands
    if (found := _by_patterns(stated)) is not None or is_sure:
        return found or stands
    return Kind.ENTITY if len(entities(said)) >= ENTITIES_MIN else None


@lru_cache(maxsize=64)
def plain_category(clause: str) -> Kind | None:
    """The kind of a clause as far as patterns tell it: a few words alone are too little for a learned judgement."""
    return _by_patterns(_stated(clause))


def _stated(text: str) -> list[str]:
    return [sentence for sentence in sentences(spelled(text[: patterns.TEXT_MAX])) if not is_question(sentence)]


def _by_patterns(stated: list[str]) -> Kind | None:
    label = patterns.label("category", "\n".join(stated))
    if label is not None:
        return Kind(label)
    return next(filter(None, map(life, stated)), None)

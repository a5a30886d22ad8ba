"""The category of what is said: correction, instruction, preference, decision, plan, fact, entity; or none of them.

In: a message or one fact of it. Out: the kind of memory to form; the first in the order above wins. What stands is told
by learned heads (``standing``), the rest by patterns.
"""

from __future__ import annotations

from functools import lru_cache

from reverie.language import patterns
from reverie.language.affirmed import denied
from reverie.language.apostrophes import spelled
from reverie.language.entities import entities
from reverie.language.life import life
from reverie.language.sentences import is_question, sentences
from reverie.language.standing import standing
from reverie.types import Kind

ENTITIES_MIN = 2
"""Names from which on a statement without any other sign is about entities (document D's "entity-rich")."""


@lru_cache(maxsize=64)  # the density, the kind and the reasons ask about the same texts
def category(text: str) -> Kind | None:
    """The kind a text would be kept as; None if it shows none, and for a question, which states nothing."""
    stated = [sentence for sentence in sentences(spelled(text[: patterns.TEXT_MAX])) if not is_question(sentence)]
    said = "\n".join(stated)
    label = patterns.label("category", said)
    stands = None if label == Kind.CORRECTION else standing(said)
    if stands is Kind.INSTRUCTION:
        return stands
    if label is not None:
        return Kind(label)
    own = next(filter(None, (kind_of(sentence) for sentence in stated for kind_of in (life, denied))), None)
    if stands is not None or own is not None:
        return own or stands
    return Kind.ENTITY if len(entities(said)) >= ENTITIES_MIN else None


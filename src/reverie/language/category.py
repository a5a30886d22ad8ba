"""The category of what is said: correction, instruction, preference, decision, plan, fact, entity; or none of them.

In: a message or one fact of it. Out: the kind of memory to form. By patterns; the first in the order above wins.
"""

from __future__ import annotations

from reverie.language import patterns
from reverie.language.entities import entities
from reverie.language.life import life
from reverie.language.sentences import is_question, sentences
from reverie.types import Kind

ENTITIES_MIN = 2
"""Names from which on a statement without any other sign is about entities (document D's "entity-rich")."""


def category(text: str) -> Kind | None:
    """The kind a text would be kept as; None if it shows none, and for a question, which states nothing."""
    stated = [sentence for sentence in sentences(text[: patterns.TEXT_MAX]) if not is_question(sentence)]
    said = "\n".join(stated)
    if not said:
        return None
    label = patterns.label("category", said)
    if label:
        return Kind(label)
    if own := next(filter(None, map(life, stated)), None):
        return own
    return Kind.ENTITY if len(entities(said)) >= ENTITIES_MIN else None

"""The category of what is said: correction, instruction, preference, decision, plan, fact, entity; or none of them.

In: a message or one fact of it. Out: the kind of memory to form. By patterns; the first in the order above wins.
"""

from __future__ import annotations

from functools import lru_cache

from reverie.language import patterns
from reverie.language.affirmed import denied
from reverie.language.apostrophes import spelled
from reverie.language.entities import entities
from reverie.language.life import life
from reverie.language.orders import is_order, is_request, sounds_only, without_courtesy
from reverie.language.sentences import is_question, sentences
from reverie.types import Kind

ENTITIES_MIN = 2
"""Names from which on a statement without any other sign is about entities (document D's "entity-rich")."""


@lru_cache(maxsize=64)  # the density, the kind and the reasons ask about the same texts
def category(text: str) -> Kind | None:
    """The kind a text would be kept as; None if it shows none, and for a question, which states nothing."""
    stated = [sentence for sentence in sentences(spelled(text[: patterns.TEXT_MAX])) if not is_question(sentence)]
    kind = _by_words(stated)
    if kind is not Kind.CORRECTION and any(map(is_order, stated)):
        return Kind.INSTRUCTION
    if kind is Kind.INSTRUCTION:  # over with the task, or another's words: it orders nothing from then on
        kind = _by_words([one for one in stated if not is_request(one) and not sounds_only("instruction", one)])
    if kind is not None:
        return kind
    own = next(filter(None, (kind_of(sentence) for sentence in stated for kind_of in (life, denied))), None)
    if own is not None:
        return own
    return Kind.ENTITY if len(entities("\n".join(stated))) >= ENTITIES_MIN else None


def _by_words(stated: list[str]) -> Kind | None:
    label = patterns.label("category", without_courtesy("\n".join(stated)))
    return Kind(label) if label else None

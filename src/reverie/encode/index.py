"""Index: what makes a memory findable — its stems, who said it and when, and its vector."""

from __future__ import annotations

from reverie.language import times
from reverie.language.analyzer import index_terms
from reverie.language.chunks import reading
from reverie.language.standing import marks
from reverie.types import FloatArray, IndexEntry, Memory, ModelInfo

_ADDRESS = "entity://"


def index(memory: Memory, vector: FloatArray | None = None, model: ModelInfo | None = None) -> IndexEntry:
    """The entry for one memory; speaker and date are indexed as words, so that "Ada in May" finds both.

    The addresses of its entities are terms, too: what names an entity is found by it (D16's hub). What stands, an order
    or a preference, is marked by a term of its own, so that a recall has all of it at hand (decision 0023).
    A vector without its model says nothing and is left out.
    """
    text = reading(memory.text)
    terms = [
        *text.terms(),
        *index_terms(memory.speaker, text.language),
        *times.date_terms(memory.at, text.language),
        *(name for name in memory.entities if name.startswith(_ADDRESS)),
    ]
    terms += marks(memory.text, memory.kind, memory.role)
    return IndexEntry(tuple(terms), len(text.chunks), None if model is None else vector, model)

"""Index: what makes a memory findable — its stems, who said it and when, and its vector."""

from __future__ import annotations

from reverie.language import times
from reverie.language.analyzer import index_terms
from reverie.language.chunks import reading
from reverie.types import FloatArray, IndexEntry, Memory, ModelInfo

_ADDRESS = "entity://"


def index(memory: Memory, vector: FloatArray | None = None, model: ModelInfo | None = None) -> IndexEntry:
    """The entry for one memory; speaker and date are indexed as words, so that "Ada in May" finds both.

    The addresses of its entities are terms, too: what names an entity is found by it (D16's hub).
    """
    text = reading(memory.text)
    terms = [
        *text.terms(),
        *index_terms(memory.speaker, text.language),
        *times.date_terms(memory.at, text.language),
        *(name for name in memory.entities if name.startswith(_ADDRESS)),
    ]
    return IndexEntry(tuple(terms), len(text.chunks), vector, model)

"""Index: what makes a memory findable — its stems, who said it and when, and its vector."""

from __future__ import annotations

from reverie.language import analyzer, times
from reverie.types import FloatArray, IndexEntry, Memory, ModelInfo


def index(memory: Memory, vector: FloatArray | None = None, model: ModelInfo | None = None) -> IndexEntry:
    """The entry for one memory; speaker and date are indexed as words, so that "Ada in May" finds both."""
    language = analyzer.detect_language(memory.text)
    terms = [
        *analyzer.index_terms(memory.text, language),
        *analyzer.index_terms(memory.speaker, language),
        *times.date_terms(memory.at, language),
    ]
    return IndexEntry(tuple(terms), analyzer.count_words(memory.text), vector, model)

"""The manner of a text, by words that are indexed anyway: does it tell of its speaker, turn to the other, say when?

Out: stems, as the index holds them, so that whoever has postings can count them without reading a text.
"""

from __future__ import annotations

from functools import cache

from reverie.language import lists
from reverie.language.analyzer import index_terms

_LANGUAGES = ("en", "tr")


def self_terms() -> tuple[str, ...]:
    """Stems by which somebody speaks of themselves."""
    return _stems("manner/telling-self")


def asked_terms() -> tuple[str, ...]:
    """Stems by which somebody turns to the other or asks them something."""
    return _stems("manner/telling-asked")


def time_terms() -> tuple[str, ...]:
    """Stems by which somebody tells when something was or will be."""
    return _stems("manner/telling-time")


@cache
def _stems(name: str) -> tuple[str, ...]:
    """The stems of both languages' lists, each once, in the order of the lists."""
    words = ((word, language) for language in _LANGUAGES for word in lists.entries(f"{name}.{language}"))
    return tuple(dict.fromkeys(stem for word, language in words for stem in index_terms(word, language)))

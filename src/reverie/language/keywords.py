"""The words that carry a message's content, for the memory's record: how people read them, not as stems."""

from __future__ import annotations

from functools import lru_cache

from reverie.language import lists
from reverie.language.detect import detect_language
from reverie.language.stem import stem
from reverie.language.words import WORD_MAX, words_of

KEYWORDS_MAX = 12
_TEXT_MAX = 20_000
"""Characters that are looked at: what a message is about shows in its beginning."""
_LETTERS_MIN = 3
_STOPS = ("stop-index", "stop-question", "function-words")


def keywords(text: str) -> tuple[str, ...]:
    """At most 12 content words in the order of the text: the most frequent, of equals the earlier.

    Forms of one word count together and are given by the first of them, lower-cased for the language.
    """
    read = _turkish if detect_language(text) == "tr" else _english
    counts: dict[str, int] = {}
    surface: dict[str, str] = {}
    for chunk in text[:_TEXT_MAX].split():
        for term, word in read(chunk):
            counts[term] = counts.get(term, 0) + 1
            surface.setdefault(term, word)
    if len(counts) <= KEYWORDS_MAX:
        return tuple(surface.values())
    kept = set(sorted(counts, key=lambda term: -counts[term])[:KEYWORDS_MAX])
    return tuple(word for term, word in surface.items() if term in kept)


@lru_cache(maxsize=1 << 14)
def _english(chunk: str) -> tuple[tuple[str, str], ...]:
    return _content(chunk, "en")


@lru_cache(maxsize=1 << 14)
def _turkish(chunk: str) -> tuple[tuple[str, str], ...]:
    return _content(chunk, "tr")


def _content(chunk: str, language: str) -> tuple[tuple[str, str], ...]:
    """The content words of a run without blanks, each as its term and as it reads."""
    stops = [lists.words(f"{kind}.{language}") for kind in _STOPS]
    return tuple(
        (stem(word, language), word)
        for word in words_of(chunk[:WORD_MAX], language)
        if _is_content(word) and not any(word in stop for stop in stops)
    )


def _is_content(word: str) -> bool:
    """Whether a word can carry content: three letters or more, or a sign of another script; numbers alone do not."""
    return word[0] >= "\u0370" or (len(word) >= _LETTERS_MIN and not word[0].isdecimal())

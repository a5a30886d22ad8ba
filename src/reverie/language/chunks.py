"""A text read once for all who ask: run without blanks by run, its terms, its content words, its shape.

Most runs come again, so their reading is kept; and that of the last texts, as many ask about one message.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language import lists
from reverie.language.detect import detect_language
from reverie.language.shapes import Shape, plain_shape, shape
from reverie.language.stem import stem
from reverie.language.words import CHUNK_MAX, WORD_MAX, words_of

KEPT_MAX = 1 << 15
"""Runs kept for each language."""

_TEXTS_KEPT = 8
_TEXT_MAX = 20_000
"""Longer texts are not kept."""
_LETTERS_MIN = 3
_STOPS = ("stop-index", "stop-question", "function-words")


class Chunk(NamedTuple):
    """A run: its terms, with repeats; its content words, each as its term and as it reads; its shape."""

    terms: tuple[str, ...]
    content: tuple[tuple[str, str], ...]
    shape: Shape


class Reading(NamedTuple):
    """A text, the language it is read in, and its runs in order."""

    text: str
    language: str
    chunks: tuple[Chunk, ...]

    def terms(self) -> list[str]:
        """The terms of all runs."""
        return [term for terms, _, _ in self.chunks for term in terms]

    def lines(self) -> Iterable[Sequence[Chunk]]:
        """The runs line by line."""
        lines = self.text.splitlines()
        return [read(line.split(), self.language) for line in lines] if len(lines) > 1 else [self.chunks]


def reading(text: str, language: str | None = None) -> Reading:
    """A text read in a language, the one it is in unless given."""
    language = language or detect_language(text)
    return _kept(text, language) if len(text) <= _TEXT_MAX else _read_text(text, language)


def read(chunks: Sequence[str], language: str) -> tuple[Chunk, ...]:
    """Runs, read in order. Long ones are read anew each time: they hardly come twice."""
    kept = _turkish if language == "tr" else _english
    if max(map(len, chunks), default=0) <= CHUNK_MAX:
        return tuple(map(kept, chunks))
    return tuple([kept(chunk) if len(chunk) <= CHUNK_MAX else _read(chunk, language) for chunk in chunks])


def _read_text(text: str, language: str) -> Reading:
    return Reading(text, language, read(text.split(), language))


_kept = lru_cache(maxsize=_TEXTS_KEPT)(_read_text)


@lru_cache(maxsize=KEPT_MAX)
def _english(chunk: str) -> Chunk:
    return _read(chunk, "en")


@lru_cache(maxsize=KEPT_MAX)
def _turkish(chunk: str) -> Chunk:
    return _read(chunk, "tr")


def _read(chunk: str, language: str) -> Chunk:
    is_plain = chunk.islower() and chunk.isascii() and chunk.isalpha() and len(chunk) <= WORD_MAX
    return _read_word(chunk, language) if is_plain else _read_run(chunk, language)


def _read_word(word: str, language: str) -> Chunk:
    """What ``_read_run`` gives for plain lower-case letters, as most runs are, in half the time."""
    stop, empty = _stops(language)
    term = stem(word, language)
    content = ((term, word),) if len(word) >= _LETTERS_MIN and word not in empty else ()
    return Chunk(() if word in stop else (term,), content, plain_shape(word))


def _read_run(chunk: str, language: str) -> Chunk:
    words = words_of(chunk, language)
    stop, empty = _stops(language)
    terms = tuple([stem(word, language) for word in words if word not in stop])
    if len(chunk) > WORD_MAX:  # what a long run is about shows in its beginning
        words = words_of(chunk[:WORD_MAX], language)
    content = [(stem(word, language), word) for word in words if word not in empty and _is_content(word)]
    return Chunk(terms, tuple(content), shape(chunk, language))


@cache
def _stops(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Words that are not indexed, and words that carry no content."""
    stop, *more = (lists.words(f"{kind}.{language}") for kind in _STOPS)
    return stop, stop.union(*more)


def _is_content(word: str) -> bool:
    """Whether a word can carry content: three letters or more, or a sign of another script; numbers alone do not."""
    return word[0] >= "\u0370" or (len(word) >= _LETTERS_MIN and not word[0].isdecimal())

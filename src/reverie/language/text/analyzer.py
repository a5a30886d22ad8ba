"""Text analysis for search: from text to the terms that are indexed and searched for, English and Turkish.

A text is read once for all who ask: its terms, its content words, its shape. Irregular forms belong to one word; the
frame of a question ("how often", "what kinds of") is no term of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language.text import lists
from reverie.language.text.letters import detect_language, turkish_evidence
from reverie.language.text.words import CHUNK_MAX, WORD_MAX, WordShape, plain_shape, release, shape, stem, words_of

# Irregular forms: which stems belong to one word though no rule relates them — went and go, şehir and şehre.


def other_forms(of: str, language: str) -> tuple[str, ...]:
    """The other stems of the word that a stem is of; () for a word that is regular."""
    return _related(language).get(of, ())


@cache
def _related(language: str) -> Mapping[str, tuple[str, ...]]:
    related: dict[str, tuple[str, ...]] = {}
    for line in lists.entries(f"irregular.{language}"):
        forms = dict.fromkeys(stem(word, language) for word in words_of(line, language))
        for form in forms:
            related[form] = (*related.get(form, ()), *(other for other in forms if other != form))
    return related


# The frame of a question: the words by which it says what kind of answer it wants, "how often", "what kinds of".


def without_frame(text: str, language: str) -> str:
    """The text without the words of its frame; blanks stay where they stood."""
    return _frames(language).sub("", text)


@cache
def _frames(language: str) -> re.Pattern[str]:
    return re.compile("|".join(lists.entries(f"question/question-frames.{language}")), re.IGNORECASE)


# A text read once for all who ask: run without blanks by run, its terms, its content words, its shape.


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
    shape: WordShape


class TextReading(NamedTuple):
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


def reading(text: str, language: str | None = None) -> TextReading:
    """A text read in a language, the one it is in unless given."""
    language = language or detect_language(text)
    return _kept(text, language) if len(text) <= _TEXT_MAX else _read_text(text, language)


def read(chunks: Sequence[str], language: str) -> tuple[Chunk, ...]:
    """Runs, read in order. Long ones are read anew each time: they hardly come twice."""
    kept = _turkish if language == "tr" else _english
    if max(map(len, chunks), default=0) <= CHUNK_MAX:
        return tuple(map(kept, chunks))
    return tuple([kept(chunk) if len(chunk) <= CHUNK_MAX else _read(chunk, language) for chunk in chunks])


def _read_text(text: str, language: str) -> TextReading:
    return TextReading(text, language, read(text.split(), language))


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


# Text analysis for search: from text to the terms that are indexed and searched for, English and Turkish.


ANALYZER = "en+tr/3"
"""Version of the analysis; changed whenever the same text would give other index terms."""
QUERY_MAX = 10_000
"""Characters of a query that are searched for: beyond, no one means every word."""

_EITHER = "|"
"""Stands between the stems of one term; no stem holds it."""
_CERTAIN = 2
"""Evidence of at least this size, either way, settles the language of a question."""


@cache
def version() -> str:
    """Version of the analysis with the stemmer's release: where it differs, the same text may give other terms."""
    return f"{ANALYZER} {release()}"


def index_terms(text: str, language: str | None = None) -> list[str]:
    """The terms to index, with repeats, in the order of the text; the language is detected unless given."""
    return reading(text, language).terms()


def query_terms(text: str) -> tuple[str, ...]:
    """The distinct terms to search for, in order, without its frame and the words that only carry the question.

    Where the language is uncertain, and for names, a term stands for the stems of both languages (``stems``), and an
    irregular word for those of all its forms. If only question words are left, all of them are searched for.
    """
    text = text[:QUERY_MAX]
    evidence = turkish_evidence(text)
    language = "tr" if evidence > 0 else "en"
    asked = text.split()
    kept = _content(without_frame(text, language).split(), language)
    is_certain = abs(evidence) >= _CERTAIN
    return _searched(kept, language, is_certain) or _searched(asked, language, is_certain)


def stems(term: str) -> list[str]:
    """Return the stems that a query term matches; a text with any of them contains the term."""
    return term.split(_EITHER)


def content(text: str) -> str:
    """Return the text without its question words, otherwise unchanged; the whole text if nothing is left."""
    return _content_of(text[:QUERY_MAX])


@lru_cache(maxsize=64)  # several stages of a recall ask for the same cue's
def _content_of(text: str) -> str:
    asked = text.split()
    return " ".join(_content(asked, detect_language(text)) or asked)


def _content(asked: list[str], language: str) -> list[str]:
    return [chunk for place, chunk in enumerate(asked) if not _carries_question(chunk, language, place == 0)]


def _searched(asked: list[str], language: str, is_certain: bool) -> tuple[str, ...]:
    """Assign each stem to one term; a stem of the other language joins its own word's, unless a word has it itself."""
    crossed = _english_as_turkish if language == "en" else _turkish_as_english
    terms: dict[str, list[str]] = {}
    others: list[tuple[str, str]] = []
    for chunk, (own, *_) in zip(asked, read(asked, language), strict=True):
        for own_stem in own:
            terms.setdefault(own_stem, [own_stem])
        # A name is stemmed by the language around it, which may be either; Turkish in ASCII passes for English.
        if not is_certain or language == "tr" or chunk[0].isupper():
            others += zip(own, crossed(chunk), strict=True)
    known = set(terms)
    for own_stem, other in others:
        if other not in known:
            known.add(other)
            terms[own_stem].append(other)
    for own_stem, held in terms.items():
        held += [form for form in other_forms(own_stem, language) if form not in known]
        known.update(held)
    return tuple(map(_EITHER.join, terms.values()))


def _carries_question(chunk: str, language: str, first: bool) -> bool:
    """Whether a chunk is made of question words only; "May" inside a sentence is the month."""
    if not first and chunk.startswith("May") and language == "en":
        return False
    return _is_question(chunk) if language == "en" else _is_turkish_question(chunk)


@lru_cache(maxsize=KEPT_MAX)
def _is_question(chunk: str) -> bool:
    return lists.words("stop-question.en").issuperset(words_of(chunk, "en"))


@lru_cache(maxsize=KEPT_MAX)
def _is_turkish_question(chunk: str) -> bool:
    return lists.words("stop-question.tr").issuperset(words_of(chunk, "tr"))


def _terms(chunk: str, language: str, stemmed_as: str) -> tuple[str, ...]:
    stop = lists.words(f"stop-index.{language}")
    return tuple(stem(word, stemmed_as) for word in words_of(chunk, language) if word not in stop)


@lru_cache(maxsize=KEPT_MAX)
def _english_as_turkish(chunk: str) -> tuple[str, ...]:
    return _terms(chunk, "en", "tr")


@lru_cache(maxsize=KEPT_MAX)
def _turkish_as_english(chunk: str) -> tuple[str, ...]:
    return _terms(chunk, "tr", "en")


# The words that carry a message's content, for the memory's record: how people read them, not as stems.


KEYWORDS_MAX = 12
"""Characters that are looked at: what a message is about shows in its beginning."""


def keywords(text: str) -> tuple[str, ...]:
    """At most 12 content words in the order of the text: the most frequent, of equals the earlier.

    Forms of one word count together and are given by the first of them, lower-cased for the language.
    """
    counts: dict[str, int] = {}
    surface: dict[str, str] = {}
    for _, content, _ in reading(text[:_TEXT_MAX], detect_language(text)).chunks:
        for term, word in content:
            if term in counts:
                counts[term] += 1
            else:
                counts[term], surface[term] = 1, word
    if len(counts) <= KEYWORDS_MAX:
        return tuple(surface.values())
    kept = set(sorted(counts, key=counts.__getitem__, reverse=True)[:KEYWORDS_MAX])
    return tuple([word for term, word in surface.items() if term in kept])


# The manner of a text, by words that are indexed anyway: does it tell of its speaker, turn to the other, say when?


_LANGUAGES = ("en", "tr")


def self_terms() -> tuple[str, ...]:
    """Stems by which somebody speaks of themselves."""
    return _stems("manner/telling-self")


def asked_terms() -> tuple[str, ...]:
    """Stems by which somebody turns to the other or asks them something."""
    return _stems("manner/telling-asked")


def time_terms() -> tuple[str, ...]:
    """Return the stems of words that say when."""
    return _stems("manner/telling-time")


@cache
def _stems(name: str) -> tuple[str, ...]:
    """The stems of both languages' lists, each once, in the order of the lists."""
    words = ((word, language) for language in _LANGUAGES for word in lists.entries(f"{name}.{language}"))
    return tuple(dict.fromkeys(stem for word, language in words for stem in index_terms(word, language)))

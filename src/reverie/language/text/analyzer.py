"""Analyse texts for search: index terms and query terms, English and Turkish.

A text is read once for all uses: terms, content words, shape. Irregular forms are one term, and the frame of a
question ("how often", "what kinds of") gives no terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language.text import lists
from reverie.language.text.letters import detect_language, turkish_evidence
from reverie.language.text.words import CHUNK_MAX, WORD_MAX, WordShape, plain_shape, release, shape, stem, words_of

# Irregular forms, whose stems no rule relates: went and go, şehir and şehre.


def other_forms(of: str, language: str) -> tuple[str, ...]:
    """Return the other stems of an irregular word, given one of them; () for a regular word."""
    return _related(language).get(of, ())


@cache
def _related(language: str) -> Mapping[str, tuple[str, ...]]:
    related: dict[str, tuple[str, ...]] = {}
    for line in lists.entries(f"irregular.{language}"):
        forms = dict.fromkeys(stem(word, language) for word in words_of(line, language))
        for form in forms:
            related[form] = (*related.get(form, ()), *(other for other in forms if other != form))
    return related


# Frames: the words of a question that state the type of answer: "how often", "what kinds of".


def without_frame(text: str, language: str) -> str:
    """Return a text without the words of its frame; blanks stay."""
    return _frames(language).sub("", text)


@cache
def _frames(language: str) -> re.Pattern[str]:
    return re.compile("|".join(lists.entries(f"question/question-frames.{language}")), re.IGNORECASE)


# Reading of texts.


KEPT_MAX = 1 << 15
"""Number of cached runs per language."""

_MATCHED_MAX = 20_000
"""Characters at the beginning of a text whose words are compared with a query's."""
_TEXTS_KEPT = 8
_TEXT_MAX = 20_000
"""Longest text that is cached."""
_LETTERS_MIN = 3
_STOPS = ("stop-index", "stop-question", "function-words")


class Chunk(NamedTuple):
    """A run without blanks: its terms with repeats; its content words, as term and as written; its shape."""

    terms: tuple[str, ...]
    content: tuple[tuple[str, str], ...]
    shape: WordShape


class TextReading(NamedTuple):
    """A text, the language in which it is read, and its runs in order."""

    text: str
    language: str
    chunks: tuple[Chunk, ...]

    def terms(self) -> list[str]:
        """Return the terms of all runs."""
        return [term for terms, _, _ in self.chunks for term in terms]

    def lines(self) -> Iterable[Sequence[Chunk]]:
        """Return the runs line by line."""
        lines = self.text.splitlines()
        return [read(line.split(), self.language) for line in lines] if len(lines) > 1 else [self.chunks]


def reading(text: str, language: str | None = None) -> TextReading:
    """Read a text in a language, detected unless given."""
    language = language or detect_language(text)
    return _kept(text, language) if len(text) <= _TEXT_MAX else _read_text(text, language)


def read(chunks: Sequence[str], language: str) -> tuple[Chunk, ...]:
    """Read runs in order. Long ones are not cached, since they hardly recur."""
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
    """Read a run of plain lower-case letters, the usual case, like ``_read_run`` in half the time."""
    stop, empty = _stops(language)
    term = stem(word, language)
    content = ((term, word),) if len(word) >= _LETTERS_MIN and word not in empty else ()
    return Chunk(() if word in stop else (term,), content, plain_shape(word))


def _read_run(chunk: str, language: str) -> Chunk:
    words = words_of(chunk, language)
    stop, empty = _stops(language)
    terms = tuple([stem(word, language) for word in words if word not in stop])
    if len(chunk) > WORD_MAX:  # the topic of a long run is at its beginning
        words = words_of(chunk[:WORD_MAX], language)
    content = [(stem(word, language), word) for word in words if word not in empty and _is_content(word)]
    return Chunk(terms, tuple(content), shape(chunk, language))


@cache
def _stops(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that are not indexed, and those without content."""
    stop, *more = (lists.words(f"{kind}.{language}") for kind in _STOPS)
    return stop, stop.union(*more)


def _is_content(word: str) -> bool:
    """Whether a word can have content: three letters or more, or another script; not numbers alone."""
    return word[0] >= "\u0370" or (len(word) >= _LETTERS_MIN and not word[0].isdecimal())


# Index terms and query terms.


ANALYZER = "en+tr/3"
"""Version of the analysis, changed whenever the same text gives other index terms."""
QUERY_MAX = 10_000
"""Number of characters of a query that are used."""

_EITHER = "|"
"""Separator of the stems of one term, which no stem contains."""
_CERTAIN = 2
"""Evidence of this size, either way, makes the language of a question certain."""


@cache
def version() -> str:
    """Return the version of analysis and stemmer: with another version, texts may have other terms."""
    return f"{ANALYZER} {release()}"


def index_terms(text: str, language: str | None = None) -> list[str]:
    """Return the terms to index, with repeats, in order of the text; the language is detected unless given."""
    return reading(text, language).terms()


def matched_words(terms: Iterable[str], texts: Iterable[str]) -> list[str]:
    """Return the words of texts that are forms of a query's terms, in lower case, sorted.

    Each text is read in its language as the index reads it, so that kitap is found in kitabı and ekmek in ekmeğe; the
    first ``_MATCHED_MAX`` characters count. A term may hold several stems, separated by "|".
    """
    stems = {one for term in terms for one in term.split("|")}
    chunks = (chunk for text in texts for chunk in reading(text[:_MATCHED_MAX]).chunks)
    return sorted({word for chunk in chunks for term, word in chunk.content if term in stems})


def query_terms(text: str) -> tuple[str, ...]:
    """Return the distinct terms to search for, in order, without question frame and question words.

    Where the language is uncertain, and for names, a term combines the stems of both languages (``stems``), and for an
    irregular word those of all forms. If only question words are left, all of them are used.
    """
    text = text[:QUERY_MAX]
    evidence = turkish_evidence(text)
    language = "tr" if evidence > 0 else "en"
    asked = text.split()
    kept = _content(without_frame(text, language).split(), language)
    is_certain = abs(evidence) >= _CERTAIN
    return _searched(kept, language, is_certain) or _searched(asked, language, is_certain)


def stems(term: str) -> list[str]:
    """Return the stems that a query term combines: a memory with any of them matches."""
    return term.split(_EITHER)


def content(text: str) -> str:
    """Return a text without its question words; unchanged if nothing would be left."""
    return _content_of(text[:QUERY_MAX])


@lru_cache(maxsize=64)  # several stages of a recall use the same cue
def _content_of(text: str) -> str:
    asked = text.split()
    return " ".join(_content(asked, detect_language(text)) or asked)


def _content(asked: list[str], language: str) -> list[str]:
    return [chunk for place, chunk in enumerate(asked) if not _carries_question(chunk, language, place == 0)]


def _searched(asked: list[str], language: str, is_certain: bool) -> tuple[str, ...]:
    """Combine stems into terms: the other language's with its word's, unless it is another word's own stem."""
    crossed = _english_as_turkish if language == "en" else _turkish_as_english
    terms: dict[str, list[str]] = {}
    others: list[tuple[str, str]] = []
    for chunk, (own, *_) in zip(asked, read(asked, language), strict=True):
        for own_stem in own:
            terms.setdefault(own_stem, [own_stem])
        # A name is stemmed by the language around it, which is uncertain; Turkish in ASCII passes for English.
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
    """Whether a run consists of question words; "May" inside a sentence is the month."""
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


# Keywords: content words as people read them, not stems.


KEYWORDS_MAX = 12
"""Largest number of keywords."""


def keywords(text: str) -> tuple[str, ...]:
    """Return at most 12 content words in order of the text: the most frequent, of equals the earlier.

    Forms of one word count together and are given as the first of them, in lower case.
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


# Words that show whether a text is about its speaker, addresses the other, or gives a time.


_LANGUAGES = ("en", "tr")


def self_terms() -> tuple[str, ...]:
    """Return stems by which speakers refer to themselves."""
    return _stems("manner/telling-self")


def asked_terms() -> tuple[str, ...]:
    """Return stems by which speakers address or ask the other."""
    return _stems("manner/telling-asked")


def time_terms() -> tuple[str, ...]:
    """Return stems by which speakers state when something was or will be."""
    return _stems("manner/telling-time")


@cache
def _stems(name: str) -> tuple[str, ...]:
    """Return the stems of both languages' lists, unique, in order of the lists."""
    words = ((word, language) for language in _LANGUAGES for word in lists.entries(f"{name}.{language}"))
    return tuple(dict.fromkeys(stem for word, language in words for stem in index_terms(word, language)))

"""Text analysis for search: from text to the terms that are indexed and searched for, English and Turkish.

Every term holds only ``0-9a-z`` and letters, digits, marks and signs beyond ASCII, so any full-text index can store it
untouched. Any Python string is a text: nothing here raises on content.
"""

from __future__ import annotations

from functools import cache, lru_cache

from reverie.language import lists
from reverie.language.chunks import KEPT_MAX, read, reading
from reverie.language.detect import detect_language, turkish_evidence
from reverie.language.frames import without_frame
from reverie.language.irregular import other_forms
from reverie.language.stem import release, stem
from reverie.language.words import words_of

__all__ = ["ANALYZER", "QUERY_MAX", "detect_language", "index_terms", "query_terms", "stems", "version"]

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
    """The stems that a term of a question stands for: what holds any of them holds the term."""
    return term.split(_EITHER)


def content(text: str) -> str:
    """The text without the words that only carry the question, as it stands otherwise; all of it if nothing is left."""
    return _content_of(text[:QUERY_MAX])


@lru_cache(maxsize=64)  # several stages of a recall ask for the same cue's
def _content_of(text: str) -> str:
    asked = text.split()
    return " ".join(_content(asked, detect_language(text)) or asked)


def _content(asked: list[str], language: str) -> list[str]:
    return [chunk for place, chunk in enumerate(asked) if not _carries_question(chunk, language, place == 0)]


def _searched(asked: list[str], language: str, is_certain: bool) -> tuple[str, ...]:
    """Each stem stands in one term: the other language's with its own word's, unless it is a word's own as well."""
    crossed = _english_as_turkish if language == "en" else _turkish_as_english
    terms: dict[str, list[str]] = {}
    others: list[tuple[str, str]] = []
    for chunk, (own, *_) in zip(asked, read(asked, language), strict=True):
        terms.update((stem, [stem]) for stem in own if stem not in terms)
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

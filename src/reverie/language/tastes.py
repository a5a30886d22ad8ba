"""Tastes: whose one is, and whether it was given up: my wife prefers tea; I no longer eat lamb.

In: texts of one person, English or Turkish. Out: yes or no; where it is not certain, no. Patterns:
data/tastes-others.*, data/tastes-third.*, data/tastes-ended.*, data/tastes-against.*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from reverie.language import patterns
from reverie.language.category import category
from reverie.language.gazetteer import is_given_name
from reverie.language.letters import compose, lower, plain
from reverie.language.sentences import is_question, sentences
from reverie.language.standing import standing
from reverie.language.stem import stem
from reverie.types import Kind

TEXT_MAX = 400
"""Characters of a text that are read."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_FIRST = re.compile(r"[^\W\d_]+")
_ENDING_TR = re.compile(r"(?:l[ae]r)?(?:[yn]?[iu]|[yn]?[ae]|n?[dt][ae]n)?")
"""What may stand behind a Turkish noun that is loved, eaten or given up, in plain letters."""


@lru_cache(maxsize=1 << 10)
def is_anothers(text: str, speaker: str = "") -> bool:
    """Whether a text tells tastes, and none of them is the speaker's own, be it by "I" or by their name."""
    text = text[:TEXT_MAX]
    told = [sentence for sentence in sentences(compose(text)) if not is_question(sentence)]
    others = [one for one in told if _is_of_another(one, speaker)]
    if not others or standing(text) is Kind.PREFERENCE:
        return False
    return not any(category(one) is Kind.PREFERENCE for one in told if one not in others)


def _is_of_another(sentence: str, speaker: str) -> bool:
    """Whether a sentence tells a taste of somebody by name or by what they are, and that is not the speaker's name.

    Notes that a model wrote speak of the user in the third person: "he", "she" and no subject at all may be the user.
    """
    first = _FIRST.search(sentence)
    if first is None or _small(first[0]) in _words(speaker):
        return False
    is_named = is_given_name(first[0]) and patterns.found("tastes-third", sentence)
    return is_named or patterns.found("tastes-others", sentence)


def gives_up(earlier: str, later: str) -> bool:
    """Whether a later text tells that what the earlier one likes is eaten, drunk or used no longer."""
    liked = earlier[:TEXT_MAX]
    if patterns.found("tastes-against", liked.rstrip(" .!")):
        return False
    words = _words(liked)
    return any(about and all(_is_said(one, words) for one in about) for about in _given_up(later[:TEXT_MAX]))


@lru_cache(maxsize=1 << 10)
def _given_up(text: str) -> tuple[frozenset[str], ...]:
    """The words of each thing that a text says is over."""
    return tuple(about for one in sentences(compose(text)) if not is_question(one) for about in _ended(one))


def _ended(sentence: str) -> Iterator[frozenset[str]]:
    words, languages = patterns.read(sentence)
    for language in languages:
        for _, pattern in patterns.labelled(f"tastes-ended.{language}"):
            if found := pattern.search(words):
                yield _words(sentence[slice(*found.span("what"))])


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(_small(text)))


def _small(text: str) -> str:
    """In lower case, a capital İ as one letter."""
    return lower(compose(text), "en")


def _is_said(word: str, said: frozenset[str]) -> bool:
    return any(_is_same(word, other) for other in said)


def _is_same(word: str, other: str) -> bool:
    """Whether two words are forms of one: balık, balığı; kuzu, kuzuyu; eggs, egg."""
    if any(stem(word, language) == stem(other, language) for language in ("en", "tr")):
        return True
    short, long = sorted((plain(word), plain(other)), key=len)
    return long.startswith(short) and _ENDING_TR.fullmatch(long, len(short)) is not None

"""Causes: a sentence that names a cause and its effect, as two sentences of their own.

In: one sentence. Out: its two clauses and which is the cause; or what stands behind the connective it begins with.
Nothing where one side is no clause, or a negation, a report, a doubt or a condition may rule over both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language import lists
from reverie.language.letters import plain
from reverie.language.patterns import read
from reverie.language.sentences import STOP, is_question, masked
from reverie.language.tenses import is_conditional, is_past
from reverie.recipes.v9.clauses import is_ruled
from reverie.recipes.v9.wordlists import WORDS

SENTENCE_MAX = 400
"""Characters of a sentence that is looked at: what is longer is a list, a table or a document."""
CLAUSE_WORDS_MIN = {"en": 2, "tr": 1}
"""Words of a cause or an effect; Turkish says a fact in one, "vejetaryenim"."""
_TENSE_WORDS = 4
"""Words behind "so" among which the past tense is looked for."""
_RULED = frozenset({"effect", "aim"})
"""Connectives over which a negation or a report before them reaches: I didn't quit because the pay was bad."""


class Halves(NamedTuple):
    """A cause and its effect as they are written, each with its stop, and whether the cause is the first."""

    first: str
    second: str
    cause_first: bool
    language: str


class Opened(NamedTuple):
    """What stands behind the connective a sentence begins with, and whether the cause was said before."""

    rest: str
    cause_before: bool
    language: str


class _Connective(NamedTuple):
    label: str
    start: int
    end: int
    language: str


_MAY = re.compile(r"\w[ae]bilir(?:im|sin|iz|siniz|ler)?\b")
_CANNOT = re.compile(r"\b(?:can['’]?t|cannot|couldn['’]?t)\b", re.IGNORECASE)
_OPENED = re.compile(r"because (?!of\b)([^,]+), ")


@lru_cache(maxsize=64)  # what is observed and what is formed of it ask about the same sentences
def halves(sentence: str) -> Halves | None:
    """The cause and the effect that a sentence joins by "because", "so that", "çünkü" or another of the connectives."""
    words = _words(sentence)
    if not words:
        return None
    opened = _OPENED.match(words)
    if opened:
        return _halves("cause", sentence[opened.start(1) : opened.end(1)], sentence[opened.end() :], "en")
    for one in _connectives(sentence, words):
        found = _halves(one.label, sentence[: one.start], sentence[one.end :], one.language)
        if found:
            return found
    return None


def opened(sentence: str) -> Opened | None:
    """What a sentence says behind the connective it begins with: "That's why I quit.", "Çünkü maaş düşüktü."."""
    words = _words(sentence)
    if not words or _OPENED.match(words):
        return None
    for one in _connectives(sentence, f". {words}"):
        rest = sentence[max(0, one.end - 2) :].strip(" ,;")
        if one.start <= 1 and _is_said(one.label, rest, one.language):
            return Opened(rest, one.label != "effect", one.language)
    return None


def _words(sentence: str) -> str:
    if len(sentence) > SENTENCE_MAX or is_question(sentence):
        return ""
    return plain(masked(sentence))


def _connectives(sentence: str, words: str) -> Iterator[_Connective]:
    for language in read(sentence).languages:
        for label, pattern in _patterns(language):
            match = pattern.search(words)
            if match:
                yield _Connective(label, match.start(), match.end(), language)


@cache
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    lines = (entry.partition(": ") for entry in lists.entries(f"causes.{language}", WORDS))
    return tuple((label, re.compile(pattern)) for label, _, pattern in lines)


def _halves(label: str, before: str, behind: str, language: str) -> Halves | None:
    left, right = before.strip(" ,;"), behind.strip(" ,;")
    if len(left.split()) < CLAUSE_WORDS_MIN[language] or not _is_said(label, right, language):
        return None
    if is_conditional(left, language) or (label in _RULED and _is_ruled(left, language)):
        return None
    stop = STOP.findall(right)[0] or ""
    first = left if STOP.findall(left)[0] else left + stop
    return Halves(first, right, label != "effect", language)


def _is_ruled(clause: str, language: str) -> bool:
    """What one cannot do is not done for a reason alone: "I can't eat bread because …"."""
    read_as = _CANNOT.sub("", clause) if language == "en" else clause
    return is_ruled(read_as, language) or _MAY.search(plain(clause)) is not None


def _is_said(label: str, behind: str, language: str) -> bool:
    """Whether what stands behind a connective is a clause that says something; behind "so" what was done."""
    words = behind.split()
    if len(words) < CLAUSE_WORDS_MIN[language] or is_conditional(behind, language):
        return False
    if label == "aim":  # what somebody wanted is no fact yet
        return not lists.words("wished.en", WORDS).intersection(words)
    return label != "done" or is_past(" ".join(words[:_TENSE_WORDS]))

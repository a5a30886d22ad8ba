"""Requests to remember: remember that I park on level 3; unutma, Ali glüten yiyemiyor.

In: one sentence, English or Turkish. Out: the statement somebody asks to have remembered, without the words that ask.
Frames: data/statement.*.
"""

from __future__ import annotations

from functools import lru_cache

from reverie.language import patterns
from reverie.language.detect import detect_language
from reverie.language.sentences import capital, is_question, sentences

_TEXT_MAX = 400
"""Who asks to have something remembered says little else; "remember that …" in a long text is part of a task."""


@lru_cache(maxsize=64)  # observing and forming ask about the same sentences
def asked_to_keep(sentence: str) -> str | None:
    """The statement that is to be remembered; None where nobody asks, or what follows is no statement: "that trip"."""
    if is_question(sentence):
        return None
    words, languages = patterns.read(sentence)
    for language in languages:
        match = patterns.any_of(f"statement/keeping.{language}").match(words)
        if match:
            return capital(sentence[match.end() :].strip(), detect_language(sentence))
    return None


def asks_to_keep(text: str) -> bool:
    """Whether any sentence of a short text asks to have something remembered."""
    return len(text) <= _TEXT_MAX and any(asked_to_keep(sentence) for sentence in sentences(text))

"""Tastes: whose one is: my wife prefers tea.

In: texts of one person, English or Turkish. Out: yes or no; where it is not certain, no. Patterns:
data/tastes-others.*, data/tastes-third.*.
"""

from __future__ import annotations

import re
from functools import lru_cache

from reverie.language import patterns
from reverie.language.category import category
from reverie.language.gazetteer import is_given_name
from reverie.language.letters import compose, lower
from reverie.language.sentences import is_question, sentences
from reverie.language.standing import standing
from reverie.types import Kind

TEXT_MAX = 400
"""Characters of a text that are read."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_FIRST = re.compile(r"[^\W\d_]+")


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


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(_small(text)))


def _small(text: str) -> str:
    """In lower case, a capital İ as one letter."""
    return lower(compose(text), "en")

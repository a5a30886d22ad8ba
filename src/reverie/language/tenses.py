"""Whether a sentence speaks of what is going to be or of what was: plans and the past tense, English and Turkish.

In: one sentence. Out: yes or no; where it is not certain, no.
"""

from __future__ import annotations

import re

from reverie.language import lists, patterns
from reverie.language.life import life
from reverie.language.sentences import is_question
from reverie.types import Kind

_WORD = re.compile(r"[a-z']+")
_ED_MIN = 5
"""Letters of a word in -ed from which on it is taken for a past tense."""


def is_future(sentence: str) -> bool:
    """Whether a sentence says what somebody is going to do; a question, a condition or a supposal does not."""
    if is_question(sentence) or patterns.found("future-not", sentence):
        return False
    return patterns.found("future", sentence) or life(sentence) is Kind.PLAN


def is_past(sentence: str) -> bool:
    """Whether a sentence has a verb in the past tense."""
    if patterns.found("past", sentence):
        return True
    words, languages = patterns.read(sentence)
    return "en" in languages and any(map(_is_past, _WORD.findall(words)))


def _is_past(word: str) -> bool:
    if word.endswith("ed") and len(word) >= _ED_MIN:
        return word not in lists.words("ed-no-verbs.en")
    return word in lists.words("clause-pasts.en")

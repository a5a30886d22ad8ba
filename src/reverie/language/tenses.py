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
_STATE = re.compile(
    r"\b(?:am|is|are|isn't|aren't|i'm|we're|you're|they're)"
    r"(?: (?:not|now|also|still|just|already|so|very|too|all|both|[a-z]+ly))* [a-z]+"
)
"""How somebody is, or what is done to something now: I'm engaged, the talk is held."""
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
    words = _STATE.sub(" ", words)
    states = lists.words("ed-no-verbs.en")  # married is more often how somebody is
    return "en" in languages and any(is_past_verb(word) and word not in states for word in _WORD.findall(words))


def is_past_verb(word: str) -> bool:
    """Whether an English word, in lower case, is a verb in the past tense where a sentence has its verb."""
    is_regular = word.endswith("ed") and len(word) >= _ED_MIN and word not in lists.words("ed-no-verbs.en")
    return is_regular or word in lists.words("pasts.en")

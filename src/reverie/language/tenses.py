"""Whether a sentence speaks of what is going to be, of what was or of what is supposed, English and Turkish.

In: one sentence. Out: yes or no; where it is not certain, no.
"""

from __future__ import annotations

import re

from reverie.language import lists, patterns
from reverie.language.letters import plain
from reverie.language.life import life
from reverie.language.sentences import is_question
from reverie.types import Kind

_WORD = re.compile(r"[a-z']+")
_STATE = re.compile(
    r"\b(?:am|is|are|isn't|aren't|i'm|we're|you're|they're)"
    r"(?: (?:not|now|also|still|just|already|so|very|too|all|both|[a-z]+ly))* [a-z]+"
)
"""How somebody is, or what is done to something now: I'm engaged, the talk is held."""
_SAID = re.compile(r"[^\s,;:.!?()\"“”]+")
_CONDITION = re.compile(r"\w{2}s[ae](?:m|n|k|n[iu]z|lar|ler)?\Z")
_ED_MIN = 5
"""Letters of a word in -ed from which on it is taken for a past tense."""


def is_future(sentence: str) -> bool:
    """Whether a sentence says what somebody is going to do; a question, a condition or a supposal does not."""
    if is_question(sentence) or patterns.found("tense/future-not", sentence):
        return False
    return patterns.found("tense/future", sentence) or life(sentence) is Kind.PLAN


def is_past(sentence: str) -> bool:
    """Whether a sentence has a verb in the past tense."""
    if patterns.found("tense/past", sentence):
        return True
    words, languages = patterns.read(sentence)
    words = _STATE.sub(" ", words)
    states = lists.words("ed-no-verbs.en")  # married is more often how somebody is
    return "en" in languages and any(is_past_verb(word) and word not in states for word in _WORD.findall(words))


def is_past_verb(word: str) -> bool:
    """Whether an English word, in lower case, is a verb in the past tense where a sentence has its verb."""
    is_regular = word.endswith("ed") and len(word) >= _ED_MIN and word not in lists.words("ed-no-verbs.en")
    return is_regular or word in lists.words("pasts.en")


def is_conditional(clause: str, language: str) -> bool:
    """Whether a clause holds a word that opens a condition, or a Turkish verb that is one."""
    said = _SAID.findall(clause)
    words = [plain(word.replace("’", "'")).replace("'", "") for word in said]
    if not lists.words(f"tense/conditions.{language}").isdisjoint(words):
        return True
    return language == "tr" and any(
        is_condition(word) for word, one in zip(words, said, strict=True) if one[0].islower()
    )


def is_condition(word: str) -> bool:
    """Whether a Turkish word, in lower case without diacritics, is a verb that supposes something: gelirse."""
    return _CONDITION.search(word) is not None and word not in lists.words("no-condition.tr")

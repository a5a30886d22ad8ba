"""Classify what a sentence claims: a fact of life, something future, past or conditional, or a denial."""

from __future__ import annotations

import re
from functools import lru_cache

from reverie.language.text import lists, patterns
from reverie.language.text.analyzer import index_terms
from reverie.language.text.letters import compose, detect_language, plain, spelled
from reverie.language.text.patterns import is_question, masked, sentences
from reverie.language.text.words import expression
from reverie.types import Kind

# Facts of life: my rent is $900, arabam yok; and plans: I have an exam on Friday.


@lru_cache(maxsize=64)  # class, density and category examine the same sentences
def life(sentence: str) -> Kind | None:
    """Return FACT or PLAN for a sentence about the speaker's own life; None for a wish, condition or supposition.

    Questions must be excluded by the caller.
    """
    said = spelled(sentence[: patterns.TEXT_MAX])
    label = patterns.label("statement/life", said)
    return Kind(label) if label and not patterns.found("statement/life-not", said) else None


# Future, past and conditional sentences, English and Turkish.


_WORD = re.compile(r"[a-z']+")
_STATE = re.compile(
    r"\b(?:am|is|are|isn't|aren't|i'm|we're|you're|they're)"
    r"(?: (?:not|now|also|still|just|already|so|very|too|all|both|[a-z]+ly))* [a-z]+"
)
"""A state, or a passive in the present: I'm engaged, the talk is held."""
_SAID = re.compile(r"[^\s,;:.!?()\"“”]+")
_CONDITION = re.compile(r"\w{2}s[ae](?:m|n|k|n[iu]z|lar|ler)?\Z")
_ED_MIN = 5
"""Fewest letters of a word in -ed that counts as a past tense."""


def is_future(sentence: str) -> bool:
    """Whether a sentence states what somebody will do; not a question, condition or supposition."""
    if is_question(sentence) or patterns.found("tense/future-not", sentence):
        return False
    return patterns.found("tense/future", sentence) or life(sentence) is Kind.PLAN


def is_past(sentence: str) -> bool:
    """Whether a sentence has a verb in the past tense."""
    if patterns.found("tense/past", sentence):
        return True
    words, languages = patterns.read(sentence)
    words = _STATE.sub(" ", words)
    states = lists.words("ed-no-verbs.en")  # "married" is usually a state
    return "en" in languages and any(is_past_verb(word) and word not in states for word in _WORD.findall(words))


def is_past_verb(word: str) -> bool:
    """Whether an English word, in lower case, is a past tense if used as the verb of a sentence."""
    is_regular = word.endswith("ed") and len(word) >= _ED_MIN and word not in lists.words("ed-no-verbs.en")
    return is_regular or word in lists.words("pasts.en")


def is_conditional(clause: str, language: str) -> bool:
    """Whether a clause has a conjunction of condition, or a Turkish conditional verb."""
    said = _SAID.findall(clause)
    words = [plain(word.replace("’", "'")).replace("'", "") for word in said]
    if not lists.words(f"tense/conditions.{language}").isdisjoint(words):
        return True
    return language == "tr" and any(
        is_condition(word) for word, one in zip(words, said, strict=True) if one[0].islower()
    )


def is_condition(word: str) -> bool:
    """Whether a Turkish word, folded, is a conditional verb: gelirse."""
    return _CONDITION.search(word) is not None and word not in lists.words("no-condition.tr")


# Denials, and yes-or-no questions.


TEXT_MAX = 2_000
"""Number of characters examined."""
_CLAUSE = expression(r"[,;:]\s+|\s+(?=(?:but|so|and (?:i|we|i['’]\w+)|because|ama|fakat|ancak|çünkü)\b)", re.IGNORECASE)


@lru_cache(maxsize=1 << 10)
def denials(text: str) -> tuple[frozenset[str], ...]:
    """Return the stems of each clause of a text that denies something, in order."""
    text = masked(compose(text[:TEXT_MAX]))
    denying = [patterns.any_of(f"statement/denials.{language}") for language in patterns.read(text).languages]
    clauses = (clause for sentence in sentences(text) for clause in _CLAUSE.split(sentence))
    language = detect_language(text)
    return tuple(
        frozenset(index_terms(clause, language))
        for clause in clauses
        if any(pattern.search(plain(clause)) for pattern in denying)
    )


@lru_cache(maxsize=64)
def asks_whether(text: str) -> bool:
    """Whether a question can be answered by yes or no."""
    return patterns.found("question/asks-whether", text)

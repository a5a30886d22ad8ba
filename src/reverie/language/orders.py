"""Standing instructions and preferences, and requests to remember: what a person says once and wants to hold.

In: a text. Out: whether it is one, whether it holds for every answer, and when preferences matter.
"""

from __future__ import annotations

from functools import lru_cache

from reverie.language.text import heads, patterns
from reverie.language.text.heads import likely
from reverie.language.text.letters import detect_language
from reverie.language.text.patterns import capital, is_question, masked, sentences
from reverie.types import Kind, Role

# Requests to remember: remember that I park on level 3; unutma, Ali glüten yiyemiyor.


_TEXT_MAX = 400
"""Who asks to have something remembered says little else; "remember that …" in a long text is part of a task."""


@lru_cache(maxsize=64)  # observing and forming ask about the same sentences
def asked_to_keep(sentence: str) -> str | None:
    """Return the statement a message asks to remember; None without a request, or or a statement: "that trip"."""
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


# Standing orders and preferences: what a person says once and wants to hold from then on; and when preferences apply.


MARKS = {Kind.INSTRUCTION: "§instruction", Kind.PREFERENCE: "§preference"}
"""The index term of what stands; no word of a text gives a term with this sign."""
EVERY = "§every answer"
"""The same of an order about every answer."""
LIKELY, TASTE_LIKELY, EVERY_LIKELY, ASKED = 0.2, 0.3, 0.15, 0.35
"""How likely a message must be an order, a taste, an order about every answer, and a cue one for advice or for what
was said (decision 0060)."""
HEADS = {Kind.INSTRUCTION: heads.ORDER, Kind.PREFERENCE: heads.PREFERENCE}
_LEAST = {Kind.INSTRUCTION: LIKELY, Kind.PREFERENCE: TASTE_LIKELY}


@lru_cache(maxsize=4096)  # what is recalled once is recalled again
def standing(text: str) -> Kind | None:
    """INSTRUCTION for a standing order or one taken back, PREFERENCE for a lasting taste; None for anything else."""
    own = masked(text)  # what stands in code or in quotation marks is nobody's own wish
    found = {kind: likely(own, head) for kind, head in HEADS.items()}
    kind = max(found, key=lambda one: found[one])
    return kind if found[kind] >= _LEAST[kind] else None


def marks(text: str, kind: Kind, role: Role) -> tuple[str, ...]:
    """Return the index terms of a standing instruction; none for other messages, or if not said by the user."""
    if role is not Role.USER:
        return ()
    stands = kind if kind in MARKS else standing(text) if kind is Kind.EPISODE else None
    if stands is Kind.PREFERENCE or kind not in (Kind.EPISODE, Kind.INSTRUCTION):
        return () if stands is None else (MARKS[stands],)
    if likely(masked(text), heads.ABOUT_EVERY_ANSWER) >= EVERY_LIKELY:
        return (MARKS[Kind.INSTRUCTION], EVERY)
    return () if stands is None else (MARKS[stands],)


def asks_advice(text: str) -> bool:
    """Whether a cue asks for advice, help or something to be made, rather than for what was said."""
    return likely(text, heads.ASKS_ADVICE) >= ASKED


def asks_record(text: str) -> bool:
    """Whether a cue asks about the conversation itself: what was said, whether, or in which order."""
    return likely(text, heads.ASKS_RECORD) >= ASKED

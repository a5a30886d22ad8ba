"""Recognise standing instructions and preferences, and requests to remember.

In: a text. Out: whether it is one, whether it applies to every answer, and whether a cue needs preferences.
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
"""Longest request to remember; in a longer text, "remember that …" is part of a task."""


@lru_cache(maxsize=64)  # observation and formation read the same sentences
def asked_to_keep(sentence: str) -> str | None:
    """Return the statement to remember; None without a request, or if what follows is no statement: "that trip"."""
    if is_question(sentence):
        return None
    words, languages = patterns.read(sentence)
    for language in languages:
        match = patterns.any_of(f"statement/keeping.{language}").match(words)
        if match:
            return capital(sentence[match.end() :].strip(), detect_language(sentence))
    return None


def asks_to_keep(text: str) -> bool:
    """Whether a short text contains a request to remember."""
    return len(text) <= _TEXT_MAX and any(asked_to_keep(sentence) for sentence in sentences(text))


# Standing instructions and preferences, and cues that need them.


MARKS = {Kind.INSTRUCTION: "§instruction", Kind.PREFERENCE: "§preference"}
"""Index terms of standing instructions and preferences; no word of a text gives such a term."""
EVERY = "§every answer"
"""Index term of an instruction about every answer."""
LIKELY, TASTE_LIKELY, EVERY_LIKELY, ASKED = 0.2, 0.3, 0.15, 0.35
"""Least probabilities of an instruction, a preference, an instruction about every answer, and a cue for advice or for
what was said (decision 0060)."""
HEADS = {Kind.INSTRUCTION: heads.ORDER, Kind.PREFERENCE: heads.PREFERENCE}
_LEAST = {Kind.INSTRUCTION: LIKELY, Kind.PREFERENCE: TASTE_LIKELY}


@lru_cache(maxsize=4096)  # recalled messages are often recalled again
def standing(text: str) -> Kind | None:
    """Return INSTRUCTION for a standing instruction or its revocation, PREFERENCE for a lasting taste, else None."""
    own = masked(text)  # code and quotations are not the speaker's own wishes
    found = {kind: likely(own, head) for kind, head in HEADS.items()}
    kind = max(found, key=lambda one: found[one])
    return kind if found[kind] >= _LEAST[kind] else None


def marks(text: str, kind: Kind, role: Role) -> tuple[str, ...]:
    """Return the index terms of a standing message, else none: only the agent's user gives it instructions."""
    if role is not Role.USER:
        return ()
    stands = kind if kind in MARKS else standing(text) if kind is Kind.EPISODE else None
    if stands is Kind.PREFERENCE or kind not in (Kind.EPISODE, Kind.INSTRUCTION):
        return () if stands is None else (MARKS[stands],)
    if likely(masked(text), heads.ABOUT_EVERY_ANSWER) >= EVERY_LIKELY:
        return (MARKS[Kind.INSTRUCTION], EVERY)
    return () if stands is None else (MARKS[stands],)


def asks_advice(text: str) -> bool:
    """Whether a cue asks for advice, help or a product, rather than for what was said."""
    return likely(text, heads.ASKS_ADVICE) >= ASKED


def asks_record(text: str) -> bool:
    """Whether a cue asks about the conversation itself: what was said, whether, or in which order."""
    return likely(text, heads.ASKS_RECORD) >= ASKED

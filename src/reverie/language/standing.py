"""Standing orders and preferences: what a person says once and wants to hold from then on; and when preferences apply.

In: a message or a cue, English or Turkish. Out: the kind, and the mark under which a message is indexed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain

from reverie.language import patterns
from reverie.language.orders import is_order, is_revoked, sounds_only, without_courtesy, without_opener
from reverie.language.sentences import is_question, sentences
from reverie.types import Kind, Role

MARKS = {Kind.INSTRUCTION: "§instruction", Kind.PREFERENCE: "§preference"}
"""The index term of what stands; no word of a text gives a term with this sign."""
_ENDS = ".!?\n"
_SHORT_MAX = 400
"""Orders that do not say that they hold are of one task in a longer text, and likings tell a story."""


def standing(text: str) -> Kind | None:
    """INSTRUCTION for a standing order or one taken back, PREFERENCE for a lasting taste; None for anything else."""
    text = text[: patterns.TEXT_MAX]
    found = _held(text)
    if found is not None or len(text) > _SHORT_MAX:
        return found
    stated = [sentence for sentence in sentences(text) if not is_question(sentence)]
    if any(map(is_order, stated)):
        return Kind.INSTRUCTION
    return Kind.PREFERENCE if any(map(_is_taste, stated)) else None


@lru_cache(maxsize=1024)  # what is recalled once is recalled again, and each time it is asked whose order it is
def is_standing_order(text: str) -> bool:
    """Whether ``standing`` is INSTRUCTION, without asking whether the text tells a taste."""
    text = text[: patterns.TEXT_MAX]
    found = _held(text)
    if found is not None or len(text) > _SHORT_MAX:
        return found is Kind.INSTRUCTION
    return any(is_order(sentence) for sentence in sentences(text) if not is_question(sentence))


@lru_cache(maxsize=1024)
def allows_only(text: str) -> bool:
    """Whether a text orders nothing but that an order holds no longer: you may, you need not, forget it."""
    orders = [one for one in sentences(text[: patterns.TEXT_MAX]) if not is_question(one) and is_order(one)]
    return bool(orders) and all(map(is_revoked, orders))


def _is_taste(sentence: str) -> bool:
    """What the speaker eats, bears, likes or hates at any time; not what pleases them now."""
    told = without_opener(sentence)
    return patterns.found("tastes", told) and not patterns.found("tastes-not", told)


def _held(text: str) -> Kind | None:
    """What says itself that it holds: always, from now on, I prefer."""
    words = patterns.read(text).words
    hints = [hint for hint in _hints() if hint in words]
    if not hints:
        return None
    told = list(dict.fromkeys(chain.from_iterable(_around(words, hint) for hint in hints)))
    found = _label(told)
    if found is None:
        return None
    meant = [sentence for sentence in told if not sounds_only(found, sentence)]
    found = found if len(meant) == len(told) else _label(meant)
    return None if found is None else Kind(found)


@cache
def _hints() -> tuple[str, ...]:
    """Those of both languages: a sentence may be of another than the text."""
    return (*patterns.hints("standing", "en"), *patterns.hints("standing", "tr"))


def _label(told: Sequence[str]) -> str | None:
    return patterns.label("standing", without_courtesy("\n".join(told))) if told else None


def _around(text: str, hint: str) -> Iterator[str]:
    """The sentences that hold a hint: only these are read, since most of what is said stands for nothing."""
    place = text.find(hint)
    while place >= 0:
        start = max(text.rfind(sign, 0, place) for sign in _ENDS) + 1
        end = min((found for sign in _ENDS if (found := text.find(sign, place)) >= 0), default=len(text))
        yield text[start : end + 1].strip()
        place = text.find(hint, end)


def mark(text: str, kind: Kind, role: Role) -> str | None:
    """The index term of a message that stands, None for any other: only the person an agent serves gives it orders."""
    if role is not Role.USER:
        return None
    if kind in MARKS:
        return MARKS[kind]
    found = standing(text) if kind is Kind.EPISODE else None
    return None if found is None else MARKS[found]


@lru_cache(maxsize=64)
def asks_advice(text: str) -> bool:
    """Whether a cue asks for advice, help or something to be made, rather than for what was said."""
    return patterns.found("advice", text)


@lru_cache(maxsize=64)
def asks_record(text: str) -> bool:
    """Whether a cue asks about the conversation itself: what was said, whether, or in which order."""
    return patterns.found("asks-record", text)

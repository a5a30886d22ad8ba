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
from reverie.language.text_heads import ABOUT_EVERY_ANSWER, ORDER, likely
from reverie.types import Kind, Role

MARKS = {Kind.INSTRUCTION: "§instruction", Kind.PREFERENCE: "§preference"}
"""The index term of what stands; no word of a text gives a term with this sign."""
EVERY = "§every answer"
"""The same of an order about every answer."""
LIKELY, EVERY_LIKELY = 0.25, 0.06
"""How likely a message must be an order, and an order one about every answer. 2026-11-24, hands left out: 80 of 100 so
found are orders, and 76 of 100 orders are found."""
_ENDS = ".!?\n"
_SHORT_MAX = 400
"""Orders that do not say that they hold are of one task in a longer text, and likings tell a story."""


def standing(text: str) -> Kind | None:
    """INSTRUCTION for a standing order, PREFERENCE for a lasting taste; None for anything else."""
    if is_standing_order(text):
        return Kind.INSTRUCTION
    text = text[: patterns.TEXT_MAX]
    found = _held(text)
    if found is not None or len(text) > _SHORT_MAX:
        return found if found is Kind.PREFERENCE else None
    stated = [sentence for sentence in sentences(text) if not is_question(sentence)]
    return Kind.PREFERENCE if any(map(_is_taste, stated)) else None


def is_standing_order(text: str) -> bool:
    """Whether a text most likely orders what is to hold from then on, and does not ask."""
    return likely(text, ORDER) >= LIKELY


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


def marks(text: str, kind: Kind, role: Role) -> tuple[str, ...]:
    """The index terms of a message that stands, none for any other: only the person an agent serves gives it orders."""
    if role is not Role.USER:
        return ()
    stands = kind if kind in MARKS else standing(text) if kind is Kind.EPISODE else None
    if stands is Kind.PREFERENCE:
        return (MARKS[stands],)
    is_about_all = (kind is Kind.EPISODE or stands is not None) and likely(text, ABOUT_EVERY_ANSWER) >= EVERY_LIKELY
    if is_about_all:
        return (MARKS[Kind.INSTRUCTION], EVERY)
    return () if stands is None else (MARKS[stands],)


@lru_cache(maxsize=64)
def asks_advice(text: str) -> bool:
    """Whether a cue asks for advice, help or something to be made, rather than for what was said."""
    return patterns.found("advice", text)


@lru_cache(maxsize=64)
def asks_record(text: str) -> bool:
    """Whether a cue asks about the conversation itself: what was said, whether, or in which order."""
    return patterns.found("asks-record", text)

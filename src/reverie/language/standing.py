"""Standing orders and preferences: what a person says once and wants to hold from then on; and when preferences apply.

In: a message or a cue, English or Turkish. Out: the kind, and the marks under which a message is indexed. All is told
by learned heads (``text_heads``); no phrase is listed.
"""

from __future__ import annotations

from functools import lru_cache

from reverie.language import text_heads
from reverie.language.sentences import masked
from reverie.language.text_heads import likely
from reverie.types import Kind, Role

MARKS = {Kind.INSTRUCTION: "§instruction", Kind.PREFERENCE: "§preference"}
"""The index term of what stands; no word of a text gives a term with this sign."""
EVERY = "§every answer"
"""The same of an order about every answer."""
LIKELY, TASTE_LIKELY, EVERY_LIKELY, ASKED = 0.2, 0.3, 0.15, 0.35
"""How likely a message must be an order, a taste, an order about every answer, and a cue one for advice or for what
was said (decision 0060)."""
HEADS = {Kind.INSTRUCTION: text_heads.ORDER, Kind.PREFERENCE: text_heads.PREFERENCE}
_LEAST = {Kind.INSTRUCTION: LIKELY, Kind.PREFERENCE: TASTE_LIKELY}


@lru_cache(maxsize=4096)  # what is recalled once is recalled again
def standing(text: str) -> Kind | None:
    """INSTRUCTION for a standing order or one taken back, PREFERENCE for a lasting taste; None for anything else."""
    own = masked(text)  # what stands in code or in quotation marks is nobody's own wish
    found = {kind: likely(own, head) for kind, head in HEADS.items()}
    kind = max(found, key=lambda one: found[one])
    return kind if found[kind] >= _LEAST[kind] else None


def marks(text: str, kind: Kind, role: Role) -> tuple[str, ...]:
    """The index terms of a message that stands, none for any other: only the person an agent serves gives it orders."""
    if role is not Role.USER:
        return ()
    stands = kind if kind in MARKS else standing(text) if kind is Kind.EPISODE else None
    if stands is Kind.PREFERENCE or kind not in (Kind.EPISODE, Kind.INSTRUCTION):
        return () if stands is None else (MARKS[stands],)
    if likely(masked(text), text_heads.ABOUT_EVERY_ANSWER) >= EVERY_LIKELY:
        return (MARKS[Kind.INSTRUCTION], EVERY)
    return () if stands is None else (MARKS[stands],)


def asks_advice(text: str) -> bool:
    """Whether a cue asks for advice, help or something to be made, rather than for what was said."""
    return likely(text, text_heads.ASKS_ADVICE) >= ASKED


def asks_record(text: str) -> bool:
    """Whether a cue asks about the conversation itself: what was said, whether, or in which order."""
    return likely(text, text_heads.ASKS_RECORD) >= ASKED

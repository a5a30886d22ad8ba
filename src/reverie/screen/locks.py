"""What is opened by digits alone, a telephone, a card, a door: beside it four to eight digits are a secret.

In: a text in lower case without diacritics, and where a secret is named in it. Out: whether such a thing is named.
"""

from __future__ import annotations

import re
from functools import cache

from reverie.language.expressions import expression
from reverie.screen import lists

_BEFORE_MAX = 40
_ENGLISH_BEFORE_MAX = 20
_CLAUSE_ENDS = expression(r"[.,;:!?\n]")
_OWNER = expression(r"\b[a-z]{2,20}[iu]m(?:[iu]z)?(?:['’]?[iu]n)(?:[ \t]{1,3}[\w'’-]{1,20}){0,2}[ \t]{1,3}\Z")
"""Of something of mine: telefonumun ekran kilidi şifresi."""


def is_locked(low: str, start: int, end: int) -> bool:
    """Whether English names such a thing shortly before ``start`` or up to ``end``: "the PIN for my phone is"."""
    return bool(_english().search(low, max(0, start - _ENGLISH_BEFORE_MAX), end))


def is_locked_before(low: str, start: int) -> bool:
    """Whether such a thing stands in the same clause right before ``start``, in either language: "SIM PIN"."""
    lead = _lead(low, start)
    return bool(_turkish().search(lead) or _english().search(lead))


def is_of_mine(low: str, start: int) -> bool:
    """Whether Turkish says of something of one's own that it has what is named at ``start``: "telefonumun şifresi"."""
    return bool(_OWNER.search(_lead(low, start)))


def _lead(low: str, start: int) -> str:
    return _CLAUSE_ENDS.split(low[max(0, start - _BEFORE_MAX) : start])[-1]


@cache
def _english() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(lists.words('pin-things.en')))})\b")


@cache
def _turkish() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(lists.words('pin-things.tr')))})[a-z]{{0,10}}(?:['’][a-z]{{1,6}})?\b")

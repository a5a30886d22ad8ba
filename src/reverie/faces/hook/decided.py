"""Choose what a session decided, to hand it over again when the host has cut the session's context.

In: the memories of one session. Out: those to bring back, the most needed first. Standing orders come first, as the
learned classifier judges them, and after every two of them the newest decision, correction or plan, then the newest
other statement of the user's. Questions, small talk and pasted files are none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from reverie.formulas.text_statistics import estimated_tokens
from reverie.language.classify.worth import filtered, trivial_write
from reverie.language.orders import LIKELY
from reverie.language.text import heads
from reverie.language.text.patterns import is_question, masked
from reverie.types import RECALLED_STATES, Kind, Memory, Role

_DECIDED = frozenset({Kind.DECISION, Kind.CORRECTION, Kind.PLAN})
_LATEST = 400
"""Of a long session, only so many of its last statements are looked at."""
_SHARE = 4
"""No statement may take more than this part of the budget, so that a long one keeps no others out."""


def decided(memories: Iterable[Memory], budget: int) -> list[Memory]:
    """Return what was decided in a session, the most needed first; ``budget`` in tokens, 0 for no limit."""
    newest = _statements(memories, budget)
    likely = {memory.id: heads.likely(masked(memory.text), heads.ORDER) for memory in newest}
    orders = [memory for memory in newest if likely[memory.id] >= LIKELY]
    orders.sort(key=lambda memory: (-likely[memory.id], -memory.seq, memory.id))
    others = [memory for memory in newest if likely[memory.id] < LIKELY]
    others.sort(key=lambda memory: memory.kind not in _DECIDED)  # stable: the newest first in each
    return [one for three in zip_longest(orders[::2], orders[1::2], others) for one in three if one is not None]


def _statements(memories: Iterable[Memory], budget: int) -> list[Memory]:
    """Return what the user said and what was formed from it, the newest first, each statement once."""
    held = [one for one in memories if one.role is Role.USER and _holds(one)]
    formed = [one for one in held if one.kind is not Kind.EPISODE]
    told = {source for one in formed for source in one.sources}
    said = [one for one in held if one.kind is Kind.EPISODE and one.id not in told and _states(one)]
    newest = sorted((*formed, *said), key=lambda one: (-one.seq, one.id))[:_LATEST]
    return list(_each_once(newest, budget))


def _each_once(newest: Sequence[Memory], budget: int) -> Iterator[Memory]:
    seen: set[str] = set()
    for one in newest:
        text = one.text.strip()
        if text not in seen and (not budget or estimated_tokens(text) <= budget // _SHARE):
            seen.add(text)
            yield one


def _holds(one: Memory) -> bool:
    return one.standing.state in RECALLED_STATES and one.valid_until is None


def _states(one: Memory) -> bool:
    """Whether a message states something: no question, no small talk, no pasted file."""
    return not (trivial_write(one.text) or filtered(one.text) or is_question(one.text))

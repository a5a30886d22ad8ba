"""``python -m benchmarks compacted``: what of a long session comes back when its host has compacted it.

A life of ``benchmarks.lives`` is told as one session, which is then compacted. Counted is which of its labelled
messages the block of the following start holds: standing orders that hold, and what the user changed or called off.
Beside it stands the same start without a compaction, which holds the hot tier alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from benchmarks.embedding import NO_MODEL, cached_embedder
from benchmarks.lives.form import Life, lives
from benchmarks.statistics import intervals, resample
from reverie import Message, Reverie, Role, Scope
from reverie.faces.hook.answers import Recalling
from reverie.faces.hook.hosts import HookEvent, HookHost, SessionMoment
from reverie.ports import Embedder

BUDGETS = (300, 600)
"""Tokens: the default of ``hook.budget_tokens``, and twice as many."""
WAYS = {"hot tier alone": "startup", "after a compaction": "compact"}
_SCOPE = Scope(agent="benchmark", user="coder", project="compacted")
_SESSION = "long"


@dataclass(frozen=True, slots=True)
class Back:
    """How much of one life came back: labelled messages in the block, of how many, and the block's tokens."""

    orders: int
    orders_of: int
    changes: int
    changes_of: int
    tokens: int


def run(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Print a line a way and budget; nothing of what a life says is shown."""
    del given
    embedder = cached_embedder(options)
    found: dict[tuple[str, int], list[Back]] = {}
    for life in lives(options.part):
        for key, back in measured(life, embedder):
            found.setdefault(key, []).append(back)
        print(f"compacted: {life.name}", file=sys.stderr, flush=True)
    print(f"part {options.part}, model {embedder.info.name if embedder else NO_MODEL}")
    for (way, budget), backs in found.items():
        print(f"{way:20} {budget:4} tokens: {_told(backs)}")


def _told(backs: Sequence[Back]) -> str:
    """Return the shares over all lives, with the 95 % interval of a life's mean for orders."""
    orders, changes = sum(one.orders for one in backs), sum(one.changes for one in backs)
    shares = np.array([[one.orders / one.orders_of] for one in backs if one.orders_of])
    ends = intervals(shares, resample(len(shares), 0))
    return (
        f"orders {orders} of {sum(one.orders_of for one in backs)} "
        f"(a life {ends.mean[0]:.2f} [{ends.low[0]:.2f}, {ends.high[0]:.2f}]), "
        f"changes {changes} of {sum(one.changes_of for one in backs)}, "
        f"{sum(one.tokens for one in backs) / len(backs):.0f} tokens"
    )


def measured(life: Life, embedder: Embedder | None) -> Iterator[tuple[tuple[str, int], Back]]:
    """Yield what came back of a life, for each way and budget."""
    orders, changes = _orders(life), _changes(life)
    with Reverie.open(":memory:", embedder=embedder) as memory:
        names = {}
        for item in life.items:
            said = Message(item.text, item.speaker, item.role, _SESSION, item.at, item.id)
            names[memory.observe(said, _SCOPE).id] = item.id
        for way, budget in product(WAYS, BUDGETS):
            session = _SESSION if WAYS[way] == "compact" else "another"
            event = HookEvent(HookHost.CLAUDE_CODE, SessionMoment.START, "E", session, "/", source=WAYS[way])
            block = Recalling().context(memory, _SCOPE, event, budget)
            back = set(_messages(memory, block.ids, names))
            found = Back(len(back & orders), len(orders), len(back & changes), len(changes), block.tokens)
            yield (way, budget), found


def _orders(life: Life) -> set[str]:
    """Return the messages with standing orders that none replaced."""
    replaced = {name for one in life.orders for name in one.replaces}
    return {one.id for one in life.orders if one.reach in ("every", "topic")} - replaced


def _changes(life: Life) -> set[str]:
    """Return the user's messages that changed something or called it off, and were not changed themselves."""
    real = [one for one in life.changes if one.kind != "trap"]
    users = {item.id for item in life.items if item.role is Role.USER}
    return users & {name for one in real for name in one.newer} - {name for one in real for name in one.older}


def _messages(memory: Reverie, ids: Iterable[str], names: dict[str, str]) -> Iterator[str]:
    """Yield the messages that memories are, or were formed from."""
    for name in ids:
        for one in (name, *memory.memory(name, _SCOPE).sources):
            if one in names:
                yield names[one]

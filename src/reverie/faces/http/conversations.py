"""What the proxy remembers of conversations, and what it keeps and recalls for them.

A program sends the whole conversation with each request, without the blocks that were added to it. So each block is
kept by the turn it was added to, and added there again: the bytes a model server has cached stay the same.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from threading import Lock

from reverie.engine.core import Reverie
from reverie.faces.http.dialects import Turn
from reverie.screen.fences import strip_fences
from reverie.types import Message, Role, Scope
from reverie.wire.blocks import SPEAKERS, question_of, recalled_block

TURNS_KEPT = 4096
"""Most turns whose block and session are remembered, over all conversations; the least recently used go first."""
RETRY_S = 60
"""Seconds in which the same first message counts as sent again, and not as another conversation."""


@dataclass(frozen=True, slots=True)
class KnownTurn:
    """What is remembered of a user's turn: its session, the block added to it, the ids in the block, and when."""

    session: str
    at: datetime
    block: str = ""
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request of a conversation: the turn it asks with, its session, and the blocks to add by place."""

    scope: Scope
    session: str
    key: str
    asked: Turn
    blocks: dict[int, str]


class Conversations:
    """Recalls for the last turn of a request, adds earlier blocks again, and keeps what was said. Safe for threads."""

    def __init__(self, engine: Reverie, now: Callable[[], datetime], budget_tokens: int) -> None:
        """``now``: the time, in UTC; ``budget_tokens``: most tokens of one block, 0 for no limit."""
        self._engine = engine
        self._now = now
        self._budget = budget_tokens
        self._nonce_key = secrets.token_bytes(32)
        self._known: OrderedDict[tuple[Scope, str], KnownTurn] = OrderedDict()
        self._lock = Lock()

    def again(self, turns: Sequence[Turn], scope: Scope) -> dict[int, str]:
        """Return the blocks that were added to these turns before, by place."""
        return {turn.place: known.block for turn, known in self._found(turns, scope) if known.block}

    def begin(self, turns: Sequence[Turn], asked: Turn, scope: Scope, session: str = "") -> Exchange:
        """Find the session of a request that asks something; ``session`` is the one that the program names, if any."""
        key, now, earlier = _key(turns, turns.index(asked)), self._now(), self._found(turns[:-1], scope)
        with self._lock:
            same = self._same(scope, key, now, is_first=len(turns) == 1)
            before = [known for _, known in earlier] or ([same] if same is not None else [])
            named = session or (before[-1].session if before else _session(scope, key, now))
            known = same if same is not None and same.session == named else KnownTurn(named, now)
            self._put(scope, key, known)
        blocks = {turn.place: one.block for turn, one in (*earlier, (asked, known)) if one.block}
        return Exchange(scope, named, key, asked, blocks)

    def recall(self, turns: Sequence[Turn], exchange: Exchange) -> Exchange:
        """Return the exchange with a block for its last turn, if there is something to tell. Raises ReverieError.

        A memory that the request holds already, as a turn or in an earlier block, is not told again.
        """
        if exchange.asked.place in exchange.blocks:
            return exchange
        told = {name for _, known in self._found(turns, exchange.scope) for name in known.ids}
        said = {turn.text.strip() for turn in turns}
        made = recalled_block(
            self._engine,
            question_of(exchange.asked.text, exchange.session),
            exchange.scope,
            self._nonce(exchange.session),
            self._budget,
            lambda memory: memory.id in told or memory.text.strip() in said,
        )
        if not made.text:
            return exchange
        with self._lock:
            self._put(exchange.scope, exchange.key, KnownTurn(exchange.session, self._now(), made.text, made.ids))
        return replace(exchange, blocks={**exchange.blocks, exchange.asked.place: made.text})

    def _same(self, scope: Scope, key: str, now: datetime, *, is_first: bool) -> KnownTurn | None:
        """Return what is known of a turn that is sent again; a first one, later, begins another conversation."""
        same = self._known.get((scope, key))
        is_other = same is not None and is_first and now - same.at >= timedelta(seconds=RETRY_S)
        return None if is_other else same

    def keep(self, exchange: Exchange, reply: str) -> int:
        """Keep the user's turn and the answer to it; return the number of new messages. Raises ReverieError."""
        new = 0
        for role, text in ((Role.USER, exchange.asked.text), (Role.ASSISTANT, reply)):
            said = strip_fences(text)
            if not said.strip():
                continue
            name = _digest(exchange.session, exchange.key, str(role), said)
            message = Message(said, SPEAKERS[role], role, exchange.session, message_id=f"proxy-{name}")
            new += self._engine.observe(message, exchange.scope).new
        return new

    def _found(self, turns: Sequence[Turn], scope: Scope) -> list[tuple[Turn, KnownTurn]]:
        keys = [(turn, _key(turns, at)) for at, turn in enumerate(turns) if turn.role is Role.USER]
        with self._lock:
            return [(turn, self._known[scope, key]) for turn, key in keys if (scope, key) in self._known]

    def _put(self, scope: Scope, key: str, known: KnownTurn) -> None:
        self._known.pop((scope, key), None)
        self._known[scope, key] = known
        if len(self._known) > TURNS_KEPT:
            self._known.popitem(last=False)

    def _nonce(self, session: str) -> str:
        return blake2b(session.encode("utf-8", "surrogatepass"), key=self._nonce_key, digest_size=16).hexdigest()


def _key(turns: Sequence[Turn], at: int) -> str:
    """Return what identifies a turn: its text and the two before it, since programs drop the oldest turns."""
    return _digest(*(f"{turn.role}\0{turn.text.strip()}" for turn in turns[max(0, at - 2) : at + 1]))


def _session(scope: Scope, key: str, now: datetime) -> str:
    return f"proxy-{_digest(scope.agent, scope.user, scope.project, key, now.isoformat())[:16]}"


def _digest(*parts: str) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

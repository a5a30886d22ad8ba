"""What the proxy remembers of conversations, and what it keeps and recalls for them.

A program sends the whole conversation with each request, without the blocks that were added to it. So each block is
kept by the turn it was added to, and added there again: the bytes a model server has cached stay the same.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from threading import Lock

from reverie.engine.core import Reverie
from reverie.engine.requests import Question
from reverie.faces.http.dialects import Turn
from reverie.recall.annotations import Annotation, notes
from reverie.screen.fences import holds_marker, strip_fences
from reverie.types import Message, Role, Scope
from reverie.wire.blocks import SPEAKERS, block, cue_of, within

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
        cue = cue_of(_bare(exchange.asked.text))
        if exchange.asked.place in exchange.blocks or not cue.strip():
            return exchange
        question = Question(cue, session=exchange.session, automatic=True)
        answer = self._engine.recall(question, exchange.scope, budget_tokens=self._budget or None)
        found = self._new(notes((*answer.standing, *answer.hits)), turns, exchange.scope)
        beside, nonce = [hit.memory for hit in answer.withheld], self._nonce(exchange.session)
        items = list(within(found, beside, nonce, self._budget))
        if not items:
            return exchange
        added = block(items, beside, nonce)
        known = KnownTurn(exchange.session, self._now(), added, tuple(one.memory.id for one in items))
        with self._lock:
            self._put(exchange.scope, exchange.key, known)
        return replace(exchange, blocks={**exchange.blocks, exchange.asked.place: added})

    def _same(self, scope: Scope, key: str, now: datetime, *, is_first: bool) -> KnownTurn | None:
        """Return what is known of a turn that is sent again; a first one, later, begins another conversation."""
        same = self._known.get((scope, key))
        is_other = same is not None and is_first and now - same.at >= timedelta(seconds=RETRY_S)
        return None if is_other else same

    def _new(self, found: Iterable[Annotation], turns: Sequence[Turn], scope: Scope) -> list[Annotation]:
        """Return the annotated memories that the request does not hold already."""
        told = {name for _, known in self._found(turns, scope) for name in known.ids}
        said = {turn.text.strip() for turn in turns}
        return [one for one in found if one.memory.id not in told and one.memory.text.strip() not in said]

    def keep(self, exchange: Exchange, reply: str) -> int:
        """Keep the user's turn and the answer to it; return the number of new messages. Raises ReverieError."""
        new = 0
        for role, text in ((Role.USER, exchange.asked.text), (Role.ASSISTANT, reply)):
            said = _bare(text)
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


def _bare(text: str) -> str:
    return strip_fences(text) if holds_marker(text) else text


def _digest(*parts: str) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

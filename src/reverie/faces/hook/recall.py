"""What a host is told: in, a moment in its session; out, the memories that bear on it, fenced and marked as data.

A session is told nothing twice, and nothing it said itself: both stand in its model's context already. That ends when
the host compacts the context.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock

from reverie.engine.core import Reverie
from reverie.engine.requests import Question
from reverie.errors import NotFound
from reverie.faces.hook.hosts import Happening, Moment, said_only
from reverie.faces.hook.tool_calls import tools_session
from reverie.formulas.text_statistics import estimated_tokens
from reverie.recall.annotations import Note, labels, note, notes
from reverie.screen.fences import fence, labelled, one_line
from reverie.screen.injection import addresses_model
from reverie.types import RECALLED_STATES, Memory, Scope

SESSIONS_KEPT = 256
CUE_CHARS = 2000
"""Of a longer prompt the beginning and the end are asked with: a pasted file must not delay the answer."""
HOT_MAX = 20
RESTARTS = ("compact", "clear")
"""Why a session starts anew with an empty context."""


@dataclass(slots=True)
class _Told:
    """What a session has in its context by us, and whether it still has what it said itself."""

    ids: set[str] = field(default_factory=set)
    compacted: bool = False
    owed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """The block for the host's model, empty for nothing to say, and the memories in it."""

    block: str
    ids: tuple[str, ...]
    told: _Told

    def delivered(self) -> None:
        """It is in the session's context now, so it is not told again."""
        self.told.ids.update(self.ids)
        self.told.owed = ()


class Recalling:
    """The read side of the hook, with what each session was told."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._sessions: OrderedDict[tuple[Scope, str], _Told] = OrderedDict()
        self._lock = Lock()

    def context(
        self, engine: Reverie, scope: Scope, happening: Happening, budget: int, first: Iterable[str] = ()
    ) -> Context:
        """What the host is to tell its model; ``first``: memories to read when a session begins.

        Raises ReverieError.
        """
        told = self._of(scope, happening.session)
        beside: list[Memory] = []
        if happening.moment is Moment.START:
            if happening.source in RESTARTS:
                told.ids.clear()
            hot = [*engine.admin.hot(scope)[:HOT_MAX], *_holding(engine, scope, first)]
            told.owed = tuple(memory.id for memory in hot)
            found = [note(memory) for memory in hot]
        else:  # where the start's answer came too late, what it held comes now
            found, beside = self._asked(engine, scope, happening, budget)
            found += [note(memory) for memory in _holding(engine, scope, told.owed)]
        own = (happening.session, tools_session(happening.session))
        fresh = {
            one.memory.id: one
            for one in reversed(found)
            if one.memory.id not in told.ids and (told.compacted or one.memory.session not in own)
        }
        nonce = self._nonce(happening.session)
        items = list(_within([*reversed(fresh.values())], beside, nonce, budget))
        return Context(_block(items, beside, nonce), tuple(one.memory.id for one in items), told)

    def compacted(self, scope: Scope, session: str) -> None:
        """The session's context was cut: what it held may be said again."""
        told = self._of(scope, session)
        told.ids.clear()
        told.compacted = True

    def ended(self, scope: Scope, session: str) -> None:
        """The session is over."""
        with self._lock:
            self._sessions.pop((scope, session), None)

    def _asked(
        self, engine: Reverie, scope: Scope, happening: Happening, budget: int
    ) -> tuple[list[Note], list[Memory]]:
        """What a prompt brings, and what was found beside it."""
        cue = _cue(said_only(happening.prompt, happening.host))
        if not cue:
            return [], []
        question = Question(cue, session=happening.session, automatic=True)
        answer = engine.recall(question, scope, budget_tokens=budget or None)
        hits = (hit for hit in (*answer.standing, *answer.hits) if hit.memory.text.strip() != cue.strip())
        return notes(hits), [hit.memory for hit in answer.withheld]

    def _of(self, scope: Scope, session: str) -> _Told:
        with self._lock:
            told = self._sessions.pop((scope, session), None) or _Told()
            self._sessions[scope, session] = told
            if len(self._sessions) > SESSIONS_KEPT:
                self._sessions.popitem(last=False)
            return told

    def _nonce(self, session: str) -> str:
        return blake2b(session.encode("utf-8", "surrogatepass"), key=self._key, digest_size=16).hexdigest()


def _holding(engine: Reverie, scope: Scope, ids: Iterable[str]) -> Iterator[Memory]:
    """Those of these memories that are still there and hold."""
    for name in ids:
        with suppress(NotFound):
            memory = engine.memory(name, scope)
            if memory.standing.state in RECALLED_STATES and memory.valid_until is None:
                yield memory


def _cue(prompt: str) -> str:
    half = CUE_CHARS // 2
    return prompt if len(prompt) <= CUE_CHARS else f"{prompt[:half]} {prompt[-half:]}"


def _within(found: list[Note], beside: list[Memory], nonce: str, budget: int) -> Iterable[Note]:
    """As many as fit with the fence around them; 0: no limit. A label gets no longer where others are left out."""
    left = budget - estimated_tokens(fence([""], nonce))
    for one, label in zip(found, labels(found, beside), strict=True):
        left -= estimated_tokens(labelled(_line(one), label)) + 1
        if budget and left < 0:
            return
        yield one


def _line(one: Note) -> str:
    """A note with its day and speaker."""
    return f"{one.memory.at:%Y-%m-%d} {one_line(one.memory.speaker)}: {one.text}"


def _block(found: list[Note], beside: list[Memory], nonce: str) -> str:
    texts = [_line(one) for one in found]
    return fence(texts, nonce, addressed=[addresses_model(text) for text in texts], labels=labels(found, beside))

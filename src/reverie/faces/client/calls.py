"""The client's calls that differ from the engine's methods: take the methods' arguments and return unsent requests.

They need several requests, another shape of arguments, or lack a parameter that only one process has; ``clients`` maps
all other methods directly. Signatures, names and defaults are the engine's. What only makes sense beside the file
(paths, progress, closing) is missing: copies and checks of a whole store are the server's commands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from reverie.answers import Receipt, Recollection
from reverie.consolidate.history import DreamReport
from reverie.encode.memory_factory import DataSource
from reverie.encode.notes import Note
from reverie.encode.validation import CallerHints
from reverie.engine.erasure import Erasure
from reverie.engine.ingest import Imported, joined
from reverie.engine.requests import Question
from reverie.events import Event
from reverie.faces.client import call
from reverie.faces.client.call import Call, Parts, Plain, at, reading, within
from reverie.recall.explain import Explanation
from reverie.types import Memory, Message, Relation, RelationKind, Scope, SourceName, TimeWindow
from reverie.wire.errors import MESSAGES_MAX, NOTES_MAX, SOURCES_MAX
from reverie.wire.shapes import shape

T = TypeVar("T")
_ALL = 2**31 - 1
"""The largest limit: the engine's own methods return everything by default."""


def remember(  # noqa: PLR0913 - the engine's own signature
    message: str | Message,
    scope: Scope,
    *,
    speaker: str = "user",
    session: str = "default",
    at: datetime | None = None,
    deliberate: bool = False,
    source: DataSource | SourceName | None = None,
    given: CallerHints | None = None,
) -> Call[Receipt]:
    """Store one message word for word as an episode; form no memory from it."""
    said = message if isinstance(message, Message) else Message(message, speaker=speaker, session=session, at=at)
    return _post(scope, shape(said) | _hints(deliberate, source, given), Receipt, "remember")


def remember_many(messages: Iterable[Message], scope: Scope) -> Parts[Imported]:
    """Store many messages as episodes; repeats of messages with ids are ignored."""
    parts = _batched([shape(one) for one in messages], MESSAGES_MAX)
    sent = [_post(scope, {"messages": part}, Imported, "remember-many", long=True) for part in parts]
    return Parts(sent, joined)


def observe(  # noqa: PLR0913 - the engine's own signature
    message: str | Message,
    scope: Scope,
    *,
    speaker: str = "user",
    session: str = "default",
    at: datetime | None = None,
    deliberate: bool = False,
    source: DataSource | SourceName | None = None,
    given: CallerHints | None = None,
) -> Call[Receipt]:
    """Store a message and form memories from what is worth knowing in it."""
    said = message if isinstance(message, Message) else Message(message, speaker=speaker, session=session, at=at)
    return _post(scope, shape(said) | _hints(deliberate, source, given), Receipt, "observe")


def _hints(deliberate: bool, source: DataSource | SourceName | None, given: CallerHints | None) -> dict[str, Any]:
    more: dict[str, Any] = {"deliberate": deliberate, "source": shape(source)}
    return more if given is None else more | shape(given)


def note(notes: Iterable[Note], scope: Scope, *, why: str = "noted") -> Parts[list[Memory]]:
    """Store each note whole as one memory, without forming, merging or filtering."""
    parts = _batched([call.note(one) for one in notes], NOTES_MAX)
    bodies = [{"notes": part, "why": why} for part in parts]
    sent = [Call("POST", at("note"), _all, within(scope), body, long=True) for body in bodies]
    return Parts(sent, lambda done: [one for part in done for one in part])


def recall(
    cue: str | Question,
    scope: Scope,
    *,
    top_k: int | None = None,
    budget_tokens: int | None = 1000,
    now: datetime | None = None,
    window: TimeWindow | None = None,
) -> Call[Recollection]:
    """Return the memories that answer ``cue``, best first; they count as accessed if the token may write."""
    return _post(scope, call.cue(cue, top_k, budget_tokens, now, window), Recollection, "recall")


def explain(
    cue: str | Question,
    scope: Scope,
    *,
    top_k: int | None = None,
    budget_tokens: int | None = 1000,
    now: datetime | None = None,
    window: TimeWindow | None = None,
) -> Call[Explanation]:
    """Answer like ``recall``, with the reasons for each score and what would change the order; counts no access."""
    return _post(scope, call.cue(cue, top_k, budget_tokens, now, window), Explanation, "explain")


def timeline(
    scope: Scope,
    *,
    session: str | None = None,
    start: datetime | None = None,
    end: datetime | None = None,
    limit: int | None = None,
    as_of: datetime | None = None,
) -> Call[list[Memory]]:
    """Return all memories in the order they were said, forgotten ones too; with ``as_of`` those that held then."""
    limit = limit or _ALL
    return _memories(scope, "memories", limit=limit, start=start, end=end, as_of=as_of, session=session)


def formed(scope: Scope, *, sources: Sequence[str] = ()) -> Parts[list[Memory]]:
    """Return all formed memories in any state; ``sources`` restricts them to those formed from these episodes."""
    parts = [_memories(scope, "formed", sources=part or None) for part in _batched(list(sources), SOURCES_MAX)]
    return Parts(parts, lambda done: list({one.id: one for part in done for one in part}.values()))


def events(scope: Scope, *, after: int = 0, limit: int | None = None) -> Call[list[Event]]:
    """Return the scope's journal (who changed what, when and why): ``limit`` events after number ``after``."""
    return Call("GET", at("events"), reading(list[Event], "events"), within(scope, after=after, limit=limit or _ALL))


def erase(memory_id: str, scope: Scope, *, why: str) -> Call[Erasure]:
    """Delete a memory for good; needs an administrator's token."""
    return Call("DELETE", at("memories", memory_id), reading(Erasure), within(scope, why=why))


def relations(scope: Scope, memory_ids: tuple[str, ...] | None = None) -> Call[list[Relation]]:
    """Return the scope's relations, or those that touch these memories."""

    def read(told: Plain) -> list[Relation]:
        edges = reading(list[Relation], "relations")(told)
        return edges if memory_ids is None else [e for e in edges if e.source in memory_ids or e.target in memory_ids]

    return Call("GET", at("relations"), read, within(scope))


def graph(
    memory_id: str, scope: Scope, *, hops: int = 2, kinds: Sequence[RelationKind | str] = ()
) -> Call[tuple[list[Memory], list[Relation]]]:
    """Return the memories connected with a memory (itself first) and their relations, of these ``kinds`` or of all."""

    def read(told: Plain) -> tuple[list[Memory], list[Relation]]:
        return _all(told), reading(list[Relation], "relations")(told)

    return Call("GET", at("memories", memory_id, "graph"), read, within(scope, hops=hops, kind=list(kinds)))


def dream(scope: Scope, *, dry_run: bool = False) -> Call[DreamReport]:
    """Run one dream over a scope, which consolidates its memories; may take minutes."""
    return _post(scope, {"dry_run": dry_run}, DreamReport, "dream", long=True)


def embed(*, quick: bool = False) -> Call[int]:
    """Compute missing vectors with the server's model and return their number; ``quick`` for the quick model only.

    Needs an administrator's token.
    """
    query = {"quick": "true"} if quick else {}
    return Call("POST", at("embed"), reading(int, "embedded"), query, long=True)


def _batched(items: list[T], most: int) -> list[list[T]]:
    """Split items into batches of at most ``most``; one empty batch if there are none."""
    return [items[start : start + most] for start in range(0, len(items), most)] or [[]]


def _post(scope: Scope, body: Plain | None, kind: type[T], path: str, *, long: bool = False) -> Call[T]:
    return Call("POST", at(path), reading(kind), within(scope), body, long)


def _memories(scope: Scope, path: str, **more: object) -> Call[list[Memory]]:
    return Call("GET", at(path), _all, within(scope, **more))


_all = reading(list[Memory], "memories")

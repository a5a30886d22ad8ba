"""Every call a client can make: in, what the engine's own methods take; out, the request, unsent.

Signatures, names and defaults are the engine's. What only makes sense beside the file (paths, progress, closing) is not
here: copies and checks of a whole store are the server's commands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from reverie.answers import Anchor, Curve, Fault, Health, Receipt, Recollection, Stats
from reverie.consolidate.history import DreamReport, DreamSummary
from reverie.encode.memory_factory import DataSource
from reverie.encode.notes import Note
from reverie.encode.session import WorkingItem
from reverie.encode.validation import Given
from reverie.engine.consolidate import Compacted
from reverie.engine.curate import Feedback
from reverie.engine.erasure import Erasure
from reverie.engine.ingest import Imported, joined
from reverie.engine.requests import Question
from reverie.engine.undo import UndoReport
from reverie.events import Event
from reverie.faces.client import call
from reverie.faces.client.call import Call, Parts, Plain, at, within
from reverie.recall.explain import Explanation
from reverie.types import Memory, Message, Relation, RelationKind, Scope, TimeWindow
from reverie.wire import shapes, values
from reverie.wire.errors import MESSAGES_MAX, NOTES_MAX, SOURCES_MAX
from reverie.wire.shapes import time

T = TypeVar("T")


def remember(
    message: str | Message, scope: Scope, *, speaker: str = "user", session: str = "default", at: datetime | None = None
) -> Call[Receipt]:
    """Keep one message word for word, durably; nothing is formed of it."""
    said = message if isinstance(message, Message) else Message(message, speaker=speaker, session=session, at=at)
    return _post(scope, call.message(said), values.receipt, "remember")


def remember_many(messages: Iterable[Message], scope: Scope) -> Parts[Imported]:
    """Keep many messages; sending them again keeps none twice, provided they have ids."""
    parts = _batched([call.message(one) for one in messages], MESSAGES_MAX)
    sent = [_post(scope, {"messages": part}, values.imported, "remember-many", long=True) for part in parts]
    return Parts(sent, joined)


def observe(  # noqa: PLR0913 - the engine's own signature
    message: str | Message,
    scope: Scope,
    *,
    speaker: str = "user",
    session: str = "default",
    at: datetime | None = None,
    deliberate: bool = False,
    source: DataSource | str | None = None,
    given: Given | None = None,
) -> Call[Receipt]:
    """Keep a message and form of it what is worth knowing."""
    said = message if isinstance(message, Message) else Message(message, speaker=speaker, session=session, at=at)
    more: dict[str, Any] = {"deliberate": deliberate, "source": None if source is None else str(source)}
    if given is not None:
        more |= {"kind": given.kind and str(given.kind), "importance": given.importance, "classed": given.classed}
    return _post(scope, call.message(said) | more, values.receipt, "observe")


def note(notes: Iterable[Note], scope: Scope, *, why: str = "noted") -> Parts[list[Memory]]:
    """Keep each note as one memory, whole; nothing is formed, merged or passed over."""
    parts = _batched([call.note(one) for one in notes], NOTES_MAX)
    sent = [_post(scope, {"notes": part, "why": why}, _all, "note", long=True) for part in parts]
    return Parts(sent, lambda done: [memory for part in done for memory in part])


def recall(
    cue: str | Question,
    scope: Scope,
    *,
    top_k: int | None = None,
    budget_tokens: int | None = 1000,
    now: datetime | None = None,
    window: TimeWindow | None = None,
) -> Call[Recollection]:
    """The memories that answer ``cue``, best first, counted as accessed if the token may write."""
    return _post(scope, call.cue(cue, top_k, budget_tokens, now, window), values.recollection, "recall")


def explain(
    cue: str | Question,
    scope: Scope,
    *,
    top_k: int | None = None,
    budget_tokens: int | None = 1000,
    now: datetime | None = None,
    window: TimeWindow | None = None,
) -> Call[Explanation]:
    """The same answer with what would have changed its order; nothing is counted."""
    return _post(scope, call.cue(cue, top_k, budget_tokens, now, window), values.explanation, "explain")


def timeline(
    scope: Scope,
    *,
    session: str | None = None,
    start: datetime | None = None,
    end: datetime | None = None,
    limit: int | None = None,
    as_of: datetime | None = None,
) -> Call[list[Memory]]:
    """Everything by the time it was said, forgotten ones too; as of a moment: what held then."""
    asked = {"start": time(start), "end": time(end), "as_of": time(as_of), "session": session}
    return _memories(scope, "memories", limit=limit or _ALL, **asked)


def memory(memory_id: str, scope: Scope) -> Call[Memory]:
    """One memory by its id. Raises NotFound, also for an id of another scope."""
    return Call("GET", at("memories", memory_id), lambda told: _memory(told), within(scope))


def formed(scope: Scope, *, sources: Sequence[str] = ()) -> Parts[list[Memory]]:
    """The memories that were formed, whatever their state; ``sources``: from one of these episodes."""
    parts = [_memories(scope, "formed", sources=part or None) for part in _batched(list(sources), SOURCES_MAX)]
    return Parts(parts, lambda done: list({memory.id: memory for part in done for memory in part}.values()))


def latest(session: str, scope: Scope, *, limit: int | None = None, forgotten: bool = False) -> Call[list[Memory]]:
    """The last messages of a session, in its order."""
    return _memories(scope, "latest", session=session, limit=limit, forgotten=forgotten)


def stats(scope: Scope) -> Call[Stats]:
    """Counts of the scope."""
    return _get(scope, values.stats, "stats")


def scopes() -> Call[list[Scope]]:
    """Every scope the token may see."""
    return Call("GET", at("scopes"), lambda told: [values.scope(one) for one in told["scopes"]])


def events(scope: Scope, *, after: int = 0, limit: int | None = None) -> Call[list[Event]]:
    """The scope's journal: who changed what, when and why; the first ``limit`` events after ``after``."""
    return Call("GET", at("events"), _events, within(scope, after=after, limit=limit or _ALL))


def history(memory_id: str, scope: Scope) -> Call[list[Event]]:
    """Every event that touched a memory, oldest first."""
    return _get(scope, _events, "memories", memory_id, "history")


def dreams(scope: Scope, *, limit: int = 20) -> Call[list[DreamSummary]]:
    """The last dreams, the newest first."""

    def read(told: Plain) -> list[DreamSummary]:
        return [values.dream_summary(one, values.scope(told["scope"])) for one in told["dreams"]]

    return Call("GET", at("dreams"), read, within(scope, limit=limit))


def health(scope: Scope) -> Call[Health]:
    """How the scope's memory is doing now."""
    return _get(scope, values.health, "health")


def forgetting_curve(memory_id: str, scope: Scope, *, days: float = 90) -> Call[Curve]:
    """How well a memory can be retrieved, from its formation to so many days ahead."""
    return Call("GET", at("memories", memory_id, "curve"), values.curve, within(scope, days=days))


def correct(memory_id: str, text: str, scope: Scope, *, why: str = "", tags: Sequence[str] = ()) -> Call[Memory]:
    """Let a memory say ``text`` from now on; the new one."""
    body = {**call.words(text), "why": why, "tags": list(tags)}
    return Call("PUT", at("memories", memory_id), _memory, within(scope), body)


def amend(
    memory_id: str,
    scope: Scope,
    *,
    importance: float | None = None,
    tags: Sequence[str] | None = None,
    verified: bool | None = None,
    why: str = "",
) -> Call[Memory]:
    """Say how important a memory is, what it is tagged with, or whether it came true; its words stay."""
    named = None if tags is None else list(tags)
    return _tend(scope, memory_id, "amend", {"importance": importance, "tags": named, "verified": verified, "why": why})


def restore(memory_id: str, scope: Scope, *, why: str = "") -> Call[Memory]:
    """Let a memory hold again that was forgotten or corrected, or wake one that sleeps."""
    return _tend(scope, memory_id, "restore", {"why": why})


def reopen(memory_id: str, scope: Scope, *, why: str = "") -> Call[Memory]:
    """Let a memory that was forgotten, or sleeps, hold again from now on."""
    return _tend(scope, memory_id, "reopen", {"why": why})


def forget(memory_id: str, scope: Scope, *, why: str = "") -> Call[Memory]:
    """Let a memory no longer hold: kept, shown, not recalled."""
    return _tend(scope, memory_id, "forget", {"why": why})


def erase(memory_id: str, scope: Scope, *, why: str) -> Call[Erasure]:
    """Delete a memory for good; needs an administrator's token."""
    return Call("DELETE", at("memories", memory_id), lambda shape: values.erasure(shape, scope), within(scope, why=why))


def feedback(memory_id: str, scope: Scope, verdict: Feedback | str, *, why: str = "") -> Call[Memory]:
    """Say what turned out: it was of use, or of none; it is verified, wrong, or important."""
    return _tend(scope, memory_id, "feedback", {"verdict": str(verdict), "why": why})


def pin(memory_id: str, scope: Scope, *, pinned: bool = True) -> Call[Memory]:
    """Protect a memory from everything that forgets, or no longer."""
    return _tend(scope, memory_id, "pin", {"pinned": pinned})


def protect(memory_id: str, scope: Scope, *, immutable: bool = True) -> Call[Memory]:
    """Protect a memory from everything that edits, merges or moves it, or no longer."""
    return _tend(scope, memory_id, "protect", {"immutable": immutable})


def revive(memory_id: str, scope: Scope) -> Call[Memory]:
    """Wake a memory that sleeps or fades."""
    return _tend(scope, memory_id, "revive", None)


def release(memory_id: str, scope: Scope, *, why: str) -> Call[Memory]:
    """Let a memory out of quarantine; needs an administrator's token."""
    return _tend(scope, memory_id, "release", {"why": why})


def quarantined(scope: Scope) -> Call[list[Memory]]:
    """What the screen holds back."""
    return _memories(scope, "quarantine")


def about(entity: str, scope: Scope) -> Call[list[Memory]]:
    """Every memory that names an entity."""
    return _memories(scope, "about", entity=entity)


def hot(scope: Scope) -> Call[list[Memory]]:
    """The hot tier, most useful first."""
    return _memories(scope, "hot")


def relate(
    source: str, target: str, scope: Scope, kind: RelationKind | str, *, confidence: float = 1.0
) -> Call[Relation]:
    """Draw an edge between two memories."""
    body = {"target": target, "kind": str(kind), "confidence": confidence}
    return _post(scope, body, lambda told: values.relation(told["relation"]), "memories", source, "relations")


def relations(scope: Scope, memory_ids: tuple[str, ...] | None = None) -> Call[list[Relation]]:
    """The edges of the scope, or those that touch these memories."""

    def read(told: Plain) -> list[Relation]:
        edges = values.relations(told["relations"])
        return edges if memory_ids is None else [e for e in edges if e.source in memory_ids or e.target in memory_ids]

    return _get(scope, read, "relations")


def graph(
    memory_id: str, scope: Scope, *, hops: int = 2, kinds: Sequence[RelationKind | str] = ()
) -> Call[tuple[list[Memory], list[Relation]]]:
    """What is connected with a memory: the memories, itself first, and the edges; of these ``kinds``, else of all."""

    def read(told: Plain) -> tuple[list[Memory], list[Relation]]:
        owner = values.scope(told["scope"])
        return values.memories(told["memories"], owner), values.relations(told["relations"])

    return Call("GET", at("memories", memory_id, "graph"), read, within(scope, hops=hops, kind=list(kinds)))


def working(scope: Scope, session: str = "default") -> Call[list[WorkingItem]]:
    """What the session has in working memory now, strongest first."""
    return Call("GET", at("working"), _items, within(scope, session=session))


def end_session(scope: Scope, session: str = "default") -> Call[list[WorkingItem]]:
    """Clear what a session held; what outlives it."""
    return Call("DELETE", at("working"), _items, within(scope, session=session))


def dream(scope: Scope, *, dry_run: bool = False) -> Call[DreamReport]:
    """Consolidate a scope once; may take minutes."""
    return _post(scope, {"dry_run": dry_run}, values.dream_report, "dream", long=True)


def decay(scope: Scope, *, dry_run: bool = False) -> Call[DreamReport]:
    """Let memories fade and fall asleep now."""
    return _post(scope, {"dry_run": dry_run}, values.dream_report, "decay", long=True)


def compact(scope: Scope) -> Call[Compacted]:
    """Find what is there twice, and make the file small; needs an administrator's token."""
    return _post(scope, None, values.compacted, "compact", long=True)


def undo(scope: Scope, *, cycle: str | None = None, event: int | str | None = None) -> Call[UndoReport]:
    """Take back the newest dream that stands, or the named one, whole; or the single ``event`` of a number."""
    return _post(scope, {"cycle": cycle, "event": event}, values.undone, "undo", long=True)


def anchor() -> Call[Anchor]:
    """The journal's end as it is now, to be kept elsewhere; needs an administrator's token."""
    return Call("GET", at("anchor"), values.anchor)


def verify(anchor: Anchor | None = None) -> Call[list[Fault]]:
    """Check the file, the index, the journal's chain and what derives from it; needs an administrator's token.

    With an ``anchor`` also whether the journal only went on since: not cut, rolled back or rewritten.
    """
    body = {"anchor": None if anchor is None else shapes.anchor(anchor)}
    return Call("POST", at("verify"), _faults, body=body, long=True)


def doctor() -> Call[list[Fault]]:
    """The same, and what else is worth mending; needs an administrator's token."""
    return Call("POST", at("doctor"), _faults, long=True)


def catch_up(*, quick: bool = False) -> Call[int]:
    """Make the vectors of the server's model that are missing; how many. ``quick``: of the quick model alone.

    Needs an administrator's token.
    """
    return Call(
        "POST", at("catch-up"), lambda told: int(told["embedded"]), query={"quick": "true"} if quick else {}, long=True
    )


_ALL = 2**31 - 1
"""The most one may ask for: the engine's own methods bring everything."""


def _batched(items: list[T], most: int) -> list[list[T]]:
    """At most so many at once; one empty batch where there is nothing."""
    return [items[start : start + most] for start in range(0, len(items), most)] or [[]]


def _get(scope: Scope, read: Any, *path: str) -> Call[Any]:
    return Call("GET", at(*path), read, within(scope))


def _post(scope: Scope, body: Plain | None, read: Any, *path: str, long: bool = False) -> Call[Any]:
    return Call("POST", at(*path), read, within(scope), body, long)


def _tend(scope: Scope, memory_id: str, what: str, body: Plain | None) -> Call[Memory]:
    return _post(scope, body, _memory, "memories", memory_id, what)


def _memories(scope: Scope, path: str, **asked: object) -> Call[list[Memory]]:
    return Call("GET", at(path), _all, within(scope, **asked))


def _all(told: Plain) -> list[Memory]:
    return values.memories(told["memories"], values.scope(told["scope"]))


def _memory(told: Plain) -> Memory:
    return values.memory(told["memory"], values.scope(told["scope"]))


def _events(told: Plain) -> list[Event]:
    return [values.event(one, values.scope(told["scope"])) for one in told["events"]]


def _items(told: Plain) -> list[WorkingItem]:
    return [values.working_item(one) for one in told["items"]]


def _faults(told: Plain) -> list[Fault]:
    return [values.fault(one) for one in told["faults"]]

"""Routes that read: recall and explain, the timeline, memories, counts, the journal, history and health."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from reverie.answers import Curve, Digest, Expansion, Health, Recollection, Stats
from reverie.engine.retrieve import DAYS_MAX
from reverie.faces.http import answers
from reverie.faces.http.asked import Asked, Reads, ReadsAny, Shape
from reverie.faces.http.bodies import SEQ_MAX, Limit, MemoryId, QueryMoment, QueryName, RecallBody, Truth
from reverie.faces.http.tokens import Right
from reverie.language.text.analyzer import matched_words
from reverie.recall.explain import Explanation
from reverie.types import Kind, Memory, Scope
from reverie.wire.errors import SOURCES_MAX
from reverie.wire.shapes import shape

router = APIRouter(tags=["recall"])
EVENTS = 1000


@router.post("/v1/recall", response_model=answers.of(Recollection))
async def recall(asked: Reads, body: RecallBody) -> Response:
    """Return the memories that answer a cue, best first; they count as accessed unless the token may only read."""
    engine, limits = asked.engine, body.limits()

    def work() -> object:
        if asked.principal.right < Right.WRITE:
            return engine.explain(body.question(), asked.scope, **limits).recollection
        return engine.recall(body.question(), asked.scope, **limits)

    return await asked.within(work)


@router.post("/v1/explain", response_model=answers.of(Explanation))
async def explain(asked: Reads, body: RecallBody) -> Response:
    """Answer like recall, with the reasons for each score and what would change the order; counts no access."""

    def work() -> Shape:
        found = asked.engine.explain(body.question(), asked.scope, **body.limits())
        told = found.recollection
        hits = (*told.hits, *told.withheld, *told.standing)
        return {**shape(found), "words": matched_words(told.cue.terms, [one.memory.text for one in hits])}

    return await asked.within(work)


@dataclass(frozen=True, slots=True)
class _Span:
    """Query parameters: from when, until when, and as of when."""

    start: datetime | None
    end: datetime | None
    as_of: datetime | None


async def _span(start: QueryMoment = None, end: QueryMoment = None, as_of: QueryMoment = None) -> _Span:
    return _Span(start, end, as_of)


@router.get("/v1/memories", response_model=answers.Memories)
async def timeline(
    asked: Reads,
    span: Annotated[_Span, Depends(_span)],
    session: QueryName = "",
    limit: Limit = 1000,
    kind: Annotated[list[Kind], Query(description="Only these kinds.")] = [],  # noqa: B006 - read, never written
) -> Response:
    """Return all memories in the order they were said, forgotten ones too; with `as_of` those that held then."""

    def work() -> Shape:
        kinds = set(kind)
        found = asked.engine.timeline(
            asked.scope,
            session=session or None,
            start=span.start,
            end=span.end,
            limit=None if kinds else limit,
            as_of=span.as_of,
        )
        chosen = islice((memory for memory in found if not kinds or memory.kind in kinds), limit)
        return _memories(chosen)

    return await asked.within(work)


@router.get("/v1/memories/{memory_id}", response_model=answers.OneMemory)
async def memory(asked: Reads, memory_id: MemoryId) -> Response:
    """Return one memory."""
    return await asked.within(lambda: {"memory": asked.engine.memory(memory_id, asked.scope)})


@router.get("/v1/memories/{memory_id}/formed", response_model=answers.Memories)
async def formed_of(asked: Reads, memory_id: MemoryId) -> Response:
    """Return the memories formed from a memory."""

    def work() -> Shape:
        source = asked.engine.memory(memory_id, asked.scope).id
        return _memories(asked.engine.admin.formed(asked.scope, sources=(source,)))

    return await asked.within(work)


@router.get("/v1/formed", response_model=answers.Memories)
async def formed(
    asked: Reads,
    sources: Annotated[list[QueryName], Query(max_length=SOURCES_MAX, description="From one of these alone.")] = [],  # noqa: B006 - read, never written
) -> Response:
    """Return every formed memory, in any state."""
    return await asked.within(lambda: _memories(asked.engine.admin.formed(asked.scope, sources=sources)))


@router.get("/v1/stats", response_model=answers.of(Stats))
async def stats(asked: Reads) -> Response:
    """Return counts of the scope."""

    def work() -> Stats:
        found = asked.engine.admin.stats(asked.scope)
        return replace(found, disk_bytes=0) if asked.principal.binding.tenant else found  # others' data counts in it

    return await asked.within(work)


@router.get("/v1/scopes", response_model=answers.Scopes)
async def scopes(asked: ReadsAny) -> Response:
    """Return every scope the token may see."""
    return await asked.answer(lambda: {"scopes": seen_scopes(asked)})


def seen_scopes(asked: Asked) -> list[Scope]:
    """Return the scopes of the store that the token allows."""
    return [one for one in asked.engine.admin.scopes() if asked.principal.binding.allows(one)]


@router.get("/v1/events", response_model=answers.Events)
async def events(
    asked: Reads,
    after: Annotated[int, Query(ge=0, le=SEQ_MAX, description="Only later ones.")] = 0,
    limit: Limit = EVENTS,
) -> Response:
    """Return the scope's journal: who changed what, when and why."""

    def work() -> Shape:
        return {"events": asked.engine.admin.events(asked.scope, after=after, limit=limit)}

    return await asked.within(work)


def _memories(found: Iterable[Memory]) -> Shape:
    return {"memories": list(found)}


history_router = APIRouter(tags=["history"])
DAYS = 90
LATEST = 20
INJECTED = 50


@history_router.get("/v1/memories/{memory_id}/history", response_model=answers.Events)
async def history(asked: Reads, memory_id: MemoryId) -> Response:
    """Return every event that touched a memory, oldest first."""
    return await asked.within(lambda: {"events": asked.engine.admin.history(memory_id, asked.scope)})


@history_router.get("/v1/memories/{memory_id}/provenance", response_model=answers.Origins)
async def provenance(asked: Reads, memory_id: MemoryId) -> Response:
    """A memory and everything it was made of, down to what was said: which event made each, by whom, when."""
    return await asked.within(lambda: {"origins": asked.engine.admin.provenance(memory_id, asked.scope)})


@history_router.get("/v1/memories/{memory_id}/expand", response_model=answers.of(Expansion))
async def expand(asked: Reads, memory_id: MemoryId) -> Response:
    """Return a memory with the words it was made of, and which of them say each of its statements."""
    return await asked.within(lambda: asked.engine.admin.expand(memory_id, asked.scope))


@history_router.get("/v1/condense", response_model=answers.of(Digest))
async def condense(
    asked: Reads,
    session: QueryName = "",
    ids: Annotated[list[str], Query(description="Only these memories.", max_length=SOURCES_MAX)] = [],  # noqa: B006 - read, never written
    budget_tokens: Annotated[int | None, Query(ge=0, le=SEQ_MAX)] = None,
) -> Response:
    """Condense a session's messages, or memories, into short statements with pointers; writes nothing."""

    def work() -> Digest:
        whose = session or None
        return asked.engine.admin.condense(asked.scope, session=whose, ids=ids, budget_tokens=budget_tokens)

    return await asked.within(work)


@history_router.get("/v1/memories/{memory_id}/curve", response_model=answers.of(Curve))
async def curve(asked: Reads, memory_id: MemoryId, days: Annotated[int, Query(ge=0, le=DAYS_MAX)] = DAYS) -> Response:
    """Return how well a memory can be retrieved day by day, from its formation to `days` ahead."""
    return await asked.within(lambda: asked.engine.admin.forgetting_curve(memory_id, asked.scope, days=days))


@history_router.get("/v1/latest", response_model=answers.Memories)
async def latest(
    asked: Reads, session: QueryName = "default", limit: Limit = LATEST, forgotten: Truth = "false"
) -> Response:
    """Return the last messages of a session, in its order."""

    def work() -> Shape:
        found = asked.engine.admin.latest(session, asked.scope, limit=limit, forgotten=forgotten == "true")
        return {"memories": found}

    return await asked.within(work)


@history_router.get("/v1/injected", response_model=answers.Injections)
async def injected(
    asked: Reads, session: QueryName = "", limit: Limit = INJECTED, before: QueryMoment = None
) -> Response:
    """Return what was handed over to models, the newest first: by hosts' hooks, and to recalls by hand."""

    def work() -> Shape:
        admin = asked.engine.admin
        return {"injections": admin.injected(asked.scope, session=session or None, limit=limit, before=before)}

    return await asked.within(work)


@history_router.get("/v1/due", response_model=answers.Due)
async def due(asked: Reads) -> Response:
    """Return what is due, and every open intention by its next moment."""

    def work() -> Shape:
        admin = asked.engine.admin
        return {"due": admin.due(asked.scope), "intentions": admin.intentions(asked.scope)}

    return await asked.within(work)


@history_router.get("/v1/health", response_model=answers.of(Health))
async def health(asked: Reads) -> Response:
    """Return the condition of the scope's memory: what it holds, what of it is junk or stale, how it grew."""
    return await asked.within(lambda: asked.engine.admin.health(asked.scope))

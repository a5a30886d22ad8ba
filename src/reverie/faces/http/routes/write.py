"""Routes that write: store messages and notes, and change memories, relations and sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from reverie.answers import Receipt
from reverie.encode.intentions import Trigger, on_topic
from reverie.engine.erasure import Erasure
from reverie.engine.ingest import Imported
from reverie.faces.http import answers
from reverie.faces.http.asked import Governs, Reads, Scoped, Shape, Writes
from reverie.faces.http.bodies import (
    AmendBody,
    CorrectBody,
    FeedbackBody,
    IntendBody,
    ManyBody,
    MemoryId,
    NotesBody,
    ObserveBody,
    PinBody,
    ProtectBody,
    QueryName,
    QueryText,
    RelateBody,
    SettleBody,
    WhyBody,
)
from reverie.types import Memory, RelationKind
from reverie.wire.shapes import shape

router = APIRouter(tags=["writing"])


@router.post("/v1/remember", response_model=answers.of(Receipt))
async def remember(asked: Writes, body: ObserveBody) -> Response:
    """Store one message word for word as an episode; form no memory from it."""
    return await asked.within(lambda: asked.engine.remember(body.message(), asked.scope))


@router.post("/v1/remember-many", response_model=answers.of(Imported))
async def remember_many(asked: Writes, body: ManyBody) -> Response:
    """Store many messages as episodes; repeats of messages with ids are ignored."""
    messages = [one.message() for one in body.messages]
    return await asked.within(lambda: asked.engine.transfer.remember_many(messages, asked.scope), long=True)


@router.post("/v1/observe", response_model=answers.of(Receipt))
async def observe(asked: Writes, body: ObserveBody) -> Response:
    """Store a message and form memories from what is worth knowing in it."""

    def work() -> object:
        return asked.engine.observe(
            body.message(), asked.scope, deliberate=body.deliberate, source=body.source, given=body.given()
        )

    return await asked.within(work)


@router.post("/v1/note", response_model=answers.Memories)
async def note(asked: Writes, body: NotesBody) -> Response:
    """Store each note whole as one memory, without forming, merging or filtering."""
    notes = [one.note() for one in body.notes]
    return await asked.within(
        lambda: {"memories": asked.engine.admin.note(notes, asked.scope, why=body.why)}, long=True
    )


tend_router = APIRouter(tags=["curation"])
HOPS = 2
HOPS_MAX = 10


@tend_router.put("/v1/memories/{memory_id}", response_model=answers.OneMemory)
async def correct(asked: Writes, memory_id: MemoryId, body: CorrectBody) -> Response:
    """Supersede a memory by a corrected one, and return the new one."""
    return await _one(
        asked, lambda: asked.engine.correct(memory_id, body.words(), asked.scope, why=body.why, tags=body.tags)
    )


@tend_router.delete("/v1/memories/{memory_id}", response_model=answers.of(Erasure))
async def erase(asked: Governs, memory_id: MemoryId, why: QueryText = "") -> Response:
    """Delete a memory for good, with everything formed from it."""

    def work() -> Shape:
        return {"erased": memory_id, **shape(asked.engine.admin.erase(memory_id, asked.scope, why=why))}

    return await asked.within(work)


@tend_router.post("/v1/memories/{memory_id}/forget", response_model=answers.OneMemory)
async def forget(asked: Writes, memory_id: MemoryId, body: WhyBody) -> Response:
    """Forget a memory: it is kept and listed, but no longer recalled."""
    return await _one(asked, lambda: asked.engine.forget(memory_id, asked.scope, why=body.why))


@tend_router.post("/v1/memories/{memory_id}/restore", response_model=answers.OneMemory)
async def restore(asked: Writes, memory_id: MemoryId, body: WhyBody) -> Response:
    """Restore a memory that was forgotten or corrected, or wake one that sleeps."""
    return await _one(asked, lambda: asked.engine.restore(memory_id, asked.scope, why=body.why))


@tend_router.post("/v1/intentions", response_model=answers.OneIntention)
async def intend(asked: Writes, body: IntendBody) -> Response:
    """Form an intention: what is to be done at a time, again and again, or when something comes up."""

    def work() -> Shape:
        trigger = (
            on_topic(body.about, follows=body.follows) if body.about else Trigger(body.at, body.rule, zone=body.zone)
        )
        return {"intention": asked.engine.admin.intend(body.action, trigger, asked.scope, until=body.until)}

    return await asked.within(work)


@tend_router.post("/v1/intentions/{memory_id}/settle", response_model=answers.OneIntention)
async def settle(asked: Writes, memory_id: MemoryId, body: SettleBody) -> Response:
    """Settle an intention: done, cancelled, missed, or snoozed until a moment."""
    settle = asked.engine.admin.settle
    return await asked.within(lambda: {"intention": settle(memory_id, asked.scope, body.outcome, until=body.until)})


@tend_router.post("/v1/memories/{memory_id}/reopen", response_model=answers.OneMemory)
async def reopen(asked: Writes, memory_id: MemoryId, body: WhyBody) -> Response:
    """Reopen a memory that was forgotten or sleeps: it holds again from now on."""
    return await _one(asked, lambda: asked.engine.admin.reopen(memory_id, asked.scope, why=body.why))


@tend_router.post("/v1/memories/{memory_id}/amend", response_model=answers.OneMemory)
async def amend(asked: Writes, memory_id: MemoryId, body: AmendBody) -> Response:
    """Change a memory's importance, tags or whether it proved true; its words stay."""
    return await _one(asked, lambda: asked.engine.admin.amend(memory_id, asked.scope, **dict(body)))


@tend_router.post("/v1/memories/{memory_id}/pin", response_model=answers.OneMemory)
async def pin(asked: Writes, memory_id: MemoryId, body: PinBody) -> Response:
    """Protect a memory from forgetting, or end the protection."""
    return await _one(asked, lambda: asked.engine.admin.pin(memory_id, asked.scope, pinned=body.pinned))


@tend_router.post("/v1/memories/{memory_id}/protect", response_model=answers.OneMemory)
async def protect(asked: Writes, memory_id: MemoryId, body: ProtectBody) -> Response:
    """Protect a memory from editing, or end the protection."""
    return await _one(asked, lambda: asked.engine.admin.protect(memory_id, asked.scope, immutable=body.immutable))


@tend_router.post("/v1/memories/{memory_id}/revive", response_model=answers.OneMemory)
async def revive(asked: Writes, memory_id: MemoryId) -> Response:
    """Wake a memory that sleeps or fades."""
    return await _one(asked, lambda: asked.engine.admin.revive(memory_id, asked.scope))


@tend_router.post("/v1/memories/{memory_id}/quarantine", response_model=answers.OneMemory)
async def quarantine(asked: Writes, memory_id: MemoryId, body: WhyBody) -> Response:
    """Put a memory into quarantine: it is kept, and not recalled until an administrator releases it."""
    return await _one(asked, lambda: asked.engine.admin.quarantine(memory_id, asked.scope, why=body.why))


@tend_router.post("/v1/memories/{memory_id}/release", response_model=answers.OneMemory)
async def release(asked: Governs, memory_id: MemoryId, body: WhyBody) -> Response:
    """Release a memory from quarantine; needs an administrator's token, because a person should decide."""
    return await _one(asked, lambda: asked.engine.admin.release(memory_id, asked.scope, why=body.why))


@tend_router.post("/v1/memories/{memory_id}/feedback", response_model=answers.OneMemory)
async def feedback(asked: Writes, memory_id: MemoryId, body: FeedbackBody) -> Response:
    """Record how a memory turned out."""
    return await _one(asked, lambda: asked.engine.feedback(memory_id, asked.scope, body.verdict, why=body.why))


@tend_router.post("/v1/memories/{memory_id}/relations", response_model=answers.OneRelation)
async def relate(asked: Writes, memory_id: MemoryId, body: RelateBody) -> Response:
    """Add a relation between two memories."""

    def work() -> Shape:
        edge = asked.engine.relate(memory_id, body.target, asked.scope, body.kind, confidence=body.confidence)
        return {"relation": edge}

    return await asked.within(work)


@tend_router.get("/v1/memories/{memory_id}/relations", response_model=answers.Relations)
async def relations_of(asked: Reads, memory_id: MemoryId) -> Response:
    """Return the relations of a memory."""

    def work() -> Shape:
        known = asked.engine.memory(memory_id, asked.scope).id
        return {"relations": asked.engine.admin.relations(asked.scope, (known,))}

    return await asked.within(work)


@tend_router.get("/v1/relations", response_model=answers.Relations)
async def relations(asked: Reads) -> Response:
    """Return every relation of the scope."""
    return await asked.within(lambda: {"relations": asked.engine.admin.relations(asked.scope)})


@tend_router.get("/v1/memories/{memory_id}/graph", response_model=answers.Graph)
async def graph(
    asked: Reads,
    memory_id: MemoryId,
    hops: Annotated[int, Query(ge=0, le=HOPS_MAX)] = HOPS,
    kind: Annotated[tuple[RelationKind, ...], Query()] = (),
) -> Response:
    """Return the memories within `hops` of a memory and their relations; `kind` restricts the relations followed."""

    def work() -> Shape:
        memories, edges = asked.engine.admin.graph(memory_id, asked.scope, hops=hops, kinds=kind)
        return {"memories": memories, "relations": edges}

    return await asked.within(work)


@tend_router.get("/v1/quarantine", response_model=answers.Memories)
async def quarantined(asked: Reads) -> Response:
    """Return the quarantined memories."""
    return await _many(asked, lambda: asked.engine.admin.quarantined(asked.scope))


@tend_router.get("/v1/about", response_model=answers.Memories)
async def about(asked: Reads, entity: QueryName) -> Response:
    """Return every memory that names an entity."""
    return await _many(asked, lambda: asked.engine.admin.about(entity, asked.scope))


@tend_router.get("/v1/hot", response_model=answers.Memories)
async def hot(asked: Reads) -> Response:
    """Return the hot tier, most useful first."""
    return await _many(asked, lambda: asked.engine.admin.hot(asked.scope))


@tend_router.get("/v1/working", response_model=answers.Working)
async def working(asked: Reads, session: QueryName = "default") -> Response:
    """Return what a session has in working memory now."""
    return await asked.within(lambda: {"session": session, "items": asked.engine.admin.working(asked.scope, session)})


@tend_router.delete("/v1/working", response_model=answers.Working)
async def end_session(asked: Writes, session: QueryName = "default") -> Response:
    """Clear a session's working memory, and return the items that outlive it."""
    return await asked.within(
        lambda: {"session": session, "items": asked.engine.admin.end_session(asked.scope, session)}
    )


async def _one(asked: Scoped, work: Callable[[], Memory]) -> Response:
    return await asked.within(lambda: {"memory": work()})


async def _many(asked: Scoped, work: Callable[[], list[Memory]]) -> Response:
    return await asked.within(lambda: {"memories": work()})

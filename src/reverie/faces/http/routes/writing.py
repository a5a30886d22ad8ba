"""Routes that take in: remember, remember-many, observe, note."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from reverie.faces.http import answers
from reverie.faces.http.asked import Shape, Writes
from reverie.faces.http.bodies import ManyBody, MessageBody, NotesBody, ObserveBody
from reverie.wire import shapes

router = APIRouter(tags=["taking in"])


@router.post("/v1/remember", response_model=answers.Receipt)
async def remember(asked: Writes, body: MessageBody) -> Response:
    """Keep one message word for word, durably; nothing is formed of it."""
    return await asked.within(lambda: shapes.receipt(asked.engine.remember(body.message(), asked.scope)))


@router.post("/v1/remember-many", response_model=answers.Imported)
async def remember_many(asked: Writes, body: ManyBody) -> Response:
    """Keep many messages; sending them again keeps none twice, provided they have ids."""

    def work() -> Shape:
        found = asked.engine.remember_many([one.message() for one in body.messages], asked.scope)
        counts = {"new": found.new, "known": found.known, "held": found.held, "masked": found.masked}
        return {**counts, "conflicts": list(found.conflicts)}

    return await asked.within(work, long=True)


@router.post("/v1/observe", response_model=answers.Receipt)
async def observe(asked: Writes, body: ObserveBody) -> Response:
    """Keep a message and form of it what is worth knowing."""

    def work() -> Shape:
        found = asked.engine.observe(
            body.message(), asked.scope, deliberate=body.deliberate, source=body.source, given=body.given()
        )
        return shapes.receipt(found)

    return await asked.within(work)


@router.post("/v1/note", response_model=answers.Memories)
async def note(asked: Writes, body: NotesBody) -> Response:
    """Keep each note as one memory, whole; nothing is formed, merged or passed over."""

    def work() -> Shape:
        kept = asked.engine.note([one.note() for one in body.notes], asked.scope, why=body.why)
        return {"memories": [shapes.memory(one) for one in kept]}

    return await asked.within(work, long=True)

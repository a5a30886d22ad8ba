"""Routes that consolidate, and take back: dream, decay, compact, undo, past dreams."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from reverie.engine.retrieve import DREAMS_MAX
from reverie.faces.http import reports
from reverie.faces.http.asked import Governs, Reads, Shape, Writes
from reverie.faces.http.bodies import RunBody, UndoBody
from reverie.faces.http.problems import Problem, Refused
from reverie.wire import shapes

router = APIRouter(tags=["sleeping"])


@router.post("/v1/dream", response_model=reports.Dream)
async def dream(asked: Writes, body: RunBody) -> Response:
    """Consolidate the scope once; may take minutes."""
    return await asked.within(
        lambda: shapes.dream_report(asked.engine.dream(asked.scope, dry_run=body.dry_run)), long=True
    )


@router.post("/v1/decay", response_model=reports.Dream)
async def decay(asked: Writes, body: RunBody) -> Response:
    """Let memories fade and fall asleep now."""
    return await asked.within(
        lambda: shapes.dream_report(asked.engine.decay(asked.scope, dry_run=body.dry_run)), long=True
    )


@router.post("/v1/compact", response_model=reports.Compacted)
async def compact(asked: Governs) -> Response:
    """Find what is there twice, and make the file small."""

    def work() -> Shape:
        found = asked.engine.compact(asked.scope)
        return {**shapes.dream_report(found.report), "freed_bytes": found.freed_bytes}

    return await asked.within(work, long=True)


@router.post("/v1/undo", response_model=reports.Undone)
async def undo(asked: Writes, body: UndoBody) -> Response:
    """Take back one event, or a dream whole: the named one, else the newest that stands."""
    if body.cycle is not None and body.event is not None:
        raise Refused(Problem(422, "invalid-request", "Both a dream and an event are named.", "Name one of them."))

    def work() -> Shape:
        if body.event is not None:
            return shapes.undone(asked.engine.undo_event(body.event, asked.scope))
        return shapes.undone(asked.engine.undo(asked.scope, cycle=body.cycle))

    return await asked.within(work, long=True)


@router.get("/v1/dreams", response_model=reports.Dreams)
async def dreams(asked: Reads, limit: Annotated[int, Query(ge=0, le=DREAMS_MAX)] = 20) -> Response:
    """The last dreams, the newest first: what each step changed and why, with samples before → after."""

    def work() -> Shape:
        return {"dreams": [shapes.dream_summary(one) for one in asked.engine.dreams(asked.scope, limit=limit)]}

    return await asked.within(work, long=True)

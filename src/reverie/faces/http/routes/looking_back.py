"""Routes that look back: a memory's history, its forgetting curve, a session's last messages, how a scope is doing."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from reverie.engine.retrieve import DAYS_MAX
from reverie.faces.http import answers, reports
from reverie.faces.http.asked import Reads, Shape
from reverie.faces.http.values import Limit, MemoryId, QueryName, Truth
from reverie.wire import shapes

router = APIRouter(tags=["looking back"])
DAYS = 90
LATEST = 20


@router.get("/v1/memories/{memory_id}/history", response_model=reports.Events)
async def history(asked: Reads, memory_id: MemoryId) -> Response:
    """Every event that touched a memory, oldest first."""

    def work() -> Shape:
        return {"events": [shapes.event(one) for one in asked.engine.history(memory_id, asked.scope)]}

    return await asked.within(work)


@router.get("/v1/memories/{memory_id}/curve", response_model=reports.Curve)
async def curve(asked: Reads, memory_id: MemoryId, days: Annotated[int, Query(ge=0, le=DAYS_MAX)] = DAYS) -> Response:
    """How well a memory can be retrieved, from its formation to so many days ahead."""

    def work() -> Shape:
        return shapes.curve(asked.engine.forgetting_curve(memory_id, asked.scope, days=days))

    return await asked.within(work)


@router.get("/v1/latest", response_model=answers.Memories)
async def latest(
    asked: Reads, session: QueryName = "default", limit: Limit = LATEST, forgotten: Truth = "false"
) -> Response:
    """The last messages of a session, in its order."""

    def work() -> Shape:
        found = asked.engine.latest(session, asked.scope, limit=limit, forgotten=forgotten == "true")
        return {"memories": [shapes.memory(one) for one in found]}

    return await asked.within(work)


@router.get("/v1/health", response_model=reports.Health)
async def health(asked: Reads) -> Response:
    """How the scope's memory is doing: what it holds, what of it is junk or stale, how it grew."""
    return await asked.within(lambda: shapes.health(asked.engine.health(asked.scope)))

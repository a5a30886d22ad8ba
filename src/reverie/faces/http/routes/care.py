"""Routes about the server and its store: who asks, settings, checks, copies, and the changes as they happen."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Header, Query
from starlette.responses import Response, StreamingResponse

from reverie import __version__
from reverie.config import shown
from reverie.faces.http import reports
from reverie.faces.http.asked import GovernsAll, Reads, ReadsAll, ReadsAny, Shape
from reverie.faces.http.bodies import VerifyBody
from reverie.faces.http.live import LISTENERS_MAX
from reverie.faces.http.metrics import CONTENT_TYPE
from reverie.faces.http.problems import Problem, Refused
from reverie.faces.http.values import SEQ_MAX
from reverie.wire import shapes

router = APIRouter(tags=["the server"])
_CHANGE = {
    "type": "object",
    "required": ["id", "event", "data"],
    "properties": {"id": {"type": "string"}, "event": {"const": "change"}, "data": {"type": "string"}},
}
"""One event of the stream, as readers of server-sent events have it; ``data`` is JSON."""
TELLING = ("store", "agent", "user", "project", "ops.log")
"""Settings that tell of other scopes or of the machine: only for a token that is bound to no scope."""
SECONDS_MAX = 86_400


@router.get("/v1/whoami", response_model=reports.Whoami)
async def whoami(asked: ReadsAny) -> Response:
    """Who asks, and what they may do where."""
    principal = asked.principal
    bound = principal.binding
    scope = {"agent": bound.agent, "user": bound.user, "project": bound.project}
    return await asked.answer(lambda: {"name": principal.name, "rights": principal.right.name.lower(), "scope": scope})


@router.get("/v1/settings", response_model=reports.Settings)
async def settings(asked: ReadsAny) -> Response:
    """The settings in force, secrets only as whether they are set."""
    hidden = () if asked.principal.binding.is_everything else TELLING
    found = {key: value for key, value in shown(asked.serving.settings).items() if key not in hidden}
    return await asked.answer(lambda: {"settings": found})


@router.get("/v1/server", response_model=reports.Server)
async def server(asked: ReadsAny) -> Response:
    """What answers: its version, models and recipe, and how many memories have no vector yet."""

    def work() -> Shape:
        engine = asked.engine
        return {
            "version": __version__,
            "model": engine.model,
            "reranker": engine.reranker,
            "recipe": engine.recipe,
            "missing": engine.missing() if asked.principal.binding.is_everything else 0,
        }

    return await asked.answer(work)


@router.get("/v1/anchor", response_model=reports.Anchored)
async def anchor(asked: GovernsAll) -> Response:
    """The journal's end as it is now, to be kept where whoever can write to the store cannot."""
    return await asked.answer(lambda: shapes.anchor(asked.engine.anchor()))


@router.post("/v1/verify", response_model=reports.Faults)
async def verify(asked: GovernsAll, body: VerifyBody | None = None) -> Response:
    """Check the file, the index, the journal's chain and what derives from it; and the journal against an anchor."""
    given = None if body is None or body.anchor is None else body.anchor.value()
    return await asked.answer(lambda: {"faults": [shapes.fault(one) for one in asked.engine.verify(given)]}, long=True)


@router.post("/v1/doctor", response_model=reports.Faults)
async def doctor(asked: GovernsAll) -> Response:
    """The same, and what else is worth mending."""
    return await asked.answer(lambda: {"faults": [shapes.fault(one) for one in asked.engine.doctor()]}, long=True)


@router.post("/v1/catch-up", response_model=reports.Embedded)
async def catch_up(asked: GovernsAll, quick: bool = False) -> Response:
    """Make the vectors that are missing; ``quick``: of the quick model alone, not of one beside it."""
    return await asked.answer(lambda: {"embedded": asked.engine.catch_up(quick=quick)}, long=True)


@router.post("/v1/replay", response_model=reports.Replayed)
async def replay(asked: GovernsAll) -> Response:
    """Rebuild the store from the journal alone, aside, and throw it away: its digest, and that of the store."""

    def work() -> Shape:
        with tempfile.TemporaryDirectory() as folder:
            replayed = asked.engine.replay(Path(folder) / "replayed.db")
            return {"digest": asked.engine.digest(), "replayed": replayed}

    return await asked.answer(work, long=True)


@router.get(
    "/v1/live",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": _CHANGE}}}},
)
async def live(
    asked: Reads,
    after: Annotated[int, Query(ge=-1, le=SEQ_MAX, description="From this event on; −1: from now on.")] = -1,
    seconds: Annotated[int, Query(ge=-1, le=SECONDS_MAX, description="End after so long; −1: never.")] = -1,
    last_event_id: Annotated[str, Header(pattern=r"^[0-9]{0,15}$")] = "",
) -> Response:
    """The scope's changes as they happen, whichever process makes them, as server-sent events."""
    if asked.serving.live.is_full:
        raise Refused(
            Problem(503, "too-many-listeners", f"{LISTENERS_MAX} clients follow already.", "Close one, or come later.")
        )
    start = int(last_event_id) if last_event_id else after
    changes: AsyncIterator[str] = asked.serving.live.follow(
        asked.scope, None if start < 0 else start, None if seconds < 0 else seconds
    )
    return StreamingResponse(changes, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def metrics(asked: ReadsAll) -> Response:
    """What is counted, as Prometheus reads it."""
    return Response(asked.serving.metrics.text(), headers={"Content-Type": CONTENT_TYPE})

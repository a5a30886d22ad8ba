"""Routes for whoever watches over the process: is it alive, can it answer."""

from __future__ import annotations

from anyio import to_thread
from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from reverie.faces.http import reports
from reverie.faces.http.serving import Serving

router = APIRouter(tags=["watching"])


@router.get("/healthz", response_model=reports.Ready)
async def healthz() -> Response:
    """As ``/livez``, by the name that other programs look for."""
    return await livez()


@router.get("/livez", response_model=reports.Ready)
async def livez() -> Response:
    """Whether the process answers at all."""
    return JSONResponse({"status": "alive"})


@router.get("/readyz", response_model=reports.Ready)
async def readyz(request: Request) -> Response:
    """Whether the store can be read."""
    serving: Serving = request.app.state.serving
    await to_thread.run_sync(serving.engine.head, limiter=serving.crew.calls)
    return JSONResponse({"status": "ready"})

"""Routes about the server and its store: health, settings, checks, import and export, consolidation and undo."""

from __future__ import annotations

import tempfile
import zipfile
from collections import Counter, deque
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Header, Query, Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse

from reverie import __version__
from reverie.answers import Anchor, JobKind
from reverie.config import shown
from reverie.consolidate.history import Compacted, DreamReport
from reverie.engine.imports import Brought
from reverie.engine.retrieve import DREAMS_MAX
from reverie.engine.transfer import Moved
from reverie.engine.undo import UndoReport
from reverie.exchange import ALL_KINDS, Skipped
from reverie.faces.http import answers
from reverie.faces.http.asked import (
    Asked,
    Governs,
    GovernsAll,
    Reads,
    ReadsAll,
    ReadsAny,
    Scoped,
    Shape,
    Writes,
    sent,
    taken,
)
from reverie.faces.http.bodies import SEQ_MAX, JobBody, JobId, RunBody, Truth, UndoBody, VerifyBody
from reverie.faces.http.live import CONTENT_TYPE, LISTENERS_MAX
from reverie.faces.http.parts import Serving
from reverie.faces.http.problems import Problem, Refused, forbidden
from reverie.faces.http.tokens import Right
from reverie.types import Scope
from reverie.wire.shapes import shape

life_router = APIRouter(tags=["monitoring"])


@life_router.get("/healthz", response_model=answers.Ready)
async def healthz() -> Response:
    """Whether the process answers; an alias of ``/livez`` for programs that look for it."""
    return await livez()


@life_router.get("/livez", response_model=answers.Ready)
async def livez() -> Response:
    """Whether the process is alive."""
    return JSONResponse({"status": "alive"})


@life_router.get("/readyz", response_model=answers.Ready)
async def readyz(request: Request) -> Response:
    """Whether the server is ready: its store can be read, and so can a team's tables; both are migrated."""
    serving: Serving = request.app.state.serving
    await to_thread.run_sync(serving.engine.admin.head, limiter=serving.crew.calls)
    if serving.admission is not None:
        await to_thread.run_sync(serving.admission.team.check, limiter=serving.admission.crew)
    return JSONResponse({"status": "ready"})


care_router = APIRouter(tags=["maintenance"])
_CHANGE = {
    "type": "object",
    "required": ["id", "event", "data"],
    "properties": {"id": {"type": "string"}, "event": {"const": "change"}, "data": {"type": "string"}},
}
"""One event of the stream, as readers of server-sent events have it; ``data`` is JSON."""
TELLING = ("store", "agent", "user", "project", "ops.log")
"""Settings that reveal other scopes or the machine: only shown to a token that is bound to no scope."""
SECONDS_MAX = 86_400


@care_router.get("/v1/whoami", response_model=answers.Whoami)
async def whoami(asked: ReadsAny) -> Response:
    """Return the caller's name, rights and scope."""
    principal = asked.principal
    bound = principal.binding
    scope = {"agent": bound.agent, "user": bound.user, "project": bound.project}
    told: dict[str, object] = {"name": principal.name, "rights": principal.right.name.lower(), "scope": scope}
    if bound.tenant:
        told["tenant"] = bound.tenant
    return await asked.answer(lambda: told)


@care_router.get("/v1/settings", response_model=answers.Settings)
async def settings(asked: ReadsAny) -> Response:
    """Return the settings in force; of secrets only whether they are set."""
    hidden = () if asked.principal.binding.is_everything else TELLING
    found = {key: value for key, value in shown(asked.serving.settings).items() if key not in hidden}
    return await asked.answer(lambda: {"settings": found})


@care_router.get("/v1/server", response_model=answers.Server)
async def server(asked: ReadsAny) -> Response:
    """Return the server's version, models and recipe, and how many memories lack a vector."""

    def work() -> Shape:
        engine = asked.engine
        return {
            "version": __version__,
            "model": engine.admin.model,
            "reranker": engine.admin.reranker,
            "recipe": engine.admin.recipe,
            "missing": engine.admin.missing() if asked.principal.binding.is_everything else 0,
        }

    return await asked.answer(work)


@care_router.get("/v1/anchor", response_model=answers.of(Anchor))
async def anchor(asked: GovernsAll) -> Response:
    """Return an anchor: the journal's end now, to be kept where whoever can write to the store cannot change it."""
    return await asked.answer(asked.engine.admin.anchor)


@care_router.post("/v1/verify", response_model=answers.Faults)
async def verify(asked: GovernsAll, body: VerifyBody | None = None) -> Response:
    """Check the file, the index, the journal's chain and what derives from it; and the journal against an anchor."""
    given = None if body is None or body.anchor is None else body.anchor.value()
    return await asked.answer(lambda: {"faults": asked.engine.admin.verify(given)}, long=True)


@care_router.post("/v1/doctor", response_model=answers.Faults)
async def doctor(asked: GovernsAll) -> Response:
    """Run the checks of ``/v1/verify``, and report what else is worth mending."""
    return await asked.answer(lambda: {"faults": asked.engine.admin.doctor()}, long=True)


@care_router.post("/v1/embed", response_model=answers.Embedded)
async def embed(asked: GovernsAll, quick: bool = False) -> Response:
    """Compute missing vectors; ``quick``: with the quick model only, not with the one beside it."""
    return await asked.answer(lambda: {"embedded": asked.engine.admin.embed(quick=quick)}, long=True)


@care_router.post("/v1/replay", response_model=answers.Replayed)
async def replay(asked: GovernsAll) -> Response:
    """Rebuild the store from its journal in a temporary place, and return its digest and that of the store."""

    def work() -> Shape:
        with tempfile.TemporaryDirectory() as folder:
            replayed = asked.engine.admin.replay(Path(folder) / "replayed.db")
            return {"digest": asked.engine.admin.digest(), "replayed": replayed}

    return await asked.answer(work, long=True)


@care_router.get(
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
    """Stream the scope's changes as they happen, whichever process makes them, as server-sent events."""
    if asked.serving.live.is_full:
        raise Refused(
            Problem(503, "too-many-listeners", f"{LISTENERS_MAX} clients follow already.", "Close one, or come later.")
        )
    start = int(last_event_id) if last_event_id else after
    changes: AsyncIterator[str] = asked.serving.live.follow(
        asked.scope, None if start < 0 else start, None if seconds < 0 else seconds
    )
    return StreamingResponse(changes, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


@care_router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def metrics(asked: ReadsAll) -> Response:
    """Return the metrics in Prometheus's format."""
    return Response(asked.serving.metrics.text(), headers={"Content-Type": CONTENT_TYPE})


move_router = APIRouter(tags=["import and export"])
LINES = "application/x-ndjson"
ZIP = "application/zip"
LEFT_MAX = 1000
"""Most skipped items that are listed, the last ones; all are counted."""
SQLITE = "application/vnd.sqlite3"
_FILE: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
_BROUGHT = {"requestBody": {"required": True, "content": {LINES: _FILE}}}
_BROUGHT_FILE = {"requestBody": {"required": True, "content": {"application/octet-stream": _FILE}}}


def _told(media_type: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"description": "The file.", "content": {media_type: _FILE}}}


@move_router.get("/v1/export", response_class=FileResponse, responses=_told(LINES))
async def export(asked: Governs) -> Response:
    """Export the scope's whole journal as JSON lines, without loss."""
    return await _exported(asked, asked.scope)


@move_router.get("/v1/export-everything", response_class=FileResponse, responses=_told(LINES))
async def export_everything(asked: GovernsAll) -> Response:
    """Export the journal of the whole store as JSON lines."""
    return await _exported(asked, None)


@move_router.post("/v1/import", response_model=answers.MovedHere, openapi_extra=_BROUGHT)
async def import_here(asked: Governs, request: Request, merge: Truth = "false", dry_run: Truth = "false") -> Response:
    """Import an export of one scope into this scope; existing memories stay as they are."""
    scope = asked.scope

    def read(path: Path) -> Shape:
        found = asked.engine.transfer.import_journal(path, into=scope, merge=merge == "true", dry_run=dry_run == "true")
        return {"scope": scope, **shape(found)}

    return await taken(asked, request, read)


@move_router.post("/v1/import-everything", response_model=answers.of(Moved), openapi_extra=_BROUGHT)
async def import_everything(
    asked: GovernsAll,
    request: Request,
    into_its_own_scopes: Truth = "false",
    merge: Truth = "false",
    dry_run: Truth = "false",
) -> Response:
    """Import an export with each scope under its own name, which `into_its_own_scopes=true` must allow."""
    own = into_its_own_scopes == "true"

    def read(path: Path) -> object:
        return asked.engine.transfer.import_journal(
            path, into_its_own_scopes=own, merge=merge == "true", dry_run=dry_run == "true"
        )

    return await taken(asked, request, read)


@move_router.get("/v1/export-markdown", response_class=FileResponse, responses=_told(ZIP))
async def export_markdown(asked: Governs) -> Response:
    """Export the scope as Markdown to read, in one archive: a file for each session and each formed memory."""

    def write(path: Path) -> None:
        folder = path.with_suffix("")
        asked.engine.transfer.export_markdown(folder, asked.scope)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(folder.rglob("*")):
                archive.write(file, file.relative_to(folder))

    return await sent(asked, "reverie.zip", ZIP, write)


@move_router.post("/v1/import-from", response_model=answers.of(Brought), openapi_extra=_BROUGHT_FILE)
async def import_from(
    asked: Governs,
    request: Request,
    kind: Annotated[str, Query(json_schema_extra={"enum": ["", *ALL_KINDS]})] = "",
    dry_run: Truth = "false",
) -> Response:
    """Import a conversation or another memory system's data: a file or an archive, recognised by its content."""
    scope = asked.scope

    def read(path: Path) -> Shape:
        left: deque[Skipped] = deque(maxlen=LEFT_MAX)
        count = Counter[str]()

        def report(item: Skipped) -> None:
            left.append(item)
            count["skipped"] += not item.kept

        found = asked.engine.transfer.import_from(
            path, scope, kind=kind or None, dry_run=dry_run == "true", report=report
        )
        told = {"skipped": count["skipped"], "left": list(left)}
        return {"scope": scope, **shape(found), **told}

    return await taken(asked, request, read)


@move_router.post("/v1/backup", response_class=FileResponse, responses=_told(SQLITE))
async def backup(asked: GovernsAll) -> Response:
    """Return a copy of the whole store as a file."""
    return await sent(asked, "reverie.db", SQLITE, asked.engine.admin.backup)


async def _exported(asked: Asked, scope: Scope | None) -> Response:
    def write(path: Path) -> None:
        with path.open("wb") as out:
            asked.engine.transfer.export_journal(out, scope)

    return await sent(asked, "reverie.jsonl", LINES, write)


sleep_router = APIRouter(tags=["consolidation"])


@sleep_router.post("/v1/dream", response_model=answers.of(DreamReport))
async def dream(asked: Writes, body: RunBody) -> Response:
    """Run one dream over the scope, which consolidates its memories; may take minutes."""
    return await asked.within(lambda: asked.engine.dream(asked.scope, dry_run=body.dry_run), long=True)


@sleep_router.post("/v1/decay", response_model=answers.of(DreamReport))
async def decay(asked: Writes, body: RunBody) -> Response:
    """Run only the steps of a dream by which memories fade and fall asleep."""
    return await asked.within(lambda: asked.engine.admin.decay(asked.scope, dry_run=body.dry_run), long=True)


@sleep_router.post("/v1/compact", response_model=answers.of(Compacted))
async def compact(asked: Governs) -> Response:
    """Find duplicates, and shrink the file."""
    return await asked.within(lambda: asked.engine.admin.compact(asked.scope), long=True)


@sleep_router.post("/v1/undo", response_model=answers.of(UndoReport))
async def undo(asked: Writes, body: UndoBody) -> Response:
    """Undo one event or a whole dream: the named one, else the newest dream not undone."""
    if body.cycle is not None and body.event is not None:
        raise Refused(Problem(422, "invalid-request", "Both a dream and an event are named.", "Name one of them."))

    def work() -> object:
        if body.event is not None:
            return asked.engine.undo(asked.scope, event=body.event)
        return asked.engine.undo(asked.scope, cycle=body.cycle)

    return await asked.within(work, long=True)


@sleep_router.get("/v1/dreams", response_model=answers.Dreams)
async def dreams(asked: Reads, limit: Annotated[int, Query(ge=0, le=DREAMS_MAX)] = 20) -> Response:
    """Return the last dreams, newest first: what each step changed and why, with samples before → after."""
    return await asked.within(lambda: {"dreams": asked.engine.admin.dreams(asked.scope, limit=limit)}, long=True)


jobs_router = APIRouter(tags=["jobs"])
_OF_STORE = (JobKind.EMBED, JobKind.REINDEX)
"""Kinds of jobs that concern the whole store."""


@jobs_router.get("/v1/jobs", response_model=answers.Jobs)
async def jobs(asked: Reads) -> Response:
    """Return the scope's jobs, newest first: what waits, how far it is, and why one failed."""
    return await asked.within(lambda: {"jobs": asked.engine.jobs.jobs(asked.scope)})


@jobs_router.post("/v1/jobs", response_model=answers.OneJob)
async def start_job(asked: Writes, body: JobBody) -> Response:
    """Enqueue a job and return it at once; it runs in the background, and survives the end of the server."""
    kind = JobKind(body.kind)
    _require_reach(asked, kind)
    return await asked.within(lambda: {"job": asked.engine.jobs.enqueue(kind, asked.scope, key=body.key)})


@jobs_router.get("/v1/jobs/{job_id}", response_model=answers.OneJob)
async def job(asked: Reads, job_id: JobId) -> Response:
    """Return one job, to see how far it is."""
    return await asked.within(lambda: {"job": asked.engine.jobs.show(job_id, asked.scope)})


@jobs_router.post("/v1/jobs/{job_id}/cancel", response_model=answers.OneJob)
async def cancel_job(asked: Writes, job_id: JobId) -> Response:
    """Cancel a job: at once, or at its next step if it runs. What it did stays done."""

    def work() -> Shape:
        _require_reach(asked, asked.engine.jobs.show(job_id, asked.scope).kind)
        return {"job": asked.engine.jobs.cancel(job_id, asked.scope)}

    return await asked.within(work)


@jobs_router.post("/v1/jobs/{job_id}/retry", response_model=answers.OneJob)
async def retry_job(asked: Writes, job_id: JobId) -> Response:
    """Let a failed or cancelled job wait again; it goes on where it stopped."""

    def work() -> Shape:
        _require_reach(asked, asked.engine.jobs.show(job_id, asked.scope).kind)
        return {"job": asked.engine.jobs.retry(job_id, asked.scope)}

    return await asked.within(work)


def _require_reach(asked: Scoped, kind: JobKind) -> None:
    """Refuse a job for which the caller's token does not suffice: of the whole store, or about files of the server."""
    principal = asked.principal
    if kind in (JobKind.IMPORT, JobKind.EXPORT) and principal.right < Right.ADMIN:
        raise forbidden("This job reads or writes a file of the server's machine.", "Use a token with the right admin.")
    if kind in _OF_STORE and not (principal.right >= Right.ADMIN and principal.binding.is_everything):
        raise forbidden("This concerns the whole store.", "Use a token with the right admin, bound to no scope.")

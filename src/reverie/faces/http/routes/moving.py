"""Routes that move everything out and in: a scope, or the whole store; and a copy of its file."""

from __future__ import annotations

import zipfile
from collections import Counter, deque
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import FileResponse, Response

from reverie.exchange import ALL_KINDS, Skipped
from reverie.faces.http import reports
from reverie.faces.http.asked import Asked, Governs, GovernsAll, Shape
from reverie.faces.http.passing import sent, taken
from reverie.faces.http.values import Truth
from reverie.types import Scope
from reverie.wire import shapes

router = APIRouter(tags=["moving"])
LINES = "application/x-ndjson"
ZIP = "application/zip"
LEFT_MAX = 1000
"""So many items that gave no message are named, the last ones; all are counted."""
SQLITE = "application/vnd.sqlite3"
_FILE: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
_BROUGHT = {"requestBody": {"required": True, "content": {LINES: _FILE}}}
_BROUGHT_FILE = {"requestBody": {"required": True, "content": {"application/octet-stream": _FILE}}}


def _told(media_type: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"description": "The file.", "content": {media_type: _FILE}}}


@router.get("/v1/export", response_class=FileResponse, responses=_told(LINES))
async def export(asked: Governs) -> Response:
    """The scope's whole journal as JSON lines: nothing is lost."""
    return await _exported(asked, asked.scope)


@router.get("/v1/export-everything", response_class=FileResponse, responses=_told(LINES))
async def export_everything(asked: GovernsAll) -> Response:
    """The journal of the whole store."""
    return await _exported(asked, None)


@router.post("/v1/import", response_model=reports.MovedHere, openapi_extra=_BROUGHT)
async def import_here(asked: Governs, request: Request, merge: Truth = "false", dry_run: Truth = "false") -> Response:
    """Take in what an export of one scope wrote, into this scope; what is here already stays as it is."""
    scope = asked.scope

    def read(path: Path) -> Shape:
        found = asked.engine.import_journal(path, into=scope, merge=merge == "true", dry_run=dry_run == "true")
        return {"scope": shapes.scope(scope), **shapes.moved(found)}

    return await taken(asked, request, read)


@router.post("/v1/import-everything", response_model=reports.Moved, openapi_extra=_BROUGHT)
async def import_everything(
    asked: GovernsAll,
    request: Request,
    into_its_own_scopes: Truth = "false",
    merge: Truth = "false",
    dry_run: Truth = "false",
) -> Response:
    """Take in what an export wrote, each scope under its own name: `into_its_own_scopes=true` says that it may."""
    own = into_its_own_scopes == "true"

    def read(path: Path) -> Shape:
        found = asked.engine.import_journal(
            path, into_its_own_scopes=own, merge=merge == "true", dry_run=dry_run == "true"
        )
        return shapes.moved(found)

    return await taken(asked, request, read)


@router.get("/v1/export-markdown", response_class=FileResponse, responses=_told(ZIP))
async def export_markdown(asked: Governs) -> Response:
    """The scope as Markdown to be read, in one archive: a file a session, a file a formed memory."""

    def write(path: Path) -> None:
        folder = path.with_suffix("")
        asked.engine.export_markdown(folder, asked.scope)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(folder.rglob("*")):
                archive.write(file, file.relative_to(folder))

    return await sent(asked, "reverie.zip", ZIP, write)


@router.post("/v1/import-from", response_model=reports.Brought, openapi_extra=_BROUGHT_FILE)
async def import_from(
    asked: Governs,
    request: Request,
    kind: Annotated[str, Query(json_schema_extra={"enum": ["", *ALL_KINDS]})] = "",
    dry_run: Truth = "false",
) -> Response:
    """Bring in a conversation, or what another memory keeps: a file or an archive, told by its content."""
    scope = asked.scope

    def read(path: Path) -> Shape:
        left: deque[Skipped] = deque(maxlen=LEFT_MAX)
        count = Counter[str]()

        def report(item: Skipped) -> None:
            left.append(item)
            count["skipped"] += 1

        found = asked.engine.import_from(path, scope, kind=kind or None, dry_run=dry_run == "true", report=report)
        told = {"skipped": count["skipped"], "left": [shapes.skipped(one) for one in left]}
        return {"scope": shapes.scope(scope), **shapes.brought(found), **told}

    return await taken(asked, request, read)


@router.post("/v1/backup", response_class=FileResponse, responses=_told(SQLITE))
async def backup(asked: GovernsAll) -> Response:
    """A copy of the whole store, as a file to keep."""
    return await sent(asked, "reverie.db", SQLITE, asked.engine.backup)


async def _exported(asked: Asked, scope: Scope | None) -> Response:
    def write(path: Path) -> None:
        with path.open("wb") as out:
            asked.engine.export_journal(out, scope)

    return await sent(asked, "reverie.jsonl", LINES, write)

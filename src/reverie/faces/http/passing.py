"""Files that pass through: in, what writes one or the request that brings one; out, an answer, and no file left."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from fastapi import Request
from starlette.responses import FileResponse, Response
from starlette.types import Receive, Scope, Send

from reverie.faces.http.asked import Asked, Shape, dumped


class Passing(FileResponse):
    """A file that is gone when it was sent, or could not be."""

    def __init__(self, folder: tempfile.TemporaryDirectory[str], path: Path, media_type: str) -> None:
        super().__init__(path, media_type=media_type, filename=path.name)
        self._folder = folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._folder.cleanup()


async def sent(asked: Asked, name: str, media_type: str, write: Callable[[Path], object]) -> Response:
    """Let a file of this name be written aside, and send it."""
    folder = tempfile.TemporaryDirectory(prefix="reverie-")
    path = Path(folder.name) / name
    try:
        await asked.run(lambda: write(path), long=True)
    except BaseException:  # also when the client has gone: then there is nobody to send it to
        folder.cleanup()
        raise
    return Passing(folder, path, media_type)


async def taken(asked: Asked, request: Request, read: Callable[[Path], Shape]) -> Response:
    """Write what the request brings aside, as it comes, and answer with what is read of it."""
    with tempfile.TemporaryDirectory(prefix="reverie-") as folder:
        path = Path(folder) / "brought.jsonl"
        with path.open("wb") as file:
            async for piece in request.stream():
                await asked.run(lambda: file.write(piece), long=True)  # noqa: B023 - awaited at once
        body = await asked.run(lambda: dumped(read(path)), long=True)
    return Response(body, media_type="application/json")

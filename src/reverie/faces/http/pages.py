"""The dashboard's files: in, a path below /app; out, the file, or the page itself, which finds its own way."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOLDER = Path(__file__).parent / "static"
INDEX = "index.html"
ASSETS = "assets"
_FOR_EVER = "public, max-age=31536000, immutable"
_UNBUILT = (
    "<!doctype html><title>Reverie</title><p>The dashboard is not part of this build. The API is at /openapi.json."
)


class Pages(StaticFiles):
    """The files of a folder; what is in assets bears its hash in its name and never changes."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or the page for a path that is none."""
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or path.startswith(ASSETS):
                raise
            return index(Path(str(self.directory)))
        if path.startswith(f"{ASSETS}/") and response.status_code == 200:
            response.headers["Cache-Control"] = _FOR_EVER
        return response


def index(folder: Path) -> Response:
    """The page."""
    file = folder / INDEX
    return FileResponse(file) if file.is_file() else Response(_UNBUILT, media_type="text/html")


def routes(folder: Path = FOLDER) -> list[Route | Mount]:
    """The page at / and below /app."""

    async def page(_: object) -> Response:
        return index(folder)

    found: list[Route | Mount] = [Route("/", page, methods=["GET"], name="/", include_in_schema=False)]
    if folder.is_dir():
        found.append(Mount("/app", Pages(directory=folder), name="/app"))
    return found

from __future__ import annotations

from pathlib import Path

import anyio
import httpx
import pytest
from starlette.applications import Starlette

from reverie.faces.http import app as pages


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A dashboard of two files, and a secret beside it."""
    (tmp_path / "secret.txt").write_text("secret")
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>page</title>")
    (static / "assets" / "app-1a2b.js").write_text("let page;")
    return static


def get(folder: Path, path: str) -> httpx.Response:
    """What the dashboard answers."""
    app = Starlette(routes=list(pages.routes(folder)))

    async def once() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1") as client:
            return await client.get(path)

    return anyio.run(once)


@pytest.mark.parametrize("path", ["/", "/app/", "/app/memories/01ABC", "/app/timeline"])
def test_the_page_finds_its_own_way(folder: Path, path: str) -> None:
    """The page stands at / and wherever its own links lead."""
    answer = get(folder, path)
    assert answer.status_code == 200
    assert "<title>page" in answer.text
    assert answer.headers["content-type"].startswith("text/html")


def test_what_bears_its_hash_is_kept_for_ever(folder: Path) -> None:
    """An asset never changes; one that is not there is not the page."""
    answer = get(folder, "/app/assets/app-1a2b.js")
    assert answer.text == "let page;"
    assert "immutable" in answer.headers["cache-control"]
    assert get(folder, "/app/assets/gone.js").status_code == 404


@pytest.mark.parametrize("path", ["/app/../secret.txt", "/app/%2e%2e/secret.txt", "/app/..%2fsecret.txt"])
def test_nothing_beside_the_folder_is_served(folder: Path, path: str) -> None:
    """No way up leads out."""
    assert "secret" not in get(folder, path).text


def test_without_a_dashboard_there_is_a_word_about_it(tmp_path: Path) -> None:
    """A build without the files says so, and links to the interface."""
    assert "/openapi.json" in get(tmp_path / "none", "/").text

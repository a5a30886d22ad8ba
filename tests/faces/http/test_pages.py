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


def get(folder: Path, path: str, headers: dict[str, str] | None = None) -> httpx.Response:
    """What the dashboard answers."""
    app = Starlette(routes=list(pages.routes(folder)))

    async def once() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1") as client:
            return await client.get(path, headers=headers)

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


def test_assets_are_sent_compressed_to_who_takes_it(folder: Path) -> None:
    """A script is shorter on the way and the same at its end; each form has its own ETag, and is known again by it."""
    script = folder / "assets" / "app-1a2b.js"
    script.write_text("let page = 1;\n" * 500)
    at = "/app/assets/app-1a2b.js"
    short, plain = get(folder, at, {"Accept-Encoding": "br, gzip"}), get(folder, at, {"Accept-Encoding": "identity"})
    assert short.headers["content-encoding"] == "gzip"
    assert int(short.headers["content-length"]) < 500 < int(plain.headers["content-length"])
    assert short.text == plain.text == script.read_text()
    assert short.headers["content-type"] == plain.headers["content-type"]
    assert "immutable" in short.headers["cache-control"]
    assert short.headers["etag"] != plain.headers["etag"]
    assert short.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    for one, coding in ((short, "gzip"), (plain, "identity")):
        again = get(folder, at, {"Accept-Encoding": coding, "If-None-Match": one.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "headers", [{"Accept-Encoding": "gzip;q=0"}, {"Accept-Encoding": "gzip", "Range": "bytes=0-3"}]
)
def test_nothing_is_compressed_unasked(folder: Path, headers: dict[str, str]) -> None:
    """Not for who does not take it, and not a part of a file."""
    answer = get(folder, "/app/assets/app-1a2b.js", headers)
    assert "content-encoding" not in answer.headers
    assert answer.text == "let page;"[: 4 if "Range" in headers else None]


def test_pages_are_not_compressed(folder: Path) -> None:
    """Nor is anything beside the assets."""
    assert "content-encoding" not in get(folder, "/app/", {"Accept-Encoding": "gzip"}).headers

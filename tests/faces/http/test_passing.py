from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.engine.transfer import Transfer
from reverie.errors import StoreBusy
from tests.faces.http.conftest import SCOPE, Client, named


@pytest.fixture
def aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where files pass through in this test."""
    folder = tmp_path / "aside"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_no_file_is_left_behind(aside: Path, client: Client, engine: Reverie) -> None:
    """What was sent and what was brought is gone afterwards."""
    engine.remember("The key is under the mat.", SCOPE)
    lines = client.get("/v1/export")
    assert lines.headers["content-type"].startswith("application/x-ndjson")
    client.ask("POST", "/v1/import", params=named(SCOPE), content=lines.content)
    client.ask("POST", "/v1/import", params=named(SCOPE), content=b"nonsense")
    assert list(aside.iterdir()) == []


def test_not_even_of_what_could_not_be_written(
    aside: Path, client: Client, engine: Reverie, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An export that fails is an error, and leaves nothing."""

    def busy(*_: object) -> None:
        raise StoreBusy("Somebody writes.", "Wait.")

    monkeypatch.setattr(Transfer, "export_journal", busy)
    assert client.get("/v1/export").status_code == 503
    assert list(aside.iterdir()) == []

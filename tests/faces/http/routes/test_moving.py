from __future__ import annotations

import io
import sqlite3
import zipfile
from pathlib import Path

from reverie import Reverie
from tests.faces.http.conftest import NOW, OTHER, SCOPE, Client, named
from tests.faces.http.table import conforms


def test_what_is_exported_comes_back_under_another_name(client: Client, engine: Reverie) -> None:
    """A scope's export is taken into another; a second time nothing is new."""
    engine.remember("The key is under the mat.", SCOPE, at=NOW)
    answer = client.get("/v1/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="reverie.jsonl"'
    for new in (1, 0):
        brought = client.ask("POST", "/v1/import", params=named(OTHER), content=answer.content)
        assert conforms(brought, "import_here")["new"] == new
    assert [memory.text for memory in engine.timeline(OTHER)] == ["The key is under the mat."]


def test_a_dry_run_takes_nothing_in(client: Client, engine: Reverie) -> None:
    """It says what it would do."""
    engine.remember("The key is under the mat.", SCOPE, at=NOW)
    lines = client.get("/v1/export").content
    query = {**named(OTHER), "dry_run": "true"}
    assert conforms(client.ask("POST", "/v1/import", params=query, content=lines), "import_here")["new"] == 1
    assert engine.admin.scopes() == [SCOPE]


def test_the_whole_store_comes_back(client: Client, engine: Reverie) -> None:
    """What is there already stays, and is counted as known."""
    engine.remember("Mine.", SCOPE)
    engine.remember("Theirs.", OTHER)
    lines = client.get("/v1/export-everything", None).content
    refused = client.ask("POST", "/v1/import-everything", content=lines)
    assert refused.status_code == 409
    assert f"{SCOPE} (1 memories)" in refused.json()["detail"]
    own = {"into_its_own_scopes": "true"}
    answer = client.ask("POST", "/v1/import-everything", params=own, content=lines)
    found = conforms(answer, "import_everything")
    assert (found["events"], found["known"]) == (2, 2)


def test_a_file_that_is_none_is_refused(client: Client, engine: Reverie) -> None:
    """Nothing is written of a file that is not what it claims."""
    answer = client.ask("POST", "/v1/import", params=named(SCOPE), content=b"{}\n")
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:reverie:invalid-export")
    assert engine.admin.scopes() == []


def test_a_conversation_of_another_program_is_brought_in(client: Client, engine: Reverie) -> None:
    """Plain lines become messages; what gives none is named."""
    lines = b'{"text": "The key is under the mat.", "speaker": "user"}\n{"nothing": 1}\n'
    found = conforms(client.ask("POST", "/v1/import-from", params=named(SCOPE), content=lines), "import_from")
    assert (found["new"], found["skipped"]) == (1, 1)
    assert found["left"][0]["where"] == "line 2"
    assert len(engine.timeline(SCOPE)) == 1


def test_a_scope_is_read_as_markdown(client: Client, engine: Reverie) -> None:
    """One archive with a file a session."""
    engine.remember("The key is under the mat.", SCOPE, at=NOW)
    with zipfile.ZipFile(io.BytesIO(client.get("/v1/export-markdown").content)) as archive:
        texts = [archive.read(name).decode() for name in archive.namelist() if name.endswith(".md")]
    assert any("The key is under the mat." in text for text in texts)


def test_a_backup_is_a_store(tmp_path: Path, client: Client, engine: Reverie) -> None:
    """A store in memory has none to copy; one on disk answers with its file, whole."""
    from reverie.config import Settings
    from reverie.faces.http.parts import Serving
    from reverie.faces.http.tokens import Keyring

    with Reverie.open(tmp_path / "a.db", embedder=None) as opened:
        opened.remember("The key is under the mat.", SCOPE)
        answer = Client(Serving(opened, Settings(), Keyring(None))).ask("POST", "/v1/backup")
    (tmp_path / "b.db").write_bytes(answer.content)
    with Reverie.open(tmp_path / "b.db", embedder=None, create=False) as copied:
        assert copied.admin.stats(SCOPE).memories == 1
    assert sqlite3.connect(tmp_path / "b.db").execute("PRAGMA integrity_check").fetchone() == ("ok",)

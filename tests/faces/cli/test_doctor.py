import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from reverie.errors import ModelMissing, StoreTooNew
from reverie.extras import EXTRAS
from reverie.faces.cli.care import as_fault
from tests.faces.cli.conftest import Run


def names(run: Run, *arguments: str) -> list[str]:
    """The faults that were found."""
    done = run("doctor", "--json", *arguments)
    found = [fault["name"] for fault in done.shape["faults"]]
    assert done.code == (6 if found else 0)
    assert all(fault["what"] and fault["mend"] for fault in done.shape["faults"])
    return found


def test_a_sound_installation_has_no_fault(keys: Run) -> None:
    """And doctor says what it looked at."""
    assert names(keys) == []
    assert "settings, scope, model, store" in keys("doctor").out


def test_a_large_store_is_replayed_only_when_asked(keys: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain doctor says what it did not look at; counts, orphaned rows and the file's form it does look at."""
    monkeypatch.setattr("reverie.engine.maintain.REPLAYED_MAX", 2)
    assert names(keys) == []
    assert "reverie doctor --replay" in keys("doctor").err
    with closing(sqlite3.connect(folder / "reverie.db")) as file, file:
        file.execute("UPDATE memory SET text = 'Another word.' WHERE key = (SELECT min(key) FROM memory)")
    done = keys("doctor", "--json")
    assert (done.code, done.shape["faults"]) == (0, [])
    assert "events" in done.shape["left_out"][0]
    assert "memories" in names(keys, "--replay")
    assert keys("doctor", "--json", "--replay").shape["left_out"] == []
    with closing(sqlite3.connect(folder / "reverie.db")) as file, file:
        file.execute("UPDATE scope SET memories = memories + 1")
    assert names(keys) == ["memories"]


def test_nothing_set_up_is_two_faults_not_one(run: Run) -> None:
    """Where other commands stop at the first, doctor goes on."""
    assert names(run, "--no-model") == ["invalid-scope", "store-missing"]


def test_a_broken_settings_file_is_named(home: Run, folder: Path) -> None:
    """With the key that was meant."""
    (folder / "reverie.toml").write_text('usr = "ada"\n', encoding="utf-8")
    assert names(home) == ["invalid-setting"]
    assert "'user'" in home("doctor").out


def test_a_missing_model_does_not_hide_the_store(keys: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store is looked at without it."""

    def missing(spec: object, key: str) -> None:
        raise ModelMissing("The model is not installed.", "Install it.")

    monkeypatch.setattr("reverie.engine.factories.open_embedder", missing)
    assert names(keys, "--embedder", "default") == ["model-missing"]


def test_memories_without_vectors_are_a_fault_with_a_mend(keys: Run) -> None:
    """The mend works."""
    assert names(keys, "--embedder", "hash") == ["not-embedded"]
    keys("store", "embed", "--embedder", "hash")
    assert names(keys, "--embedder", "hash") == []


def test_an_error_is_named_as_a_fault() -> None:
    """As its class, in the way faults are written."""
    assert as_fault(StoreTooNew("a", "b")).name == "store-too-new"


def test_the_mend_is_never_to_ask_doctor(keys: Run, folder: Path) -> None:
    """A file that was cut in half, where nothing else can be read either."""
    raw = (folder / "reverie.db").read_bytes()
    (folder / "reverie.db").write_bytes(raw[: len(raw) // 2 // 4096 * 4096])
    [fault] = keys("doctor", "--json").shape["faults"]
    assert "doctor" not in fault["mend"]
    assert "Restore the last backup" in fault["mend"]
    assert keys("recall", "boiler").code == 16


def test_a_file_without_a_byte_is_no_healthy_store(keys: Run, folder: Path) -> None:
    """It is named, and looking makes no new store in its place; in a folder too."""
    (folder / "reverie.db").write_bytes(b"")
    assert names(keys) == ["store-empty"]
    assert names(keys, "--store", str(folder)) == ["store-empty"]
    assert (folder / "reverie.db").stat().st_size == 0
    (folder / "reverie.db").unlink()
    assert names(keys) == ["store-missing"]


def test_a_store_that_cannot_be_written_is_a_fault(keys: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the part that keeps a write out, before one is tried."""
    monkeypatch.setattr("reverie.stores.sqlite.maintenance.locked", lambda path: [path])
    assert names(keys) == ["store-read-only"]
    assert "reverie.db" in keys("doctor").out


def test_a_damaged_version_is_a_fault_with_a_mend(keys: Run, folder: Path) -> None:
    """Not an error of Python's, in doctor least of all."""
    for version in (-1, 0):
        with closing(sqlite3.connect(folder / "reverie.db")) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
        assert names(keys) == ["store-corrupt"]
        assert keys("recall", "boiler").code == 16


def test_a_device_is_named_as_one(keys: Run) -> None:
    """No disk has failed."""
    [fault] = keys("doctor", "--json", "--store", "/dev/null").shape["faults"]
    assert (fault["name"], fault["what"]) == ("store-missing", "/dev/null is no ordinary file.")


@pytest.fixture
def hosted(keys: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A sound memory, and Codex with it."""
    for name in ("XDG_STATE_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(EXTRAS, "mcp", ())
    (folder / ".git").mkdir()
    (folder.parent / "home").mkdir(exist_ok=True)
    assert keys("install", "codex", "--yes", "--no-model").code == 0
    return keys


def test_a_host_that_lost_its_hooks_is_found_and_mended(hosted: Run, folder: Path) -> None:
    """Shown as a diff first; written only on yes; sound afterwards, and the program's own keys stay."""
    assert names(hosted) == []
    hooks = folder.parent / "home" / ".codex" / "hooks.json"
    hooks.write_text('{"hooks": {"Stop": []}, "mine": 1}', encoding="utf-8")
    assert names(hosted) == ["host-part-missing"]
    before = hooks.read_bytes()
    asked = hosted("doctor", "--fix")
    assert "nothing was mended (--yes does not ask)" in asked.err
    assert (asked.code, hooks.read_bytes()) == (6, before)
    assert "+++" in asked.out
    fixed = hosted("doctor", "--fix", "--yes")
    assert (fixed.code, "mended: codex; no fault" in fixed.out) == (0, True)
    assert names(hosted) == []
    assert '"mine": 1' in hooks.read_text(encoding="utf-8")


def test_a_host_that_is_gone_is_taken_back(hosted: Run, folder: Path) -> None:
    """Its notes go, and nothing of it is made again."""
    home = folder.parent / "home"
    shutil.rmtree(home / ".codex")
    assert names(hosted) == ["host-gone"]
    shape = hosted("doctor", "--fix", "--yes", "--json").shape
    assert (shape["faults"], shape["fixed"]) == ([], ["codex (undone)"])
    assert not (home / ".codex").exists()


def test_yes_belongs_to_fix(keys: Run) -> None:
    """Alone it would agree to nothing."""
    assert keys("doctor", "--yes").code == 2

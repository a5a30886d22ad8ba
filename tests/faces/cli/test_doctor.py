from pathlib import Path

import pytest

from reverie.errors import ModelMissing, StoreTooNew
from reverie.faces.cli.doctor import as_fault
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

    monkeypatch.setattr("reverie.engine.opening.open_embedder", missing)
    assert names(keys, "--embedder", "default") == ["model-missing"]


def test_memories_without_vectors_are_a_fault_with_a_mend(keys: Run) -> None:
    """The mend works."""
    assert names(keys, "--embedder", "hash") == ["not-embedded"]
    keys("embed", "--embedder", "hash")
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

"""Engines by settings: at once by text, then with the model; one for each kind of settings."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from reverie import Reverie, Scope
from reverie.config import OpsSettings, Settings
from reverie.errors import ModelMissing, StoreMissing
from reverie.faces.hook import engines
from reverie.faces.hook.engines import Engines, Unhurried, at_home
from reverie.models.hashing import HashEmbedder


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A store that is not there yet, and no log."""
    return Settings(store=str(tmp_path / "new" / "store.db"), embedder="hash", ops=OpsSettings(log="none"))


def test_it_answers_before_the_model_is_loaded(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, scope: Scope
) -> None:
    """By text at first; who waits gets the engine with the model; both see the same store."""
    may_go = threading.Event()

    def slowly(spec: str, key: str) -> HashEmbedder:
        assert (spec, key) == ("hash", "")
        may_go.wait(30)
        return HashEmbedder()

    monkeypatch.setattr(engines, "open_embedder", slowly)
    held = Engines(lambda _: None)
    first = held.at_once(settings)
    assert first.model == "none"
    first.remember("My sister lives in Izmir.", scope)
    assert held.loading
    held.may_load.set()
    may_go.set()
    whole = held.whole(settings)
    assert whole.model != "none"
    assert whole.recall("Where does my sister live?", scope).hits
    assert held.at_once(settings) is whole
    assert not held.loading
    held.close()


def test_a_model_that_cannot_be_had_leaves_text(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recall goes on by text, and the log says why."""
    told: list[str] = []

    def missing(*_: str) -> None:
        raise ModelMissing("not installed")

    monkeypatch.setattr(engines, "open_embedder", missing)
    held = Engines(told.append)
    held.may_load.set()
    assert held.whole(settings).model == "none"
    assert told == ["recall by text alone: ModelMissing"]
    held.close()


def test_scopes_share_an_engine_and_stores_do_not(settings: Settings, tmp_path: Path) -> None:
    """Whose memory it is makes no other engine; another store does."""
    held = Engines(lambda _: None)
    plain = replace(settings, embedder="none")
    one = held.at_once(replace(plain, project="a"))
    assert held.at_once(replace(plain, project="b", hook=replace(plain.hook, idle_minutes=1.0))) is one
    assert held.at_once(replace(plain, store=str(tmp_path / "other.db"))) is not one
    assert held.held(replace(plain, store=str(tmp_path / "third.db"))) is None
    held.close()


def test_a_store_put_in_the_place_of_another_is_opened_anew(settings: Settings, scope: Scope) -> None:
    """What was taken away is not written to any longer."""
    held = Engines(lambda _: None)
    plain = replace(settings, embedder="none")
    held.at_once(plain).remember("old", scope)
    store = Path(plain.store)
    held.at_once(plain).backup(store.with_name("copy.db"))
    for path in store.parent.glob("store.db*"):
        path.unlink()
    with Reverie.open(store, embedder=None) as memory:
        memory.remember("new", scope)
    assert [memory.text for memory in held.at_once(plain).timeline(scope)] == ["new"]
    held.close()


def test_paths_are_seen_from_the_folder_of_the_call(tmp_path: Path) -> None:
    """A relative store and log lie where the host works; a store that nobody named is not made."""
    found = at_home(Settings(store="m.db", ops=OpsSettings(log="l.jsonl")), tmp_path)
    assert (found.store, found.ops.log) == (str(tmp_path / "m.db"), str(tmp_path / "l.jsonl"))
    with pytest.raises(StoreMissing):
        at_home(Settings(), tmp_path)
    (tmp_path / "reverie.db").write_bytes(b"")
    assert at_home(Settings(), tmp_path).store == str(tmp_path / "reverie.db")


def test_a_language_model_does_not_route() -> None:
    """It may form and merge, but a recall does not wait for it."""

    class Mind:
        def route(self, cue: str) -> str:
            raise AssertionError(cue)

        def __getattr__(self, name: str) -> object:
            return lambda *_: name

    mind = Unhurried(Mind())  # type: ignore[arg-type] # as much of a mind as is asked for
    assert mind.route("x") is None
    assert [mind.merge("a", "b"), mind.theme([]), mind.pattern([]), mind.summary("fact", [])] == [
        "merge",
        "theme",
        "pattern",
        "summary",
    ]

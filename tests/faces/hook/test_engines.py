"""Engines by settings: at once by text, then with the model; one for each kind of settings."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reverie import Reverie, Scope
from reverie.config import HookSettings, OpsSettings, RerankerSettings, Settings
from reverie.errors import ModelMissing, ReverieError, StoreBusy, StoreCorrupt, StoreMissing
from reverie.faces.hook import engines
from reverie.faces.hook.engines import Engines, Unhurried, at_home
from reverie.models.hashing import HashEmbedder
from reverie.types import FloatArray


class Reader:
    """A reranker that likes every text the same."""

    name = "reader"

    def score(self, cue: str, texts: Sequence[str]) -> FloatArray:
        return np.zeros(len(texts), np.float32)


def now(held: Engines, settings: Settings) -> Reverie:
    """The engine that answers at once."""
    with held.answering(settings) as engine:
        return engine


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
    first = now(held, settings)
    assert first.admin.model == "none"
    first.remember("My sister lives in Izmir.", scope)
    assert held.loading
    held.may_load.set()
    may_go.set()
    whole = held.whole(settings)
    assert whole.admin.model != "none"
    assert whole.recall("Where does my sister live?", scope).hits
    assert now(held, settings) is whole
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
    assert held.whole(settings).admin.model == "none"
    assert told == ["recall by text alone: ModelMissing"]
    held.close()


def test_a_reranker_is_loaded_behind_the_answers(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, scope: Scope
) -> None:
    """It gets half of what the answer may take; until it is there the trace says so, and another store shares it."""
    may_go, opened = threading.Event(), list[int]()

    def slowly(asked: Settings) -> Reader:
        opened.append(asked.reranker.deadline_ms)
        may_go.wait(30)
        return Reader()

    monkeypatch.setattr(engines, "open_reranker", slowly)
    held = Engines(lambda _: None)
    held.may_load.set()
    wanted = replace(
        settings, embedder="none", reranker=RerankerSettings(spec="fastembed:m"), hook=HookSettings(deadline_ms=200)
    )
    engine = held.whole(wanted)
    for text in ("My sister lives in Izmir.", "My sister has a boat."):
        engine.remember(text, scope)
    assert "skipped: The reranker is still being loaded." in [s.note for s in engine.recall("sister", scope).trace]
    may_go.set()
    while engine.admin.reranker != "reader":
        threading.Event().wait(0.01)
    other = held.whole(replace(wanted, store=f"{wanted.store}-other"))
    assert (other.admin.reranker, opened) == ("reader", [100])
    held.close()


def test_a_reranker_that_cannot_be_had_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recall goes on without it, with the model."""
    told, done = list[str](), threading.Event()

    def tell(line: str) -> None:
        told.append(line)
        done.set()

    def missing(_: Settings) -> None:
        raise ModelMissing("not installed")

    monkeypatch.setattr(engines, "open_reranker", missing)
    held = Engines(tell)
    held.may_load.set()
    wanted = replace(settings, reranker=RerankerSettings(spec="fastembed:m"))
    assert held.whole(wanted).admin.model != "none"
    assert done.wait(30)
    assert told == ["recall without the reranker: ModelMissing"]
    held.close()


def test_scopes_share_an_engine_and_stores_do_not(settings: Settings, tmp_path: Path) -> None:
    """Whose memory it is makes no other engine; another store does."""
    held = Engines(lambda _: None)
    plain = replace(settings, embedder="none")
    one = now(held, replace(plain, project="a"))
    assert now(held, replace(plain, project="b", hook=replace(plain.hook, idle_minutes=1.0))) is one
    assert now(held, replace(plain, store=str(tmp_path / "other.db"))) is not one
    assert held.held(replace(plain, store=str(tmp_path / "third.db"))) is None
    held.close()


def test_a_store_put_in_the_place_of_another_is_opened_anew(settings: Settings, scope: Scope) -> None:
    """What was taken away is not written to any longer."""
    held = Engines(lambda _: None)
    plain = replace(settings, embedder="none")
    now(held, plain).remember("old", scope)
    store = Path(plain.store)
    now(held, plain).admin.backup(store.with_name("copy.db"))
    for path in store.parent.glob("store.db*"):
        path.unlink()
    with Reverie.open(store, embedder=None) as memory:
        memory.remember("new", scope)
    assert [memory.text for memory in now(held, plain).timeline(scope)] == ["new"]
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


def test_a_store_that_hangs_holds_up_no_other(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """One is being opened without end: who asks for it is told so, who asks for another is answered."""
    may_go, begun = threading.Event(), threading.Event()
    opened = Reverie.open

    def slowly(path: str, **options: object) -> Reverie:
        if path.endswith("bad.db"):
            begun.set()
            assert may_go.wait(60)
        return opened(path, **options)  # type: ignore[arg-type] # what it was called with

    monkeypatch.setattr(Reverie, "open", slowly)
    monkeypatch.setattr(engines, "TURN_S", 0.05)
    held = Engines(lambda _: None)
    plain = replace(settings, embedder="none")
    bad = replace(plain, store=plain.store.replace("store.db", "bad.db"))
    first = threading.Thread(target=held.whole, args=(bad,))
    first.start()
    assert begun.wait(30)
    for _ in range(2 * engines.TURNS):
        with pytest.raises(StoreBusy, match="being opened"):
            now(held, bad)
        assert now(held, plain).admin.scopes() == []
    assert held.held(bad) is None
    may_go.set()
    first.join()
    assert now(held, bad).admin.scopes() == []
    held.close()


def test_calls_that_hang_leave_places_to_others(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as a store has turns may hang in it; the next is refused, and another store answers."""
    monkeypatch.setattr(engines, "TURN_S", 0.05)
    held = Engines(lambda _: None)
    plain = replace(settings, embedder="none")
    other = replace(plain, store=plain.store.replace("store.db", "other.db"))
    with contextlib.ExitStack() as hanging:
        for _ in range(engines.TURNS):
            hanging.enter_context(held.answering(plain))
        with pytest.raises(StoreBusy, match="Too many calls"):
            now(held, plain)
        assert now(held, other).admin.scopes() == []
    assert now(held, plain).admin.scopes() == []
    held.close()


def test_a_damaged_store_is_not_tried_at_every_call(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is let be for a while, and tried at once where its file changes; what passes by itself is tried each time."""
    fault: ReverieError = StoreCorrupt("damaged", "mend")
    tried: list[str] = []

    def fails(path: str, **_: object) -> Reverie:
        tried.append(path)
        raise fault

    monkeypatch.setattr(Reverie, "open", fails)
    at = [0.0]
    held = Engines(lambda _: None, lambda: at[0])
    plain = replace(settings, embedder="none")
    store = Path(plain.store)
    store.parent.mkdir(parents=True)
    store.write_bytes(b"damaged")
    steps = [(1, 0.0), (1, 1.0), (2, engines.DAMAGED_S + 1.5), (2, engines.DAMAGED_S + 2)]
    for expected, at[0] in steps:
        with pytest.raises(StoreCorrupt, match="damaged"):
            now(held, plain)
        assert len(tried) == expected
    assert not held.loading
    store.write_bytes(b"changed, as a backup is put back")
    fault = StoreBusy("busy", "mend")
    for expected in (3, 4):
        with pytest.raises(StoreBusy, match="busy"):
            now(held, plain)
        assert len(tried) == expected
    held.close()

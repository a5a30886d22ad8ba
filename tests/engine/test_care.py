"""Looking after a store: what is missing, what is wrong and what mends it, copies, an end that can be said twice."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from reverie import HashEmbedder, Message, Reverie, Scope
from reverie.engine import maintain as engine_care
from reverie.errors import Conflict, ModelUnavailable, StoreClosed, StoreMissing, StoreReadOnly
from reverie.stores.sqlite import maintenance as sqlite_care
from reverie.types import FloatArray, ModelInfo
from tests.engine.conftest import open_at, until


def test_a_store_says_its_model_and_recipe(engine: Reverie) -> None:
    """By name."""
    assert (engine.admin.model, engine.admin.recipe) == (HashEmbedder().info.key, "reverie")
    with open_at(":memory:", None) as without:
        assert (without.admin.model, without.admin.missing(), without.admin.embed()) == ("none", 0, 0)


def test_what_has_no_vector_is_a_fault_with_a_mend(tmp_path: Path, scope: Scope) -> None:
    """Formed memories count as episodes do; catching up mends it."""
    where = str(tmp_path / "memory.db")
    with open_at(where, None) as engine:
        engine.observe("I moved to Lisbon in May.", scope, deliberate=True)
    with open_at(where) as engine:
        (fault,) = engine.admin.doctor()
        assert (fault.name, engine.admin.missing(), bool(fault.mend)) == ("not-embedded", 2, True)
        assert engine.admin.embed() == 2
        assert engine.admin.doctor() == []


def test_a_model_may_come_later(tmp_path: Path, scope: Scope) -> None:
    """What was kept without it is embedded then, by itself; a second model is refused."""
    with open_at(str(tmp_path / "memory.db"), None) as engine:
        engine.observe("I moved to Lisbon in May.", scope, deliberate=True)
        engine.admin.use_model(HashEmbedder())
        assert engine.admin.model == HashEmbedder().info.key
        until(lambda: engine.admin.missing() == 0)
        engine.observe("My sister lives in Porto.", scope, deliberate=True)
        assert engine.admin.missing() == 0
        with pytest.raises(Conflict):
            engine.admin.use_model(HashEmbedder())
    with pytest.raises(StoreClosed):
        open_closed(tmp_path).admin.use_model(HashEmbedder())


class Unheard(HashEmbedder):
    """An endpoint that has not answered yet: not even how long its vectors are is known."""

    up = False

    @property
    def info(self) -> ModelInfo:
        """Who it is, where it is up."""
        self._ask()
        return super().info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Vectors, where it is up."""
        self._ask()
        return super().embed_passages(texts)

    def embed_query(self, text: str) -> FloatArray:
        """A vector, where it is up."""
        self._ask()
        return super().embed_query(text)

    def _ask(self) -> None:
        if not self.up:
            raise ModelUnavailable("The endpoint did not answer.", "Start it.")


def test_a_model_that_never_answered_costs_meaning_only(where: str, scope: Scope) -> None:
    """The store opens, keeps, forms, dreams and recalls by text; doctor names the model, and it is caught up later."""
    model = Unheard()
    with open_at(where, model) as engine:
        assert not engine.remember("The spare key hangs behind the boiler.", scope).embedded
        assert engine.observe("I prefer tea in the morning.", scope, deliberate=True).formed
        engine.transfer.remember_many([Message("My sister lives in Porto.", message_id="m1")], scope)
        answer = engine.recall("spare key", scope)
        assert answer.hits[0].cosine is None
        assert any("did not answer" in step.note for step in answer.trace)
        engine.dream(scope)
        assert (engine.admin.missing(), engine.admin.model) == (0, "unavailable")
        assert [fault.name for fault in engine.admin.doctor()] == ["model-unavailable"]
        with pytest.raises(ModelUnavailable):
            engine.admin.embed()
        model.up = True
        assert engine.admin.embed() == 4
        assert engine.recall("spare key", scope).hits[0].cosine is not None
        assert engine.admin.doctor() == []


def test_a_model_that_comes_later_may_not_answer_yet(scope: Scope) -> None:
    """It is taken, and embeds once it is there."""
    model = Unheard()
    with open_at(":memory:", None) as engine:
        engine.admin.use_model(model)
        engine.remember("The spare key hangs behind the boiler.", scope)
        model.up = True
        assert engine.admin.embed() == 1


def open_closed(folder: Path) -> Reverie:
    """An engine that is closed already."""
    engine = open_at(str(folder / "memory.db"), None)
    engine.close()
    return engine


def test_a_copy_never_overwrites(engine: Reverie, scope: Scope, tmp_path: Path) -> None:
    """A file that is there stays."""
    engine.observe("I moved to Lisbon in May.", scope)
    engine.admin.backup(tmp_path / "copy.db")
    with pytest.raises(Conflict):
        engine.admin.backup(tmp_path / "copy.db")
    with open_at(str(tmp_path / "copy.db")) as copy:
        assert copy.admin.digest() == engine.admin.digest()


def test_closing_twice_is_closing_once(where: str, scope: Scope) -> None:
    """Everything after it says so."""
    engine = open_at(where)
    engine.close()
    engine.close()
    for call in (
        lambda: engine.observe("x", scope),
        lambda: engine.admin.formed(scope),
        engine.admin.digest,
        engine.admin.verify,
    ):
        with pytest.raises(StoreClosed):
            call()


def test_doctor_says_what_would_keep_a_write_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file one may only read is sound, so verify says nothing; a store in memory has no file to look at."""
    monkeypatch.setattr(sqlite_care, "locked", lambda path: [path])
    with open_at(str(tmp_path / "memory.db"), None) as engine:
        assert engine.admin.verify() == []
        assert [fault.name for fault in engine.admin.doctor()] == ["store-read-only"]
    with open_at(":memory:", None) as engine:
        assert engine.admin.doctor() == []


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS])
def test_a_replay_into_a_locked_folder_says_so(
    engine: Reverie, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """By the path that was given, as a backup does; nothing is made."""

    def locked(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    before = sorted(tmp_path.iterdir())
    with pytest.raises(StoreMissing, match="no folder"):
        engine.admin.replay(tmp_path / "nowhere" / "new.db")
    monkeypatch.setattr(engine_care, "create", locked)
    with pytest.raises(StoreReadOnly, match=r"new\.db cannot be written"):
        engine.admin.replay(tmp_path / "new.db")
    assert sorted(tmp_path.iterdir()) == before

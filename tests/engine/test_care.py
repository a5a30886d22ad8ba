"""Looking after a store: what is missing, what is wrong and what mends it, copies, an end that can be said twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie import HashEmbedder, Reverie, Scope
from reverie.errors import Conflict, StoreClosed
from tests.engine.conftest import open_at


def test_a_store_says_its_model_and_recipe(engine: Reverie) -> None:
    """By name."""
    assert (engine.model, engine.recipe) == (HashEmbedder().info.key, "reverie")
    with open_at(":memory:", None) as without:
        assert (without.model, without.missing(), without.catch_up()) == ("none", 0, 0)


def test_what_has_no_vector_is_a_fault_with_a_mend(tmp_path: Path, scope: Scope) -> None:
    """Formed memories count as episodes do; catching up mends it."""
    where = str(tmp_path / "memory.db")
    with open_at(where, None) as engine:
        engine.observe("I moved to Lisbon in May.", scope, deliberate=True)
    with open_at(where) as engine:
        (fault,) = engine.doctor()
        assert (fault.name, engine.missing(), bool(fault.mend)) == ("not-embedded", 2, True)
        assert engine.catch_up() == 2
        assert engine.doctor() == []


def test_a_model_may_come_later(tmp_path: Path, scope: Scope) -> None:
    """What was kept without it is embedded then, by itself; a second model is refused."""
    with open_at(str(tmp_path / "memory.db"), None) as engine:
        engine.observe("I moved to Lisbon in May.", scope, deliberate=True)
        engine.use_model(HashEmbedder())
        assert engine.model == HashEmbedder().info.key
        assert engine._catching_up is not None
        engine._catching_up._thread.join()
        assert engine.missing() == 0
        engine.observe("My sister lives in Porto.", scope, deliberate=True)
        assert engine.missing() == 0
        with pytest.raises(Conflict):
            engine.use_model(HashEmbedder())
    with pytest.raises(StoreClosed):
        open_closed(tmp_path).use_model(HashEmbedder())


def open_closed(folder: Path) -> Reverie:
    """An engine that is closed already."""
    engine = open_at(str(folder / "memory.db"), None)
    engine.close()
    return engine


def test_a_copy_never_overwrites(engine: Reverie, scope: Scope, tmp_path: Path) -> None:
    """A file that is there stays."""
    engine.observe("I moved to Lisbon in May.", scope)
    engine.backup(tmp_path / "copy.db")
    with pytest.raises(Conflict):
        engine.backup(tmp_path / "copy.db")
    with open_at(str(tmp_path / "copy.db")) as copy:
        assert copy.digest() == engine.digest()


def test_closing_twice_is_closing_once(where: str, scope: Scope) -> None:
    """Everything after it says so."""
    engine = open_at(where)
    engine.close()
    engine.close()
    for call in (lambda: engine.observe("x", scope), lambda: engine.formed(scope), engine.digest, engine.verify):
        with pytest.raises(StoreClosed):
            call()

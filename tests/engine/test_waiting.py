"""Calls of a hook that wait while what they tell is erased."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reverie import Reverie, Scope
from reverie.engine import erasure
from reverie.faces.hook import client
from reverie.faces.hook.frames import Spool

SAID = 'I live in "Kvorblinsk"\nnear the harbour, ğüş.'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where calls wait."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Path(client.state_folder(), client.SPOOL)


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("said", [SAID, f"<ide_selection>x</ide_selection>\n{SAID}\n", "Ada?"])
def test_a_call_that_repeats_what_is_erased_goes(
    folder: Path, tmp_path: Path, scope: Scope, said: str, ascii_only: bool
) -> None:
    """However the host writes its JSON, and with what it wraps around; another call stays, and is kept later."""
    text = SAID if SAID in said else said
    spool = Spool(folder)
    for number, prompt in enumerate((said, "Where does Ada? live", "I live in Oslo.")):
        spool.put(str(number), b"head" + json.dumps({"prompt": prompt}, ensure_ascii=ascii_only).encode())
    with Reverie.open(tmp_path / "memory.db", embedder=None) as engine:
        name = engine.observe(text, scope).id
        other = engine.observe("The dragon is blue.", scope).id
        engine.admin.erase(other, scope, why="asked")
        assert len(list(spool.waiting())) == 3
        engine.admin.erase(name, scope, why="asked")
    assert [stamp for stamp, _ in spool.waiting()] == ["1", "2"]


def test_a_secret_that_was_masked_hides_no_call(folder: Path) -> None:
    """What is around it stands in the call."""
    Spool(folder).put("1", json.dumps({"prompt": "The safe of Kvorblinsk opens with hunter2, Ada says."}).encode())
    erasure.forget_waiting(["The safe of Dranbolsk opens with [password], Ada says."])
    assert len(list(folder.iterdir())) == 1
    erasure.forget_waiting(["The safe of Kvorblinsk opens with [password], Ada says."])
    assert list(folder.iterdir()) == []


def test_where_nothing_waits_nothing_is_made(folder: Path) -> None:
    """No folder, no call."""
    erasure.forget_waiting(["text"])
    assert not folder.exists()

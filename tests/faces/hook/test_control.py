"""Looking after the warm process from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie.faces.hook import control
from tests.faces.hook.conftest import Home


@pytest.fixture(autouse=True)
def _at_home(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_RUNTIME_DIR", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home.path))


def test_nothing_runs() -> None:
    """There is nothing to tell and nothing to stop, and asking starts nothing."""
    assert control.status() is None
    assert control.stop() is None
    assert control.spooled() == 0


def test_it_tells_of_the_process_and_ends_it(home: Home) -> None:
    """The state, from whatever folder one asks, and afterwards nothing runs."""
    before = Path.cwd()
    home.say("SessionStart")
    state = control.status()
    assert state is not None
    assert (state.calls, state.pid > 0) == (1, True)
    assert Path.cwd() == before
    assert control.stop() is not None
    home.stop()
    assert control.status() is None


def test_what_waits_is_counted(home: Home) -> None:
    """Calls in the spool, and the log beside it."""
    folder = home.state / "hook-spool"
    folder.mkdir(parents=True)
    (folder / "1-1").write_bytes(b"")
    (folder / ".2-1.part").write_bytes(b"")
    assert control.spooled() == 1
    assert control.log_file() == home.state / "hook.log"
    (folder / "1-1").unlink()

"""``reverie hook`` for people: its help, and how its background process stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie.faces.cli.connect import HOSTS
from reverie.faces.hook.hosts import HookHost
from tests.faces.cli.conftest import Run


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_RUNTIME_DIR", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


def test_it_explains_itself(run: Run) -> None:
    """The help says what it is for."""
    shown = run("hook", "--help")
    assert shown.code == 0
    assert "coding agent" in shown.out


def test_it_knows_every_host_that_is_understood() -> None:
    """The names of --host are those of the hosts."""
    assert tuple(HookHost) == HOSTS


def test_nothing_runs(run: Run) -> None:
    """Said in words and in JSON, and nothing is started by asking."""
    assert "no background process runs" in run("hook", "status").out
    shape = run("hook", "stop", "--json").shape
    assert (shape["running"], shape["pid"], shape["spooled"]) == (False, None, 0)
    assert shape["log"].endswith("/.local/state/reverie/hook.log")


def test_serve_is_the_client(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the command line is reached with a call after all, it goes to the client as well."""
    seen: list[list[str]] = []

    def main(arguments: list[str]) -> int:
        seen.append(arguments)
        return 0

    monkeypatch.setattr("reverie.faces.hook.client.main", main)
    assert run("hook", "--host", "gemini", "--event", "AfterAgent").code == 0
    assert seen == [["--host", "gemini", "--event", "AfterAgent"]]

"""``reverie sync``: two machines as real processes, one real repository; and what the command refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.faces.cli.conftest import Run

SCOPE = ("--agent", "helper", "--user", "ada", "--project", "home", "--no-model")


At: TypeAlias = Callable[..., str]


@pytest.fixture
def at(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> At:
    """``at("one", "recall", "keys")`` calls the command as on a machine with this home; both have one key."""

    def call(home: str, *words: str) -> str:
        monkeypatch.setenv("HOME", str(tmp_path / home))
        done = run(*where(tmp_path, home), *words)
        assert done.code == 0, done.out + done.err
        return done.out

    call("one", "init")
    (tmp_path / "key").write_text(call("one", "sync", "--new-key"))
    call("two", "sync", "--key-from", str(tmp_path / "key"))
    return call


def where(folder: Path, home: str) -> tuple[str, ...]:
    """The store and scope of a machine."""
    return ("--store", str(folder / f"{home}.db"), *SCOPE)


def started(folder: Path, home: str, *words: str) -> subprocess.Popen[str]:
    """Start the command as a process of its own."""
    env = {"HOME": str(folder / home), "PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", "from reverie.faces.start import main; main()", *where(folder, home), *words]
    return subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.req("D50")
def test_two_processes_share_a_memory_through_a_bare_repository(at: At, tmp_path: Path) -> None:
    """At the same moment; then one erases, and the other has it no more."""
    remote = tmp_path / "remote.git"
    subprocess.run(["git", "init", "--quiet", "--bare", str(remote)], check=True)
    name = json.loads(at("one", "--json", "remember", "Zeynep prefers oolong."))["id"]
    both = [started(tmp_path, home, "--json", "sync", str(remote)) for home in ("one", "two")]
    assert [process.communicate(timeout=120)[1] for process in both] == ["", ""]
    at("two", "sync", str(remote))
    at("two", "remember", "Mert prefers coffee.")
    at("one", "memory", "erase", name, "--yes", "--why", "asked for")
    told = [json.loads(at(home, "--json", "sync", str(remote))) for home in ("one", "two", "one")]
    assert len({one["contents"] for one in told[1:]}) == 1
    assert "oolong" not in at("two", "timeline")
    assert "Mert prefers coffee." in at("one", "timeline")


def test_a_folder_is_synchronised_and_conflicts_are_listed(at: At, tmp_path: Path) -> None:
    """Two homes, one after the other; the text of both corrections is shown."""
    (tmp_path / "stick").mkdir()
    name = json.loads(at("one", "--json", "remember", "Mert lives in Ankara."))["id"]
    at("one", "sync", str(tmp_path / "stick"))
    assert "1 memories came in" in at("two", "sync", str(tmp_path / "stick"))
    at("one", "correct", name, "Mert lives in Izmir.")
    at("two", "correct", name, "Mert lives in Bursa.")
    told = [at(home, "sync", str(tmp_path / "stick")) for home in ("one", "two", "one")]
    assert "1 conflicts" in told[-1]
    shown = at("two", "sync", "--conflicts")
    assert "Mert lives in Izmir." in shown
    assert "Mert lives in Bursa." in shown
    at("two", "sync", "--settle", name, str(tmp_path / "stick"))
    assert json.loads(at("two", "--json", "sync", "--conflicts"))["conflicts"] == []


@pytest.mark.parametrize("words", [(), ("--new-key", "--conflicts"), ("place", "--new-key"), ("--settle", "x")])
def test_one_thing_is_done_at_a_time(run: Run, words: tuple[str, ...]) -> None:
    """Neither nothing nor two."""
    done = run(*SCOPE, "sync", *words)
    assert done.code != 0
    assert "Exactly one thing" in done.err


def test_without_a_key_the_error_says_how_to_make_one(run: Run, folder: Path) -> None:
    """On the first machine, and on every other."""
    done = run(*SCOPE, "sync", str(folder))
    assert "--new-key" in done.err
    assert "--key-from" in done.err

"""The hook's own process: what it loads, how long it waits, and that it never fails."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reverie.faces.hook import client
from tests.faces.hook.conftest import Home

IMPATIENT = {"REVERIE_HOOK_DEADLINE_MS": "50", "REVERIE_HOOK_START_MS": "50"}


def test_it_loads_the_standard_library_alone_and_little_of_it() -> None:
    """No module but Python's own and three empty ones of ours, and none of the slow ones."""
    code = "import sys; before = set(sys.modules); import reverie.faces.hook.client; print(*set(sys.modules) - before)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = set(shown.split())
    ours = {name for name in loaded if name.startswith("reverie")}
    assert ours == {"reverie", "reverie.faces", "reverie.faces.hook", "reverie.faces.hook.client"}
    assert {name.partition(".")[0] for name in loaded - ours} <= sys.stdlib_module_names
    assert not {"typing", "re", "json", "pathlib", "subprocess", "socket", "dataclasses"} & loaded


@contextmanager
def listening(home: Home) -> Iterator[None]:
    """Something listens where the warm process would, and never answers."""
    home.runtime.mkdir(parents=True)
    with socket.socket(socket.AF_UNIX) as door:
        before = Path.cwd()
        os.chdir(home.runtime)
        door.bind("hook.sock")
        os.chdir(before)
        door.listen()
        yield


def test_a_service_that_hangs_costs_the_deadline_and_no_more(home: Home) -> None:
    """Something listens and never answers: silence, a reason in the log, and the call in the spool."""
    with listening(home):
        assert home.call({"hook_event_name": "Stop"}, **IMPATIENT) == ""
    assert "silent after" in home.log
    assert len(home.spool) == 1
    home.spool[0].unlink()


def test_a_host_that_does_not_close_its_pipe_is_not_waited_for(home: Home) -> None:
    """Input that does not end is given up at the deadline."""
    reading, writing = os.pipe()
    os.write(writing, b'{"hook_event_name"')
    code = "from reverie.faces.start import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "hook"], stdin=reading, env=home.environment(**IMPATIENT), capture_output=True
    )
    os.close(writing)
    os.close(reading)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "did not end in time" in home.log


def test_what_was_said_is_kept_even_where_no_time_was_left_to_read_it(home: Home) -> None:
    """The deadline has passed before the first look at the input, as on a busy machine: what lies there is spooled."""
    with listening(home):
        said = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": str(home.project), "prompt": "Kept?"}
        assert home.call(said, REVERIE_HOOK_DEADLINE_MS="0", REVERIE_HOOK_START_MS="0") == ""
    assert [b"Kept?" in path.read_bytes() for path in home.spool] == [True]
    home.spool[0].unlink()


def test_where_no_time_is_left_a_warm_process_is_started_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody listens: one is started, though not waited for, and takes in what is spooled now."""
    started: list[None] = []
    monkeypatch.setattr(client, "start_service", lambda: started.append(None))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(client.Late) as late:
        client._handed_over(b"", time.monotonic() - 1.0, (0.3, 0.8))
    assert len(started) == 1
    assert not late.value.received


def test_a_runtime_folder_that_cannot_be_used_is_replaced(home: Home, tmp_path: Path) -> None:
    """The cache folder serves in its place; without either there is silence."""
    (tmp_path / "file").write_text("")
    home.call({"hook_event_name": "SessionStart"}, XDG_RUNTIME_DIR=str(tmp_path / "file"))
    assert (home.runtime / "hook.sock").exists()
    home.stop()
    for path in sorted(home.runtime.parent.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    home.runtime.parent.rmdir()
    home.runtime.parent.write_text("")
    assert home.call({"hook_event_name": "Stop"}) == ""
    assert "no private folder" in home.log
    home.runtime.parent.unlink()


def test_a_folder_with_a_long_path_serves_too(home: Home, tmp_path: Path) -> None:
    """A socket's path may have a hundred characters or so; ours is always short."""
    deep = tmp_path / ("d" * 90) / ("e" * 90)
    deep.mkdir(parents=True)
    home.call({"hook_event_name": "SessionStart"}, XDG_RUNTIME_DIR=str(deep))
    assert "SessionStart" in home.log
    home.call(b"", "stop", XDG_RUNTIME_DIR=str(deep))


def test_deadlines_come_from_the_environment_then_from_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the service wrote down holds, a variable wins, and a cold call never has less time than a warm one."""
    monkeypatch.chdir(tmp_path)
    for name in ("REVERIE_HOOK_DEADLINE_MS", "REVERIE_HOOK_START_MS"):
        monkeypatch.delenv(name, raising=False)
    assert client._deadlines() == (0.3, 0.85)
    (tmp_path / client.DEADLINES).write_text("100 900\n")
    assert client._deadlines() == (0.1, 0.9)
    monkeypatch.setenv("REVERIE_HOOK_DEADLINE_MS", "2000")
    assert client._deadlines() == (2.0, 2.0)
    (tmp_path / client.DEADLINES).write_text("nonsense")
    assert client._deadlines() == (2.0, 2.0)


def test_the_log_is_put_aside_when_it_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two files at most, the fuller one older."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(client, "LOG_MAX", 200)
    for number in range(20):
        client.log(f"line {number}")
    assert sorted(path.name for path in (tmp_path / "reverie").iterdir()) == ["hook.log", "hook.log.1"]
    assert "line 19" in (tmp_path / "reverie" / "hook.log").read_text()


def test_a_line_of_the_log_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a host calls its event cannot write a line of its own, nor a long one."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    client.log("Stop\n2026-01-01 forged: silent " + "x" * 9_000)
    (line,) = (tmp_path / "reverie" / "hook.log").read_text(encoding="utf-8").splitlines()
    assert "Stop 2026-01-01 forged" in line
    assert len(line) < 600


def test_a_log_that_cannot_be_written_is_borne(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log is the last resort; without it there is silence, not an error."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    client.log("anything")
    client.spool(b"call", "1-1", client.state_folder())
    assert (tmp_path / "file").read_text() == ""


def test_arguments_of_a_host_are_passed_over() -> None:
    """--host and --event count; what else a host adds does not."""
    assert client.options(["--host", "gemini", "x", "--event", "Stop", "--flag"]) == [b"host=gemini", b"event=Stop"]
    assert client.options([]) == []


def test_secrets_stay_out_of_what_is_spooled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and tokens are for the running process alone."""
    monkeypatch.setenv("REVERIE_LLM_API_KEY", "hidden")
    monkeypatch.setenv("REVERIE_RECIPE", "v9")
    assert b"env=REVERIE_LLM_API_KEY=hidden" in client.variables(secret=True)
    spooled = client.variables(secret=False)
    assert b"env=REVERIE_RECIPE=v9" in spooled
    assert not any(b"hidden" in one for one in spooled)

"""The warm process as hosts meet it: real processes, one a user, whatever happens to it."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from reverie.faces.hook import client, service
from reverie.faces.hook.frames import HookCall, Spool
from tests.faces.hook.conftest import Home

PROMPT = {"hook_event_name": "UserPromptSubmit", "prompt": "Where does my sister Zeynep live?"}
FACT = "My sister Zeynep lives in Izmir."


def pid(home: Home) -> int:
    """The warm process's id; 0 where none runs."""
    state = json.loads(home.call(b"", "status", "--json"))
    return state["pid"] if state["running"] else 0


def wait_for_end(home: Home) -> None:
    """Until the warm process is gone: it holds the lock as long as it lives."""
    with (home.runtime / "hook.lock").open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)


def started(home: Home) -> int:
    """How often a warm process began to serve."""
    return home.log.count("service started")


def test_what_is_told_in_one_session_is_known_in_the_next(home: Home) -> None:
    """A prompt is kept with its answer, and a later session's prompt brings it back, fenced."""
    assert home.say("UserPromptSubmit", prompt=FACT) == ""
    assert home.say("Stop", last_assistant_message="I shall remember that.") == ""
    home.stop()
    told = json.loads(home.say("UserPromptSubmit", "s2", prompt="Where does my sister Zeynep live?"))
    context = told["hookSpecificOutput"]["additionalContext"]
    assert told["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    assert FACT in context
    assert context.startswith("[[reverie:begin ")
    assert context.rstrip().endswith("]]")
    assert home.kept("s1") == [("user", FACT), ("assistant", "I shall remember that.")]


def test_a_call_finds_a_service_that_runs(home: Home) -> None:
    """Calls are served by one process, which stays."""
    home.say("SessionStart")
    first = pid(home)
    home.say("SessionStart", "s2")
    assert pid(home) == first != 0
    assert started(home) == 1


def test_it_stands_apart_from_the_host(home: Home) -> None:
    """It is in no process group or session of the host's, and holds none of its pipes."""
    home.say("SessionStart")  # returns although the service lives on: the pipes are closed
    warm = pid(home)
    assert os.getsid(warm) != os.getsid(0)
    assert os.getpgid(warm) != os.getpgid(0)


def test_two_that_start_it_at_once_start_one(home: Home) -> None:
    """However many hosts begin at the same time, one process serves them all."""
    home.remember(FACT)
    calls = [home.start({**PROMPT, "session_id": f"s{n}", "cwd": str(home.project)}) for n in range(4)]
    answers = [call.communicate(timeout=60)[0].decode() for call in calls]
    assert all(FACT in answer for answer in answers)
    assert started(home) == 1


def test_a_killed_service_is_replaced(home: Home) -> None:
    """After kill -9 the socket is there and nobody listens: the next call starts another."""
    home.remember(FACT)
    home.say("SessionStart")
    os.kill(pid(home), signal.SIGKILL)
    wait_for_end(home)
    assert (home.runtime / "hook.sock").exists()
    assert FACT in home.say("UserPromptSubmit", prompt=PROMPT["prompt"])
    assert started(home) == 2


def test_a_service_told_to_end_keeps_what_it_was_told(home: Home) -> None:
    """SIGTERM loses nothing."""
    home.say("UserPromptSubmit", prompt=FACT)
    os.kill(pid(home), signal.SIGTERM)
    wait_for_end(home)
    assert home.kept() == [("user", FACT)]
    assert home.spool == []


def test_another_versions_service_makes_room(home: Home) -> None:
    """A call of other code has the service replaced and is answered by the new one, however slowly the old goes."""
    home.remember(FACT)
    code = "import time\nfrom reverie.faces.hook import service\nservice.version = lambda: 'another'\n"
    code += "tell = service.log\nservice.log = lambda line: (tell(line), time.sleep(1.0 if 'leaving' in line else 0))\n"
    code += "service.main()"
    environment = home.environment()
    with subprocess.Popen([sys.executable, "-c", code], env=environment, start_new_session=True) as other:
        while pid(home) == 0:
            assert other.poll() is None
        answer = home.say("UserPromptSubmit", prompt=PROMPT["prompt"])
        home.stop()
    assert FACT in answer
    assert other.returncode == 0
    assert started(home) == 2
    assert "another version calls" in home.log


def test_what_a_client_spooled_is_kept_once(home: Home) -> None:
    """With no service to be reached in time a capture waits in a private file, and the next start takes it in."""
    said = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": str(home.project), "prompt": FACT}
    impatient = {"REVERIE_HOOK_DEADLINE_MS": "1", "REVERIE_HOOK_START_MS": "1"}
    home.call(said, **impatient)
    home.call(said | {"prompt": "And my brother lives in Ankara."}, REVERIE_API_KEY="hidden", **impatient)
    for path in home.spool:
        assert path.stat().st_mode & 0o077 == 0
        assert b"hidden" not in path.read_bytes()
    home.say("SessionEnd")
    home.stop()
    home.say("SessionEnd")
    home.stop()
    assert home.kept() == [("user", FACT), ("user", "And my brother lives in Ankara.")]
    assert home.spool == []


def test_a_call_that_was_killed_after_it_was_taken_is_done_by_the_next(home: Home) -> None:
    """What lies in the spool under its stamp is kept by the next service, once, however often it lies there."""
    home.say("SessionStart")
    os.kill(pid(home), signal.SIGKILL)
    wait_for_end(home)
    head = [b"version=x", b"stamp=1780000000000000000-7", b"cwd=" + os.fsencode(home.project)]
    head.append(b"env=HOME=" + os.fsencode(home.path))
    body = json.dumps({"hook_event_name": "Stop", "session_id": "s1", "last_assistant_message": "Done."}).encode()
    Spool(home.state / "hook-spool").put("1780000000000000000-7", client.frame(head, body))
    home.say("SessionStart")
    home.stop()
    assert home.kept() == [("assistant", "Done.")]


@pytest.mark.parametrize(
    "given",
    [b"", b"x", b"[]", b"{}", b"\xff\xfe", b'{"hook_event_name": 3}', b'{"hook_event_name": "Stop"', b"[" * 99_999],
)
def test_any_input_is_borne(home: Home, given: bytes) -> None:
    """What is no call of a host is answered with silence and a line in the log."""
    assert home.call(given) == ""
    assert "silent" in home.log


def test_nobody_calls_and_it_ends(home: Home) -> None:
    """Idle for as long as the settings say, it goes; what it served is kept."""
    config = home.path / ".config" / "reverie" / "config.toml"
    config.write_text(config.read_text() + "[hook]\nidle_minutes = 0.001\n")
    home.say("UserPromptSubmit", prompt=FACT)
    wait_for_end(home)
    assert "service idle: leaving" in home.log
    assert not (home.runtime / "hook.sock").exists()
    assert home.kept() == [("user", FACT)]


def test_a_service_whose_folder_was_taken_away_ends(home: Home) -> None:
    """It cannot be reached, so it goes; the next call is served by another."""
    home.say("SessionStart")
    with (home.runtime / "hook.lock").open("rb") as held:
        for path in home.runtime.iterdir():
            path.unlink()
        home.runtime.rmdir()
        fcntl.flock(held, fcntl.LOCK_EX)
    assert "the socket was taken away" in home.log
    home.say("SessionStart")
    assert started(home) == 2


def test_a_socket_in_its_place_is_left_alone(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where another listens by now it goes, and does not take that one's socket away."""
    home.say("SessionStart")
    monkeypatch.chdir(home.runtime)  # a socket's path may not be long
    with Path("hook.lock").open("rb") as held, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
        other.bind("next.sock")
        Path("next.sock").replace("hook.sock")
        fcntl.flock(held, fcntl.LOCK_EX)
    assert "the socket was taken away" in home.log
    assert Path("hook.sock").exists()


def test_a_spool_that_takes_nothing_costs_no_answer(home: Home) -> None:
    """Full or not to be written, it is told in the log; what is said is answered and kept all the same."""
    home.remember(FACT)
    (home.state / "hook-spool").parent.mkdir(parents=True)
    (home.state / "hook-spool").touch()
    assert FACT in home.say("UserPromptSubmit", prompt=PROMPT["prompt"])
    home.stop()
    assert home.kept("s1") == [("user", PROMPT["prompt"])]
    assert "the spool cannot be written" in home.log


def test_settings_hold_from_the_next_call_on(home: Home) -> None:
    """A service that runs reads the settings anew: switched off, it neither tells nor keeps."""
    home.remember(FACT)
    assert FACT in home.say("UserPromptSubmit", prompt=PROMPT["prompt"])
    (home.project / "reverie.toml").write_text("[hook]\nrecall = false\ncapture = false\n")
    assert home.say("UserPromptSubmit", "s2", prompt=PROMPT["prompt"]) == ""
    home.stop()
    assert ("user", PROMPT["prompt"]) not in home.kept("s2")


def test_two_projects_at_once_do_not_mix(home: Home) -> None:
    """One service, two folders with settings of their own: what one is told the other does not hear."""
    other = home.path / "other"
    other.mkdir()
    (other / "reverie.toml").write_text('project = "other"\n')
    home.say("UserPromptSubmit", prompt=FACT)
    home.stop()
    asked = {**PROMPT, "session_id": "s9"}
    assert home.call({**asked, "cwd": str(other)}) == ""
    assert FACT in home.call({**asked, "cwd": str(home.project)})
    assert started(home) == 2


def test_files_are_private(home: Home) -> None:
    """Nobody else reads the socket's folder, the log or the spool, even where they were open before."""
    home.runtime.mkdir(parents=True, mode=0o755)
    home.say("SessionStart")
    for path in (home.runtime, home.runtime / "hook.sock", home.state / "hook.log", home.state / "hook-spool"):
        assert path.stat().st_mode & 0o077 == 0, path


def test_no_texts_in_the_log(home: Home) -> None:
    """The log says what happened, never what was said."""
    home.remember(FACT)
    home.say("UserPromptSubmit", prompt=PROMPT["prompt"])
    home.say("Stop", last_assistant_message="She lives in Izmir.")
    home.stop()
    assert "UserPromptSubmit: 1 notes" in home.log
    assert not any(word in home.log for word in ("Zeynep", "Izmir", "sister"))


def test_a_stamp_is_taken_once(tmp_path: Path) -> None:
    """The same call over the socket and in the spool is one call."""
    one = service.HookService(Spool(tmp_path))
    call = HookCall("v", "17-1", "", {}, b"{}")
    frame = client.frame([b"stamp=17-1"], b"{}")
    assert one._is_ours(call, frame)
    assert not one._is_ours(call, frame)
    assert [stamp for stamp, _ in Spool(tmp_path).waiting()] == ["17-1"]

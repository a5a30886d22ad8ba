"""Commands that read, through the background process: as real processes, and equal to what they print on their own."""

from __future__ import annotations

import os
import pty
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from reverie import Permission, Policy, Reverie
from reverie.config import Settings
from reverie.engine.requests import actor
from reverie.events import Event
from reverie.faces.cli import main
from reverie.faces.cli.invocation import by_hand
from reverie.faces.cli.warm import WarmCommands, is_eligible
from reverie.faces.hook import client, warm
from reverie.faces.hook.answers import HookServing
from reverie.faces.hook.frames import parse
from tests.faces.hook.conftest import CLI, Home

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no background process on this system")

TEXTS = (
    "My sister Zeynep lives in Izmir.",
    "The spare key hangs behind the boiler.",
    "Yedek anahtar kazanın arkasında.",
)
CUE = "Where does my sister Zeynep live?"
NOW = ("--now", "2027-03-02")
CHANGING = re.compile(r'"(took_ms|accesses|last_access)": [^\n]*')
"""What two runs of the same command differ in: times that stages took, and the count of the run before."""
ANSWERED, OPENED = "a command answered", "opened for the next"
PATIENCE_S = 60.0


class Desk(Home):
    """A home with a store and no model, where commands are typed as processes of their own."""

    def make(self) -> None:
        """Write the settings, and keep a few messages."""
        self.settle()
        self.remember(*TEXTS)

    def type(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Type a command, with the deadlines that hold by default."""
        around = {name: value for name, value in self.environment(**more).items() if value}
        return subprocess.run(
            [sys.executable, "-c", CLI, *words],
            cwd=more.get("PWD", self.project),
            env=around,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    def warmed(self, *words: str) -> None:
        """Have the background process open the store of a command, and wait until it has."""
        before = self.log.count(OPENED)
        self.type(*(words or ("recall", CUE)))
        self.wait(OPENED, before + 1)

    def wait(self, line: str, times: int = 1) -> None:
        """Wait until the log says something so often."""
        until = time.monotonic() + PATIENCE_S
        while self.log.count(line) < times:
            assert time.monotonic() < until, self.log
            time.sleep(0.02)

    def journal(self) -> list[Event]:
        """The recalls that were counted."""
        with Reverie.open(self.path / "memory" / "reverie.db", embedder=None) as memory:
            return [one for one in memory.admin.events(self.scope) if str(one.action) == "recall"]


def new_desk(path: Path) -> Desk:
    """A desk with three messages, where nothing runs."""
    desk = Desk(path)
    desk.make()
    return desk


@pytest.fixture(scope="module")
def warm_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desk whose store the background process has open."""
    desk = new_desk(tmp_path_factory.mktemp("warm") / "home")
    desk.warmed()
    yield desk
    desk.stop()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk where no background process runs yet."""
    desk = new_desk(tmp_path / "home")
    yield desk
    desk.stop()


@contextmanager
def at(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process, as if it ran there."""
    with monkeypatch.context() as patch:
        for name in [*filter(lambda one: one.startswith(("REVERIE_", "XDG_")), os.environ)]:
            patch.delenv(name)
        patch.setenv("HOME", str(desk.path))
        patch.chdir(desk.project)
        yield


@pytest.mark.parametrize(
    "words",
    [
        ("recall", CUE),
        ("recall", CUE, "--json"),
        ("--json", "recall", "Yedek anahtar nerede?", "--top-k", "2", "--past"),
        ("recall", CUE, "--as-of", "2020-01-01", "--json"),
        ("recall", "What is the capital of Peru?", "--full", "--budget", "0"),
        ("--project=house", "--user", "ada", "recall", CUE, "--start", "2020-01-01"),
        ("explain", CUE),
        ("explain", CUE, "--json"),
    ],
)
def test_a_command_prints_the_same_both_ways(
    words: tuple[str, ...], warm_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte, but for the times that stages took and the access that the other run counted."""
    answered = warm_desk.log.count(ANSWERED)
    done = warm_desk.type(*words, *NOW)
    assert warm_desk.log.count(ANSWERED) == answered + 1
    with at(warm_desk, monkeypatch):
        own = CliRunner().invoke(main, [*words, *NOW], prog_name="reverie")
    assert (done.returncode, done.stderr) == (own.exit_code, own.stderr) == (0, "")
    assert CHANGING.sub("", done.stdout) == CHANGING.sub("", own.stdout)
    assert len(done.stdout) > 50


def test_a_terminal_gets_the_same_table_both_ways(warm_desk: Desk) -> None:
    """Drawn for its width, and in colours."""
    shown = []
    for switch in ("true", "false"):
        reading, writing = pty.openpty()
        around = warm_desk.environment(COLUMNS="60", TERM="xterm", REVERIE_HOOK_COMMAND_LINE=switch)
        around.pop("NO_COLOR", None)
        words = [sys.executable, "-c", CLI, "recall", CUE, *NOW]
        subprocess.run(words, cwd=warm_desk.project, env=around, stdout=writing, check=True)
        os.close(writing)
        shown.append(os.read(reading, 1 << 16))
        os.close(reading)
    assert shown[0] == shown[1]
    assert b"\x1b[1m" in shown[0]
    assert max(len(line) for line in re.sub(rb"\x1b\[\d+m", b"", shown[0]).decode().splitlines()) <= 80


@pytest.mark.parametrize(
    "words",
    [
        ("recall",),
        ("recall", CUE, "--top-k", "none"),
        ("recall", CUE, "--agent", " "),
        ("recall", CUE, "--end", "2020-01-01", "--start", "2021-01-01", "--json"),
        ("recall", CUE, "--store", "missing.db"),
    ],
)
def test_an_error_is_the_same_both_ways(
    words: tuple[str, ...], warm_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its text, its stream and its exit code; nothing is counted."""
    before = len(warm_desk.journal())
    done = warm_desk.type(*words)
    with at(warm_desk, monkeypatch):
        own = CliRunner().invoke(main, list(words), prog_name="reverie")
    shown = [re.sub(r"(Usage: |Try ')-c ", r"\1reverie ", text) for text in (done.stdout, done.stderr)]
    assert (done.returncode, *shown) == (own.exit_code, own.stdout, own.stderr)
    assert len(warm_desk.journal()) == before


def test_a_recall_is_counted_as_one_by_hand(warm_desk: Desk) -> None:
    """Once, with the same caller, memories and reason as a recall in a process of its own."""
    before = len(warm_desk.journal())
    warm_desk.type("recall", CUE)
    warm_desk.type("recall", CUE, REVERIE_HOOK_COMMAND_LINE="false")
    first, second = warm_desk.journal()[before:]
    assert (first.actor, first.why, first.payload) == (second.actor, second.why, second.payload)
    assert first.actor.startswith("cli:")


def both(desk: Desk, *words: str, **more: str) -> list[tuple[int, str, str]]:
    """Exit code and output of a command through the background process, and in a process of its own."""
    done = [desk.type(*words, REVERIE_HOOK_COMMAND_LINE=switch, **more) for switch in ("true", "false")]
    return [(one.returncode, CHANGING.sub("", one.stdout), one.stderr) for one in done]


def test_policies_hold_for_who_types(warm_desk: Desk) -> None:
    """What a policy keeps from a caller is kept from it by the background process, too."""
    read = (Permission.READ, Permission.WRITE, Permission.GOVERN)
    rules = (Policy("mine", actor(warm_desk.scope), read), Policy("hidden", by_hand(), (Permission.READ,), tags=("x",)))
    with Reverie.open(warm_desk.path / "memory" / "reverie.db", embedder=None) as memory:
        for rule in rules:
            memory.admin.set_policy(rule, warm_desk.scope)
        try:
            through, alone = both(warm_desk, "recall", CUE)
        finally:
            for rule in reversed(rules):
                memory.admin.drop_policy(rule.name, warm_desk.scope)
    assert through == alone
    assert "Izmir" not in through[1]


def test_a_folder_from_somebody_else_gets_no_more_there(warm_desk: Desk) -> None:
    """A cloned folder's settings do not hold, its store is not opened, and both are said as in a process of its own."""
    clone = warm_desk.path / "clone"
    clone.mkdir()
    (clone / "reverie.toml").write_text('store = "reverie.db"\nuser = "eve"\n')
    (clone / "reverie.db").write_bytes((warm_desk.path / "memory" / "reverie.db").read_bytes())
    through, alone = both(warm_desk, "recall", CUE, PWD=str(clone))
    assert through == alone
    assert (through[0], "is not trusted" in through[2]) == (0, True)
    through, alone = both(warm_desk, "recall", CUE, PWD=str(clone), REVERIE_STORE="reverie.db")
    assert through == alone
    assert through[0] == 18


@pytest.mark.parametrize(
    ("words", "more"),
    [
        (("--recipe", "v9"), {}),
        (("--session", "s1"), {}),
        ((), {"REVERIE_LLM": "openai:small@http://127.0.0.1:9"}),
        ((), {"XDG_STATE_HOME": "elsewhere"}),
        ((), {"REVERIE_HOOK_COMMAND_LINE": "false"}),
    ],
)
def test_what_it_cannot_honour_runs_on_its_own(words: tuple[str, ...], more: dict[str, str], warm_desk: Desk) -> None:
    """Another recipe, a session, a language model, another home: as if no background process ran."""
    answered = warm_desk.log.count(ANSWERED)
    if "XDG_STATE_HOME" in more:
        more = {"XDG_STATE_HOME": str(warm_desk.path / "elsewhere")}
    done = warm_desk.type("recall", CUE, *words, **more)
    assert (done.returncode, "Izmir" in done.stdout) == (0, True)
    assert warm_desk.log.count(ANSWERED) == answered


def test_another_store_is_opened_for_the_next(warm_desk: Desk) -> None:
    """The first recall of a store opens it itself; the second is answered, and hears what was said in between."""
    second = warm_desk.path / "second.db"
    with Reverie.open(second, embedder=None) as memory:
        memory.remember("The bike is in the cellar.", warm_desk.scope)
    words = ("recall", "Where is the bike?", "--store", str(second))
    warm_desk.warmed(*words)
    answered = warm_desk.log.count(ANSWERED)
    with Reverie.open(second, embedder=None) as memory:
        memory.remember("The bike is at the repair shop now.", warm_desk.scope)
    assert "repair shop" in warm_desk.type(*words).stdout
    assert warm_desk.log.count(ANSWERED) == answered + 1
    second.unlink()
    assert warm_desk.type(*words).returncode == 11


def test_the_first_command_starts_it(desk: Desk) -> None:
    """Without a process the command answers by itself, and the next is answered by the process that it started."""
    assert "Izmir" in desk.type("recall", CUE).stdout
    desk.wait(OPENED)
    assert "Izmir" in desk.type("explain", CUE).stdout
    assert desk.log.count(ANSWERED) == desk.log.count("service started") == 1
    assert "background process" in desk.type("hook", "status").stdout


def test_a_process_that_a_hook_started_answers_commands_too(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its engine for the folder's settings is open already, and nobody prepares it."""
    desk.say("SessionStart")
    until = time.monotonic() + PATIENCE_S
    with at(desk, monkeypatch):
        while not (reply := warm.ask(["recall", CUE])).answered:
            assert time.monotonic() < until
            assert reply.cold
            time.sleep(0.1)
    assert "Izmir" in reply.out
    assert len(desk.journal()) == 1


@pytest.mark.parametrize("how", ["settings", "variable", "failure", "help", "read-only"])
def test_none_is_started_where_nobody_wants_one(how: str, desk: Desk) -> None:
    """Switched off, for a command that failed or only helped, or where its log could not be written."""
    words, more = ["recall", CUE], {}
    if how == "settings":
        config = desk.path / ".config" / "reverie" / "config.toml"
        config.write_text(config.read_text() + "[hook]\ncommand_line = false\n")
    elif how == "read-only":
        (desk.path / ".local").write_text("")
    elif how == "variable":
        more = {"REVERIE_HOOK_COMMAND_LINE": "false"}
    else:
        words = ["recall", "--help"] if how == "help" else ["recall", CUE, "--top-k", "0"]
    assert desk.type(*words, **more).returncode == (2 if how == "failure" else 0)
    time.sleep(0.3)
    assert not desk.runtime.exists()


def door(desk: Desk) -> socket.socket:
    """A socket in the place of the background process's, at which nobody answers."""
    desk.runtime.mkdir(parents=True, mode=0o700)
    found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = Path.cwd()
    os.chdir(desk.runtime)
    found.bind(client.SOCKET)
    os.chdir(before)
    return found


def test_a_socket_without_a_process_costs_nothing(desk: Desk) -> None:
    """What a killed process left: the command answers, and starts another."""
    door(desk).close()
    assert "Izmir" in desk.type("recall", CUE).stdout
    desk.wait(OPENED)


def test_a_process_that_hangs_costs_three_tenths_of_a_second(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes the call and says nothing: the command runs by itself, and starts no second one."""
    with door(desk) as hanging:
        hanging.listen()
        with at(desk, monkeypatch):
            began = time.monotonic()
            reply = warm.ask(["recall", CUE])
            took = time.monotonic() - began
            assert Path.cwd() == desk.project
        assert (reply.answered, reply.nobody, reply.cold) == (False, False, False)
        assert warm.READY_S <= took < warm.READY_S + 0.5
        assert "Izmir" in desk.type("recall", CUE).stdout
    assert "service started" not in desk.log


def test_what_no_process_of_ours_says_is_no_answer(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another protocol, an answer cut short, and a connection that ends at once."""
    for said in (b"HTTP/1.1 200", b"+", b"++\0\0\0\x09\0\0\0\x01ab", b"+\xff", b""):
        with door(desk) as other, at(desk, monkeypatch):
            other.listen()

            def serve(other: socket.socket = other, said: bytes = said) -> None:
                line, _ = other.accept()
                with line, suppress(OSError):
                    line.recv(1 << 16)
                    line.sendall(said[:1])
                    line.sendall(said[1:])
                    line.shutdown(socket.SHUT_WR)
                    line.recv(1)

            thread = threading.Thread(target=serve)
            thread.start()
            assert not warm.ask(["recall", CUE]).answered
            thread.join()
        shutil.rmtree(desk.runtime)


def test_another_users_socket_is_not_talked_to(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor one that is a link, nor a process of somebody else's behind ours."""
    with door(desk) as other, at(desk, monkeypatch):
        other.listen()
        other.setblocking(False)
        monkeypatch.setattr(warm, "_peer", lambda _: os.getuid() + 1)
        assert not warm.ask(["recall", CUE]).answered
        line, _ = other.accept()
        with line:
            assert line.recv(1) == b""  # the call, which holds the caller's variables, was not sent
        monkeypatch.undo()
    with at(desk, monkeypatch):
        (desk.runtime / client.SOCKET).rename(desk.runtime / "moved.sock")
        (desk.runtime / client.SOCKET).symlink_to("moved.sock")
        assert not warm.ask(["recall", CUE]).answered
        (desk.runtime / client.SOCKET).unlink()
        (desk.runtime / "moved.sock").rename(desk.runtime / client.SOCKET)
        if os.geteuid() == 0:
            os.chown(desk.runtime / client.SOCKET, 12345, 12345)
            reply = warm.ask(["recall", CUE])
            assert (reply.answered, reply.nobody) == (False, False)
            os.chown(desk.runtime, 12345, 12345)
            assert not warm.ask(["recall", CUE]).answered
            os.chown(desk.runtime, 0, 0)


def test_another_versions_process_makes_room(desk: Desk) -> None:
    """The command answers by itself, and a process of its own version takes over."""
    code = "from reverie.faces.hook import service\nservice.version = lambda: 'another'\nservice.main()"
    with subprocess.Popen([sys.executable, "-c", code], env=desk.environment(), start_new_session=True) as other:
        desk.wait("service started")
        assert "Izmir" in desk.type("recall", CUE).stdout
        desk.wait("service started", 2)
        desk.wait(OPENED)
    assert other.returncode == 0
    assert "Izmir" in desk.type("recall", CUE).stdout
    assert desk.log.count(ANSWERED) == 1


def test_a_caller_that_has_gone_is_not_counted(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process recalls only when it was told to go on; and runs nothing but commands that read."""
    serving = HookServing(client.log)
    with at(desk, monkeypatch):
        commands = WarmCommands()

        def run(begins: bool, *words: str) -> bool:
            call = parse(warm.call_of(warm.RUN, list(words), os.fsencode(desk.project)))
            commands.prepare(call, serving)
            return commands.run(call, serving, lambda: begins)[0]

        assert [run(begins, "recall", CUE) for begins in (False, True)] == [False, True]
        assert not run(True, "forget", "anything")
        assert not run(True, "--store", "x", "--json")
        serving.close()
    assert len(desk.journal()) == 1


def test_its_own_process_loads_neither_engine_nor_command_line(warm_desk: Desk) -> None:
    """No numpy, no click, no SQLite: what it loads is a small part of the standard library."""
    code = f"import sys; sys.argv[1:] = ['recall', {CUE!r}]\n{CLI}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=warm_desk.project,
        env=warm_desk.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    ours = {name for name in loaded if name.startswith("reverie.")}
    assert "Izmir" in done.stdout
    assert ours == {f"reverie.faces{name}" for name in ("", ".start", ".hook", ".hook.client", ".hook.warm")}
    assert not {"click", "numpy", "sqlite3", "typing", "json", "pathlib", "subprocess", "dataclasses", "re"} & loaded


@pytest.mark.parametrize(
    ("words", "is_one"),
    [
        ("recall x", True),
        ("--json explain x", True),
        ("--store a.db --user=ada recall x", True),
        ("remember recall", False),
        ("--store recall", False),
        ("timeline", False),
        ("--what recall x", False),
        ("", False),
    ],
)
def test_a_command_that_reads_is_known_by_its_place(words: str, is_one: bool) -> None:
    """Behind the options that every command takes."""
    assert warm.is_reading(words.split()) == is_one


def test_only_a_file_that_is_there_is_opened_for_commands(tmp_path: Path) -> None:
    """No server, no table, no encrypted store, none in memory: those are opened by each command."""
    Reverie.open(tmp_path / "a.db", embedder=None).close()
    plain = Settings(store=str(tmp_path / "a.db"))
    assert is_eligible(plain)
    stores = ("missing.db", "postgresql://h/d", ":memory:", str(tmp_path))
    assert not any(is_eligible(replace(plain, store=store)) for store in stores)
    assert not is_eligible(replace(plain, encrypted=True))

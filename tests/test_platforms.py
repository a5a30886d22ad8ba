"""Reverie without what other systems lack, simulated: none of this ran on Windows or macOS (docs/platforms.md)."""

from __future__ import annotations

import json
import plistlib
import subprocess
import sys
from pathlib import Path, PureWindowsPath
from typing import Any
from xml.etree import ElementTree

import pytest

from reverie.durable import home_folder, user_folder
from reverie.errors import InvalidInput, NotFound
from reverie.faces.cli import timers
from reverie.faces.cli.timers import Cron, Launchd, NightlyRun, TaskScheduler, chosen_timer
from reverie.hosts.host import HostEnvironment, Where, is_same_call
from reverie.hosts.known import host

WINDOWS = """
import getpass, importlib.abc, json, multiprocessing, os, subprocess, sys, tempfile, types  # they look for Windows
import fcntl as real, socket
LACKS = {"fcntl", "pwd", "grp", "termios", "tty", "resource", "uvloop"}
class Away(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in LACKS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Away())
for name in LACKS:
    sys.modules.pop(name, None)
for name in ("fork", "setsid", "getuid", "geteuid", "getgid", "fchmod", "fchown", "pread", "pwrite", "preadv", "mkfifo",
             "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_DIRECTORY", "pidfd_open", "posix_fadvise", "fdatasync"):
    if hasattr(os, name):
        delattr(os, name)
del socket.AF_UNIX
locking = types.ModuleType("msvcrt")
locking.LK_NBLCK, locking.LK_UNLCK = 2, 0
def lock(file, mode, size):
    real.flock(file, real.LOCK_UN if mode == locking.LK_UNLCK else real.LOCK_EX | real.LOCK_NB)
locking.locking = lock
sys.modules["msvcrt"] = locking
os.environ["USERPROFILE"] = os.environ.pop("HOME")
from click.testing import CliRunner
from reverie.faces.cli import main
told = []
for command in json.loads(sys.argv[1]):
    found = CliRunner().invoke(main, command)
    fault = None if found.exception is None or isinstance(found.exception, SystemExit) else repr(found.exception)
    told.append([found.exit_code, found.output, fault])
print(json.dumps(told))
"""


def without(commands: list[list[str]], folder: Path) -> list[tuple[int, str]]:
    """Run commands in a process that lacks what Windows lacks; its locks are those of a stand-in for ``msvcrt``."""
    folder.mkdir(exist_ok=True)
    environment = {"HOME": str(folder.parent / "home"), "PATH": "/usr/bin:/bin", "USERNAME": "ada"}
    done = subprocess.run(
        [sys.executable, "-c", WINDOWS, json.dumps(commands)],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told: list[list[Any]] = json.loads(done.stdout)
    assert [fault for _, _, fault in told if fault] == []
    return [(code, said) for code, said, _ in told]


def test_everyday_commands_do_without_what_windows_lacks(tmp_path: Path) -> None:
    """No ``fcntl``, ``pwd`` or ``fork``, no flags of POSIX, the home in USERPROFILE: all is kept, found and logged."""
    told = without(
        [
            ["init", "--agent", "a", "--user", "u", "--project", "p"],
            ["remember", "The spare key hangs behind the boiler.", "--no-model"],
            ["observe", "I moved to Lisbon in May.", "--no-model"],
            ["recall", "Where is the spare key?", "--no-model"],
            ["forget", "--help"],
            ["dream", "--no-model"],
            ["undo"],
            ["store", "verify"],
            ["store", "backup", "copy.db"],
            ["audit", "log"],
            ["doctor", "--no-model"],
            ["install", "claude-code", "--yes", "--no-model"],
            ["install", "claude-code", "--undo", "--yes"],
            ["hook", "status"],
        ],
        tmp_path / "work",
    )
    *sound, status = told
    assert [(code, said) for code, said in sound if code != 0] == []
    assert "spare key hangs" in told[3][1]
    assert "remember" in told[9][1]
    assert (status[0], "each call is answered by itself" in status[1]) == (2, True)
    assert (tmp_path / "home" / ".config" / "reverie" / "config.toml").is_file()


def test_a_hook_without_a_background_process_answers_and_keeps(tmp_path: Path) -> None:
    """What one session said is told to the next; nothing else runs meanwhile, and nothing is left running."""
    work, home = tmp_path / "work", tmp_path / "home"
    home.mkdir()
    without([["install", "claude-code", "--yes", "--no-model"]], work)
    called = WINDOWS[: WINDOWS.index("from click.testing")] + (
        "from reverie.faces.start import main\nsys.argv = ['reverie', 'hook', '--host', 'claude-code']\nmain()\n"
    )

    def hook(session: str, prompt: str) -> str:
        body = {"hook_event_name": "UserPromptSubmit", "session_id": session, "cwd": str(work), "prompt": prompt}
        done = subprocess.run(
            [sys.executable, "-c", called],
            input=json.dumps(body),
            capture_output=True,
            text=True,
            cwd=work,
            env={"HOME": str(home), "PATH": "/usr/bin:/bin", "USERNAME": "ada", "REVERIE_EMBEDDER": "none"},
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    hook("one", "Our staging server is called Heron and it runs in Frankfurt.")
    assert "Heron" in hook("two", "What is our staging server called?")
    log = home / ".local" / "state" / "reverie" / "hook.log"
    assert "1 notes" in log.read_text(encoding="utf-8")


def test_a_home_is_found_by_either_name() -> None:
    """HOME where it is set, USERPROFILE elsewhere; a folder below it."""
    assert home_folder({"HOME": "/home-of/ada", "USERPROFILE": "C:\\Programs\\ada"}) == "/home-of/ada"
    assert home_folder({"USERPROFILE": "C:\\Programs\\ada"}) == "C:\\Programs\\ada"
    assert user_folder({"USERPROFILE": "/profile"}, "XDG_STATE_HOME", ".local/state") == Path("/profile/.local/state")
    assert user_folder({}, "XDG_STATE_HOME", ".local/state") is None


def on(system: str, program: str, tmp_path: Path) -> HostEnvironment:
    """Surroundings on another system."""
    return HostEnvironment({"USERPROFILE": str(tmp_path)}, tmp_path / "house", "house", (program,), system)


def test_on_windows_a_hooks_command_is_quoted_for_bash_and_cmd(tmp_path: Path) -> None:
    """Double quotes and slashes: bash keeps them, cmd takes them; it is known again as Reverie's."""
    program = str(PureWindowsPath("C:/Programs/Ada Lovelace/pipx/reverie.exe"))
    said = on("win32", program, tmp_path).hook_command("codex")
    assert said == '"C:/Programs/Ada Lovelace/pipx/reverie.exe" hook --host codex'
    assert is_same_call(said, on("win32", "other.exe", tmp_path).hook_command("codex"))


@pytest.mark.parametrize(
    ("system", "folder"),
    [
        ("linux", ".config/Code/User"),
        ("darwin", "Library/Application Support/Code/User"),
        ("win32", "AppData/Roaming/Code/User"),
    ],
)
def test_an_editors_settings_lie_where_the_system_has_them(system: str, folder: str, tmp_path: Path) -> None:
    """VS Code is the only host whose place differs between systems."""
    (file,) = host("vscode").files(on(system, "reverie", tmp_path), Where.USER)
    assert file.path == tmp_path / folder / "mcp.json"


def night(*command: str, folder: str = "/data/Şule's & Co") -> NightlyRun:
    return NightlyRun(command, Path(folder), 3, 5, "k3y", "Reverie's nightly dream of <a>/u/p")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What would have been run."""
    calls: list[list[str]] = []

    def run(command: list[str], piped: bytes | None = None, *, fine: bytes = b"") -> bytes:
        calls.append(list(command))
        if command[0] == "schtasks" and command[1] == "/Create":
            calls[-1].append(Path(command[-1]).read_text(encoding="utf-16"))
        return b""

    monkeypatch.setattr(timers, "run", run)
    monkeypatch.setattr(timers.os, "getuid", lambda: 501, raising=False)
    return calls


def test_launchd_gets_an_agent_and_loses_it(tmp_path: Path, asked: list[list[str]]) -> None:
    """A property list that says what runs when; an older one is unloaded first."""
    launchd, run = Launchd(tmp_path / "LaunchAgents"), night("/bin/reverie", "dream", "--user=O'Neil <5>")
    launchd.install(run)
    file = tmp_path / "LaunchAgents" / "reverie-dream-k3y.plist"
    agent = plistlib.loads(file.read_bytes())
    assert agent["ProgramArguments"] == ["/bin/reverie", "dream", "--user=O'Neil <5>"]
    assert agent["StartCalendarInterval"] == {"Hour": 3, "Minute": 5}
    assert agent["WorkingDirectory"] == "/data/Şule's & Co"
    launchd.install(run)
    launchd.remove(run)
    assert asked == [
        ["launchctl", "bootstrap", "gui/501", str(file)],
        ["launchctl", "bootout", "gui/501/reverie-dream-k3y"],
        ["launchctl", "bootstrap", "gui/501", str(file)],
        ["launchctl", "bootout", "gui/501/reverie-dream-k3y"],
    ]
    with pytest.raises(NotFound, match="not scheduled with launchd"):
        launchd.remove(run)


def test_the_task_scheduler_gets_a_task_and_loses_it(asked: list[list[str]]) -> None:
    """Well-formed XML in which no name of a scope can end an element, and arguments quoted as Windows reads them."""
    scheduler, run = TaskScheduler(), night("C:\\x y\\reverie.exe", "dream", "--user=O'Neil <5>", "two words")
    scheduler.install(run)
    [[*command, text]] = asked
    assert command[:5] == ["schtasks", "/Create", "/F", "/TN", "reverie-dream-k3y"]
    place = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"
    task = ElementTree.fromstring(text.partition("?>")[2])
    found = {one.tag.removeprefix(place): one.text for one in task.iter()}
    assert found["Command"] == "C:\\x y\\reverie.exe"
    assert found["Arguments"] == 'dream "--user=O\'Neil <5>" "two words"'
    assert found["WorkingDirectory"] == "/data/Şule's & Co"
    assert found["StartBoundary"] == "2026-01-01T03:05:00"
    assert found["Description"] == "Reverie's nightly dream of <a>/u/p"
    scheduler.remove(run)
    assert asked[1:] == [["schtasks", verb, *rest, "/TN", run.name] for verb, *rest in (["/Query"], ["/Delete", "/F"])]


@pytest.mark.parametrize("timer", [Launchd(Path("agents")), TaskScheduler()], ids=["launchd", "task-scheduler"])
def test_what_a_schedule_cannot_carry_is_refused(timer: Launchd | TaskScheduler) -> None:
    """A line break in a name, which no scheduler shows."""
    with pytest.raises(InvalidInput, match="timer"):
        timer.texts(night("/bin/reverie", "a\nb"))


@pytest.mark.parametrize(("system", "kind"), [("darwin", Launchd), ("win32", TaskScheduler), ("linux", Cron)])
def test_each_system_has_its_own_scheduler(system: str, kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any other can be named."""
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr("shutil.which", lambda name: name if name == "crontab" else None)
    monkeypatch.setenv("HOME", "/home-of-ada")
    assert isinstance(chosen_timer(None, night("x")), kind)
    assert isinstance(chosen_timer("cron", night("x")), Cron)


@pytest.mark.parametrize(
    ("program", "fleeting"),
    [
        ("/data/.cache/uv/archive-v0/abc/bin/reverie", True),
        ("/data/.cache/pipx/0f25/bin/reverie", True),
        ("/data/.local/share/uv/tools/reverie/bin/reverie", False),
        ("/data/.local/share/pipx/venvs/reverie/bin/reverie", False),
        ("/data/project/.venv/bin/reverie", False),
    ],
)
def test_a_program_in_a_cache_is_told_from_one_that_stays(program: str, fleeting: bool) -> None:
    """What `uvx` and `pipx run` run may be gone tomorrow, so settings should not name it."""
    assert timers.is_fleeting(program) is fleeting

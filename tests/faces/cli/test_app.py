import contextlib
import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.errors import StoreBusy
from reverie.faces.cli import main
from reverie.faces.cli.app import CALLED_BY_HOSTS, COMMANDS, NAMED_ABOVE, SECTIONS
from tests.faces.cli.conftest import Run, command_paths

REVERIE = [sys.executable, "-c", "from reverie.faces.cli import main; main(prog_name='reverie')"]


def process(
    *arguments: str, folder: Path, input: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """The command as a process of its own, in a folder, with variables set."""
    variables = {**os.environ, **environment}
    return subprocess.run(
        [*REVERIE, *arguments], cwd=folder, input=input, capture_output=True, env=variables, check=False
    )


def test_every_command_has_help_and_a_short_line_that_is_not_cut() -> None:
    """The list of commands is read at a glance."""
    assert list(main.commands) == list(COMMANDS)
    for name, command in main.commands.items():
        assert command.help, name
        assert command.short_help, name
        assert len(command.short_help) <= 45, name


MOST_LISTED = 34
"""What fits on a screen of 50 lines with the sections' titles."""


def test_help_lists_few_commands_in_sections(run: Run) -> None:
    """Each under its section, rare ones below a command that says so."""
    listed = [name for name in COMMANDS if name not in {*CALLED_BY_HOSTS, *NAMED_ABOVE}]
    assert len(listed) <= MOST_LISTED
    shown = run("--help").out
    places = [shown.index(f"\n{title}:") for title in SECTIONS]
    assert places == sorted(places)
    assert all(f"\n  {name} " in shown for name in listed)
    assert not any(f"\n  {name} " in shown for name in CALLED_BY_HOSTS)
    assert all(f"`reverie {name}`" in shown for name in NAMED_ABOVE)


def test_a_command_that_lies_in_a_group_is_found_by_its_own_name(run: Run) -> None:
    """Who types it without the group is told where it lies; a slip of the pen gets the nearest."""
    assert "It is `reverie memory pin`." in run("pin", "x").err
    assert "It is `reverie dream schedule` or `reverie vault schedule`." in run("schedule").err
    assert "'recall'" in run("recal", "x").err
    assert "'pin'" in run("memory", "pni").err


def test_an_option_of_a_group_is_not_lost_before_a_command_below_it(run: Run) -> None:
    """It would do nothing there, so it is refused; what all commands share may stand before."""
    refused = run("dream", "--dry-run", "list")
    assert (refused.code, "--dry-run belongs to `reverie dream` alone" in refused.err) == (2, True)
    assert run("stats", "--json", "health", "--agent", "a", "--user", "u", "--project", "p").shape["error"]


VERBS = {
    "memory": "memory show",
    "relate": "memory relate",
    "open": "init",
    "close": "",  # a command closes what it opened
    "bind": "",  # the flags, or reverie.toml, are the scope of every command
}
"""Verbs of the engine whose command has another name, or none."""

ADMIN = {
    "pin": "memory pin",
    "protect": "memory protect",
    "quarantine": "memory quarantine",
    "injected": "injected",
    "release": "memory release",
    "revive": "memory revive",
    "quarantined": "memory quarantined",
    "graph": "memory graph",
    "history": "memory history",
    "provenance": "memory provenance",
    "expand": "memory expand",
    "condense": "session digest",
    "erase": "memory erase",
    "held_of": "audit subject",
    "grant": "project grant",
    "revoke": "project revoke",
    "grants": "project grants",
    "record_run": "memory run",
    "skills": "memory skills",
    "what_worked": "memory skills",
    "working": "session working",
    "hot": "session hot",
    "dreams": "dream list",
    "decay": "dream decay",
    "compact": "dream compact",
    "stats": "stats",
    "health": "stats health",
    "forgetting_curve": "stats plot",
    "embed": "store embed",
    "backup": "store backup",
    "shred": "store shred",
    "rotate": "store rotate",
    "verify": "store verify",
    "replay": "store replay",
    "anchor": "audit anchor",
    "seal": "audit seal",
    "due": "due",
    "intentions": "due",
    "intend": "due add",
    "settle": "due settle",
    "calendar": "due calendar",
    "policies": "audit policy",
    "set_policy": "audit policy allow",
    "drop_policy": "audit policy drop",
    "retentions": "audit retention",
    "set_retention": "audit retention set",
    "drop_retention": "audit retention drop",
    "doctor": "doctor",
    "repair": "doctor",
}
"""Rare verbs and their commands."""


def test_every_verb_of_the_engine_has_its_command_and_back() -> None:
    """By the same name; what no verb stands behind is set up, connected, moved or shown by the command line itself."""
    paths = set(command_paths())
    verbs = {name for name in vars(Reverie) if not name.startswith("_")} - {"admin", "transfer"}
    assert {VERBS.get(name, name) for name in verbs} - {""} <= paths
    with Reverie.open(":memory:", embedder=None) as memory:
        assert [name for name in ADMIN if not hasattr(memory.admin, name)] == []
    assert set(ADMIN.values()) <= paths
    everyday = {*SECTIONS["Everyday"], *SECTIONS["Look"], *SECTIONS["Tend"]}
    assert everyday - verbs == {"injected", "session", "stats", "review", "due"}


def test_help_loads_nothing_heavy() -> None:
    """Help and completion of every command come without numpy, rich, the engine or a database."""
    code = (
        "import sys; from reverie.faces.cli import main; main.commands;"
        "print([m for m in ('numpy', 'rich', 'sqlite3', 'msgspec', 'Stemmer', 'reverie.types') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_error_says_what_happened_and_what_to_do(run: Run) -> None:
    """On the error stream, with the code of its class, and nothing on the output."""
    done = run("recall", "keys", "--agent", "a", "--user", "u", "--project", "p", "--no-model")
    assert done.code == 11
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert "mend: " in done.err


def test_an_error_is_json_where_json_was_asked_for(run: Run) -> None:
    """A program reads one stream, whatever happens."""
    done = run("recall", "keys", "--json")
    assert done.code == 2
    assert done.shape["error"]["kind"] == "InvalidScope"
    assert done.shape["error"]["exit_code"] == 2
    assert done.shape["error"]["mend"]


def test_a_command_nobody_knows_is_a_mistake_in_the_line(run: Run) -> None:
    """Click's own code for usage errors."""
    assert run("remembr", "x").code == 2


def test_control_c_is_told_and_has_its_own_code(keys: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """No traceback: the user meant it."""

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("reverie.engine.core.Reverie.recall", interrupt)
    done = keys("recall", "key")
    assert done.code == 130
    assert "Interrupted" in done.err


def test_an_error_of_the_engine_becomes_its_exit_code(keys: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the command, one table decides."""

    def busy(*_: object, **__: object) -> None:
        raise StoreBusy("Another process holds the store.", "Wait for it.")

    monkeypatch.setattr("reverie.engine.core.Reverie.timeline", busy)
    monkeypatch.setattr("reverie.engine.transfer.Transfer.export_memories", busy)
    assert keys("timeline").code == 13
    assert keys("export").code == 13


def test_a_reader_that_goes_away_is_no_error(keys: Run, folder: Path) -> None:
    """``reverie timeline | head -1``: no traceback, nothing on the error stream."""
    with subprocess.Popen(
        [*REVERIE, "timeline"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        err = running.stderr.read()
    assert err == b""
    assert running.returncode == 141


@pytest.mark.parametrize("command", [["timeline"], ["export"], ["stats", "--json"], ["--help"]])
def test_an_output_that_is_full_is_told(keys: Run, folder: Path, command: list[str]) -> None:
    """On the error stream, without a traceback, with the exit code of a full disk."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*REVERIE, *command], cwd=folder, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 14
    assert done.stderr.startswith(b"error: the standard output cannot be written: No space left on device.")
    assert b"Traceback" not in done.stderr


def test_closed_streams_are_empty_ones(keys: Run, folder: Path) -> None:
    """As a scheduler may start it: nothing is asked, nothing is shown, the work is done."""
    line = f"exec {shlex.join([*REVERIE, 'remember', 'Closed.'])} <&- >&- 2>&-"
    assert subprocess.run(["/bin/sh", "-c", line], cwd=folder, check=False).returncode == 0
    assert "Closed." in keys("timeline").out


def test_a_path_nobody_can_look_at_is_an_error_of_ours(keys: Run, folder: Path) -> None:
    """A name that is too long stands for whatever the system refuses."""
    name = "x" * 300
    for command in (("export", name), ("import", name), ("store", "replay", name), ("stats", "--store", name)):
        done = keys(*command, "--json")
        assert done.code == 10
        assert name in done.shape["error"]["message"]
        assert done.shape["error"]["mend"]


@pytest.mark.parametrize("encoding", ["ascii", "iso8859-9", "utf-8"])
def test_any_locale_can_show_any_text(home: Run, folder: Path, encoding: str) -> None:
    """What the terminal's encoding lacks is written out; nothing fails and nothing is dropped in silence."""
    home("remember", "İğne ipliği çekmecede \ud800 😀")
    done = process("recall", "iğne", folder=folder, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"ekmecede" in done.stdout
    assert b"\\ud800" in done.stdout


def test_bytes_that_are_no_text_come_through_arguments_and_pipes(home: Run, folder: Path) -> None:
    """A shell hands on any bytes; they are kept and shown, each written out."""
    assert process("remember", "caf\udce9 one", folder=folder).returncode == 0
    assert process("remember", folder=folder, input=b"caf\xe9 two\n").returncode == 0
    shown = process("timeline", folder=folder).stdout
    assert shown.count(b"caf\\udce9") == 2


def test_the_version_is_told(run: Run) -> None:
    """From the package itself, so that it works unpacked too."""
    import reverie

    done = run("--version")
    assert done.code == 0
    assert reverie.__version__ in done.out


def on_a_terminal(*arguments: str, folder: Path) -> bytes:
    """What a command writes to a terminal of its own, output and error stream together."""
    here, there = pty.openpty()
    variables = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    with subprocess.Popen([*REVERIE, *arguments], cwd=folder, stdout=there, stderr=there, env=variables) as running:
        os.close(there)
        written = b""
        with contextlib.suppress(OSError):  # Linux answers so when the other side has closed the terminal
            while chunk := os.read(here, 65536):
                written += chunk
        running.wait()
    os.close(here)
    return written


def test_a_real_terminal_shows_colour_tables_and_bars_and_obeys_no_text(home: Run, folder: Path) -> None:
    """Our own escapes are there, the stored ones are written out."""
    (folder / "chat.jsonl").write_text(
        '{"text":"The key \\u001b]0;owned\\u0007 hangs \\u009b2J here."}\n', encoding="utf-8"
    )
    imported = on_a_terminal("import", "chat.jsonl", folder=folder)
    assert b"1/1" in imported
    shown = on_a_terminal("recall", "key", folder=folder)
    assert b"\x1b[" in shown
    assert rb"\x1b]0;owned\x07" in shown
    assert b"\x1b]" not in shown
    assert b"\x07" not in shown
    assert "\x9b".encode() not in shown


def test_control_c_is_json_where_json_was_asked_for(keys: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is interrupted reads why, on the stream it reads."""

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("reverie.engine.transfer.Transfer.import_from", interrupt)
    done = keys("import", "three.jsonl", "--json")
    assert (done.code, done.err) == (130, "")
    assert (done.shape["error"]["kind"], done.shape["error"]["exit_code"]) == ("Interrupted", 130)
    assert done.shape["error"]["mend"]

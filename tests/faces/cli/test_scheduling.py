import os
import shlex
from pathlib import Path

import pytest

from reverie.faces.cli.exits import UNCONFIRMED
from tests.faces.cli.conftest import Run

TOLD = "told"
SYSTEMCTL = """#!/bin/sh
echo "systemctl $*" >> {told}
exit {code}
"""
CRONTAB = """#!/bin/sh
echo "crontab $*" >> {told}
case "$1" in
  -l) [ -f {table} ] || {{ echo "no crontab for ada" >&2; exit 1; }}; cat {table} ;;
  -) cat > {table} ;;
esac
"""
SICK_CRONTAB = """#!/bin/sh
echo "cron is not allowed" >&2
exit 1
"""


class Machine:
    """A machine with programs of our own making, and nothing else of its kind on the path."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bin = folder.parent / "bin"
        self.bin.mkdir()
        self.told_file = folder.parent / TOLD
        self.table = folder.parent / "table"
        monkeypatch.setenv("PATH", f"{self.bin}{os.pathsep}/usr/bin{os.pathsep}/bin")
        monkeypatch.setattr("shutil.which", lambda name: str(self.bin / name) if (self.bin / name).exists() else None)

    def has(self, name: str, text: str, code: int = 0) -> None:
        """Put a program on the path."""
        words = {"told": shlex.quote(str(self.told_file)), "table": shlex.quote(str(self.table)), "code": code}
        (self.bin / name).write_text(text.format(**words), encoding="utf-8")
        (self.bin / name).chmod(0o755)

    @property
    def told(self) -> list[str]:
        """What the programs were called with."""
        return self.told_file.read_text(encoding="utf-8").splitlines() if self.told_file.is_file() else []


@pytest.fixture
def machine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine without systemd or cron, until a test gives it one."""
    return Machine(folder, monkeypatch)


def units(folder: Path) -> list[Path]:
    """The user's units."""
    return sorted((folder.parent / "home" / ".config" / "systemd" / "user").glob("*"))


def test_it_is_shown_and_nothing_is_written_unless_somebody_says_yes(home: Run, folder: Path, machine: Machine) -> None:
    """Where nobody can be asked, no is the answer."""
    machine.has("systemctl", SYSTEMCTL)
    done = home("dream", "schedule", "--at", "04:15")
    assert done.code == UNCONFIRMED
    assert "OnCalendar=*-*-* 04:15:00" in done.out
    assert "ExecStart=" in done.out
    assert "--agent=helper" in done.out
    assert "not confirmed" in done.err
    assert units(folder) == []
    assert machine.told == ["systemctl --user show-environment"]


def test_systemd_gets_a_timer_and_loses_it(home: Run, folder: Path, machine: Machine) -> None:
    """Entered twice it is there once; removed, nothing of it is left."""
    machine.has("systemctl", SYSTEMCTL)
    done = home("dream", "schedule", "--yes", "--json").shape
    assert (done["by"], done["done"], done["removed"]) == ("systemd", True, False)
    assert home("dream", "schedule", "--yes").code == 0
    service, timer = units(folder)
    assert {text["place"]: text["text"] for text in done["texts"]} == {
        str(service): service.read_text(encoding="utf-8"),
        str(timer): timer.read_text(encoding="utf-8"),
    }
    assert f"systemctl --user enable --now {timer.name}" in machine.told
    assert home("dream", "schedule", "--remove", "--yes", "--json").shape["removed"] is True
    assert units(folder) == []
    assert machine.told[-2:] == [f"systemctl --user disable --now {timer.name}", "systemctl --user daemon-reload"]
    assert home("dream", "schedule", "--remove", "--yes").code == 3


def test_what_was_scheduled_is_a_command_that_dreams(home: Run, folder: Path, machine: Machine) -> None:
    """The very words of the plan, called in this process, dream over this scope."""
    machine.has("systemctl", SYSTEMCTL)
    command = home("dream", "schedule", "--yes", "--json").shape["command"]
    words = command[command.index("dream") :]
    assert home(*words, "--json").shape["scope"] == {"agent": "helper", "user": "ada", "project": "home"}
    assert any(word == f"--store={folder / 'reverie.db'}" for word in words)


def test_a_timer_that_cannot_be_started_leaves_no_files(home: Run, folder: Path, machine: Machine) -> None:
    """What systemd said is told."""
    machine.has("systemctl", SYSTEMCTL, code=1)
    done = home("dream", "schedule", "--by", "systemd", "--yes")
    assert done.code == 1
    assert "daemon-reload" in done.err
    assert units(folder) == []


def test_cron_gets_a_line_and_loses_it(home: Run, machine: Machine) -> None:
    """Where systemd does not answer; every other line stays, byte for byte."""
    machine.has("systemctl", SYSTEMCTL, code=1)
    machine.has("crontab", CRONTAB)
    others = b"# mine\n0 1 * * * echo caf\xe9 # reverie-dream\n"
    machine.table.write_bytes(others)
    assert home("dream", "schedule", "--yes", "--json").shape["by"] == "cron"
    assert home("dream", "schedule", "--at", "05:00", "--yes").code == 0
    written = machine.table.read_bytes()
    assert written.startswith(others)
    assert written.count(b"reverie-dream-") == 1
    assert b"\n0 5 * * * cd " in written
    assert home("dream", "schedule", "--remove", "--yes").code == 0
    assert machine.table.read_bytes() == others
    assert home("dream", "schedule", "--remove", "--yes").code == 3


def test_a_first_crontab_is_made(home: Run, machine: Machine) -> None:
    """No table yet is no error."""
    machine.has("crontab", CRONTAB)
    assert home("dream", "schedule", "--yes").code == 0
    assert machine.table.read_bytes().count(b"\n") == 1


def test_a_crontab_that_cannot_be_read_is_never_written(home: Run, machine: Machine) -> None:
    """Else all its other lines would be gone."""
    machine.has("crontab", SICK_CRONTAB)
    done = home("dream", "schedule", "--yes")
    assert done.code == 1
    assert "not allowed" in done.err
    assert not machine.table.exists()


def test_without_either_the_command_is_told(home: Run, machine: Machine) -> None:
    """Whatever else runs things at night can run it."""
    done = home("dream", "schedule", "--yes")
    assert done.code == 1
    assert "dream --store=" in done.err


def test_each_scope_and_store_has_a_night_of_its_own(home: Run, folder: Path, machine: Machine) -> None:
    """Another user's dream does not replace this one's, and an odd name does no harm."""
    machine.has("crontab", CRONTAB)
    home("dream", "schedule", "--yes")
    home("dream", "schedule", "--yes", "--user", 'O\'Neil "5%" $(id)')
    table = machine.table.read_text(encoding="utf-8").splitlines()
    assert len(table) == 2
    assert len({line.rpartition("# ")[2] for line in table}) == 2
    words = shlex.split(table[1].split(" * * * ", 1)[1].replace("\\%", "%"), comments=True)
    assert '--user=O\'Neil "5%" $(id)' in words


def test_no_key_is_written(home: Run, folder: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither an embedder's nor a language model's."""
    monkeypatch.setenv("REVERIE_API_KEY", "hush")
    monkeypatch.setenv("REVERIE_LLM_API_KEY", "hush")
    machine.has("systemctl", SYSTEMCTL)
    assert "hush" not in home("dream", "schedule", "--yes").out
    assert all("hush" not in unit.read_text(encoding="utf-8") for unit in units(folder))


def test_a_store_that_is_not_there_is_not_scheduled(run: Run, machine: Machine) -> None:
    """A night that fails every time is worth nothing."""
    machine.has("crontab", CRONTAB)
    assert run("dream", "schedule", "--yes", "--agent", "a", "--user", "u", "--project", "p").code == 11


def test_where_nothing_runs_at_night_the_line_is_told(home: Run, machine: Machine) -> None:
    """Whole, with the folder whose settings it is to have; on this machine there is neither systemd nor cron."""
    answer = home("dream", "schedule", "--yes")
    assert answer.code != 0
    assert f"cd {Path.cwd()} && " in answer.err
    assert " dream --store=" in answer.err


@pytest.mark.parametrize("at", ["25:00", "tonight", "3"])
def test_a_time_of_day_is_one(home: Run, machine: Machine, at: str) -> None:
    """Anything else is a mistake in the line."""
    machine.has("crontab", CRONTAB)
    assert home("dream", "schedule", "--yes", "--at", at).code == 2

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.answers import Fault
from reverie.hosts.check import Installed, faults, installations, program_version
from reverie.hosts.files import NoteBook, digest
from reverie.hosts.host import HostEnvironment, Where
from reverie.hosts.known import NAMES, host
from reverie.hosts.plan import installing


@pytest.fixture
def here(around: HostEnvironment, tmp_path: Path) -> HostEnvironment:
    """The surroundings with a program that is there, in an installation of this version."""
    program = tmp_path / "tools" / "bin" / "reverie"
    program.parent.mkdir(parents=True)
    program.touch()
    return replace(around, program=(str(program),))


def put_in(name: str, around: HostEnvironment, where: Where | None = None) -> None:
    """Install into a host as the command does."""
    chosen = host(name)
    at = where or chosen.wheres[0]
    book = NoteBook.at(around.environment, around.home, name, around.folder if at is Where.PROJECT else None)
    installing(chosen.files(around, at), book, at.mode).do()


def found(around: HostEnvironment) -> dict[str, str]:
    """Each fault's name and what it says, without a missing extra."""
    listed: list[Fault] = []
    for one in installations(around):
        listed += [one] if isinstance(one, Fault) else faults(one)
    assert all(fault.mend for fault in listed)
    return {fault.name: fault.what for fault in listed if fault.name != "host-extra-missing"}


@pytest.mark.parametrize("name", NAMES)
def test_what_was_installed_is_found_and_sound(here: HostEnvironment, name: str) -> None:
    """Each host, by its notes; and without notes, by what stands in its files."""
    assert list(installations(here)) == []
    put_in(name, here)
    (one,) = installations(here)
    assert isinstance(one, Installed)
    assert (one.host.name, one.noted) == (name, True)
    assert found(here) == {}
    one.book.path.unlink()
    (again,) = installations(here)
    assert isinstance(again, Installed)
    assert (again.host.name, again.where, again.noted) == (name, one.where, False)
    assert found(here) == {}


def test_a_server_that_asks_another_projects_memory_is_found(here: HostEnvironment) -> None:
    """As in a folder that was moved, of which nothing is noted; a name that somebody chose for this one is theirs."""
    put_in("claude-code", here, Where.USER)
    put_in("cursor", replace(here, project="before-1f2e3d4c"))
    assert found(here) == {}
    next(
        one for one in installations(here) if isinstance(one, Installed) and one.host.name == "cursor"
    ).book.path.unlink()
    said = found(replace(here, project="after-5a6b7c8d"))
    assert list(said) == ["host-other-project"]
    assert "asks the memory of project before-1f2e3d4c; this folder's is after-5a6b7c8d" in said["host-other-project"]


def test_a_project_is_found_from_anywhere(here: HostEnvironment) -> None:
    """Its folder is read off the notes, and the mend names the scope."""
    put_in("claude-code", here, Where.PROJECT)
    elsewhere = replace(here, folder=here.home)
    (one,) = installations(elsewhere)
    assert isinstance(one, Installed)
    assert one.around.folder == here.folder
    assert one.command == "reverie install claude-code --scope project"
    (here.folder / ".mcp.json").unlink()
    assert str(here.folder) in found(elsewhere)["host-file-gone"]


def test_hooks_that_somebody_took_out_are_named(here: HostEnvironment) -> None:
    """Those that are missing, and not those that are there."""
    put_in("claude-code", here)
    path = here.home / ".claude" / "settings.json"
    settings = json.loads(path.read_text(encoding="utf-8"))
    del settings["hooks"]["Stop"]
    settings["hooks"]["SessionEnd"] = [{"hooks": [{"type": "command", "command": "other-memory save"}]}]
    path.write_text(json.dumps(settings), encoding="utf-8")
    said = found(here)
    assert list(said) == ["host-part-missing"]
    assert "hook hooks.Stop, hook hooks.SessionEnd were taken out" in said["host-part-missing"]


def test_a_server_that_somebody_replaced_is_named(here: HostEnvironment) -> None:
    """A server of the same name that does not start Reverie."""
    put_in("claude-code", here)
    path = here.home / ".claude.json"
    path.write_text(json.dumps({"mcpServers": {"reverie": {"command": "node", "args": ["x.js"]}}}), encoding="utf-8")
    assert "somebody else's part mcpServers.reverie" in found(here)["host-part-replaced"]


def test_an_older_installation_lacks_what_is_new(here: HostEnvironment) -> None:
    """The file is as Reverie left it, so nobody took anything out."""
    put_in("codex", here)
    (one,) = installations(here)
    assert isinstance(one, Installed)
    path = here.home / ".codex" / "hooks.json"
    settings = json.loads(path.read_text(encoding="utf-8"))
    del settings["hooks"]["PreCompact"]
    text = json.dumps(settings)
    path.write_text(text, encoding="utf-8")
    notes = [replace(note, digest=digest(text)) if note.path == path else note for note in one.book.read().values()]
    one.book.write(notes)
    assert "has no hook hooks.PreCompact yet" in found(here)["host-outdated"]


@pytest.mark.parametrize("name", ["claude-code", "codex", "gemini", "cursor"])
def test_a_program_that_is_gone_is_named(here: HostEnvironment, name: str) -> None:
    """The environment that it was installed from was deleted; another Reverie looks."""
    put_in(name, here)
    gone = here.program[0]
    Path(gone).unlink()
    other = Path(gone).with_name("reverie-of-now")
    other.touch()
    said = found(replace(here, program=(str(other),)))
    assert list(said) == ["host-program-gone"]
    assert f"calls {gone}, which is not there" in said["host-program-gone"]


def test_another_version_is_named_and_another_place_of_the_same_is_not(here: HostEnvironment) -> None:
    """The version is read off the files; the program is not run."""
    put_in("gemini", here)
    base = Path(here.program[0]).parent.parent
    site = base / "lib" / "python3.12" / "site-packages"
    (site / "reverie-0.0.9.dist-info").mkdir(parents=True)
    now = replace(here, program=("/elsewhere/bin/reverie",))
    assert program_version(Path(here.program[0])) == "0.0.9"
    assert "calls Reverie 0.0.9" in found(now)["host-version"]
    (site / "reverie-0.0.9.dist-info").rmdir()
    assert found(now) == {}


def test_a_host_that_is_gone_is_to_be_taken_back(here: HostEnvironment) -> None:
    """Its folder was deleted with it; notes are all that is left."""
    put_in("codex", here)
    for path in (here.home / ".codex").iterdir():
        path.unlink()
    (here.home / ".codex").rmdir()
    (one,) = installations(here)
    assert isinstance(one, Installed)
    (fault,) = faults(one)
    assert (fault.name, fault.mend) == ("host-gone", "If it is no longer in use: reverie install codex --undo")


def test_a_project_that_is_gone_is_taken_back_by_doctor(here: HostEnvironment) -> None:
    """There is no folder left to give the command of the host in."""
    project = here.home / "gone"
    put_in("cursor", replace(here, folder=project))
    shutil.rmtree(project)
    (one,) = installations(here)
    assert isinstance(one, Installed)
    assert [(fault.name, fault.mend) for fault in faults(one)] == [
        ("host-gone", "If it is no longer in use: reverie doctor --fix")
    ]


def test_a_broken_file_and_broken_notes_are_told(here: HostEnvironment) -> None:
    """Neither stops the others from being looked at."""
    put_in("gemini", here)
    put_in("codex", here)
    (here.home / ".gemini" / "settings.json").write_text("{", encoding="utf-8")
    books = sorted((here.home / ".local" / "state" / "reverie" / "hosts").glob("codex*.json"))
    books[0].write_text("[]", encoding="utf-8")
    said = found(here)
    assert set(said) == {"host-file-broken", "host-notes-damaged"}
    assert "line 1" in said["host-file-broken"]

"""OpenClaw's plugin in its settings: put there, shown, and taken out again with what stood there before."""

from __future__ import annotations

import json
import sqlite3
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.hosts import check, plan
from reverie.hosts.files import NoteBook
from reverie.hosts.host import HostEnvironment, Where
from reverie.hosts.json_edit import JsonDialect, parse
from reverie.hosts.openclaw import HOST, ListedPlugin, Slot, linked_folder, plugin_folder

WRITTEN = """{
  // my gateway
  gateway: {port: 18789},
  plugins: {
    load: {paths: ["/mine"]},
    slots: {memory: "memory-core"},
    entries: {other: {enabled: true}},
  },
}
"""


def settings(around: HostEnvironment) -> Path:
    """Where they are."""
    (file,) = HOST.files(around, Where.USER)
    return file.path


def installed(around: HostEnvironment, tmp_path: Path, text: str | None) -> NoteBook:
    """The notes after an installation into settings of this text."""
    path, book = settings(around), NoteBook(tmp_path / "notes.json")
    if text is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    plan.installing(HOST.files(around, Where.USER), book).do()
    return book


def test_the_plugin_is_loaded_from_where_it_lies(around: HostEnvironment, tmp_path: Path) -> None:
    """With its place, the right to see conversations, and this very program to start."""
    installed(around, tmp_path, None)
    plugins = json.loads(settings(around).read_text())["plugins"]
    (folder,) = plugins["load"]["paths"]
    assert json.loads((Path(folder) / "openclaw.plugin.json").read_text())["id"] == "reverie"
    assert (Path(folder) / "index.js").is_file()
    entry = {"enabled": True, "hooks": {"allowConversationAccess": True}, "config": {"command": ["/my tools/reverie"]}}
    assert plugins["entries"] == {"reverie": entry}
    assert plugins["slots"] == {"memory": "reverie"}


def test_everything_else_stays_and_comes_back(around: HostEnvironment, tmp_path: Path) -> None:
    """Comments too; a second run changes nothing; undone, the file is what it was, byte for byte."""
    book = installed(around, tmp_path, WRITTEN)
    text = settings(around).read_text()
    assert "// my gateway" in text
    found = parse(text, JsonDialect.FIVE).value
    assert isinstance(found, dict)
    assert found["plugins"]["load"]["paths"] == ["/mine", str(plugin_folder())]
    assert found["plugins"]["slots"]["memory"] == "reverie"
    assert set(found["plugins"]["entries"]) == {"other", "reverie"}
    assert plan.installing(HOST.files(around, Where.USER), book).is_done
    plan.undoing(HOST.files(around, Where.USER), book).do()
    assert settings(around).read_text() == WRITTEN


def test_settings_that_were_edited_meanwhile_lose_what_is_ours_alone(around: HostEnvironment, tmp_path: Path) -> None:
    """What OpenClaw or its owner wrote since stays, and the place goes back to whose it was."""
    book = installed(around, tmp_path, WRITTEN)
    path = settings(around)
    path.write_text(path.read_text().replace("18789", "18790"))
    plan.undoing(HOST.files(around, Where.USER), book).do()
    assert path.read_text() == WRITTEN.replace("18789", "18790")


def test_a_place_that_was_given_away_since_is_not_taken_back() -> None:
    """Whoever has the memory now keeps it."""
    slot = Slot(("plugins", "slots", "memory"), "reverie")
    text = '{plugins: {slots: {memory: "memory-lancedb"}}}'
    assert slot.take(text, ()) == text
    assert slot.place(text, "memory-core") == text
    assert slot.found(text) == "memory-lancedb"


def test_a_folder_of_ours_from_another_place_gives_way() -> None:
    """After an update into another environment there is still one plugin."""
    listed = ListedPlugin(("plugins", "load", "paths"), str(plugin_folder()))
    text = '{"plugins": {"load": {"paths": ["/old/data/openclaw"]}}}'
    found = parse(listed.put(text), JsonDialect.FIVE).value
    assert isinstance(found, dict)
    assert found["plugins"]["load"]["paths"] == [str(plugin_folder())]
    assert parse(listed.take(listed.put(text), ()), JsonDialect.FIVE).value == {"plugins": {"load": {"paths": []}}}


def test_without_openclaws_settings_nothing_is_left(around: HostEnvironment, tmp_path: Path) -> None:
    """A file that was made for us goes, with its folder."""
    book = installed(around, tmp_path, None)
    plan.undoing(HOST.files(around, Where.USER), book).do()
    assert not settings(around).parent.exists()
    assert not book.path.exists()


def test_it_asks_for_the_servers_packages() -> None:
    """The plugin starts `reverie serve`, and no MCP server."""
    assert HOST.extra == "serve"


PLAYED = """#!{python}
import json, os, sqlite3, sys
from pathlib import Path

home = Path(os.environ["HOME"])
with (home / "called").open("a") as file:
    print(json.dumps(sys.argv[1:]), file=file)
if (home / "refuses").exists():
    sys.exit("Blocked by security.installPolicy.")
state = home / ".openclaw" / "state" / "openclaw.sqlite"
state.parent.mkdir(parents=True, exist_ok=True)
records = {{"reverie": {{"source": "path", "sourcePath": sys.argv[4]}}}} if sys.argv[2] == "install" else {{}}
base = sqlite3.connect(state)
base.execute("CREATE TABLE IF NOT EXISTS config_machine_state (state_key PRIMARY KEY, value_json)")
row = ("plugins.installedIndex", json.dumps({{"index": {{"installRecords": records}}}}))
base.execute("INSERT OR REPLACE INTO config_machine_state VALUES (?, ?)", row)
base.commit()
if sys.argv[2] == "uninstall":
    mark = {{"plugins": {{"entries": {{"reverie": {{"enabled": False}}}}}}}}
    (home / ".openclaw" / "openclaw.json").write_text(json.dumps(mark))
"""


@pytest.fixture
def program(around: HostEnvironment) -> HostEnvironment:
    """An environment with a program that records as OpenClaw does, and that keeps what it is called with."""
    path = around.home / "bin" / "openclaw"
    path.parent.mkdir(parents=True)
    path.write_text(PLAYED.format(python=sys.executable))
    path.chmod(0o755)
    return replace(around, environment={**around.environment, "PATH": str(path.parent)})


def called(around: HostEnvironment) -> list[list[str]]:
    """What the program was called with."""
    path = around.home / "called"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def faults(around: HostEnvironment, book: NoteBook) -> list[str]:
    """The names of what `doctor` finds."""
    return [fault.name for fault in check.faults(check.Installed(HOST, around, Where.USER, book, noted=True))]


def test_openclaws_own_command_records_where_the_plugin_comes_from(program: HostEnvironment, tmp_path: Path) -> None:
    """It is shown before it runs, runs once, and is undone; the mark that OpenClaw leaves in its settings goes too."""
    book = installed(program, tmp_path, None)
    (act,) = HOST.acts(program, False)
    words = ["plugins", "install", "--link", str(plugin_folder()), "--force", "--accept-capabilities"]
    assert act.shown.startswith(" ".join(["openclaw", *words]))
    assert (called(program), linked_folder(program), HOST.told(program)) == ([], None, ())
    assert act.do() == ""
    assert called(program) == [words]
    assert linked_folder(program) == str(plugin_folder())
    assert (HOST.acts(program, False), faults(program, book)) == ((), [])
    plan.undoing(HOST.files(program, Where.USER), book).do()
    (act,) = HOST.acts(program, True)
    assert act.do() == ""
    assert called(program)[1:] == [["plugins", "uninstall", "reverie", "--force", "--keep-files"]]
    assert json.loads(settings(program).read_text()) == {"plugins": {}}
    assert HOST.acts(program, True) == ()


def test_where_openclaw_refuses_its_word_and_the_command_are_told(program: HostEnvironment, tmp_path: Path) -> None:
    """The plugin is in the settings and works all the same."""
    installed(program, tmp_path, None)
    (program.home / "refuses").touch()
    (act,) = HOST.acts(program, False)
    assert "failed: Blocked by security.installPolicy.; run: openclaw plugins install --link" in act.do()
    (program.home / "bin" / "openclaw").write_text("no program")
    assert "could not be run" in act.do()


def test_without_the_program_it_says_what_to_run(around: HostEnvironment) -> None:
    """As in a container, or where it is started with npx."""
    elsewhere = replace(around, environment={**around.environment, "PATH": ""})
    assert HOST.acts(elsewhere, False) == ()
    assert f"openclaw plugins install --link {plugin_folder()} --force" in HOST.told(elsewhere)[0]


def test_doctor_finds_a_plugin_of_unknown_origin(program: HostEnvironment, tmp_path: Path) -> None:
    """No record, one of another installation's folder; a state that cannot be read is no fault of this plugin's."""
    book = installed(program, tmp_path, None)
    assert faults(program, book) == []  # OpenClaw has not run yet
    (act,) = HOST.acts(program, False)
    act.do()
    state = program.home / ".openclaw" / "state" / "openclaw.sqlite"
    for records in ({}, {"reverie": {"sourcePath": "/old/data/openclaw"}}):
        with sqlite3.connect(state) as base:
            said = json.dumps({"index": {"installRecords": records}})
            base.execute("UPDATE config_machine_state SET value_json = ?", (said,))
        base.close()
        assert faults(program, book) == ["host-untracked"]
    without = replace(program, environment={**program.environment, "PATH": ""})
    (fault,) = HOST.examine(without, "reverie install openclaw")
    assert fault.mend.startswith("openclaw plugins install --link")
    (act,) = HOST.acts(without, True)
    assert act.do() == "where OpenClaw's program is, run: openclaw plugins uninstall reverie --force --keep-files"
    state.write_bytes(b"another format")
    assert (faults(program, book), linked_folder(program)) == ([], None)

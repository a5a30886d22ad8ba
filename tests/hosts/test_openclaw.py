"""OpenClaw's plugin in its settings: put there, shown, and taken out again with what stood there before."""

from __future__ import annotations

import json
from pathlib import Path

from reverie.hosts import plan
from reverie.hosts.files import NoteBook
from reverie.hosts.host import HostEnvironment, Where
from reverie.hosts.json_edit import JsonDialect, parse
from reverie.hosts.openclaw import HOST, ListedPlugin, Slot, plugin_folder

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

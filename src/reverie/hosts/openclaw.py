"""Install into OpenClaw: name Reverie's memory plugin in OpenClaw's settings, where OpenClaw loads it in place.

The settings get the plugin's folder in the list of folders to load, an entry with access to conversations, and the
memory slot, which only one plugin can have. Then OpenClaw's own command links the folder, so that OpenClaw records
where the plugin comes from; without that record it warns at each start.
"""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
import subprocess
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import which

from reverie.answers import Fault
from reverie.errors import InvalidInput
from reverie.hosts import files, json_edit
from reverie.hosts.host import NAME, Host, HostAct, HostEnvironment, HostFile, JsonEntry, Where
from reverie.hosts.json_edit import JsonDialect, Keys, Node

PROJECT = "openclaw"
RECIPE = "reverie"
"""What the plugin takes where its settings name none."""
_MANIFEST = "openclaw.plugin.json"
_PLACES = (Path(__file__).with_name("data") / "openclaw", Path(__file__).parents[3] / "plugins" / "openclaw")
"""Where the plugin lies in an installation, and in the repository."""
_STORE = Path("memory", "reverie", "reverie.db")
_OTHER_STORE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_TAILS = tuple(place.parts[-2:] for place in _PLACES)
PROGRAM = "openclaw"
_LINK = ("plugins", "install", "--link")
_AGREED = ("--force", "--accept-capabilities")
"""What OpenClaw's command wants where nobody can be asked; the person has agreed to this very command before."""
_UNLINK = ("plugins", "uninstall", NAME, "--force", "--keep-files")
_LINK_S = 300.0
_STATE = Path("state", "openclaw.sqlite")
_INDEX = "SELECT value_json FROM config_machine_state WHERE state_key = 'plugins.installedIndex'"
_ENTRY: Keys = ("plugins", "entries", NAME)


@dataclass(frozen=True, slots=True)
class Slot:
    """A member with one word, which plugin fills the memory slot. An earlier value is restored on removal."""

    keys: Keys
    value: str

    def put(self, text: str, /) -> str:
        """Return the text with Reverie in the slot."""
        return json_edit.put(text, JsonDialect.FIVE, self.keys, self.value)

    def take(self, text: str, made: Collection[Keys], /) -> str:
        """Return the text without the slot, if it is still Reverie's."""
        return text if self.found(text) is not None else _dropped(text, self.keys, made)

    def holders(self, text: str, /) -> list[Keys]:
        """Return the paths of objects that do not exist yet."""
        return _missing(text, self.keys[:-1])

    def found(self, text: str, /) -> object:
        """Return another plugin's name in the slot; None if there is none."""
        node = _node(text, self.keys)
        return None if node is None or node.value == self.value else node.value

    def place(self, text: str, value: object, /) -> str:
        """Return the text with the earlier value; a value that somebody has set since stays."""
        return text if self.found(text) is not None else json_edit.put(text, JsonDialect.FIVE, self.keys, value)


@dataclass(frozen=True, slots=True)
class ListedPlugin:
    """A folder in a list of folders; it replaces Reverie's folder from another installation."""

    keys: Keys
    value: str

    def put(self, text: str, /) -> str:
        """Return the text with the folder in the list."""
        node = _node(text, self.keys)
        if node is None:
            return json_edit.put(text, JsonDialect.FIVE, self.keys, [self.value])
        if any(member.node.value == self.value for member in node.members):
            return text
        text = self._without(text)
        again = _node(text, self.keys)
        assert again is not None
        return json_edit.add(text, again, self.value)

    def take(self, text: str, made: Collection[Keys], /) -> str:
        """Return the text without any folder of Reverie's in the list."""
        text = self._without(text)
        node = _node(text, self.keys)
        if node is None or node.members or self.keys not in made:
            return text
        return _dropped(text, self.keys, made)

    def holders(self, text: str, /) -> list[Keys]:
        """Return the paths of objects and the list that do not exist yet."""
        return _missing(text, self.keys)

    def found(self, _text: str, /) -> object:
        """Return None: no existing value is replaced."""
        return None

    def place(self, text: str, _value: object, /) -> str:
        """Return the text unchanged: there is no earlier value."""
        return text

    def _without(self, text: str) -> str:
        while (node := _node(text, self.keys)) is not None:
            ours = next((one for one in node.members if _is_ours(one.node.value)), None)
            if ours is None:
                return text
            text = json_edit.take(text, node, ours)
        return text


def plugin_folder() -> Path:
    """Return the folder of the plugin that comes with this installation."""
    return next((place for place in _PLACES if (place / _MANIFEST).is_file()), _PLACES[0])


def settings_path(around: HostEnvironment) -> Path:
    """Return the path of OpenClaw's settings, which OpenClaw's own variables may change."""
    named = around.environment.get("OPENCLAW_CONFIG_PATH", "")
    return Path(named) if named else around.at("OPENCLAW_STATE_DIR", ".openclaw") / "openclaw.json"


@dataclass(frozen=True, slots=True)
class KeptSetting:
    """Where the plugin keeps memories: its store, and the scope of OpenClaw's first agent in it."""

    store: str
    user: str
    project: str
    agent: str = "main"
    recipe: str = RECIPE


def kept(around: HostEnvironment) -> KeptSetting | None:
    """Return where the plugin keeps memories, by OpenClaw's settings; None if it is not installed or switched off.

    Raises InvalidInput if the settings cannot be read, or the memories do not lie in a store of Reverie's.
    """
    said = _configured(around)
    if said is None:
        return None
    store = said.get("store") or ""
    if said.get("url") or _OTHER_STORE.match(store):
        what = f"asks the server {said['url']}" if said.get("url") else f"works on {store} in place"
        raise InvalidInput(f"OpenClaw's plugin {what}.", "Say with --store, --user and --project where it is to go.")
    state = around.at("OPENCLAW_STATE_DIR", ".openclaw")
    path = around.home / store[2:] if store.startswith("~/") else state / store if store else state / _STORE
    recipe = said.get("recipe") or RECIPE
    return KeptSetting(str(path), said.get("user") or "owner", said.get("project") or PROJECT, recipe=recipe)


def _configured(around: HostEnvironment) -> dict[str, str] | None:
    """Return the plugin's text settings; None if it is not installed or switched off."""
    text = files.read(settings_path(around))
    node = None if text is None else _node(text, _ENTRY)
    entry = node.value if node is not None else None
    if not isinstance(entry, dict) or entry.get("enabled") is False:
        return None
    held = entry.get("config")
    return {key: value for key, value in (held if isinstance(held, dict) else {}).items() if isinstance(value, str)}


def _files(around: HostEnvironment, _where: Where) -> tuple[HostFile, ...]:
    entry = {
        "enabled": True,
        "hooks": {"allowConversationAccess": True},
        "config": {"command": list(around.program)},
    }
    pieces = (
        ListedPlugin(("plugins", "load", "paths"), str(plugin_folder())),
        JsonEntry(_ENTRY, entry, JsonDialect.FIVE),
        Slot(("plugins", "slots", "memory"), NAME),
    )
    return (HostFile(settings_path(around), pieces),)


def linked_folder(around: HostEnvironment) -> str | None:
    """Return the folder that OpenClaw has recorded as the plugin's source: empty without a record, None if unknown.

    The record is in OpenClaw's state database, which is only read.
    """
    path = around.at("OPENCLAW_STATE_DIR", ".openclaw") / _STATE
    if not path.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as state:
            row = state.execute(_INDEX).fetchone()
        record = {} if row is None else json.loads(row[0])["index"]["installRecords"].get(NAME, {})
        return str(record.get("sourcePath") or "")
    except (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError):  # of another version of OpenClaw
        return None


def _acts(around: HostEnvironment, undo: bool) -> tuple[HostAct, ...]:
    """Return OpenClaw's own command where it has something to do; an installation without its program: nothing."""
    program = which(PROGRAM, path=around.environment.get("PATH", ""))
    there = linked_folder(around)
    if undo:
        run = partial(_unlink, around, program)
        return (HostAct(f"{_said(_UNLINK)}  (takes the record out)", run),) if there else ()
    if program is None or there == str(plugin_folder()):
        return ()
    words = (*_LINK, str(plugin_folder()), *_AGREED)
    why = "records where the plugin comes from; OpenClaw writes its settings anew then, without comments"
    return (HostAct(f"{_said(words)}  ({why})", partial(_run, around, program, words)),)


def _unlink(around: HostEnvironment, program: str | None) -> str:
    """Have OpenClaw forget the plugin, and take out the mark of it that OpenClaw leaves in its settings."""
    failed = _run(around, program, _UNLINK)
    text = files.read(settings_path(around))
    mark = None if text is None else _node(text, _ENTRY)
    if text is not None and mark is not None and mark.value == {"enabled": False}:
        rest = json_edit.drop(text, JsonDialect.FIVE, _ENTRY)
        entries = _node(rest, _ENTRY[:-1])
        if entries is not None and entries.value == {}:
            rest = json_edit.drop(rest, JsonDialect.FIVE, _ENTRY[:-1])
        files.write(files.FileChange(settings_path(around), text, rest))
    return failed


def _run(around: HostEnvironment, program: str | None, words: Sequence[str]) -> str:
    """Run a command of OpenClaw's; return what to do if it failed."""
    if program is None:
        return f"where OpenClaw's program is, run: {_said(words)}"
    try:
        done = subprocess.run(
            [program, *words],
            env=dict(around.environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_LINK_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return f"OpenClaw's command could not be run ({error}); run: {_said(words)}"
    said = [line for line in f"{done.stdout}\n{done.stderr}".splitlines() if line.strip()]
    last = f": {said[-1].strip()}" if said else ""
    return f"OpenClaw's command failed{last}; run: {_said(words)}" if done.returncode else ""


def _said(words: Sequence[str]) -> str:
    return shlex.join([PROGRAM, *words])


def _told(around: HostEnvironment) -> tuple[str, ...]:
    """Return what to run where OpenClaw's program is not on the path, so that it knows where the plugin comes from."""
    if which(PROGRAM, path=around.environment.get("PATH", "")) or linked_folder(around) == str(plugin_folder()):
        return ()
    link = _said((*_LINK, str(plugin_folder()), *_AGREED))
    return (
        f"so that OpenClaw knows where the plugin comes from and does not warn, run where its program is: {link}",
        "or, if `plugins.allow` is set in its settings, add reverie to it",
    )


def _examine(around: HostEnvironment, command: str) -> tuple[Fault, ...]:
    """Return a fault if OpenClaw has recorded no source of the plugin, or another folder."""
    there = linked_folder(around)
    if there is None or there == str(plugin_folder()):
        return ()
    found = which(PROGRAM, path=around.environment.get("PATH", ""))
    what = "OpenClaw has no record of where its plugin comes from, and warns at each start."
    if there:
        what = f"OpenClaw has recorded {there} as the source of its plugin; this installation's is {plugin_folder()}."
    return (Fault("host-untracked", what, command if found else _said((*_LINK, str(plugin_folder()), *_AGREED))),)


def _is_ours(value: object) -> bool:
    return isinstance(value, str) and Path(value).parts[-2:] in _TAILS


def _node(text: str, keys: Keys) -> Node | None:
    return None if json_edit.is_blank(text) else json_edit.find(text, JsonDialect.FIVE, keys)


def _missing(text: str, keys: Keys) -> list[Keys]:
    paths = [keys[: depth + 1] for depth in range(len(keys))]
    return [path for path in paths if _node(text, path) is None]


def _dropped(text: str, keys: Keys, made: Collection[Keys]) -> str:
    """Return the text without a member and without the objects above it that Reverie made and that are now empty."""
    text = json_edit.drop(text, JsonDialect.FIVE, keys)
    while (keys := keys[:-1]) in made:
        node = _node(text, keys)
        if node is None or node.members:
            return text
        text = json_edit.drop(text, JsonDialect.FIVE, keys)
    return text


HOST = Host(
    name="openclaw",
    title="OpenClaw",
    files=_files,
    wheres=(Where.USER,),
    told=_told,
    acts=_acts,
    examine=_examine,
    after=(
        "restart the gateway, then `openclaw plugins inspect reverie --runtime` says that it is loaded",
        "see it work: tell the agent what you like, and ask in a new conversation; `openclaw reverie stats` counts",
        "only the tools, without the plugin: reverie install openclaw-mcp",
    ),
    extra="serve",
)

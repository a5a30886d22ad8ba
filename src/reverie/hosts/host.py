"""What a host is: its files, and the pieces of Reverie that are put into each of them and taken out again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from reverie.errors import InvalidSetting
from reverie.hosts import json_edit, toml_edit
from reverie.hosts.json_edit import JsonDialect, Keys, Member, Node

# The pieces that are put into a host's files: in, a file's text; out, the text with the piece in it, or without it.


NAME = "reverie"
"""What our server is called in every host."""


class Piece(Protocol):
    """Something of ours in a file of a host's."""

    @property
    def keys(self) -> Keys:
        """Where it stands."""
        ...

    def put(self, text: str, /) -> str:
        """The text with the piece in it, in its present form."""
        ...

    def take(self, text: str, made: Collection[Keys], /) -> str:
        """The text without the piece; what held it goes too where it is ``made`` by us and empty."""
        ...

    def holders(self, text: str, /) -> list[Keys]:
        """The objects and lists on the way to the piece that are not there yet."""
        ...

    def found(self, text: str, /) -> object:
        """What stands in the piece's place; None where nothing does."""
        ...

    def place(self, text: str, value: object, /) -> str:
        """The text with what stood in the piece's place before."""
        ...


@dataclass(frozen=True, slots=True)
class JsonEntry:
    """A member of an object, told by its path: a server among a host's servers."""

    keys: Keys
    value: Mapping[str, object]
    dialect: JsonDialect = JsonDialect.PLAIN

    def put(self, text: str) -> str:
        """The text with the entry; keys of others inside it stay."""
        return json_edit.put(text, self.dialect, self.keys, self.value)

    def take(self, text: str, made: Collection[Keys]) -> str:
        """The text without it."""
        return _pruned(json_edit.drop(text, self.dialect, self.keys), self.dialect, self.keys[:-1], made)

    def holders(self, text: str) -> list[Keys]:
        """The objects on the way that are not there yet."""
        return _missing(text, self.dialect, self.keys[:-1])

    def found(self, text: str) -> object:
        """The entry as it stands there."""
        node = _node(text, self.dialect, self.keys)
        return node.value if node else None

    def place(self, text: str, value: object) -> str:
        """The text with the entry as it stood there before."""
        return json_edit.put(json_edit.drop(text, self.dialect, self.keys), self.dialect, self.keys, value)


@dataclass(frozen=True, slots=True)
class JsonMark:
    """A member that a host's file must have and that is nobody's: a version. What is there already stays."""

    keys: Keys
    value: object

    def put(self, text: str) -> str:
        """The text with the member, where it has none."""
        there = _node(text, JsonDialect.PLAIN, self.keys)
        return text if there else json_edit.put(text, JsonDialect.PLAIN, self.keys, self.value)

    def take(self, text: str, made: Collection[Keys]) -> str:
        """The text without it, where it was made for us and nothing else is left."""
        alone = len(json_edit.members(text, JsonDialect.PLAIN)) == 1
        return json_edit.drop(text, JsonDialect.PLAIN, self.keys) if alone and self.keys in made else text

    def holders(self, text: str) -> list[Keys]:
        """The member itself, where it is not there yet."""
        return _missing(text, JsonDialect.PLAIN, self.keys)

    def found(self, _text: str, /) -> object:
        """Nothing that was there is ever replaced."""
        return None

    def place(self, text: str, _value: object, /) -> str:
        """There is never anything to put back."""
        return text


@dataclass(frozen=True, slots=True)
class JsonHook:
    """One of our commands in a list of an event's hooks, which holds those of others as well.

    Attributes:
        keys: the path of the list.
        command: what the host is to run.
        rest: what else a hook says, such as what it may take.
        said_in: where a hook says its command.
        grouped: the list holds groups, and each of them a list of hooks.
        matcher: which tools a new hook is called for, as the host reads it; empty: it says nothing of that.
    """

    keys: Keys
    command: str
    rest: Mapping[str, object] = field(default_factory=dict)
    said_in: str = "command"
    grouped: bool = True
    dialect: JsonDialect = JsonDialect.PLAIN
    matcher: str = ""

    def put(self, text: str) -> str:
        """The text with the hook; one of ours that is there gets the present command and keeps the rest."""
        ours = self._ours(text)
        if not ours:
            return self._added(text)
        for place in range(len(ours)):
            command = self._ours(text)[place].command
            if command.value != self.command:
                text = text[: command.start] + json_edit.quoted(self.command) + text[command.end :]
        return text

    def take(self, text: str, made: Collection[Keys]) -> str:
        """The text without any hook of ours in this list; a group that held nothing else goes with it."""
        while ours := self._ours(text):
            text = json_edit.take(text, ours[0].holder, ours[0].part)
        return _pruned(text, self.dialect, self.keys, made)

    def holders(self, text: str) -> list[Keys]:
        """The objects and the list on the way that are not there yet."""
        return _missing(text, self.dialect, self.keys)

    def found(self, _text: str, /) -> object:
        """Nothing that was there is ever replaced: others' hooks stand beside ours."""
        return None

    def place(self, text: str, _value: object, /) -> str:
        """There is never anything to put back."""
        return text

    def _added(self, text: str) -> str:
        first = {"type": "command"} if self.grouped or self.said_in != "command" else {}
        matched = {"matcher": self.matcher} if self.matcher else {}
        hook = {**first, self.said_in: self.command, **self.rest}
        value: object = {**matched, "hooks": [hook]} if self.grouped else {**hook, **matched}
        node = _node(text, self.dialect, self.keys)
        if node is None:
            return json_edit.put(text, self.dialect, self.keys, [value])
        return json_edit.add(text, json_edit.listed(text, node, self.keys), value)

    def _ours(self, text: str) -> list[_Ours]:
        """Our hooks as they stand in the list."""
        node = _node(text, self.dialect, self.keys)
        found: list[_Ours] = []
        for member in node.members if node else ():
            group = member.node.member("hooks") if self.grouped else None
            hooks = group.node.members if group else (member,)
            for hook in hooks:
                # A group that holds nothing else goes whole.
                holder, part = (group.node, hook) if group and len(hooks) > 1 else (node, member)
                found += self._if_ours(holder, part, hook)
        return found

    def _if_ours(self, holder: Node | None, part: Member, hook: Member) -> list[_Ours]:
        command = hook.node.member(self.said_in)
        ours = command is not None and is_same_call(command.node.value, self.command)
        return [_Ours(holder, part, command.node)] if holder and command and ours else []


@dataclass(frozen=True, slots=True)
class _Ours:
    """A hook of ours: the list that holds it, the part of that list to take out, and its command."""

    holder: Node
    part: Member
    command: Node


@dataclass(frozen=True, slots=True)
class TomlTable:
    """A table of a TOML file, told by its path."""

    keys: Keys
    value: Mapping[str, object]

    def put(self, text: str) -> str:
        """The text with the table; keys of others inside it stay."""
        return toml_edit.put(text, self.keys, self.value)

    def take(self, text: str, _made: Collection[Keys], /) -> str:
        """The text without it and without the tables below it."""
        return toml_edit.take(text, self.keys)

    def holders(self, _text: str, /) -> list[Keys]:
        """None: a table's header makes what it needs."""
        return []

    def found(self, text: str) -> object:
        """The table as it stands there."""
        return toml_edit.find(text, self.keys)

    def place(self, text: str, value: object) -> str:
        """The text with the table as it stood there before."""
        return toml_edit.put(toml_edit.take(text, self.keys), self.keys, value if isinstance(value, Mapping) else {})


_CALL = re.compile(r"reverie.*?( hook --host [a-z-]+(?: --event \w+)?)\s*$", re.DOTALL)


def is_same_call(command: object, ours: str) -> bool:
    """Whether a hook's command calls Reverie for the same host, from wherever it is installed."""
    found = _CALL.search(command) if isinstance(command, str) else None
    return found is not None and ours.endswith(found[1])


def is_ours(found: object) -> bool:
    """Whether what stands in a piece's place starts Reverie; nothing at all is nobody else's."""
    if not isinstance(found, Mapping):
        return found is None
    plugin = found.get("config")
    if isinstance(plugin, Mapping):
        return any("reverie" in str(word) for word in _listed(plugin.get("command")))
    words = [*_listed(found.get("command")), *_listed(found.get("args"))]
    return "mcp" in words and any("reverie" in str(word) for word in words)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _missing(text: str, dialect: JsonDialect, keys: Keys) -> list[Keys]:
    paths = [keys[: depth + 1] for depth in range(len(keys))]
    return [path for path in paths if _node(text, dialect, path) is None]


def _node(text: str, dialect: JsonDialect, keys: Keys) -> Node | None:
    return None if json_edit.is_blank(text) else json_edit.find(text, dialect, keys)


def _pruned(text: str, dialect: JsonDialect, keys: Keys, made: Collection[Keys]) -> str:
    """The text without those objects and lists on a path that were made for us and hold nothing now."""
    while keys and keys in made:
        node = json_edit.find(text, dialect, keys)
        if node is not None and (node.members or text[node.start + 1 : node.end - 1].strip()):
            return text
        text = json_edit.drop(text, dialect, keys)
        keys = keys[:-1]
    return text


# What a host is: in, where one stands and how Reverie is called; out, the host's files and the pieces for each.


NO_MATCHERS: Mapping[str, str] = MappingProxyType({})


class Where(StrEnum):
    """Whose settings are written."""

    USER = "user"
    PROJECT = "project"

    @property
    def mode(self) -> int:
        """The permissions of a new file: what a user's settings say, hosts may add keys to."""
        return 0o600 if self is Where.USER else 0o666


@dataclass(frozen=True, slots=True)
class HostEnvironment:
    """Where one stands.

    Attributes:
        environment: the process's variables.
        folder: the root of the project one works in.
        project: what the project is called in the scope.
        program: how to call this very installation.
        system: the kind of machine, as ``sys.platform`` says it.
    """

    environment: Mapping[str, str]
    folder: Path
    project: str
    program: tuple[str, ...]
    system: str = "linux"

    @property
    def home(self) -> Path:
        """The user's folder. Raises InvalidSetting where the environment names none."""
        home = self.environment.get("HOME", "")
        if not Path(home).is_absolute():
            raise InvalidSetting("HOME is not set, so there is no place for a user's settings.", "Set HOME.")
        return Path(home)

    def at(self, variable: str, otherwise: str) -> Path:
        """The folder a variable names, or else one below the user's."""
        named = self.environment.get(variable, "")
        return Path(named) if Path(named).is_absolute() else self.home / otherwise

    def hook_command(self, host: str) -> str:
        """What a host's hook is to run, for a shell."""
        return f"{shlex.join(self.program)} hook --host {host}"

    def server(self, *arguments: str) -> dict[str, object]:
        """How a host starts the MCP server."""
        return {"command": self.program[0], "args": [*self.program[1:], "mcp", *arguments]}

    def hooks(
        self,
        host: str,
        timeouts: Mapping[str, int],
        dialect: JsonDialect = JsonDialect.PLAIN,
        matchers: Mapping[str, str] = NO_MATCHERS,
    ) -> tuple[Piece, ...]:
        """A hook for each event, in the form that Claude Code, Codex and Gemini CLI share."""
        call = self.hook_command(host)
        return tuple(
            JsonHook(("hooks", event), call, {"timeout": most}, dialect=dialect, matcher=matchers.get(event, ""))
            for event, most in timeouts.items()
        )


@dataclass(frozen=True, slots=True)
class HostFile:
    """A file of a host's and what is put into it; ``whole``: the file is ours, and goes when nothing of us is left."""

    path: Path
    pieces: tuple[Piece, ...]
    whole: bool = False


Files = Callable[[HostEnvironment, Where], tuple[HostFile, ...]]


@dataclass(frozen=True, slots=True)
class Host:
    """A program that can use Reverie.

    Attributes:
        name: what one types.
        title: what it is called.
        files: its files, by where one stands and whose settings are meant.
        wheres: whose settings it has; the first is meant where none is named.
        after: what its owner does next.
        placed: it lies in a folder that its owner names; that folder is then where one stands.
        told: what its owner does first, where that depends on what is there.
        extra: the extra of Reverie's that what is started for it needs.
    """

    name: str
    title: str
    files: Files
    wheres: tuple[Where, ...]
    after: tuple[str, ...]
    placed: bool = False
    told: Callable[[HostEnvironment], tuple[str, ...]] = lambda _: ()
    extra: str = "mcp"


SERVERS: Keys = ("mcpServers", "reverie")
"""Where most hosts keep our server."""

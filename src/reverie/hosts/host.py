"""Describe a host, a program that uses Reverie: its files, and the pieces of configuration put into each."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from reverie.answers import Fault
from reverie.durable import home_folder
from reverie.errors import InvalidSetting
from reverie.hosts import json_edit, toml_edit
from reverie.hosts.json_edit import JsonDialect, Keys, Member, Node

NAME = "reverie"
"""Name of Reverie's server in every host."""


class Piece(Protocol):
    """A piece of Reverie's configuration in a host's file."""

    @property
    def keys(self) -> Keys:
        """Path of the piece in the file."""
        ...

    def put(self, text: str, /) -> str:
        """Return the text with the current form of the piece in it."""
        ...

    def take(self, text: str, made: Collection[Keys], /) -> str:
        """Return the text without the piece and without those of its containers that Reverie ``made`` and are empty."""
        ...

    def holders(self, text: str, /) -> list[Keys]:
        """Return the paths of missing containers (objects and lists) that the piece needs."""
        ...

    def found(self, text: str, /) -> object:
        """Return the value at the piece's place; None if there is none."""
        ...

    def place(self, text: str, value: object, /) -> str:
        """Return the text with the piece replaced by an earlier value."""
        ...


@dataclass(frozen=True, slots=True)
class JsonEntry:
    """A member of a JSON object, identified by its path: a server among a host's servers."""

    keys: Keys
    value: Mapping[str, object]
    dialect: JsonDialect = JsonDialect.PLAIN

    def put(self, text: str) -> str:
        """Return the text with the entry; other keys inside it stay."""
        return json_edit.put(text, self.dialect, self.keys, self.value)

    def take(self, text: str, made: Collection[Keys]) -> str:
        """Return the text without the entry."""
        return _pruned(json_edit.drop(text, self.dialect, self.keys), self.dialect, self.keys[:-1], made)

    def holders(self, text: str) -> list[Keys]:
        """Return the paths of objects that do not exist yet."""
        return _missing(text, self.dialect, self.keys[:-1])

    def found(self, text: str) -> object:
        """Return the existing entry's value."""
        node = _node(text, self.dialect, self.keys)
        return node.value if node else None

    def place(self, text: str, value: object) -> str:
        """Return the text with an earlier entry put back."""
        return json_edit.put(json_edit.drop(text, self.dialect, self.keys), self.dialect, self.keys, value)


@dataclass(frozen=True, slots=True)
class JsonMark:
    """A required member of a host's file that belongs to nobody, such as a version. An existing one stays."""

    keys: Keys
    value: object

    def put(self, text: str) -> str:
        """Return the text with the member added if it is missing."""
        there = _node(text, JsonDialect.PLAIN, self.keys)
        return text if there else json_edit.put(text, JsonDialect.PLAIN, self.keys, self.value)

    def take(self, text: str, made: Collection[Keys]) -> str:
        """Return the text without the member, if the installation added it and nothing else is left."""
        alone = len(json_edit.members(text, JsonDialect.PLAIN)) == 1
        return json_edit.drop(text, JsonDialect.PLAIN, self.keys) if alone and self.keys in made else text

    def holders(self, text: str) -> list[Keys]:
        """Return the member's path if it does not exist yet."""
        return _missing(text, JsonDialect.PLAIN, self.keys)

    def found(self, _text: str, /) -> object:
        """Return None: no existing value is replaced."""
        return None

    def place(self, text: str, _value: object, /) -> str:
        """Return the text unchanged: there is no earlier value."""
        return text


@dataclass(frozen=True, slots=True)
class JsonHook:
    """One of Reverie's commands in an event's list of hooks, beside those of others.

    Attributes:
        keys: the path of the list.
        command: the command the host runs.
        rest: the hook's other fields, such as its timeout.
        said_in: the field that holds the command.
        grouped: whether the list holds groups that each hold a list of hooks.
        matcher: which tools a new hook is called for, in the host's syntax; empty: not stated.
    """

    keys: Keys
    command: str
    rest: Mapping[str, object] = field(default_factory=dict)
    said_in: str = "command"
    grouped: bool = True
    dialect: JsonDialect = JsonDialect.PLAIN
    matcher: str = ""

    def put(self, text: str) -> str:
        """Return the text with the hook; an existing hook of Reverie's gets the current command and keeps its other
        fields.
        """
        ours = self._ours(text)
        if not ours:
            return self._added(text)
        for place in range(len(ours)):
            command = self._ours(text)[place].command
            if command.value != self.command:
                text = text[: command.start] + json_edit.quoted(self.command) + text[command.end :]
        return text

    def take(self, text: str, made: Collection[Keys]) -> str:
        """Return the text without any hook of Reverie's in this list; a group left empty is removed."""
        while ours := self._ours(text):
            text = json_edit.take(text, ours[0].holder, ours[0].part)
        return _pruned(text, self.dialect, self.keys, made)

    def holders(self, text: str) -> list[Keys]:
        """Return the paths of objects and lists that do not exist yet."""
        return _missing(text, self.dialect, self.keys)

    def found(self, _text: str, /) -> object:
        """Return None: others' hooks stay beside Reverie's, none is replaced."""
        return None

    def place(self, text: str, _value: object, /) -> str:
        """Return the text unchanged: there is no earlier value."""
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
        """Return Reverie's hooks in the list."""
        node = _node(text, self.dialect, self.keys)
        found: list[_Ours] = []
        for member in node.members if node else ():
            group = member.node.member("hooks") if self.grouped else None
            hooks = group.node.members if group else (member,)
            for hook in hooks:
                # A group that holds nothing else is removed whole.
                holder, part = (group.node, hook) if group and len(hooks) > 1 else (node, member)
                found += self._if_ours(holder, part, hook)
        return found

    def _if_ours(self, holder: Node | None, part: Member, hook: Member) -> list[_Ours]:
        command = hook.node.member(self.said_in)
        ours = command is not None and is_same_call(command.node.value, self.command)
        return [_Ours(holder, part, command.node)] if holder and command and ours else []


@dataclass(frozen=True, slots=True)
class _Ours:
    """A hook of Reverie's: the list that holds it, the part of that list to remove, and its command."""

    holder: Node
    part: Member
    command: Node


@dataclass(frozen=True, slots=True)
class TomlTable:
    """A table of a TOML file, identified by its path."""

    keys: Keys
    value: Mapping[str, object]

    def put(self, text: str) -> str:
        """Return the text with the table; other keys inside it stay."""
        return toml_edit.put(text, self.keys, self.value)

    def take(self, text: str, _made: Collection[Keys], /) -> str:
        """Return the text without the table and the tables below it."""
        return toml_edit.take(text, self.keys)

    def holders(self, _text: str, /) -> list[Keys]:
        """Return an empty list: a table's header creates what it needs."""
        return []

    def found(self, text: str) -> object:
        """Return the existing table; None if there is none."""
        return toml_edit.find(text, self.keys)

    def place(self, text: str, value: object) -> str:
        """Return the text with an earlier table put back."""
        return toml_edit.put(toml_edit.take(text, self.keys), self.keys, value if isinstance(value, Mapping) else {})


_CALL = re.compile(r"reverie.*?( hook --host [a-z-]+(?: --event \w+)?)\s*$", re.DOTALL)


def is_same_call(command: object, ours: str) -> bool:
    """Whether a hook's command calls Reverie for the same host, whatever the installation path."""
    found = _CALL.search(command) if isinstance(command, str) else None
    return found is not None and ours.endswith(found[1])


def is_ours(found: object) -> bool:
    """Whether the value at a piece's place starts Reverie; True if there is no value."""
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
    """Return the text without the containers on a path that Reverie made and that are now empty."""
    while keys and keys in made:
        node = json_edit.find(text, dialect, keys)
        if node is not None and (node.members or text[node.start + 1 : node.end - 1].strip()):
            return text
        text = json_edit.drop(text, dialect, keys)
        keys = keys[:-1]
    return text


NO_MATCHERS: Mapping[str, str] = MappingProxyType({})


class Where(StrEnum):
    """Whose settings are written: the user's or a project's."""

    USER = "user"
    PROJECT = "project"

    @property
    def mode(self) -> int:
        """Permissions of a new file; private for a user's settings, because hosts may add keys to them."""
        return 0o600 if self is Where.USER else 0o666


@dataclass(frozen=True, slots=True)
class HostEnvironment:
    """The environment of an installation.

    Attributes:
        environment: the process's variables.
        folder: the root of the current project.
        project: the project's name in the scope.
        program: the command line that runs this installation.
        system: the operating system, as in ``sys.platform``.
    """

    environment: Mapping[str, str]
    folder: Path
    project: str
    program: tuple[str, ...]
    system: str = "linux"

    @property
    def home(self) -> Path:
        """Return the user's home folder. Raises InvalidSetting if the environment names none."""
        home = home_folder(self.environment)
        if not Path(home).is_absolute():
            raise InvalidSetting("HOME is not set, so there is no place for a user's settings.", "Set HOME.")
        return Path(home)

    def at(self, variable: str, otherwise: str) -> Path:
        """Return the folder a variable names, else ``otherwise`` below the user's home."""
        named = self.environment.get(variable, "")
        return Path(named) if Path(named).is_absolute() else self.home / otherwise

    def hook_command(self, host: str) -> str:
        """Return the shell command that a host's hook runs."""
        return f"{self._shell_program} hook --host {host}"

    @property
    def _shell_program(self) -> str:
        """The program for a shell. On Windows some hosts ask bash and some cmd: both take double quotes and slashes."""
        if self.system != "win32":
            return shlex.join(self.program)
        words = [word.replace("\\", "/") if number == 0 else word for number, word in enumerate(self.program)]
        return " ".join(f'"{word}"' if number == 0 or " " in word else word for number, word in enumerate(words))

    def server(self, *arguments: str) -> dict[str, object]:
        """Return the command and arguments with which a host starts the MCP server."""
        return {"command": self.program[0], "args": [*self.program[1:], "mcp", *arguments]}

    def hooks(
        self,
        host: str,
        timeouts: Mapping[str, int],
        dialect: JsonDialect = JsonDialect.PLAIN,
        matchers: Mapping[str, str] = NO_MATCHERS,
    ) -> tuple[Piece, ...]:
        """Return a hook for each event, in the form that Claude Code, Codex and Gemini CLI share."""
        call = self.hook_command(host)
        return tuple(
            JsonHook(("hooks", event), call, {"timeout": most}, dialect=dialect, matcher=matchers.get(event, ""))
            for event, most in timeouts.items()
        )


@dataclass(frozen=True, slots=True)
class HostFile:
    """A host's file and the pieces put into it; ``whole``: the file is Reverie's, and is removed when it is empty."""

    path: Path
    pieces: tuple[Piece, ...]
    whole: bool = False


Files = Callable[[HostEnvironment, Where], tuple[HostFile, ...]]


@dataclass(frozen=True, slots=True)
class HostAct:
    """What an installation or its undoing does after the files: run a program of the host's, or write a binary file.

    Attributes:
        shown: what it does, in one line, shown before the user agrees.
        do: do it; return what the user has to do instead if it failed, else an empty text.
    """

    shown: str
    do: Callable[[], str]


Acts = Callable[[HostEnvironment, bool], tuple[HostAct, ...]]


@dataclass(frozen=True, slots=True)
class Host:
    """A program that can use Reverie.

    Attributes:
        name: its name on the command line.
        title: its name for people.
        files: returns its files for an environment and a choice of settings.
        wheres: whose settings it has; the first is the default.
        after: next steps for the user.
        placed: it lies in a folder that the user names, which then counts as the project's folder.
        told: returns first steps that depend on what is installed.
        extra: the extra of Reverie's package that it needs.
        acts: returns what is still to be done beside its files, for an installation or (True) its undoing.
        examine: returns the faults that do not show in its files, given the command that installs it.
    """

    name: str
    title: str
    files: Files
    wheres: tuple[Where, ...]
    after: tuple[str, ...]
    placed: bool = False
    told: Callable[[HostEnvironment], tuple[str, ...]] = lambda _: ()
    extra: str = "mcp"
    acts: Acts = lambda _around, _undo: ()
    examine: Callable[[HostEnvironment, str], tuple[Fault, ...]] = lambda _around, _command: ()


SERVERS: Keys = ("mcpServers", "reverie")
"""Path of Reverie's server in most hosts' files."""

"""What a host is: in, where one stands and how Reverie is called; out, the host's files and the pieces for each."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from reverie.errors import InvalidSetting
from reverie.hosts.json_edit import Keys
from reverie.hosts.json_tree import Dialect
from reverie.hosts.pieces import JsonHook, Piece

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
class Surroundings:
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
        dialect: Dialect = Dialect.PLAIN,
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


Files = Callable[[Surroundings, Where], tuple[HostFile, ...]]


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
    told: Callable[[Surroundings], tuple[str, ...]] = lambda _: ()
    extra: str = "mcp"


SERVERS: Keys = ("mcpServers", "reverie")
"""Where most hosts keep our server."""

"""The command group ``reverie``: run a command, and turn its errors into text and exit codes.

A command's module is imported on its first call, so that no command pays for another.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Any

import click

from reverie import __version__
from reverie.durable import unwritable
from reverie.errors import ReverieError
from reverie.faces.cli import exits
from reverie.faces.cli.exits import refused
from reverie.faces.cli.invocation import Invocation, LazyGroup, common_options
from reverie.wire.errors import told

SECTIONS = {
    "Everyday": {
        "remember": "write",
        "observe": "observe",
        "recall": "recall",
        "correct": "tend",
        "forget": "tend",
        "feedback": "tend",
    },
    "Look": {
        "explain": "recall",
        "injected": "injected",
        "timeline": "recall",
        "memory": "look",
        "session": "recall",
        "stats": "care",
        "due": "intending",
    },
    "Tend": {
        "restore": "tend",
        "review": "connect",
        "dream": "dream",
        "undo": "dream",
    },
    "Move": {
        "import": "move",
        "export": "move",
        "sync": "syncing",
        "vault": "vault_link",
        "store": "care",
    },
    "Connect": {
        "install": "connect",
        "mcp": "connect",
        "serve": "serve",
        "proxy": "serve",
    },
    "Run": {
        "setup": "guide",
        "init": "setup",
        "config": "setup",
        "project": "setup",
        "audit": "care",
        "backup": "backup",
        "doctor": "care",
        "jobs": "jobs",
    },
}
"""For each section of the help: each command and the module that holds it as ``<command>_command``."""

CALLED_BY_HOSTS = {"hook": "connect"}
"""Commands that a host calls and nobody types: they work and are documented, and the help does not list them."""

NAMED_ABOVE = {"demo": "demo"}
"""Commands that the help names in its first lines, and does not list again."""

COMMANDS = {
    name: module for section in (*SECTIONS.values(), NAMED_ABOVE, CALLED_BY_HOSTS) for name, module in section.items()
}
"""Module of every command, in the order of the help."""


class App(LazyGroup):
    """The group ``reverie``: lists its commands by section and turns errors into exit codes."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the commands by section, each with its short help."""
        width = max(map(len, COMMANDS))
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), self._load(name).short_help or "") for name in section])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command; if the name exists only inside a group, the error says in which."""
        name = args[0]
        if name not in COMMANDS and not ctx.resilient_parsing and (places := _nested(name)):
            ctx.fail(f"No such command {name!r}. It is {' or '.join(f'`reverie {place}`' for place in places)}.")
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; an output that cannot be written (a full disk) is reported like any other error."""
        _steady_streams()
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            if error.filename is not None:  # an error of a file, not of the output
                raise
            sys.exit(_show_unwritten(error))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; turn known errors into a message and an exit code."""
        try:
            super().invoke(ctx)
            sys.stdout.flush()
        except ReverieError as error:
            _show(error, ctx.ensure_object(Invocation))
            ctx.exit(exits.exit_code(error))
        except BrokenPipeError:
            _let_go_of_output()
            ctx.exit(exits.PIPE_CLOSED)
        except OSError as error:
            is_gone = isinstance(error, FileNotFoundError)  # without a name: the folder that the command runs in
            if not (is_gone or isinstance(error.filename, str | bytes)):
                raise  # the output itself failed, so no message can be shown
            told_as = refused(error)
            _show(told_as, ctx.ensure_object(Invocation))
            ctx.exit(exits.exit_code(told_as))
        except KeyboardInterrupt:
            show_interrupted(ctx.ensure_object(Invocation))
            ctx.exit(exits.INTERRUPTED)


def _nested(name: str) -> list[str]:
    """Return where a command of this name is among the subcommands."""
    groups = {above: command for above, command in main.commands.items() if isinstance(command, click.Group)}
    return [f"{above} {name}" for above, group in groups.items() if name in group.commands]


def _steady_streams() -> None:
    """Escape what the locale cannot write, so that output never fails; replace closed streams by empty ones."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            null = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - stays as long as the process
            setattr(sys, name, null)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _show(error: ReverieError, invocation: Invocation) -> None:
    screen = invocation.screen
    if screen.as_json:
        screen.json({"error": {**told(error), "exit_code": exits.exit_code(error)}})
        return
    screen.note(f"error: {error.message}")
    if error.mend:
        screen.note(f"  mend: {error.mend}")


def _show_unwritten(error: OSError) -> int:
    """Report on standard error, even with ``--json``, that the output cannot be written; return the exit code."""
    told_as = unwritable(error, Path("the standard output"))
    _let_go_of_output()
    with contextlib.suppress(OSError):
        sys.stderr.write(f"error: {told_as.message}\n  mend: {told_as.mend}\n")
    return exits.exit_code(told_as)


def unwritten(error: OSError) -> int:
    """Say why an answer cannot be written, unless whoever read it has gone; return the exit code."""
    if isinstance(error, BrokenPipeError):
        _let_go_of_output()
        return exits.PIPE_CLOSED
    return _show_unwritten(error)


def show_interrupted(invocation: Invocation) -> None:
    """Say that a command was interrupted."""
    if invocation.as_json:
        mend = "What was written stays; call it again to go on."
        invocation.screen.json(exits.failure("Interrupted", "The command was interrupted.", mend, exits.INTERRUPTED))
        return
    sys.stderr.write("\nInterrupted.\n")


def _let_go_of_output() -> None:
    """Redirect standard output to nowhere, so that buffered text does not fail again when the interpreter ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=App, params=common_options(), lazy={name: f"{at}.{name}_command" for name, at in COMMANDS.items()})
@click.version_option(__version__, message="%(prog)s %(version)s")
def main() -> None:
    """Reverie remembers what was said to an agent and recalls it, with the reason for each recall.

    Every command works within one scope (agent, user, project). `reverie init` writes it into reverie.toml; commands
    look for that file from the current folder upwards, then at REVERIE_* variables, then at the flags.

    Set it up: `reverie setup` asks what you want it for. Try it without anything set up: `reverie demo`.
    """

"""The command group: in, the arguments; out, the command's answer, or its error as text and exit code.

A command's module is imported when the command is called for, so that one command does not pay for another.
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
        "timeline": "recall",
        "memory": "look",
        "session": "recall",
        "stats": "care",
    },
    "Tend": {
        "restore": "tend",
        "relate": "look",
        "review": "connect",
        "dream": "dream",
        "undo": "dream",
    },
    "Move": {
        "import": "move",
        "export": "move",
        "vault": "vault_link",
        "store": "care",
    },
    "Connect": {
        "install": "connect",
        "mcp": "connect",
        "hook": "connect",
        "serve": "serve",
    },
    "Run": {
        "init": "setup",
        "config": "setup",
        "project": "project",
        "audit": "care",
        "doctor": "care",
        "demo": "demo",
    },
}
"""Section of the help → command → the module of this package that holds it, as ``<command>_command``."""

COMMANDS = {name: module for section in SECTIONS.values() for name, module in section.items()}
"""Every command in the order of the help → its module."""


class App(LazyGroup):
    """The group ``reverie``: lists its commands by section and turns errors into exit codes."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the commands by section, each with its short line."""
        width = max(map(len, COMMANDS))
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), self._load(name).short_help or "") for name in section])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was typed; for one that lies in a group, the error says in which."""
        name = args[0]
        if name not in COMMANDS and (places := _nested(name)):
            ctx.fail(f"No such command {name!r}. It is {' or '.join(f'`reverie {place}`' for place in places)}.")
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run what was typed; that the answer cannot be written (a full disk) is told like any other error."""
        _steady_streams()
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            if error.filename is not None:  # no output's
                raise
            sys.exit(_show_unwritten(error))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what goes wrong on purpose becomes a message and an exit code."""
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
            if not isinstance(error.filename, str | bytes):  # it is the output, which takes no message either
                raise
            told_as = refused(error)
            _show(told_as, ctx.ensure_object(Invocation))
            ctx.exit(exits.exit_code(told_as))
        except KeyboardInterrupt:
            _show_interrupted(ctx.ensure_object(Invocation))
            ctx.exit(exits.INTERRUPTED)


def _nested(name: str) -> list[str]:
    """Where among the groups a command of this name lies."""
    groups = {above: command for above, command in main.commands.items() if isinstance(command, click.Group)}
    return [f"{above} {name}" for above, group in groups.items() if name in group.list_commands(click.Context(group))]


def _steady_streams() -> None:
    """Whatever the locale, no character makes writing fail: what it has not is written out. What is closed is empty."""
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
    """Tell on the error stream, whatever the form asked for, that the output takes nothing; the exit code."""
    told_as = unwritable(error, Path("the standard output"))
    _let_go_of_output()
    with contextlib.suppress(OSError):
        sys.stderr.write(f"error: {told_as.message}\n  mend: {told_as.mend}\n")
    return exits.exit_code(told_as)


def _show_interrupted(invocation: Invocation) -> None:
    if invocation.as_json:
        mend = "What was written stays; call it again to go on."
        invocation.screen.json(exits.failure("Interrupted", "The command was interrupted.", mend, exits.INTERRUPTED))
        return
    sys.stderr.write("\nInterrupted.\n")


def _let_go_of_output() -> None:
    """Nobody reads any more: what is still buffered must not fail again when the interpreter ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=App, params=common_options(), lazy={name: f"{at}.{name}_command" for name, at in COMMANDS.items()})
@click.version_option(__version__, message="%(prog)s %(version)s")
def main() -> None:
    """Reverie remembers what was said to an agent and recalls it, with the reason for each recall.

    Every command works within one scope (agent, user, project). `reverie init` writes it into reverie.toml; commands
    look for that file from the current folder upwards, then at REVERIE_* variables, then at the flags.

    Try it without anything set up: `reverie demo`.
    """

"""``install``: Reverie's hooks and MCP server into another program's settings; shown before, and taken out again."""

from __future__ import annotations

import os
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.errors import InvalidInput, ReverieError
from reverie.faces.cli import exits
from reverie.faces.cli.command import Command, confirmed
from reverie.faces.cli.invocation import Invocation, pass_invocation
from reverie.faces.cli.scheduling import program
from reverie.faces.cli.screen import cut
from reverie.hosts.known import NAMES, PLACED, host

if TYPE_CHECKING:
    from reverie.faces.cli.screen import Screen
    from reverie.hosts.files import NoteBook
    from reverie.hosts.host import Host, Surroundings, Where
    from reverie.hosts.plan import Plan, Step

_EXTRAS = {"mcp": ("mcp", "the MCP server needs a package"), "serve": ("uvicorn", "its server needs packages")}
"""Extra → a package of it, and what is said where that is missing."""
_LINE = 200
"""Characters of a line that a diff shows: a host's settings may stand on a single one."""


@click.command("install", cls=Command, short_help="Give a coding agent or editor this memory.")
@click.argument("program_name", metavar="HOST", type=click.Choice((*NAMES, *PLACED)))
@click.argument("place", metavar="[PATH]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--scope", "where", type=click.Choice(["user", "project"]), help="Whose settings; else as suits the host."
)
@click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can be asked.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--undo", is_flag=True, help="Take out again what was put in.")
@pass_invocation
def install_command(  # noqa: PLR0913 - one parameter an option
    invocation: Invocation,
    program_name: str,
    place: Path | None,
    where: str | None,
    *,
    yes: bool,
    dry_run: bool,
    undo: bool,
) -> None:
    """Write Reverie's hooks and MCP server into the settings of HOST, or its extensions into Agent Zero.

    HOST is claude-code, codex, gemini, cursor, vscode, openclaw or openclaw-mcp; or agent-zero with its PATH. What
    would change is shown first, and written when you say yes. Everything else in those files stays as it is; --undo
    takes out what was put in, and memories stay. A second run changes nothing. Your own settings and the store are
    made where there are none; Agent Zero keeps its memory itself and needs neither.
    """
    from reverie.hosts.plan import installing, undoing

    chosen = host(program_name)
    around, scope = _surroundings(invocation, chosen, place), _where(chosen, where)
    wanted = chosen.files(around, scope)
    book = _book(around, chosen, scope)
    plan = undoing(wanted, book) if undo else installing(wanted, book, scope.mode)
    work = _Work(invocation, chosen, around, plan, undo)
    done = work.is_done
    if not invocation.screen.as_json:
        work.show()
    question = "Take this out?" if undo else "Write this?"
    if not dry_run and (done or yes or (not invocation.screen.as_json and confirmed(question))):
        work.do()
        done = True
    work.tell(done=done, dry_run=dry_run)
    if not done and not dry_run:
        click.get_current_context().exit(exits.UNCONFIRMED)


def _surroundings(invocation: Invocation, chosen: Host, place: Path | None) -> Surroundings:
    """Where one stands. Raises InvalidInput where a path is missing, or there is one that nobody asks for."""
    from reverie.hosts.host import Surroundings
    from reverie.hosts.own import project_name, project_root

    if chosen.placed != (place is not None):
        lacking = f"Name the folder that it lies in: reverie install {chosen.name} PATH"
        what = f"It is not known where your {chosen.title} lies." if chosen.placed else f"{chosen.title} takes no PATH."
        raise InvalidInput(what, lacking if chosen.placed else "Leave the PATH out.")
    root = project_root(Path.cwd()) if place is None else place.resolve()
    name = "" if chosen.placed else project_name(root, os.environ, invocation.given)
    return Surroundings(os.environ, root, name, program(), sys.platform)


def _where(chosen: Host, named: str | None) -> Where:
    """Whose settings are meant. Raises InvalidInput where the host has none of that kind."""
    from reverie.hosts.host import Where

    where = Where(named) if named else chosen.wheres[0]
    if where not in chosen.wheres:
        only = chosen.wheres[0]
        raise InvalidInput(f"{chosen.title} has no settings for a {where}.", f"Give --scope {only}, or leave it out.")
    return where


def _book(around: Surroundings, chosen: Host, where: Where) -> NoteBook:
    from reverie.hosts.files import NoteBook
    from reverie.hosts.host import Where

    folder = around.folder if where is Where.PROJECT else None
    return NoteBook.at(around.environment, around.home, chosen.name, folder)


class _Work:
    """One installation or its undoing: the host's files, and beside them Reverie's own settings and store."""

    def __init__(self, invocation: Invocation, chosen: Host, around: Surroundings, plan: Plan, undo: bool) -> None:
        from reverie.hosts import own

        self._given = invocation.given
        self._screen: Screen = invocation.screen
        self._host, self._around, self._plan, self._undo = chosen, around, plan, undo
        ours = not undo and not chosen.placed
        self._own = own.settings(around.environment, around.home, invocation.given) if ours else None
        self._made: Path | None = None

    @property
    def is_done(self) -> bool:
        """Whether every file is as it should be; a store that is gone is made again without asking."""
        return self._plan.is_done and (self._own is None or self._own.is_none)

    def show(self) -> None:
        """What would change, as a diff."""
        for step in self._steps():
            for line in step.diff():
                self._screen.line(cut(line, _LINE))

    def do(self) -> None:
        """Do it: Reverie's own side first, so that a host never calls what cannot answer. Raises ReverieError."""
        from reverie.hosts import files, own

        if self._own is not None and not self._own.is_none:
            files.write(self._own, mode=0o600)  # keys may be added to it
        try:
            if self._own is not None:
                self._made = own.make_store(Path.cwd(), self._around.environment, self._given)
            self._plan.do()
        except ReverieError:
            if self._own is not None and not self._own.is_none:
                files.write(files.Change(self._own.path, self._own.after, self._own.before))
            raise

    def tell(self, *, done: bool, dry_run: bool) -> None:
        """How it ended, and what to do next."""
        screen = self._screen
        if screen.as_json:
            screen.json(self._shape(done=done, dry_run=dry_run))
        elif not done:
            screen.note("nothing was changed" if dry_run else "not confirmed; nothing was changed (--yes does not ask)")
        elif self._undo:
            where = "it" if self._host.placed else "its settings"
            screen.line(f"{self._host.title}: nothing of Reverie is left in {where}; your memories stay")
        else:
            screen.line(f"{self._host.title} is set up" + (f"; made {self._made}" if self._made else ""))
            for line in self._next():
                screen.line(f"next: {line}")

    def _steps(self) -> list[Step]:
        from reverie.hosts.plan import Step

        own = [] if self._own is None else [Step(self._own, None)]
        return [*own, *self._plan.steps]

    def _next(self) -> list[str]:
        extra = self._host.extra
        lacks = not self._host.placed and not find_spec(_EXTRAS[extra][0])
        missing = [f"{_EXTRAS[extra][1]} more: pip install 'reverie[{extra}]'"] if lacks else []
        place = f" {shlex.quote(str(self._around.folder))}" if self._host.placed else ""
        undo = f"undo: reverie install {self._host.name}{place} --undo"
        return [*missing, *self._host.told(self._around), *self._host.after, undo]

    def _shape(self, *, done: bool, dry_run: bool) -> dict[str, object]:
        changed = [
            {
                "path": str(step.change.path),
                "changes": not step.change.is_none,
                "diff": [cut(d, _LINE) for d in step.diff()],
            }
            for step in self._steps()
        ]
        next_ = [] if self._undo else self._next()
        return {
            "host": self._host.name,
            "files": changed,
            "undo": self._undo,
            "dry_run": dry_run,
            "done": done,
            "next": next_,
        }

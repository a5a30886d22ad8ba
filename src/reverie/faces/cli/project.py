"""``project``: which project a folder belongs to, and joining it to one, parting it, taking either back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.faces.cli.invocation import Command, CommandGroup, Invocation, pass_invocation
from reverie.wire.shapes import shape

if TYPE_CHECKING:
    from reverie.config.project import Belonging

_folder = click.argument("folder", type=click.Path(path_type=Path), default=".")


@click.group(
    "project",
    cls=CommandGroup,
    invoke_without_command=True,
    short_help="Show which project a folder belongs to.",
    lazy={"join": "project.join_command", "part": "project.part_command", "undo": "project.undo_command"},
)
@pass_invocation
def project_command(invocation: Invocation) -> None:
    """Show which project this folder belongs to, which folders share it, and which projects it might be.

    It counts where the setting `project` is "auto". The worktrees of a repository share one. A clone or a folder that
    has moved has a memory of its own until you join it, because anybody can copy a repository.
    """
    from reverie.config.project import Projects, repository

    invocation.loaded()  # so that a folder that is new is known from now on
    _show(invocation, Projects().of(repository(Path.cwd())))


@click.command("join", cls=Command, short_help="Let a folder share a project's memory.")
@click.argument("name")
@_folder
@pass_invocation
def join_command(invocation: Invocation, name: str, folder: Path) -> None:
    """Let FOLDER, by default this one, belong to the project NAME: another folder's, or a name that you choose.

    What the folder's own project holds stays there. `reverie project undo` takes it back.
    """
    from reverie.config.project import Projects

    _show(invocation, Projects().join(folder, name))


@click.command("part", cls=Command, short_help="Give a folder a project of its own.")
@_folder
@pass_invocation
def part_command(invocation: Invocation, folder: Path) -> None:
    """Give FOLDER, by default this one, a project of its own again. `reverie project undo` takes it back."""
    from reverie.config.project import Projects

    _show(invocation, Projects().part(folder))


@click.command("undo", cls=Command, short_help="Take the last join or part of a folder back.")
@_folder
@pass_invocation
def undo_command(invocation: Invocation, folder: Path) -> None:
    """Take the last join or part of FOLDER, by default this one, back."""
    from reverie.config.project import Projects

    _show(invocation, Projects().undo(folder))


def _show(invocation: Invocation, found: Belonging) -> None:
    screen = invocation.screen
    if screen.as_json:
        screen.json({**shape(found), "folder": str(found.folder)})
        return
    screen.line(f"project: {found.project}{' (joined)' if found.joined else ''}")
    screen.line(f"folder: {found.folder}")
    for claim in found.claims:
        screen.line(f"claim: {claim.replace(':', ' ', 1)}")
    for other in found.others:
        screen.line(f"shared with: {other}")
    for name in found.alike:
        screen.line(f"might be: {name} (`reverie project join {name}`)")

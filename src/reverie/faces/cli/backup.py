"""`reverie backup`: dated copies of the store, of which the newest are kept, and restoring one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.faces.cli.encryption import trusted_after
from reverie.faces.cli.invocation import Command, CommandGroup, Invocation, busy, pass_invocation
from reverie.faces.cli.screen import Column, visible

if TYPE_CHECKING:
    from reverie.config import Settings


@click.group(
    "backup",
    cls=CommandGroup,
    invoke_without_command=True,
    short_help="Back up the store, or restore it.",
    lazy={"list": "backup.list_command", "restore": "backup.restore_command"},
)
@click.option(
    "--to", "folder", type=click.Path(path_type=Path), help="The folder; backups beside the store if left out."
)
@click.option("--keep", type=click.IntRange(0), default=0, metavar="N", help="Remove all but the newest N; 0: none.")
@pass_invocation
def backup_command(invocation: Invocation, folder: Path | None, keep: int) -> None:
    """Copy the whole store into a file named after the time, while others read and write, and examine the copy.

    Only then are older ones removed. Let cron or a timer call it: `reverie backup --keep 7`.
    """
    from reverie.engine.backups import back_up, folder_of
    from reverie.engine.runtime import SystemClock

    settings = invocation.settings()
    place = folder or folder_of(_named(settings))
    with invocation.open(model=False) as memory, busy("backing up"):
        now = SystemClock().now()
        done = back_up(memory, _named(settings), place, now, keep=keep, key_file=settings.key_file)
    screen = invocation.screen
    if screen.as_json:
        counts = {"scopes": done.scopes, "events": done.events, "bytes": done.file.stat().st_size}
        screen.json({"file": str(done.file), "digest": done.digest, **counts, "removed": [*map(str, done.removed)]})
        return
    screen.line(visible(f"backed up {done.events} events of {done.scopes} scopes to {done.file}; examined, all well"))
    for one in done.removed:
        screen.line(visible(f"removed {one}"))


@click.command("list", cls=Command, short_help="List the backups.")
@click.option("--to", "folder", type=click.Path(path_type=Path), help="Their folder, if it is not beside the store.")
@pass_invocation
def list_command(invocation: Invocation, folder: Path | None) -> None:
    """List the backups that `reverie backup` made, oldest first."""
    from reverie.engine.backups import folder_of, made

    store = _named(invocation.settings())
    found = [(one, one.stat().st_size) for one in made(store, folder or folder_of(store))]
    screen = invocation.screen
    if screen.as_json:
        screen.json({"backups": [{"file": str(file), "bytes": size} for file, size in found]})
    elif found:
        screen.table([Column("file"), Column("bytes", number=True)], [(str(file), str(size)) for file, size in found])
    else:
        screen.line("there is no backup")


@click.command("restore", cls=Command, short_help="Put a backup in the store's place.")
@click.argument("file", type=click.Path(path_type=Path))
@pass_invocation
def restore_command(invocation: Invocation, file: Path) -> None:
    """Put the backup FILE in the store's place, and prove by its digest that the store is now what the backup is.

    Of a folder, the newest backup of this store is taken.

    The backup is examined first. The store that was there stays beside it, named after the time. Nobody else may have
    the store open: `reverie hook stop` ends the hooks' process. What was erased since the backup is there again.
    """
    from reverie.engine.backups import newest, restore
    from reverie.engine.runtime import SystemClock

    settings = invocation.settings()
    if file.is_dir():
        file = newest(_named(settings), file)
    with trusted_after(invocation), invocation.logged("restore") as line, busy("restoring"):
        done = restore(_named(settings), file, SystemClock().now(), key_file=settings.key_file)
        line.did(str(file), done.events)
    screen = invocation.screen
    if screen.as_json:
        screen.json(
            {
                "file": str(file),
                "digest": done.digest,
                "scopes": done.scopes,
                "events": done.events,
                "aside": done.aside,
            }
        )
        return
    screen.line(visible(f"restored from {file}"))
    screen.line(visible(f"{done.events} events of {done.scopes} scopes; digest {done.digest}, as the backup's"))
    if done.aside:
        screen.line(visible(f"the store that was there: {done.aside}"))


def _named(settings: Settings) -> str:
    return str(settings.named_store)

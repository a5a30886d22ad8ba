"""Care: ``stats``, ``embed``, ``backup``, ``verify``, ``replay``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.durable import replace, unreadable, unwritable
from reverie.errors import InvalidInput, StoreCorrupt
from reverie.faces.cli import exits
from reverie.faces.cli.command import Command
from reverie.faces.cli.files import place_for
from reverie.faces.cli.invocation import Invocation, pass_invocation
from reverie.faces.cli.life import census
from reverie.faces.cli.progress import busy, progress
from reverie.faces.cli.screen import Column, Screen
from reverie.wire import shapes

if TYPE_CHECKING:
    from reverie.answers import Anchor, Fault, Stats
    from reverie.engine.core import Reverie

_ANCHOR_MAX = 1 << 16
"""Bytes; an anchor has some thousand."""


@click.command("stats", cls=Command, short_help="Count what a scope holds.")
@click.option("--all", "every", is_flag=True, help="Every scope of the store, not only the one in force.")
@pass_invocation
def stats_command(invocation: Invocation, every: bool) -> None:
    """Count what a scope holds: what was said, and how what was formed of it stands."""
    with invocation.open(model=False) as memory:
        scopes = memory.scopes() if every else [invocation.scope()]
        counts = [(memory.stats(scope), census(memory, scope)) for scope in scopes]
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scopes": [{**shapes.stats(count), **life.shape()} for count, life in counts]})
        return
    for count, life in counts:
        screen.line(f"scope: {count.scope}")
        screen.table([Column("what", style="bold"), Column("value", number=True)], [*_rows(count), *life.rows()])


def _rows(count: Stats) -> list[tuple[str, str]]:
    return [
        ("memories", str(count.memories)),
        ("current", str(count.current)),
        ("sessions", str(count.sessions)),
        ("speakers", str(count.speakers)),
        ("accesses", str(count.accesses)),
        ("embedded", str(count.embedded)),
        ("first", f"{count.first_at:%Y-%m-%d %H:%M}" if count.first_at else ""),
        ("last", f"{count.last_at:%Y-%m-%d %H:%M}" if count.last_at else ""),
        ("events", str(count.events)),
        ("bytes on disk", str(count.disk_bytes)),
    ]


@click.command("embed", cls=Command, short_help="Embed what has no vector yet.")
@pass_invocation
def embed_command(invocation: Invocation) -> None:
    """Embed what has no vector of the current model, after a change of model or an endpoint's absence.

    It can be interrupted and goes on where it stopped; recall goes by text meanwhile.
    """
    with invocation.open() as memory:
        with progress("embedding", memory.missing()) as step:
            embedded = memory.catch_up(step)
        model = memory.model
    screen = invocation.screen
    if screen.as_json:
        screen.json({"embedded": embedded, "model": model})
    else:
        screen.line(f"embedded {embedded} memories with {model}")


@click.command("backup", cls=Command, short_help="Copy the store while it is in use.")
@click.argument("file", type=click.Path(path_type=Path))
@pass_invocation
def backup_command(invocation: Invocation, file: Path) -> None:
    """Copy the whole store, every scope of it, to a new FILE while others read and write."""
    with invocation.open(model=False) as memory, busy("copying"):
        memory.backup(file)
    size = file.stat().st_size
    screen = invocation.screen
    if screen.as_json:
        screen.json({"file": str(file), "bytes": size})
    else:
        screen.line(f"backed up to {file} ({size} bytes)")


@click.group("audit", short_help="Keep proof of what the store holds.")
def audit_command() -> None:
    """Proof, kept elsewhere, of what the store's journal held."""


@audit_command.command("anchor", cls=Command)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Write over an anchor that is there.")
@pass_invocation
def anchor_command(invocation: Invocation, file: Path, force: bool) -> None:
    """Write the end of the journal, of all scopes, to FILE: its last event's number and hash, and the time.

    Keep FILE where whoever can write to the store cannot. `reverie verify --anchor FILE` then finds whether the journal
    was cut, rolled back or rewritten since. FILE holds no content, and stays valid when something is erased.
    """
    place = place_for(file, invocation.settings(), force=force)
    with invocation.open(model=False) as memory:
        anchor = memory.anchor()
    try:
        replace(place, json.dumps(shapes.anchor(anchor), indent=1).encode() + b"\n")
    except OSError as error:
        raise unwritable(error, file) from None
    if invocation.screen.as_json:
        invocation.screen.json({"file": str(file), "seq": anchor.seq, "hash": anchor.hash})
    else:
        invocation.screen.line(f"anchored at event {anchor.seq} in {file}")


def _anchor_in(file: Path) -> Anchor:
    """The anchor a file holds. Raises InvalidInput, StoreError."""
    from reverie.wire import values

    try:
        with file.open("rb") as stream:
            return values.anchor(json.loads(stream.read(_ANCHOR_MAX)))
    except OSError as error:
        raise unreadable(error, file) from None
    except ValueError as error:
        raise InvalidInput(
            f"{file} is no anchor ({error}).", "Give a file that `reverie audit anchor` wrote."
        ) from None


@click.command("verify", cls=Command, short_help="Check the store for damage.")
@click.option("--anchor", "file", type=click.Path(path_type=Path), help="Also compare with what `audit anchor` wrote.")
@pass_invocation
def verify_command(invocation: Invocation, file: Path | None) -> None:
    """Check the store: the file, the search index, the journal's chain, and what derives from it."""
    anchor = None if file is None else _anchor_in(file)
    with invocation.open(model=False) as memory, busy("checking"):
        faults = memory.verify(anchor)
        digest = _digest(memory)
    show_faults(invocation.screen, faults, {"digest": digest}, f"no fault; digest {digest}")


@click.command("replay", cls=Command, short_help="Rebuild the store from its journal.")
@click.argument("file", type=click.Path(path_type=Path))
@pass_invocation
def replay_command(invocation: Invocation, file: Path) -> None:
    """Rebuild the store in a new FILE from the journal alone, and compare the two.

    Vectors are not in the journal: run `reverie embed --store FILE` to make them anew.
    """
    from reverie.answers import Fault

    with invocation.open(model=False) as memory:
        expected = _digest(memory)
        with progress("replaying", memory.head()) as step:
            digest = memory.replay(file, step)
    faults = []
    if digest != expected:
        what = f"{file} has digest {digest}, the store {expected}"
        mend = (
            f"Run `reverie verify`: where it names faults, {file} is the store as the journal has it, to use instead. "
            "Where it names none, somebody wrote meanwhile: replay once more into another file."
        )
        faults.append(Fault("replay-differs", what, mend))
    show_faults(invocation.screen, faults, {"digest": digest, "file": str(file)}, f"rebuilt in {file}; digest {digest}")


def _digest(memory: Reverie) -> str:
    """The store's digest, or why it has none: its tables are what a replay mends, and must not keep it from that."""
    try:
        return memory.digest()
    except StoreCorrupt as error:
        return f"none: {error.message}"


def show_faults(screen: Screen, faults: Sequence[Fault], more: dict[str, object], fine: str) -> None:
    """Each fault with its mend, and the exit code that says there are some; ``fine`` where there is none."""
    if screen.as_json:
        screen.json({"faults": [shapes.fault(fault) for fault in faults], **more})
    elif faults:
        columns = [Column("fault", style="bold red"), Column("what", wraps=True), Column("mend", wraps=True)]
        screen.table(columns, [(fault.name, fault.what, fault.mend) for fault in faults])
    else:
        screen.line(fine)
    if faults:
        click.get_current_context().exit(exits.FAULTS)

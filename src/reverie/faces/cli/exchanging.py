"""Whole conversations in and out: ``import`` and ``export``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.errors import Conflict
from reverie.faces.cli import exits
from reverie.faces.cli.command import Command
from reverie.faces.cli.files import file_error
from reverie.faces.cli.invocation import Invocation, pass_invocation
from reverie.faces.cli.progress import busy, progress
from reverie.faces.cli.screen import Column, Screen, is_terminal
from reverie.wire import shapes

if TYPE_CHECKING:
    from reverie.engine.core import Reverie
    from reverie.engine.writing import Imported
    from reverie.exchange import Skipped
    from reverie.types import Scope

KINDS = ("jsonl", "claude", "chatgpt")
"""``reverie.exchange.KINDS``, spelled out so that help does not load the readers; a test holds them equal."""

NAMED = 10
"""Broken items that are shown by name; the others are in the count, and in ``--json``."""


@click.command("import", cls=Command, short_help="Import a conversation.")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--kind", type=click.Choice(KINDS), help="The form of the file; told by its content where left out.")
@pass_invocation
def import_command(invocation: Invocation, path: Path, kind: str | None) -> None:
    """Import a conversation: JSON lines, or the data export of Claude or ChatGPT.

    PATH is a file, the export's .zip, or the folder it was unpacked into. Importing the same file again adds only what
    is new. Broken items are named and the rest is kept.
    """
    scope = invocation.scope()
    with invocation.open() as memory:
        imported, skipped = bring_in(memory, scope, path, kind)
    _show_imported(invocation.screen, scope, imported, skipped)
    if any(item.broken for item in skipped):
        click.get_current_context().exit(exits.PARTLY)


def bring_in(memory: Reverie, scope: Scope, path: Path, kind: str | None = None) -> tuple[Imported, list[Skipped]]:
    """Import a file with a bar; what was new and known, and what was left out."""
    from reverie.exchange import read

    skipped: list[Skipped] = []
    total = count_messages(path, kind) if is_terminal(sys.stderr) and not path.is_fifo() else None
    with progress(f"importing {path.name}", total) as step:
        imported = memory.remember_many(read(path, kind=kind, report=skipped.append), scope, progress=step)
    return imported, skipped


def count_messages(path: Path, kind: str | None) -> int:
    """How many messages there are, for the bar: reading them is quick beside embedding them."""
    from reverie.exchange import read

    with busy(f"reading {path.name}"):
        return sum(1 for _ in read(path, kind=kind))


def _show_imported(screen: Screen, scope: Scope, imported: Imported, skipped: Sequence[Skipped]) -> None:
    if screen.as_json:
        counts = {"new": imported.new, "known": imported.known, "conflicts": list(imported.conflicts)}
        screen.json({"scope": shapes.scope(scope), **counts, **skipped_shape(skipped)})
        return
    screen.line(f"imported {imported.new} new messages, {imported.known} known already")
    screen.line(f"scope: {scope}")
    show_skipped(screen, imported.conflicts, skipped)


def skipped_shape(skipped: Sequence[Skipped]) -> dict[str, object]:
    """What was left out of a conversation, counted by reason, and what was broken, by name."""
    faults = [{"where": item.where, "reason": item.reason, "detail": item.detail} for item in skipped if item.broken]
    return {"skipped": dict(Counter(item.reason for item in skipped)), "broken": faults}


def show_skipped(screen: Screen, conflicts: Sequence[str], skipped: Sequence[Skipped]) -> None:
    """What was not kept of a conversation, and why."""
    broken = [item for item in skipped if item.broken]
    reasons = Counter(item.reason for item in skipped)
    if conflicts:
        named = ", ".join(conflicts[:NAMED])
        screen.note(f"{len(conflicts)} messages are known with other words and were not kept: {named}")
    if reasons:
        screen.table([Column("left out", number=True), Column("because", wraps=True)], _counted(reasons))
    for item in broken[:NAMED]:
        screen.note(f"{item.where}: {item.reason}: {item.detail}")
    if len(broken) > NAMED:
        screen.note(f"… and {len(broken) - NAMED} more; --json lists them all")


def _counted(reasons: Counter[str]) -> list[tuple[str, str]]:
    return [(str(count), reason) for reason, count in reasons.most_common()]


@click.command("export", cls=Command, short_help="Write memories as JSON lines.")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True), default="-")
@click.option("--force", is_flag=True, help="Write over a file that exists.")
@pass_invocation
def export_command(invocation: Invocation, file: Path, force: bool) -> None:
    """Write the scope's memories as JSON lines, forgotten ones too.

    Without FILE they go to the standard output. `reverie import` reads the file back.
    """
    from reverie.exchange import write

    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        memories = memory.timeline(scope)
    if str(file) == "-":
        sys.stdout.flush()
        count = write(memories, sys.stdout.buffer)
        invocation.screen.note(f"exported {count} memories of scope {scope}")
        return
    if file.exists() and not force:
        raise Conflict(f"{file} exists already.", "Choose another name, or give --force.")
    # Written beside it and then moved, so that a full disk does not cost the export that was there before.
    draft = file.with_name(file.name + ".part")
    try:
        with draft.open("wb") as out:
            count = write(memories, out)
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise file_error(error, file) from None
    if invocation.screen.as_json:
        invocation.screen.json({"scope": shapes.scope(scope), "file": str(file), "memories": count})
    else:
        invocation.screen.line(f"exported {count} memories of scope {scope} to {file}")

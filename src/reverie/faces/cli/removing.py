"""Removing: ``forget`` lets a memory no longer hold, ``erase`` deletes it for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from reverie.faces.cli import exits
from reverie.faces.cli.command import WHY, Command, confirmed
from reverie.faces.cli.invocation import Invocation, pass_invocation
from reverie.faces.cli.screen import cut, one_line
from reverie.wire import looking_back, shapes

if TYPE_CHECKING:
    from reverie.engine.erasing import Erasure

_BY_HAND = "asked for at the command line"


@click.command("forget", cls=Command, short_help="Let a memory no longer hold.")
@click.argument("memory_id", metavar="ID")
@click.option("--why", metavar="TEXT", default=_BY_HAND, show_default=True, help=WHY)
@pass_invocation
def forget_command(invocation: Invocation, memory_id: str, why: str) -> None:
    """Let a memory no longer hold: it stays in the timeline and is not recalled any more."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        forgotten = memory.forget(memory_id, scope, why=why)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": shapes.scope(scope), "memory": shapes.memory(forgotten)})
        return
    screen.line(f"forgotten: {forgotten.id} ({cut(forgotten.text, 80)})")
    screen.line(f"scope: {scope} · no longer holds since {forgotten.valid_until:%Y-%m-%d %H:%M} UTC")


@click.command("erase", cls=Command, short_help="Delete a memory for good.")
@click.argument("memory_id", metavar="ID")
@click.option("--why", metavar="TEXT", default=_BY_HAND, show_default=True, help=WHY)
@click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can be asked.")
@pass_invocation
def erase_command(invocation: Invocation, memory_id: str, why: str, yes: bool) -> None:
    """Delete a memory for good: its text, its vector, its index, its words in the journal and the ops log's texts.

    The reasons go that were given with --why for changes of it; a tombstone without content stays. This cannot be
    undone, and backups made before still hold it.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        doomed = memory.memory(memory_id, scope)
        what = one_line(f"{doomed.speaker}, {doomed.at:%Y-%m-%d %H:%M}: {cut(doomed.text, 200)}")
        if not (yes or confirmed(f"{what}\nErase this for good?")):
            _show_unconfirmed(invocation)
            click.get_current_context().exit(exits.UNCONFIRMED)
        done = memory.erase(memory_id, scope, why=why)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": shapes.scope(scope), "erased": memory_id, **looking_back.erasure(done)})
    else:
        screen.line(f"erased: {memory_id}{_along(done)}")
        screen.line(f"scope: {scope}")
        screen.line(f"journal: {_head(done.before)} before, {_head(done.after)} after")


def _along(done: Erasure) -> str:
    """What else went."""
    count = len(done.memories) - 1
    return f" and {count} made of it" if count > 0 else ""


def _head(head: tuple[int, str]) -> str:
    return f"event {head[0]} {head[1][:16]}"


def _show_unconfirmed(invocation: Invocation) -> None:
    screen = invocation.screen
    if screen.as_json:
        screen.json(exits.UNDONE)
        return
    screen.note("not confirmed; nothing was erased (give --yes where nobody can be asked)")

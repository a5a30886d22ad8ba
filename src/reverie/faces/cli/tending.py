"""Tending single memories: feedback, corrections, pins and protection, waking, quarantine and release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from reverie.faces.cli.command import WHY, Command
from reverie.faces.cli.invocation import Invocation, pass_invocation
from reverie.faces.cli.life import describe
from reverie.faces.cli.screen import Column, Screen, cut
from reverie.wire import shapes

if TYPE_CHECKING:
    from reverie.types import Memory, Scope

VERDICTS = {
    "used": "It was of use: its utility rises.",
    "useless": "It was of no use: its utility falls.",
    "verified": "It is true: its source is trusted.",
    "wrong": "It is not true: it is not recalled any more.",
    "important": "It matters: its importance becomes .95.",
}
"""``reverie.engine.curate.Feedback``, spelled out so that help loads nothing; a test holds them equal."""

_id = click.argument("memory_id", metavar="ID")


@click.command("feedback", cls=Command, short_help="Say what turned out about a memory.")
@_id
@click.option("--used", is_flag=True, help=VERDICTS["used"])
@click.option("--useless", is_flag=True, help=VERDICTS["useless"])
@click.option("--verified", is_flag=True, help=VERDICTS["verified"])
@click.option("--wrong", is_flag=True, help=VERDICTS["wrong"])
@click.option("--important", is_flag=True, help=VERDICTS["important"])
@click.option("--why", metavar="TEXT", default="", help=WHY)
@pass_invocation
def feedback_command(invocation: Invocation, /, memory_id: str, why: str, **verdicts: bool) -> None:
    """Say what turned out about a memory: exactly one of the five."""
    given = [verdict for verdict, is_given in verdicts.items() if is_given]
    if len(given) != 1:
        raise click.UsageError(f"Give exactly one of {', '.join(f'--{verdict}' for verdict in VERDICTS)}.")
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        changed = memory.feedback(memory_id, scope, given[0], why=why)
    _show(invocation.screen, scope, given[0], changed)


@click.command("correct", cls=Command, short_help="Let a memory say something else from now on.")
@_id
@click.argument("text")
@click.option("--why", metavar="TEXT", default="", help=WHY)
@pass_invocation
def correct_command(invocation: Invocation, memory_id: str, text: str, why: str) -> None:
    """Let a memory say TEXT from now on: a new one takes its place, the old one is kept, closed and linked.

    What was formed of a corrected message alone is closed with it. `reverie undo --event NUMBER` takes it back.
    """
    scope = invocation.scope()
    with invocation.open() as memory:
        changed = memory.correct(memory_id, text, scope, why=why)
    _show(invocation.screen, scope, "corrected by", changed)


@click.command("pin", cls=Command, short_help="Let nothing forget a memory.")
@_id
@pass_invocation
def pin_command(invocation: Invocation, memory_id: str) -> None:
    """Protect a memory from everything that forgets. `reverie unpin` takes it back."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        changed = memory.pin(memory_id, scope)
    _show(invocation.screen, scope, "pinned", changed)


@click.command("unpin", cls=Command, short_help="Let a pinned memory fade again.")
@_id
@pass_invocation
def unpin_command(invocation: Invocation, memory_id: str) -> None:
    """Let a pinned memory fade again, as others do."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        changed = memory.pin(memory_id, scope, pinned=False)
    _show(invocation.screen, scope, "unpinned", changed)


@click.command("protect", cls=Command, short_help="Let nothing edit, merge or move a memory.")
@_id
@click.option("--off", is_flag=True, help="Take the protection back.")
@pass_invocation
def protect_command(invocation: Invocation, memory_id: str, off: bool) -> None:
    """Make a memory immutable: no dream and no later message edits, merges or moves it."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        changed = memory.protect(memory_id, scope, immutable=not off)
    _show(invocation.screen, scope, "mutable" if off else "immutable", changed)


@click.command("revive", cls=Command, short_help="Wake a memory that sleeps.")
@_id
@pass_invocation
def revive_command(invocation: Invocation, memory_id: str) -> None:
    """Wake a memory that fades or sleeps: it is recalled again, in the tier it came from."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        changed = memory.revive(memory_id, scope)
    _show(invocation.screen, scope, "revived", changed)


@click.command("quarantine", cls=Command, short_help="List what the screen holds back.")
@pass_invocation
def quarantine_command(invocation: Invocation) -> None:
    """List what the screen holds back because it gives orders to a model: kept, never recalled.

    `reverie release ID` lets a message out.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        held = memory.quarantined(scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": shapes.scope(scope), "memories": [shapes.memory(one) for one in held]})
        return
    screen.line(f"scope: {scope} · {len(held)} in quarantine")
    if held:
        columns = [Column("said (UTC)", style="green"), Column("who", style="cyan"), Column("memory", wraps=True)]
        columns += [Column("because", style="magenta", under=True), Column("id", style="dim", under=True)]
        screen.table(columns, [_row(one) for one in held])


@click.command("release", cls=Command, short_help="Let a memory out of quarantine.")
@_id
@click.option("--why", metavar="TEXT", default="", help=WHY)
@pass_invocation
def release_command(invocation: Invocation, memory_id: str, why: str) -> None:
    """Let a memory out of quarantine: from now on it is recalled like any other."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        changed = memory.release(memory_id, scope, why=why)
    _show(invocation.screen, scope, "released", changed)


def _row(memory: Memory) -> tuple[str, ...]:
    why = ", ".join(memory.standing.tags)
    return f"{memory.at:%Y-%m-%d %H:%M}", memory.speaker, cut(memory.text), why, memory.id


def _show(screen: Screen, scope: Scope, what: str, memory: Memory) -> None:
    if screen.as_json:
        screen.json({"scope": shapes.scope(scope), "memory": shapes.memory(memory)})
        return
    screen.line(f"{what}: {memory.id} ({cut(memory.text, 80)})")
    screen.line(f"scope: {scope} · {describe(memory)}")

"""Sleeping: ``dream`` and the parts of it that run alone, ``undo``, and what a dream is about, ``hot``."""

from __future__ import annotations

import click

from reverie.faces.cli.command import Command
from reverie.faces.cli.invocation import Invocation, pass_invocation
from reverie.faces.cli.life import show_memories
from reverie.faces.cli.progress import busy
from reverie.wire import shapes

_dry_run = click.option("--dry-run", is_flag=True, help="Say what it would do, and write nothing.")


@click.command("dream", cls=Command, short_help="Consolidate what was formed.")
@_dry_run
@pass_invocation
def dream_command(invocation: Invocation, dry_run: bool) -> None:
    """Consolidate what was formed: fade, rehearse, promote, forget, find themes, step by step.

    Every change is an event with its reason; `reverie undo` takes the whole dream back. A second dream within a day
    changes nothing, an interrupted one is brought to its end, and others recall meanwhile.
    """
    scope = invocation.scope()
    with invocation.open() as memory, busy("dreaming"):
        report = memory.dream(scope, dry_run=dry_run)
    _show(invocation, {"scope": shapes.scope(scope), **shapes.dream_report(report)}, report.lines())


@click.command("decay", cls=Command, short_help="Let memories fade, now.")
@_dry_run
@pass_invocation
def decay_command(invocation: Invocation, dry_run: bool) -> None:
    """Run the steps of the dream by which memories fade and fall asleep, and no others; `reverie undo` takes it back.

    It runs whenever it is called, however short ago the last one was.
    """
    scope = invocation.scope()
    with invocation.open() as memory, busy("decaying"):
        report = memory.decay(scope, dry_run=dry_run)
    _show(invocation, {"scope": shapes.scope(scope), **shapes.dream_report(report)}, report.lines())


@click.command("compact", cls=Command, short_help="Find what is there twice; give space back.")
@pass_invocation
def compact_command(invocation: Invocation) -> None:
    """Let one of two memories that say the same sleep, and make the store's file small.

    Both texts stay; `reverie undo` takes it back.
    """
    scope = invocation.scope()
    with invocation.open() as memory, busy("compacting"):
        done = memory.compact(scope)
    shape = {**shapes.dream_report(done.report), "freed_bytes": done.freed_bytes}
    _show(invocation, {"scope": shapes.scope(scope), **shape}, done.lines())


@click.command("undo", cls=Command, short_help="Take a dream or a single event back.")
@click.option("--cycle", metavar="ID", help="The dream to take back; else the newest that changed something.")
@click.option("--event", metavar="NUMBER", help="The single event to take back, as `reverie history` numbers it.")
@pass_invocation
def undo_command(invocation: Invocation, cycle: str | None, event: str | None) -> None:
    """Take a dream back as a whole: every memory stands again as it stood before.

    What somebody changed after the dream is theirs: it stays, and is named. With --event a single event is taken back:
    a forgetting, a correction, feedback, a pin, a waking, a link; not while a later event stands on it.
    """
    if cycle is not None and event is not None:
        raise click.UsageError("Give --cycle or --event, not both.")
    scope = invocation.scope()
    with invocation.open(model=False) as memory, busy("taking back"):
        report = memory.undo(scope, cycle=cycle) if event is None else memory.undo_event(event, scope)
    _show(invocation, {"scope": shapes.scope(scope), **shapes.undone(report)}, report.lines())


@click.command("hot", cls=Command, short_help="List what is injected whatever the cue.")
@pass_invocation
def hot_command(invocation: Invocation) -> None:
    """List the hot tier: the few memories that are injected whatever the cue, most useful first."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = memory.hot(scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": shapes.scope(scope), "memories": [shapes.memory(one) for one in found]})
        return
    screen.line(f"scope: {scope} · {len(found)} hot memories")
    show_memories(screen, found)


def _show(invocation: Invocation, shape: dict[str, object], lines: list[str]) -> None:
    screen = invocation.screen
    if screen.as_json:
        screen.json(shape)
        return
    screen.line(f"scope: {invocation.scope()}")
    for line in lines:
        screen.line(line)

"""Looking back: ``history``, ``dreams``, ``health``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from reverie.faces.cli.command import Command
from reverie.faces.cli.invocation import Invocation, pass_invocation
from reverie.faces.cli.screen import Column, cut
from reverie.wire import shapes

if TYPE_CHECKING:
    from reverie.answers import Health
    from reverie.events import Event, FieldChange

_DAYS_SHOWN = 7


@click.command("history", cls=Command, short_help="Tell how a memory came to stand as it does.")
@click.argument("memory_id", metavar="ID")
@pass_invocation
def history_command(invocation: Invocation, memory_id: str) -> None:
    """Tell every event that touched a memory, oldest first: how it came, accesses, changes, links, forgetting.

    `reverie undo --event NUMBER` takes one of them back.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        events = memory.history(memory_id, scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": shapes.scope(scope), "events": [shapes.event(one) for one in events]})
        return
    screen.line(f"scope: {scope} · {len(events)} events")
    columns = [Column("event", number=True), Column("at (UTC)", style="green"), Column("by", style="cyan")]
    columns += [Column("what", style="magenta"), Column("why", wraps=True, under=True)]
    columns += [Column("before → after", wraps=True, under=True)]
    screen.table(columns, [_row(event, memory_id) for event in events])


@click.command("dreams", cls=Command, short_help="Tell what past dreams did.")
@click.option("--limit", type=click.IntRange(1, 1000), default=5, show_default=True, help="At most so many.")
@pass_invocation
def dreams_command(invocation: Invocation, limit: int) -> None:
    """Tell what the last dreams did, the newest first: step by step how many changes, why, and samples before → after.

    `reverie undo --cycle ID` takes one of them back.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = memory.dreams(scope, limit=limit)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": shapes.scope(scope), "dreams": [shapes.dream_summary(one) for one in found]})
        return
    screen.line(f"scope: {scope} · {len(found)} dreams")
    for dream in found:
        for line in dream.lines():
            screen.line(line)


@click.command("health", cls=Command, short_help="Tell how a scope's memory is doing.")
@pass_invocation
def health_command(invocation: Invocation) -> None:
    """Tell how a scope's memory is doing: what it holds, what of it is junk or stale, how it grew.

    Junk is what was formed a month ago or longer, that nobody asked for since nor said to matter.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = memory.health(scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json(shapes.health(found))
        return
    screen.line(f"scope: {scope}")
    screen.table([Column("what"), Column("count", number=True)], _rows(found))


def _row(event: Event, memory_id: str) -> tuple[str, ...]:
    changes = getattr(event.payload, "changes", ())
    fields = [field for change in changes if change.memory == memory_id for field in change.fields]
    what = str(event.action) if event.payload is not None else f"{event.action} (erased)"
    return str(event.seq), f"{event.at:%Y-%m-%d %H:%M}", event.actor, what, event.why, "; ".join(map(_field, fields))


def _field(field: FieldChange) -> str:
    before, after = (cut(str(value), 40) if value is not None else "–" for value in (field.before, field.after))
    return f"{field.name} {before} → {after}"


def _rows(found: Health) -> list[tuple[str, str]]:
    counted = [("memories", found.memories), ("current", found.current), ("junk", found.junk)]
    counted += [("superseded", found.superseded), ("outdated episodes", found.outdated)]
    counted += [("forgotten or over", found.forgotten), ("in quarantine", found.quarantined)]
    groups = [(f"  {name}", count) for group in (found.kinds, found.tiers, found.states) for name, count in group]
    grown = [(f"  {one.day}", one.episodes + one.formed) for one in found.growth[-_DAYS_SHOWN:]]
    rows = [*counted[:1], *groups, *counted[1:], ("recorded by day", sum(count for _, count in grown)), *grown]
    rows += [("observed", found.observed), ("of these led to nothing", found.gated)]
    rows += [("events", found.events), ("bytes", found.disk_bytes)]
    return [(name, str(count)) for name, count in rows]

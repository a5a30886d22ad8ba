"""The command ``due`` and those below it: list intentions, form and settle them, write them as a calendar."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.durable import replace, unwritable
from reverie.faces.cli.exits import place_for
from reverie.faces.cli.invocation import TIME, Command, CommandGroup, Invocation, pass_invocation
from reverie.faces.cli.screen import Column
from reverie.wire.shapes import shape

if TYPE_CHECKING:
    from reverie.encode.intentions import Intention, Trigger


@click.group(
    "due",
    cls=CommandGroup,
    invoke_without_command=True,
    short_help="List what is to be done, and what is due.",
    lazy={
        "add": "intending.add_command",
        "settle": "intending.settle_command",
        "calendar": "intending.calendar_command",
    },
)
@click.option("--all", "every", is_flag=True, help="Also what is not due yet, and what is done, missed or cancelled.")
@pass_invocation
def due_command(invocation: Invocation, *, every: bool) -> None:
    """List what is due: intentions whose time has come, or that were handed over and are not settled.

    A recall, and the start of a coding agent's session, hand each over once. With `reminders` set to a time zone, they
    are also formed from what people say ("remind me on Friday to …").
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        due = memory.admin.due(scope)
        found = memory.admin.intentions(scope, ended=True) if every else due
    if invocation.screen.as_json:
        invocation.screen.json({"scope": scope, "due": shape(due), "intentions": shape(found)})
        return
    invocation.screen.line(f"scope: {scope} · {len(due)} due")
    if found:
        columns = [
            Column("when", style="cyan"),
            Column("action", wraps=True),
            Column("state"),
            Column("id", style="dim"),
        ]
        invocation.screen.table(columns, [(_when(one), one.action, str(one.progress), one.id) for one in found])


def _when(one: Intention) -> str:
    """Return an intention's next time or topic, and its recurrence, for people."""
    moment = one.next_at or one.trigger.at
    first = f"{moment:%Y-%m-%d %H:%M} UTC" if moment else f"{'after' if one.trigger.follows else 'about'} "
    return " ".join(filter(None, [first.strip(), " ".join(one.trigger.words), one.trigger.rule]))


@click.command("add", cls=Command, short_help="Form an intention.")
@click.argument("action")
@click.option("--at", type=TIME, metavar="TIME", help="When it is due, or first due.")
@click.option("--every", "rule", default="", metavar="RULE", help="How it recurs, as FREQ=WEEKLY;BYDAY=MO (RFC 5545).")
@click.option("--zone", default="UTC", show_default=True, help="Time zone in which a recurrence keeps its time of day.")
@click.option("--about", "topic", metavar="WORDS", help="Due when a message brings this up.")
@click.option("--after", "event", metavar="WORDS", help="Due when a message says that this has happened.")
@click.option("--until", type=TIME, metavar="TIME", help="End of its window; it is missed from then on.")
@pass_invocation
def add_command(  # noqa: PLR0913 - one parameter an option
    invocation: Invocation,
    action: str,
    at: datetime | None,
    rule: str,
    zone: str,
    topic: str | None,
    event: str | None,
    until: datetime | None,
) -> None:
    """Remember to do ACTION at a time, again and again, or when something comes up."""
    trigger, scope = _trigger(at, rule, zone, topic, event), invocation.scope()
    with invocation.open(model=False) as memory:
        one = memory.admin.intend(action, trigger, scope, until=until)
    _told(invocation, one)


def _trigger(at: datetime | None, rule: str, zone: str, topic: str | None, event: str | None) -> Trigger:
    from reverie.encode.intentions import Trigger, on_topic
    from reverie.errors import InvalidInput

    if sum(one is not None for one in (at, topic, event)) != 1:
        raise InvalidInput("An intention needs one trigger.", "Give one of --at, --about and --after.")
    if at is not None:
        return Trigger(at, rule, zone=zone)
    return on_topic(topic or event or "", follows=event is not None)


def _told(invocation: Invocation, one: Intention) -> None:
    if invocation.screen.as_json:
        invocation.screen.json({"scope": invocation.scope(), "intention": shape(one)})
    else:
        invocation.screen.line(f"{one.progress}: {one.action} ({_when(one)})")
        invocation.screen.line(f"scope: {invocation.scope()} · {one.id}")


@click.command("settle", cls=Command, short_help="Say that it is done, cancelled or put off.")
@click.argument("memory_id", metavar="ID")
@click.argument("outcome", type=click.Choice(("done", "cancelled", "missed", "snoozed")))
@click.option("--until", type=TIME, metavar="TIME", help="Until when it is snoozed.")
@pass_invocation
def settle_command(invocation: Invocation, memory_id: str, outcome: str, until: datetime | None) -> None:
    """Settle the intention ID. One that recurs is open again for its next time; `cancelled` ends it."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        one = memory.admin.settle(memory_id, scope, outcome, until=until)
    _told(invocation, one)


@click.command("calendar", cls=Command, short_help="Write an iCalendar file.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Write over a file that exists.")
@pass_invocation
def calendar_command(invocation: Invocation, file: Path, *, force: bool) -> None:
    """Write the open intentions that have a time to FILE, as an iCalendar that other programs read."""
    place, scope = place_for(file, invocation.settings(), force=force), invocation.scope()
    with invocation.open(model=False) as memory:
        text = memory.admin.calendar(scope)
    try:
        replace(place, text.encode("utf-8"))
    except OSError as error:
        raise unwritable(error, file) from None
    if invocation.screen.as_json:
        invocation.screen.json({"scope": scope, "file": str(file), "events": text.count("BEGIN:VEVENT")})
    else:
        invocation.screen.line(f"wrote {text.count('BEGIN:VEVENT')} events to {file}")

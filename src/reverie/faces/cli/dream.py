"""Consolidation commands: ``dream`` and the parts of it that run alone, ``undo``, ``hot``, and ``schedule``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import time
from hashlib import sha256
from pathlib import Path

import click

from reverie.errors import StoreMissing
from reverie.faces.cli import exits
from reverie.faces.cli.invocation import Command, CommandGroup, Invocation, busy, confirmed, pass_invocation
from reverie.faces.cli.look import show_memories
from reverie.faces.cli.screen import Screen
from reverie.faces.cli.timers import TIMERS, NightlyRun, Timer, chosen_timer, program
from reverie.wire.shapes import shape

# ``schedule``: a dream every night, by systemd or cron; shown before it is written, and removable.


KEY = 10
"""Hex digits of the hash that identifies a nightly command."""


class LocalTime(click.ParamType):  # type: ignore[type-arg] # generic in newer versions of click only
    """A local time of day."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> time:
        """Parse a time of day; report a usage error for an invalid text."""
        if isinstance(value, time):
            return value
        try:
            return time.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is no time of day; write 03:30.", param, ctx)


@click.command("schedule", cls=Command, short_help="Schedule a dream for every night.")
@click.option("--at", type=LocalTime(), metavar="HH:MM", default="03:30", show_default=True, help="Local time.")
@click.option("--by", type=click.Choice(TIMERS), help="What runs it; else what this system has.")
@click.option("--remove", is_flag=True, help="Take it away again.")
@click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can be asked.")
@pass_invocation
def schedule_command(invocation: Invocation, at: time, by: str | None, remove: bool, yes: bool) -> None:
    """Dream every night, for this scope and with the settings of this folder.

    What would be written is shown first, and written when you say yes. API keys are not written: settings that come
    from environment variables are missing at night.
    """
    wish = ScheduleWish(by, remove, yes)
    arrange(invocation.screen, nightly(invocation, at), wish, {"scope": invocation.scope()})


@dataclass(frozen=True, slots=True)
class ScheduleWish:
    """What to do with a nightly command: with which scheduler, whether to remove it, and whether without asking."""

    by: str | None
    remove: bool
    yes: bool


def arrange(screen: Screen, night: NightlyRun, wish: ScheduleWish, shape: Mapping[str, object]) -> None:
    """Show what would be written, then write or remove it if confirmed; ``shape`` begins the JSON answer."""
    timer = chosen_timer(wish.by, night)
    texts = [] if wish.remove else timer.texts(night)
    if not screen.as_json:
        _show_plan(screen, timer, night, texts)
    done = wish.yes or (not screen.as_json and confirmed("Take it away?" if wish.remove else "Write this?"))
    if done:
        (timer.remove if wish.remove else timer.install)(night)
    if screen.as_json:
        shown = [{"place": place, "text": text} for place, text in texts]
        own = {"by": timer.how, "name": night.name, "command": list(night.command), "texts": shown}
        screen.json({**shape, **own, "removed": wish.remove and done, "done": done})
    else:
        _tell(screen, night, removed=wish.remove, done=done)
    if not done:
        click.get_current_context().exit(exits.UNCONFIRMED)


def _tell(screen: Screen, night: NightlyRun, *, removed: bool, done: bool) -> None:
    if not done:
        screen.note("not confirmed; nothing was changed (give --yes where nobody can be asked)")
    else:
        screen.line("taken away" if removed else f"scheduled for {night.hour:02}:{night.minute:02} every night")


def nightly(invocation: Invocation, at: time) -> NightlyRun:
    """Return the nightly dream of the scope and store in force. Raises StoreMissing if there is no store."""
    scope = invocation.scope()
    from reverie.wire.trust import require_trust

    store = Path(invocation.settings().store).resolve()
    require_trust(invocation.loaded())
    if not store.exists():
        raise StoreMissing(f"There is no store at {store}.", "Make it with `reverie init`.")
    settings = invocation.settings()
    named = replace(settings, store=str(store)).named_store
    chosen = {"store": named, "agent": scope.agent, "user": scope.user, "project": scope.project}
    told = "\0".join(chosen.values()).encode("utf-8", "surrogatepass")
    chosen |= invocation.lasting()
    return NightlyRun(
        command=(*program(), "dream", *(f"--{name}={value}" for name, value in chosen.items())),
        folder=Path.cwd(),
        hour=at.hour,
        minute=at.minute,
        key=sha256(told).hexdigest()[:KEY],
        what=f"Reverie's nightly dream of {scope}",
    )


def _show_plan(screen: Screen, timer: Timer, night: NightlyRun, texts: list[tuple[str, str]]) -> None:
    screen.line(f"{night.what}, by {timer.how}: {night.name}")
    for place, text in texts:
        screen.line()
        screen.line(f"{place}:")
        for line in text.splitlines():
            screen.line(f"    {line}")
    if texts:
        screen.line()
        screen.line(f"then: {'; '.join(timer.runs())}")


# Sleeping: ``dream`` and the parts of it that run alone, ``undo``, and what a dream is about, ``hot``.


_dry_run = click.option("--dry-run", is_flag=True, help="Say what it would do, and write nothing.")


@click.group(
    "dream",
    cls=CommandGroup,
    invoke_without_command=True,
    short_help="Consolidate memories.",
    lazy={
        "list": "look.dreams_command",
        "decay": "dream.decay_command",
        "compact": "dream.compact_command",
        "schedule": "dream.schedule_command",
    },
)
@_dry_run
@pass_invocation
def dream_command(invocation: Invocation, dry_run: bool) -> None:
    """Consolidate what was formed, by the recipe's steps: find themes and habits, and make duplicates dormant.

    v9 also lets memories fade, rehearses, promotes and forgets them; by default nothing fades with time alone.
    Every change is an event with its reason; `reverie undo` undoes the whole dream. A second dream within a day
    changes nothing, an interrupted one is finished, and recall goes on meanwhile.
    """
    scope = invocation.scope()
    with invocation.open() as memory, busy("dreaming"):
        report = memory.dream(scope, dry_run=dry_run)
    _show(invocation, {"scope": scope, **shape(report)}, report.lines())


@click.command("decay", cls=Command, short_help="Run the dream's fading steps alone.")
@_dry_run
@pass_invocation
def decay_command(invocation: Invocation, dry_run: bool) -> None:
    """Run only those steps of the dream by which memories fade and become dormant; `reverie undo` undoes them.

    It runs at every call, however recent the last one. The recipes v9, ocean and openclaw have such steps; with any
    other, including the default, nothing fades, and this says so.
    """
    scope = invocation.scope()
    with invocation.open() as memory, busy("decaying"):
        report = memory.admin.decay(scope, dry_run=dry_run)
    _show(invocation, {"scope": scope, **shape(report)}, report.lines())


@click.command("compact", cls=Command, short_help="Deduplicate memories and free space.")
@pass_invocation
def compact_command(invocation: Invocation) -> None:
    """Make one of two memories that say the same dormant, and shrink the store's file.

    Both texts stay; `reverie undo` undoes it.
    """
    scope = invocation.scope()
    with invocation.open() as memory, busy("compacting"):
        done = memory.admin.compact(scope)
    _show(invocation, {"scope": scope, **shape(done)}, done.lines())


@click.command("undo", cls=Command, short_help="Undo a dream or a single change.")
@click.option("--cycle", metavar="ID", help="The dream to undo; else the newest that changed something.")
@click.option("--event", metavar="NUMBER", help="The single event to undo, as `reverie memory history` numbers it.")
@pass_invocation
def undo_command(invocation: Invocation, cycle: str | None, event: str | None) -> None:
    """Undo a whole dream: every memory returns to its earlier state.

    What somebody changed after the dream stays as changed, and is named. With --event a single event is undone: a
    forgetting, a correction, feedback, a pin, a waking, a link; but not if a later event depends on it.
    """
    if cycle is not None and event is not None:
        raise click.UsageError("Give --cycle or --event, not both.")
    scope = invocation.scope()
    with invocation.open(model=False) as memory, busy("taking back"):
        report = memory.undo(scope, cycle=cycle) if event is None else memory.undo(scope, event=event)
    _show(invocation, {"scope": scope, **shape(report)}, report.lines())


@click.command("hot", cls=Command, short_help="List the most useful memories.")
@pass_invocation
def hot_command(invocation: Invocation) -> None:
    """List the hot tier: the few memories that are useful for any question, most useful first."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = memory.admin.hot(scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "memories": found})
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

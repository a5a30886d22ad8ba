"""``schedule``: a dream every night, by systemd or cron; shown before it is written, and removable."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.errors import ReverieError, StoreMissing
from reverie.faces.cli import exits
from reverie.faces.cli.command import Command, confirmed
from reverie.faces.cli.invocation import Invocation, pass_invocation
from reverie.faces.cli.screen import Screen
from reverie.faces.cli.timers import Cron, Nightly, Systemd
from reverie.wire import shapes

if TYPE_CHECKING:
    from reverie.faces.cli.timers import Timer

KEY = 10
"""Digits by which one nightly command is told from another."""


class LocalTime(click.ParamType):  # type: ignore[type-arg] # generic in newer versions of click only
    """A time of day, as clocks show it."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> time:
        """The time; a usage error where the text is none."""
        if isinstance(value, time):
            return value
        try:
            return time.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is no time of day; write 03:30.", param, ctx)


@click.command("schedule", cls=Command, short_help="Dream every night.")
@click.option("--at", type=LocalTime(), metavar="HH:MM", default="03:30", show_default=True, help="Local time.")
@click.option("--by", type=click.Choice(["systemd", "cron"]), help="What runs it; systemd where it answers, else cron.")
@click.option("--remove", is_flag=True, help="Take it away again.")
@click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can be asked.")
@pass_invocation
def schedule_command(invocation: Invocation, at: time, by: str | None, remove: bool, yes: bool) -> None:
    """Dream every night: for this scope, with the settings of this folder.

    What would be written is shown first, and written when you say yes. Keys are not written: what the settings take
    from the environment, the night does not have.
    """
    wish = Wish(by, remove, yes)
    arrange(invocation.screen, nightly(invocation, at), wish, {"scope": shapes.scope(invocation.scope())})


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be done with a nightly command: by what it is run, and whether it goes, and without a question."""

    by: str | None
    remove: bool
    yes: bool


def arrange(screen: Screen, night: Nightly, wish: Wish, shape: Mapping[str, object]) -> None:
    """Show what would be written, and write or remove it when somebody says so; ``shape`` begins the JSON answer."""
    timer = _timer(wish.by, night)
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
    elif done:
        screen.line("taken away" if wish.remove else f"scheduled for {night.hour:02}:{night.minute:02} every night")
    else:
        screen.note("not confirmed; nothing was changed (give --yes where nobody can be asked)")
    if not done:
        click.get_current_context().exit(exits.UNCONFIRMED)


def nightly(invocation: Invocation, at: time) -> Nightly:
    """The dream of the scope and store in force. Raises StoreMissing where there is no store to dream over."""
    scope = invocation.scope()
    from reverie.wire.trusting import require_trust

    store = Path(invocation.settings().store).resolve()
    require_trust(invocation.loaded())
    if not store.exists():
        raise StoreMissing(f"There is no store at {store}.", "Make it with `reverie init`.")
    chosen = {"store": str(store), "agent": scope.agent, "user": scope.user, "project": scope.project}
    told = "\0".join(chosen.values()).encode("utf-8", "surrogatepass")
    chosen |= invocation.lasting()
    return Nightly(
        command=(*program(), "dream", *(f"--{name}={value}" for name, value in chosen.items())),
        folder=Path.cwd(),
        hour=at.hour,
        minute=at.minute,
        key=sha256(told).hexdigest()[:KEY],
        what=f"Reverie's nightly dream of {scope}",
    )


def program() -> tuple[str, ...]:
    """How to call this very installation, wherever the night's PATH leads."""
    beside = Path(sys.executable).with_name("reverie")
    if beside.is_file():
        return (str(beside),)
    # -P: the folder it is called in is never searched for modules
    return (
        sys.executable,
        "-P",
        "-c",
        "import sys; sys.argv[0] = 'reverie'; from reverie.faces.start import main; main()",
    )


def _timer(by: str | None, night: Nightly) -> Timer:
    if by == "systemd" or (by is None and shutil.which("systemctl") and Systemd.answers()):
        return Systemd.at_home(os.environ)
    if by == "cron" or shutil.which("crontab"):
        return Cron()
    import shlex

    by_hand = f"cd {shlex.quote(str(night.folder))} && {shlex.join(night.command)}"
    raise ReverieError("Neither systemd nor cron is here.", f"Have this run every night: {by_hand}")


def _show_plan(screen: Screen, timer: Timer, night: Nightly, texts: list[tuple[str, str]]) -> None:
    screen.line(f"{night.what}, by {timer.how}: {night.name}")
    for place, text in texts:
        screen.line()
        screen.line(f"{place}:")
        for line in text.splitlines():
            screen.line(f"    {line}")
    if texts:
        screen.line()
        screen.line(f"then: {'; '.join(timer.runs())}")

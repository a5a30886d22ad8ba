"""Consolidation commands: ``dream`` and the parts of it that run alone, ``undo``, ``hot``, and ``schedule``."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import time
from hashlib import sha256
from pathlib import Path
from typing import Protocol

import click

from reverie.durable import unwritable
from reverie.errors import InvalidInput, NotFound, ReverieError, StoreMissing
from reverie.faces.cli import exits
from reverie.faces.cli.invocation import Command, CommandGroup, Invocation, busy, confirmed, pass_invocation
from reverie.faces.cli.look import show_memories
from reverie.faces.cli.screen import Screen
from reverie.wire.shapes import shape

# What runs a command every night: a systemd timer of the user's own, or a line of their crontab.


NAME = "reverie-dream"
_TIMEOUT_S = 60.0
_NO_CRONTAB = b"no crontab"


@dataclass(frozen=True, slots=True)
class NightlyRun:
    """A nightly command: what to run in which folder, at which local time; ``key`` identifies its store and scope.

    ``kind`` begins its name, and ``entered_by`` is the command that schedules it.
    """

    command: tuple[str, ...]
    folder: Path
    hour: int
    minute: int
    key: str
    what: str
    kind: str = NAME
    entered_by: str = "reverie schedule"

    @property
    def name(self) -> str:
        """Name of the timer, the same for the same store and scope."""
        return f"{self.kind}-{self.key}"


class Timer(Protocol):
    """A scheduler for nightly commands."""

    how: str

    def texts(self, night: NightlyRun) -> list[tuple[str, str]]:
        """Return what would be written: each place and its text."""
        ...

    def runs(self) -> list[str]:
        """Return the commands that would run afterwards, to show to people."""
        ...

    def install(self, night: NightlyRun) -> None:
        """Schedule the command, replacing an earlier schedule of the same name."""
        ...

    def remove(self, night: NightlyRun) -> None:
        """Remove the schedule. Raises NotFound if there is none."""
        ...


def run(command: Sequence[str], piped: bytes | None = None, *, fine: bytes = b"") -> bytes:
    """Run a program and return its output. Raises ReverieError if it fails, unless its message contains ``fine``."""
    try:
        done = subprocess.run(command, input=piped, capture_output=True, timeout=_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ReverieError(f"{command[0]} could not be run: {error}.", "Run it by hand to see why.") from None
    if done.returncode == 0:
        return done.stdout
    said = done.stderr.decode("utf-8", "replace").strip()
    if fine and fine in done.stderr:
        return b""
    raise ReverieError(f"`{shlex.join(command)}` failed: {said or done.returncode}.", "Run it by hand to see why.")


def _written(text: str, forbidden: str = "") -> str:
    """Return the text if a line of a unit or a crontab can carry it. Raises InvalidInput."""
    if any(not sign.isprintable() and sign != " " for sign in text) or any(sign in text for sign in forbidden):
        raise InvalidInput(f"{text!r} cannot be written into a timer.", "Rename the folder, store or scope.")
    return text


class Systemd:
    """Schedules with a timer and a service among the user's own systemd units."""

    how = "systemd"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def at_home(cls, environment: Mapping[str, str]) -> Systemd:
        """Create for the folder where systemd looks for the user's units."""
        base = environment.get("XDG_CONFIG_HOME") or f"{environment.get('HOME', '')}/.config"
        return cls(Path(base) / "systemd" / "user")

    @staticmethod
    def answers() -> bool:
        """Whether a systemd manager of the user's own is running."""
        try:
            run(["systemctl", "--user", "show-environment"])
        except ReverieError:
            return False
        return True

    def texts(self, night: NightlyRun) -> list[tuple[str, str]]:
        """Return the service and the timer."""
        service, timer = self._files(night)
        return [(str(service), self._service(night)), (str(timer), self._timer(night))]

    def runs(self) -> list[str]:
        """Return the commands that reload systemd and start the timer."""
        return ["systemctl --user daemon-reload", "systemctl --user enable --now …"]

    def install(self, night: NightlyRun) -> None:
        """Write both and start the timer; if that fails, remove both."""
        files = self._files(night)
        texts = [text for _, text in self.texts(night)]
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for file, text in zip(files, texts, strict=True):
                file.write_text(text, encoding="utf-8")
        except OSError as error:
            raise unwritable(error, self._folder) from None
        try:
            run(["systemctl", "--user", "daemon-reload"])
            run(["systemctl", "--user", "enable", "--now", f"{night.name}.timer"])
        except ReverieError:
            for file in files:
                file.unlink(missing_ok=True)
            raise

    def remove(self, night: NightlyRun) -> None:
        """Stop the timer and delete both."""
        files = self._files(night)
        if not any(file.is_file() for file in files):
            raise NotFound(f"{night.what} is not scheduled with systemd.", f"`{night.entered_by}` enters it.")
        run(["systemctl", "--user", "disable", "--now", f"{night.name}.timer"])
        for file in files:
            file.unlink(missing_ok=True)
        run(["systemctl", "--user", "daemon-reload"])

    def _files(self, night: NightlyRun) -> tuple[Path, Path]:
        return self._folder / f"{night.name}.service", self._folder / f"{night.name}.timer"

    def _service(self, night: NightlyRun) -> str:
        folder = _written(str(night.folder))
        if folder != folder.strip() or folder.endswith("\\"):
            raise InvalidInput(f"{folder!r} cannot be written into a timer.", "Rename the folder.")
        lines = ["[Unit]", f"Description={_plain(night.what)}", "", "[Service]", "Type=oneshot", "Nice=10"]
        lines += [f"WorkingDirectory={_plain(folder)}", f"ExecStart={' '.join(map(_quoted, night.command))}"]
        return "\n".join(lines) + "\n"

    def _timer(self, night: NightlyRun) -> str:
        lines = ["[Unit]", f"Description={_plain(night.what)}", "", "[Timer]"]
        lines += [f"OnCalendar=*-*-* {night.hour:02}:{night.minute:02}:00", "Persistent=true"]
        lines += ["", "[Install]", "WantedBy=timers.target"]
        return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Escape a value for systemd, which reads it to the end of the line."""
    return _written(text).replace("%", "%%").rstrip("\\")


def _quoted(word: str) -> str:
    """Quote a word of a command for systemd, so that it contains no variable, specifier or closing quote."""
    escaped = _written(word).replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'


class Cron:
    """Schedules with a line of the user's crontab, identified by the mark at its end."""

    how = "cron"

    def texts(self, night: NightlyRun) -> list[tuple[str, str]]:
        """Return the crontab line."""
        return [("crontab", self._line(night) + "\n")]

    def runs(self) -> list[str]:
        """Return the command that installs the crontab."""
        return ["crontab -"]

    def install(self, night: NightlyRun) -> None:
        """Put the line at the end of the crontab, replacing an older one."""
        others = self._others(night)
        self._write([*others, self._line(night).encode("utf-8", "surrogateescape")])

    def remove(self, night: NightlyRun) -> None:
        """Remove the line from the crontab; all others stay as they are."""
        lines = self._lines()
        others = self._others(night)
        if len(others) == len(lines):
            raise NotFound(f"{night.what} is not scheduled with cron.", f"`{night.entered_by}` enters it.")
        self._write(others)

    def _line(self, night: NightlyRun) -> str:
        # Crons differ in what they make of a backslash; a per cent sign would end the command.
        words = [_written(word, "\\") for word in (str(night.folder), *night.command)]
        command = f"cd {shlex.quote(words[0])} && {shlex.join(words[1:])}".replace("%", "\\%")
        return f"{night.minute} {night.hour} * * * {command} # {night.name}"

    @staticmethod
    def _lines() -> list[bytes]:
        return run(["crontab", "-l"], fine=_NO_CRONTAB).splitlines()

    def _others(self, night: NightlyRun) -> list[bytes]:
        return [line for line in self._lines() if not line.endswith(f"# {night.name}".encode())]

    @staticmethod
    def _write(lines: Sequence[bytes]) -> None:
        run(["crontab", "-"], b"".join(line + b"\n" for line in lines))


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
@click.option("--by", type=click.Choice(["systemd", "cron"]), help="What runs it; systemd where it answers, else cron.")
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


def program() -> tuple[str, ...]:
    """Return the command line of this installation, independent of PATH."""
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


def _timer(by: str | None, night: NightlyRun) -> Timer:
    if by == "systemd" or (by is None and shutil.which("systemctl") and Systemd.answers()):
        return Systemd.at_home(os.environ)
    if by == "cron" or shutil.which("crontab"):
        return Cron()
    import shlex

    by_hand = f"cd {shlex.quote(str(night.folder))} && {shlex.join(night.command)}"
    raise ReverieError("Neither systemd nor cron is here.", f"Have this run every night: {by_hand}")


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
    """Consolidate what was formed, by the recipe's steps: find themes and habits, and put duplicates to sleep.

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
    """Run only those steps of the dream by which memories fade and fall asleep; `reverie undo` undoes them.

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
    """Put one of two memories that say the same to sleep, and shrink the store's file.

    Both texts stay; `reverie undo` undoes it.
    """
    scope = invocation.scope()
    with invocation.open() as memory, busy("compacting"):
        done = memory.admin.compact(scope)
    _show(invocation, {"scope": scope, **shape(done)}, done.lines())


@click.command("undo", cls=Command, short_help="Undo a dream or a single change.")
@click.option("--cycle", metavar="ID", help="The dream to take back; else the newest that changed something.")
@click.option(
    "--event", metavar="NUMBER", help="The single event to take back, as `reverie memory history` numbers it."
)
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
    """List the hot tier: the few memories that are useful whatever is asked, most useful first."""
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

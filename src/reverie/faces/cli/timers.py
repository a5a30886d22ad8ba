"""What runs a command every night: systemd, cron, launchd on macOS, or the Task Scheduler of Windows, for this user."""

from __future__ import annotations

import os
import plistlib
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from xml.sax.saxutils import escape

from reverie.durable import home_folder, unwritable
from reverie.errors import InvalidInput, NotFound, ReverieError

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
        base = environment.get("XDG_CONFIG_HOME") or f"{home_folder(environment)}/.config"
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


class Launchd:
    """Schedules with an agent of launchd, for a user who is logged in. Not run on macOS so far (docs/platforms.md)."""

    how = "launchd"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def at_home(cls, environment: Mapping[str, str]) -> Launchd:
        """Create for the folder where launchd looks for the user's agents."""
        return cls(Path(home_folder(environment)) / "Library" / "LaunchAgents")

    def texts(self, night: NightlyRun) -> list[tuple[str, str]]:
        """Return the agent's property list."""
        for word in (*night.command, str(night.folder)):
            _written(word)
        agent = {
            "Label": night.name,
            "ProgramArguments": list(night.command),
            "WorkingDirectory": str(night.folder),
            "StartCalendarInterval": {"Hour": night.hour, "Minute": night.minute},
            "ProcessType": "Background",
        }
        return [(str(self._file(night)), plistlib.dumps(agent, sort_keys=False).decode())]

    def runs(self) -> list[str]:
        """Return the command that loads the agent."""
        return [f"launchctl bootstrap {_domain()} …"]

    def install(self, night: NightlyRun) -> None:
        """Write the agent and load it, after an older one was unloaded; if that fails, remove it."""
        file = self._file(night)
        [(_, text)] = self.texts(night)
        was_there = file.is_file()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        except OSError as error:
            raise unwritable(error, self._folder) from None
        try:
            if was_there:
                run(["launchctl", "bootout", f"{_domain()}/{night.name}"], fine=b"No such process")
            run(["launchctl", "bootstrap", _domain(), str(file)])
        except ReverieError:
            file.unlink(missing_ok=True)
            raise

    def remove(self, night: NightlyRun) -> None:
        """Unload the agent and delete it."""
        file = self._file(night)
        if not file.is_file():
            raise NotFound(f"{night.what} is not scheduled with launchd.", f"`{night.entered_by}` enters it.")
        run(["launchctl", "bootout", f"{_domain()}/{night.name}"], fine=b"No such process")
        file.unlink(missing_ok=True)

    def _file(self, night: NightlyRun) -> Path:
        return self._folder / f"{night.name}.plist"


def _domain() -> str:
    return f"gui/{os.getuid()}"


_TASK = """<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>{what}</Description></RegistrationInfo>
  <Triggers>
    <CalendarTrigger>
      <StartBoundary>2026-01-01T{hour:02}:{minute:02}:00</StartBoundary>
      <ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>
    </CalendarTrigger>
  </Triggers>
  <Settings>
    <StartWhenAvailable>true</StartWhenAvailable>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <Priority>7</Priority>
  </Settings>
  <Actions>
    <Exec>
      <Command>{program}</Command>
      <Arguments>{arguments}</Arguments>
      <WorkingDirectory>{folder}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
"""


class TaskScheduler:
    """Schedules with a task of the Windows Task Scheduler. Not run on Windows so far (docs/platforms.md)."""

    how = "task-scheduler"

    def texts(self, night: NightlyRun) -> list[tuple[str, str]]:
        """Return the task's description."""
        words = [_written(word) for word in night.command]
        text = _TASK.format(
            what=escape(_written(night.what)),
            hour=night.hour,
            minute=night.minute,
            program=escape(words[0]),
            arguments=escape(subprocess.list2cmdline(words[1:])),
            folder=escape(_written(str(night.folder))),
        )
        return [(f"the task {night.name}", text)]

    def runs(self) -> list[str]:
        """Return the command that enters the task."""
        return ["schtasks /Create /F /TN … /XML …"]

    def install(self, night: NightlyRun) -> None:
        """Enter the task, replacing an older one."""
        [(_, text)] = self.texts(night)
        with tempfile.TemporaryDirectory(prefix="reverie-task-") as folder:
            file = Path(folder) / "task.xml"
            file.write_text(text, encoding="utf-16")
            run(["schtasks", "/Create", "/F", "/TN", night.name, "/XML", str(file)])

    def remove(self, night: NightlyRun) -> None:
        """Remove the task."""
        try:
            run(["schtasks", "/Query", "/TN", night.name])
        except ReverieError:
            what = f"{night.what} is not scheduled with the Task Scheduler."
            raise NotFound(what, f"`{night.entered_by}` enters it.") from None
        run(["schtasks", "/Delete", "/F", "/TN", night.name])


TIMERS = ("systemd", "cron", Launchd.how, TaskScheduler.how)
"""What can run a command every night."""


def chosen_timer(by: str | None, night: NightlyRun) -> Timer:
    """Return the scheduler that is named, else the one of this system. Raises ReverieError if there is none."""
    by = by or {"darwin": Launchd.how, "win32": TaskScheduler.how}.get(sys.platform)
    if by == Launchd.how:
        return Launchd.at_home(os.environ)
    if by == TaskScheduler.how:
        return TaskScheduler()
    if by == "systemd" or (by is None and shutil.which("systemctl") and Systemd.answers()):
        return Systemd.at_home(os.environ)
    if by == "cron" or shutil.which("crontab"):
        return Cron()
    by_hand = f"cd {shlex.quote(str(night.folder))} && {shlex.join(night.command)}"
    raise ReverieError("Neither systemd nor cron is here.", f"Have this run every night: {by_hand}")


def is_fleeting(command: str) -> bool:
    """Whether a program lies in the cache of uv or pipx, from where it goes without notice: it was run by itself."""
    parts = Path(command).parts
    of_uv = "uv" in parts and any(part.startswith(("archive-v", "environments-v")) for part in parts)
    return of_uv or ("pipx" in parts and ".cache" in parts)


def program() -> tuple[str, ...]:
    """Return the command line of this installation, independent of PATH."""
    beside = Path(sys.executable).with_name("reverie.exe" if sys.platform == "win32" else "reverie")
    if beside.is_file():
        return (str(beside),)
    # -P: the folder it is called in is never searched for modules
    return (
        sys.executable,
        "-P",
        "-c",
        "import sys; sys.argv[0] = 'reverie'; from reverie.faces.start import main; main()",
    )

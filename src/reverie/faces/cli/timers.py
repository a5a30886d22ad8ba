"""What runs a command every night: a systemd timer of the user's own, or a line of their crontab.

In: what to run, where and when. Out: text that is shown before it is written, and the writing and taking away of it.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from reverie.durable import unwritable
from reverie.errors import InvalidInput, NotFound, ReverieError

NAME = "reverie-dream"
_TIMEOUT_S = 60.0
_NO_CRONTAB = b"no crontab"


@dataclass(frozen=True, slots=True)
class Nightly:
    """A command for every night: what to run in which folder, at which local time, and for whom, told by ``key``.

    ``kind`` begins its name, and ``entered_by`` is the command that enters it.
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
        """What it is called, the same for the same store and scope."""
        return f"{self.kind}-{self.key}"


class Timer(Protocol):
    """Where a nightly command is entered."""

    how: str

    def texts(self, night: Nightly) -> list[tuple[str, str]]:
        """What would be written: where, and the text."""
        ...

    def runs(self) -> list[str]:
        """What would be run afterwards, for people."""
        ...

    def install(self, night: Nightly) -> None:
        """Enter it; entering it again renews it."""
        ...

    def remove(self, night: Nightly) -> None:
        """Take it away. Raises NotFound where it is not entered."""
        ...


def run(command: Sequence[str], piped: bytes | None = None, *, fine: bytes = b"") -> bytes:
    """What a program answers; one that fails is an error, unless it complains of what is ``fine``."""
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
    """The text, if a line of a unit or a crontab can carry it. Raises InvalidInput."""
    if any(not sign.isprintable() and sign != " " for sign in text) or any(sign in text for sign in forbidden):
        raise InvalidInput(f"{text!r} cannot be written into a timer.", "Rename the folder, store or scope.")
    return text


class Systemd:
    """A timer and its service among the user's own units."""

    how = "systemd"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def at_home(cls, environment: Mapping[str, str]) -> Systemd:
        """The user's units, where systemd looks for them."""
        base = environment.get("XDG_CONFIG_HOME") or f"{environment.get('HOME', '')}/.config"
        return cls(Path(base) / "systemd" / "user")

    @staticmethod
    def answers() -> bool:
        """Whether a manager of the user's own is running."""
        try:
            run(["systemctl", "--user", "show-environment"])
        except ReverieError:
            return False
        return True

    def texts(self, night: Nightly) -> list[tuple[str, str]]:
        """The service and the timer."""
        service, timer = self._files(night)
        return [(str(service), self._service(night)), (str(timer), self._timer(night))]

    def runs(self) -> list[str]:
        """Telling systemd, and starting the timer."""
        return ["systemctl --user daemon-reload", "systemctl --user enable --now …"]

    def install(self, night: Nightly) -> None:
        """Write both and start the timer; where that fails, both go again."""
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

    def remove(self, night: Nightly) -> None:
        """Stop the timer and delete both."""
        files = self._files(night)
        if not any(file.is_file() for file in files):
            raise NotFound(f"{night.what} is not scheduled with systemd.", f"`{night.entered_by}` enters it.")
        run(["systemctl", "--user", "disable", "--now", f"{night.name}.timer"])
        for file in files:
            file.unlink(missing_ok=True)
        run(["systemctl", "--user", "daemon-reload"])

    def _files(self, night: Nightly) -> tuple[Path, Path]:
        return self._folder / f"{night.name}.service", self._folder / f"{night.name}.timer"

    def _service(self, night: Nightly) -> str:
        folder = _written(str(night.folder))
        if folder != folder.strip() or folder.endswith("\\"):
            raise InvalidInput(f"{folder!r} cannot be written into a timer.", "Rename the folder.")
        lines = ["[Unit]", f"Description={_plain(night.what)}", "", "[Service]", "Type=oneshot", "Nice=10"]
        lines += [f"WorkingDirectory={_plain(folder)}", f"ExecStart={' '.join(map(_quoted, night.command))}"]
        return "\n".join(lines) + "\n"

    def _timer(self, night: Nightly) -> str:
        lines = ["[Unit]", f"Description={_plain(night.what)}", "", "[Timer]"]
        lines += [f"OnCalendar=*-*-* {night.hour:02}:{night.minute:02}:00", "Persistent=true"]
        lines += ["", "[Install]", "WantedBy=timers.target"]
        return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """A value as systemd reads it to the end of the line."""
    return _written(text).replace("%", "%%").rstrip("\\")


def _quoted(word: str) -> str:
    """A word of a command as systemd reads it: nothing in it is a variable, a specifier or a quote's end."""
    escaped = _written(word).replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'


class Cron:
    """A line of the user's crontab, told by the mark at its end."""

    how = "cron"

    def texts(self, night: Nightly) -> list[tuple[str, str]]:
        """The line."""
        return [("crontab", self._line(night) + "\n")]

    def runs(self) -> list[str]:
        """Handing cron its table."""
        return ["crontab -"]

    def install(self, night: Nightly) -> None:
        """Put the line at the end of the table, in place of an older one."""
        others = self._others(night)
        self._write([*others, self._line(night).encode("utf-8", "surrogateescape")])

    def remove(self, night: Nightly) -> None:
        """Take the line out of the table; every other stays as it is."""
        lines = self._lines()
        others = self._others(night)
        if len(others) == len(lines):
            raise NotFound(f"{night.what} is not scheduled with cron.", f"`{night.entered_by}` enters it.")
        self._write(others)

    def _line(self, night: Nightly) -> str:
        # Crons differ in what they make of a backslash; a per cent sign would end the command.
        words = [_written(word, "\\") for word in (str(night.folder), *night.command)]
        command = f"cd {shlex.quote(words[0])} && {shlex.join(words[1:])}".replace("%", "\\%")
        return f"{night.minute} {night.hour} * * * {command} # {night.name}"

    @staticmethod
    def _lines() -> list[bytes]:
        return run(["crontab", "-l"], fine=_NO_CRONTAB).splitlines()

    def _others(self, night: Nightly) -> list[bytes]:
        return [line for line in self._lines() if not line.endswith(f"# {night.name}".encode())]

    @staticmethod
    def _write(lines: Sequence[bytes]) -> None:
        run(["crontab", "-"], b"".join(line + b"\n" for line in lines))

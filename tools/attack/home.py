"""A victim's home: in, an empty folder; out, the real commands run in it, as its owner would run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

START = "from reverie.faces.start import main; main()"
PATIENCE_S = 120.0
"""No command of a scenario may take longer: one that hangs is a broken promise, not a hung run."""
PATIENT_MS = "20000"
"""Deadlines of the hook where a scenario is not about deadlines: a busy machine must not decide it."""


class Broken(Exception):
    """A promise that did not hold, with what was seen."""


def require(holds: bool, seen: str) -> None:
    """Raise Broken unless the promise holds."""
    if not holds:
        raise Broken(seen)


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Both streams."""
        return self.out + self.err


@dataclass(frozen=True, slots=True)
class Home:
    """A home with the user's own settings and memory in it, and a folder in which things are cloned."""

    path: Path

    @classmethod
    def furnished(cls, path: Path) -> Home:
        """A home whose owner has given Claude Code a memory, and used it."""
        home = cls(path)
        for folder in (home.clones, home.store.parent):
            folder.mkdir(parents=True, exist_ok=True)
        home.run("install", "claude-code", "--yes", check=True)
        with (home.path / ".config" / "reverie" / "config.toml").open("a", encoding="utf-8") as settings:
            settings.write('embedder = "none"\n')
        (home.path / ".bashrc").write_text("# ada's shell\n", encoding="utf-8")
        work = home.folder("work")
        home.run("remember", "Ada's house alarm code word is marzipan.", cwd=work, check=True)
        return home

    @property
    def clones(self) -> Path:
        """Where the user clones what others wrote."""
        return self.path / "clones"

    @property
    def state(self) -> Path:
        """The user's state folder."""
        return self.path / ".local" / "state" / "reverie"

    @property
    def store(self) -> Path:
        """The user's own store."""
        return self.path / ".local" / "share" / "reverie" / "reverie.db"

    def folder(self, name: str) -> Path:
        """A repository in which the user works."""
        found = self.clones / name
        (found / ".git").mkdir(parents=True, exist_ok=True)
        return found

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """The variables of a login of the user's."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "REVERIE_"))}
        patient = {"REVERIE_HOOK_DEADLINE_MS": PATIENT_MS, "REVERIE_HOOK_START_MS": PATIENT_MS}
        alone = {"REVERIE_HOOK_COMMAND_LINE": "false"}  # no command leaves a process behind
        return {**kept, "HOME": str(self.path), **patient, **alone, **(more or {})}

    def run(
        self,
        *arguments: str,
        cwd: Path | None = None,
        given: str = "",
        more: Mapping[str, str] | None = None,
        check: bool = False,
    ) -> Ran:
        """One command of the user's. Raises Broken where it hangs, shows a traceback, or fails though it must not."""
        try:
            done = subprocess.run(
                [sys.executable, "-c", START, *arguments],
                cwd=cwd or self.clones,
                input=given.encode(),
                env=self.environment(more),
                capture_output=True,
                timeout=PATIENCE_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Broken(f"`reverie {' '.join(arguments)}` did not end in {PATIENCE_S:.0f} s") from None
        ran = Ran(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))
        require("Traceback (most recent call last)" not in ran.said, f"`reverie {arguments[0]}` ended in a traceback")
        require(ran.code == 0 or not check, f"`reverie {' '.join(arguments)}` exited {ran.code}: {ran.said[:200]}")
        return ran

    def python(self, code: str, *arguments: str) -> None:
        """A program of the user's that works on the engine itself. Raises Broken where it fails."""
        command = [sys.executable, "-c", code, *arguments]
        done = subprocess.run(command, env=self.environment(), capture_output=True, timeout=PATIENCE_S, check=False)
        require(done.returncode == 0, done.stderr.decode("utf-8", "replace")[-300:])

    def talk(self, lines: Sequence[str], until: str, cwd: Path) -> None:
        """Speak to `reverie mcp` line by line, and wait until it has answered with ``until``. Raises Broken."""
        command = [sys.executable, "-c", START, "mcp"]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, cwd=cwd, env=self.environment(), stdin=pipe, stdout=pipe, text=True) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write("".join(f"{line}\n" for line in lines))
            server.stdin.flush()
            heard = next((line for line in server.stdout if until in line), "")
            server.stdin.close()
        require(bool(heard), "the MCP server ended without an answer")

    def hook(self, event: str, cwd: Path, more: Mapping[str, str] | None = None, **said: object) -> str:
        """One call of Claude Code's hook from a folder: what the agent is told."""
        call = {"hook_event_name": event, "session_id": "s-1", "cwd": str(cwd), **said}
        return self.run("hook", "--host", "claude-code", cwd=cwd, given=json.dumps(call), more=more).out

    @contextmanager
    def at_the_end_stopped(self) -> Iterator[Home]:
        """The home; what was started in it is stopped."""
        try:
            yield self
        finally:
            self.run("hook", "stop")

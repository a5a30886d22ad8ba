"""The real host programs: in, an empty home and a model on loopback; out, one turn of a session at a time.

Each is started as its owner would start it, without a terminal, and asks the model on loopback instead of its maker's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

TURN_S = 120.0
"""What a turn may take before the test gives up; it takes one to five seconds."""
REVERIE = Path(sys.executable).with_name("reverie")


@dataclass(frozen=True, slots=True)
class Desk:
    """A home of nobody's, a repository in it, and the programs that see nothing else.

    Attributes:
        home: the user's folder.
        folder: the repository one works in.
        programs: the folder with the host programs.
        url: where the model listens.
    """

    home: Path
    folder: Path
    programs: Path
    url: str

    def run(self, *command: str, environment: Mapping[str, str] | None = None) -> str:
        """What a command writes to its output. A failing one fails the test, with what it said."""
        path = os.pathsep.join((str(self.programs), os.environ["PATH"]))
        # The machine may be busy, and this is not where the hook's speed is measured.
        patient = {"REVERIE_HOOK_DEADLINE_MS": "20000", "REVERIE_HOOK_START_MS": "20000"}
        around = {
            "HOME": str(self.home),
            "PATH": path,
            "USER": "ada",
            "LANG": "C.UTF-8",
            **patient,
            **(environment or {}),
        }
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=around,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=TURN_S,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def reverie(self, *arguments: str) -> str:
        """What a command of Reverie answers."""
        return self.run(str(REVERIE), *arguments)

    def filled(self, text: str) -> str:
        """A text of settings with what holds at this desk in it."""
        return text.replace("{url}", self.url).replace("{folder}", str(self.folder))

    def memories(self, word: str) -> list[str]:
        """The ids of the memories that hold a word."""
        return [memory["id"] for memory in self._timeline() if word in memory["text"]]

    def texts(self) -> list[str]:
        """What was said, in order."""
        return [memory["text"] for memory in self._timeline() if memory["kind"] == "episode"]

    def until(self, seen: Callable[[], bool]) -> None:
        """Look until something is so: what was said is kept after the host has gone on."""
        end = time.monotonic() + TURN_S
        while not seen():
            assert time.monotonic() < end, self.reverie("timeline")

    def _timeline(self) -> list[dict[str, str]]:
        kept: list[dict[str, str]] = json.loads(self.reverie("timeline", "--json"))["memories"]
        return kept


@dataclass(frozen=True, slots=True)
class Program:
    """A host program.

    Attributes:
        name: as `reverie install` calls it.
        binary: its command.
        turn: its arguments for one turn of a new session, but for what is said.
        next: its arguments for one more turn of the last session.
        environment: the variables that lead it to the model; {url} and {folder} are filled in.
        settings: what its owner has in its files before, below the home.
        written: the files that `reverie install` writes, below the home.
    """

    name: str
    binary: str
    turn: tuple[str, ...]
    next: tuple[str, ...]
    environment: Mapping[str, str]
    settings: Mapping[str, str]
    written: tuple[str, ...]

    def settle(self, desk: Desk) -> None:
        """Write what its owner has in its files."""
        for name, text in self.settings.items():
            (desk.home / name).parent.mkdir(parents=True)
            (desk.home / name).write_text(desk.filled(text), encoding="utf-8")

    def say(self, desk: Desk, text: str) -> str:
        """One turn of a new session; what the program answers."""
        return self.run(desk, *self.turn, text)

    def resume(self, desk: Desk, text: str) -> str:
        """One more turn of the last session; what the program answers."""
        return self.run(desk, *self.next, text)

    def run(self, desk: Desk, *arguments: str) -> str:
        """What the program writes when it is called with these arguments."""
        around = {name: desk.filled(value) for name, value in self.environment.items()}
        return desk.run(self.binary, *arguments, environment=around)


CLAUDE_CODE = Program(
    name="claude-code",
    binary="claude",
    turn=("-p",),
    next=("-c", "-p"),
    environment={
        "ANTHROPIC_BASE_URL": "{url}",
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    },
    settings={".claude/settings.json": '{\n    "cleanupPeriodDays": 3\n}\n'},
    written=(".claude/settings.json", ".claude.json"),
)
# Its hooks run once its owner has trusted them, which needs a terminal; the flag is Codex's own way round that.
CODEX = Program(
    name="codex",
    binary="codex",
    turn=("exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"),
    next=("exec", "resume", "--last", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"),
    environment={"MOCK_KEY": "none"},
    settings={
        ".codex/config.toml": """# the model on loopback
model = "mock"
model_provider = "mock"

[model_providers.mock]
name = "mock"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"

[projects."{folder}"]
trust_level = "trusted"
"""
    },
    written=(".codex/hooks.json", ".codex/config.toml"),
)
GEMINI = Program(
    name="gemini",
    binary="gemini",
    turn=("-m", "gemini-2.5-flash", "-p"),
    next=("-m", "gemini-2.5-flash", "--resume", "latest", "-p"),
    environment={"GOOGLE_GEMINI_BASE_URL": "{url}", "GEMINI_API_KEY": "none", "GEMINI_CLI_TRUST_WORKSPACE": "true"},
    settings={
        ".gemini/settings.json": """{
  // a key, and nothing to its maker
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "privacy": { "usageStatisticsEnabled": false }
}
"""
    },
    written=(".gemini/settings.json",),
)
PROGRAMS = (CLAUDE_CODE, CODEX, GEMINI)

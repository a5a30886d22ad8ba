"""A home of one's own for the hook: settings, folders, and calls as real processes."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from reverie import Message, Reverie, Scope
from reverie.events import Event
from reverie.faces.hook import client
from reverie.faces.hook.capture import CapturePlace
from reverie.faces.hook.frames import HookCall
from reverie.faces.hook.hosts import HookEvent, HookHost, SessionMoment
from reverie.screen.values import ScreenSettings

CLI = "from reverie.faces.start import main; main()"
PATIENCE_MS = "20000"
"""Deadlines of tests that are not about deadlines: a busy machine must not fail them."""


@dataclass(frozen=True, slots=True)
class Home:
    """A home with a project in it; every call is a process, as a host makes it."""

    path: Path

    def settle(self) -> None:
        """Make the project's folder, and write settings that name a store that is not there yet, without a model."""
        self.project.mkdir(parents=True)
        config = self.path / ".config" / "reverie" / "config.toml"
        config.parent.mkdir(parents=True)
        config.write_text(
            f'store = "{self.path}/memory/reverie.db"\nembedder = "none"\n'
            'agent = "assistant"\nuser = "ada"\nproject = "house"\n[ops]\nlog = "none"\n'
        )

    @property
    def project(self) -> Path:
        """Where the agent works."""
        return self.path / "project"

    @property
    def runtime(self) -> Path:
        """The folder of socket and lock."""
        return self.path / ".cache" / "reverie"

    @property
    def state(self) -> Path:
        """The folder of log and spool."""
        return self.path / ".local" / "state" / "reverie"

    @property
    def log(self) -> str:
        """What the log says."""
        path = self.state / "hook.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    @property
    def spool(self) -> list[Path]:
        """The calls that wait in the spool."""
        folder = self.state / "hook-spool"
        return sorted(folder.iterdir()) if folder.exists() else []

    @property
    def scope(self) -> Scope:
        """Whose memory the settings name."""
        return Scope("assistant", "ada", "house")

    def environment(self, **more: str) -> dict[str, str]:
        """Nobody's own settings, and no runtime folder of the machine's."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "REVERIE_"))}
        patient = {"REVERIE_HOOK_DEADLINE_MS": PATIENCE_MS, "REVERIE_HOOK_START_MS": PATIENCE_MS}
        return {**kept, "HOME": str(self.path), **patient, **more}

    def start(self, given: object, *arguments: str, **more: str) -> subprocess.Popen[bytes]:
        """Begin a call: ``given`` is the host's JSON, or bytes that are none."""
        process = subprocess.Popen(
            [sys.executable, "-c", CLI, "hook", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment(**more),
            cwd=self.project,
        )
        assert process.stdin is not None
        process.stdin.write(given if isinstance(given, bytes) else json.dumps(given).encode())
        process.stdin.close()
        process.stdin = None
        return process

    def call(self, given: object, *arguments: str, **more: str) -> str:
        """One call; a hook always ends with 0 and writes no errors."""
        process = self.start(given, *arguments, **more)
        out, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, b"")
        return out.decode()

    def say(self, event: str, session: str = "s1", **fields: object) -> str:
        """One call of a host that speaks as Claude Code and Codex do."""
        return self.call({"hook_event_name": event, "session_id": session, "cwd": str(self.project), **fields})

    def stop(self) -> None:
        """End the warm process when it has kept what it was told, and wait until it is gone."""
        self.call(b"", "stop")
        lock = self.runtime / "hook.lock"
        if lock.exists():
            with lock.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX)

    def memory(self) -> Reverie:
        """Open the store."""
        return Reverie.open(self.path / "memory" / "reverie.db", embedder=None)

    def kept(self, session: str | None = None) -> list[tuple[str, str]]:
        """(role, text) of the messages in the store."""
        with Reverie.open(self.path / "memory" / "reverie.db", embedder=None) as memory:
            found = memory.timeline(self.scope, session=session)
        return [(str(one.role), one.text) for one in found if str(one.kind) == "episode"]

    def events(self) -> list[Event]:
        """The journal of the scope."""
        with Reverie.open(self.path / "memory" / "reverie.db", embedder=None) as memory:
            return memory.admin.events(self.scope)

    def remember(self, *texts: str) -> None:
        """Have something in the store before anything is called."""
        store = self.path / "memory" / "reverie.db"
        store.parent.mkdir(exist_ok=True)
        with Reverie.open(store, embedder=None) as memory:
            for number, text in enumerate(texts):
                memory.observe(Message(text, session=f"before-{number}"), self.scope)


def at(moment: SessionMoment, host: HookHost = HookHost.CLAUDE_CODE, **said: str) -> HookEvent:
    """A moment of session s1."""
    return HookEvent(host, moment, "E", "s1", "/", **said)


@pytest.fixture
def place(scope: Scope) -> Iterator[CapturePlace]:
    """An empty store."""
    with Reverie.open(":memory:", embedder=None) as memory:
        yield CapturePlace(memory, scope, ScreenSettings())


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """A home whose settings name a store that is not there yet, without a model; nothing runs in it afterwards."""
    home = Home(tmp_path / "home")
    home.settle()
    yield home
    home.stop()


@pytest.fixture
def call_of(home: Home) -> Callable[..., HookCall]:
    """A call as it reaches the warm process: the host's JSON in keywords."""
    stamps = iter(range(1, 1000))

    def make(event: str, session: str = "s1", stamp: str = "", **fields: object) -> HookCall:
        said = {"hook_event_name": event, "session_id": session, "cwd": str(home.project), **fields}
        name = stamp or f"{1_780_000_000_000_000_000 + next(stamps)}-1"
        return HookCall(client.version(), name, str(home.project), {"HOME": str(home.path)}, json.dumps(said).encode())

    return make

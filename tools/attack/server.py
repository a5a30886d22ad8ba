"""Scenarios of the server: strangers on the same machine, and clients that never finish what they began."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tools.attack.home import PATIENCE_S, START, Broken, Home, require

HALF = b"POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
HONEST = 16


@dataclass(frozen=True, slots=True)
class Served:
    """A running server: its port, and what it printed when it began."""

    port: int
    said: str


def without_a_token(home: Home) -> str:
    """Another user of the machine asks the server of somebody who never made a token."""
    with _serving(home) as served:
        status = _status(served.port, "/v1/stats")
        require(status in (401, 403), f"a request without a token was answered with {status}")
        token = _token(served.said)
        require(_status(served.port, "/healthz") == 200, "/healthz does not answer")
        require(_status(served.port, "/v1/stats", token) != 401, "the printed token is refused")
    loose = [
        path
        for path in home.state.rglob("*")
        if path.is_file() and "token" in path.name and path.stat().st_mode & 0o077
    ]
    require(not loose, f"others may read {[path.name for path in loose]}")
    return "401 without the token that the first start made and printed"


def half_sent(home: Home, clients: int = 1100) -> str:
    """Clients by the hundred begin a request and never end it; honest ones go on being answered."""
    with _serving(home) as served:
        token = _token(served.said)
        held: list[socket.socket] = []
        try:
            for _ in range(clients):
                try:
                    one = socket.create_connection(("127.0.0.1", served.port), timeout=2)
                    one.sendall(HALF)
                    held.append(one)
                except OSError:
                    continue
            answers: list[float] = []
            threads = [threading.Thread(target=_ask, args=(served.port, token, answers)) for _ in range(HONEST)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(PATIENCE_S)
        finally:
            for one in held:
                one.close()
    require(len(answers) == HONEST, f"{len(answers)} of {HONEST} honest clients were answered")
    return f"{len(held)} half-sent requests held; {HONEST} honest clients answered, the slowest in {max(answers):.1f} s"


def _ask(port: int, token: str, answers: list[float]) -> None:
    began = time.monotonic()
    while time.monotonic() - began < 30.0:
        try:
            if _status(port, "/healthz", token) == 200:
                answers.append(time.monotonic() - began)
                return
        except OSError:
            time.sleep(0.2)


def _status(port: int, path: str, token: str = "") -> int:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    asked = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(asked, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def _token(said: str) -> str:
    found = re.search(r"token=([\w.~-]+)", said)
    if found is None:
        raise Broken(f"no token was printed: {said[:200]!r}")
    return found[1]


@contextmanager
def _serving(home: Home) -> Iterator[Served]:
    """`reverie serve` on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-u", "-c", START, "serve", "--port", str(port)]
    log = home.path / "serve.txt"
    with log.open("wb") as told:
        process = subprocess.Popen(
            command, cwd=home.folder("served"), env=home.environment(), stdout=told, stderr=subprocess.STDOUT
        )
    try:
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and process.poll() is None:
            try:
                if _status(port, "/healthz") in (200, 401):
                    break
            except OSError:
                time.sleep(0.1)
        yield Served(port, log.read_text("utf-8", "replace"))
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Broken("the server did not stop") from None

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from reverie import Reverie
from reverie.config import Settings
from reverie.engine.retrieve import Retrieval
from reverie.errors import InvalidSetting
from reverie.faces.http import server as serving_room
from reverie.faces.http.tokens import Binding, Keyring, Principal, Right
from tests.faces.http.conftest import NOW, SCOPE, named

CLI = "import sys; from reverie.faces.cli import main; sys.exit(main())"
PATIENCE_S = 60.0


@contextmanager
def process(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`reverie serve` as a process of its own, without tokens where there are none, and where it answers."""
    command = [sys.executable, "-c", CLI, "serve", "--port", "0", "--json", "--no-model", "--open", *options]
    environment = {**os.environ, "REVERIE_STORE": str(folder / "reverie.db")}
    running = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert running.stdout is not None
        told = "".join(line for line in iter(running.stdout.readline, "}\n") if line) + "}"
        yield running, json.loads(told)["url"]
    finally:
        running.kill()
        running.communicate()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A folder with a store in it."""
    with Reverie.open(tmp_path / "reverie.db", embedder=None) as engine:
        engine.remember("The key is under the mat.", SCOPE, at=NOW)
    return tmp_path


def test_told_to_stop_it_ends_calmly_even_while_somebody_follows(store: Path) -> None:
    """SIGTERM lets the stream of changes end, closes the store and leaves with 0; what was written is there."""
    with process(store) as (running, address):
        httpx.post(f"{address}/v1/remember", params=named(SCOPE), json={"text": "And the mat is red."})
        with httpx.stream("GET", f"{address}/v1/live", params=named(SCOPE), timeout=PATIENCE_S) as stream:
            lines = stream.iter_lines()
            assert next(lines) == ": following"
            running.send_signal(signal.SIGTERM)
            assert [line for line in lines if line] == []
        assert running.wait(PATIENCE_S) == 0
    with Reverie.open(store / "reverie.db", embedder=None) as engine:
        assert engine.admin.stats(SCOPE).memories == 2
        assert engine.admin.verify() == []


def test_a_request_that_runs_is_answered_before_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told to stop amid a request, it answers that one, and the engine is closed after it."""
    begun, may_end, answers = threading.Event(), threading.Event(), []
    with Reverie.open(tmp_path / "reverie.db", embedder=None) as engine:
        stats = Retrieval.stats

        def slow(self: Retrieval, scope: object) -> object:
            begun.set()
            assert may_end.wait(PATIENCE_S)
            return stats(self, SCOPE)

        monkeypatch.setattr(Retrieval, "stats", slow)
        settings = replace(Settings(), serve=replace(Settings().serve, port=0))
        addresses: list[str] = []
        listening = threading.Event()

        def told(address: str) -> None:
            addresses.append(address)
            listening.set()

        server = serving_room.api_server(serving_room.Serving(engine, settings, Keyring(None)), told)
        thread = threading.Thread(target=server.run)
        thread.start()
        assert listening.wait(PATIENCE_S)
        asking = threading.Thread(
            target=lambda: answers.append(
                httpx.get(f"{addresses[0]}/v1/stats", params=named(SCOPE), timeout=PATIENCE_S).status_code
            )
        )
        asking.start()
        assert begun.wait(PATIENCE_S)
        server.should_exit = True
        may_end.set()
        asking.join(PATIENCE_S)
        thread.join(PATIENCE_S)
    assert answers == [200]


def test_where_others_can_reach_it_there_must_be_a_token(store: Path) -> None:
    """Another address than this machine's own is refused until somebody is known."""
    settings = replace(Settings(), serve=replace(Settings().serve, host="0.0.0.0", port=0))
    with (
        Reverie.open(store / "reverie.db", embedder=None) as engine,
        pytest.raises(InvalidSetting, match="there is no token"),
    ):
        serving_room.serve(engine, settings, Keyring(store / "reverie.tokens.json"), print)


def test_with_a_token_it_listens_elsewhere(store: Path) -> None:
    """And answers whoever brings it, and nobody else."""
    keyring = Keyring(store / "reverie.tokens.json")
    token = keyring.add(Principal("ada", Right.READ, Binding()), NOW)
    with process(store, "--host", "0.0.0.0") as (_, address):
        local = address.replace("0.0.0.0", "127.0.0.1")
        headers = {"Authorization": f"Bearer {token}"}
        assert httpx.get(f"{local}/v1/scopes", headers=headers).status_code == 200
        assert httpx.get(f"{local}/v1/scopes").status_code == 401
        keyring.remove("ada")
        assert httpx.get(f"{local}/v1/scopes", headers=headers).status_code == 401


def test_a_time_that_is_none_is_told_before_it_listens(store: Path) -> None:
    """A wrong setting ends it at once."""
    settings = replace(Settings(), serve=replace(Settings().serve, dream_at="noon"))
    with Reverie.open(store / "reverie.db", embedder=None) as engine, pytest.raises(InvalidSetting):
        serving_room.serve(engine, settings, Keyring(None), print)


def test_a_port_that_is_taken_is_told(store: Path) -> None:
    """Where somebody else listens, it ends with an error and not with a trace."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        settings = replace(Settings(), serve=replace(Settings().serve, port=taken.getsockname()[1]))
        with Reverie.open(store / "reverie.db", embedder=None) as engine, pytest.raises(InvalidSetting, match="taken"):
            serving_room.serve(engine, settings, Keyring(None), print)

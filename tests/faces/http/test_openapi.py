from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import hypothesis
import pytest

from reverie import Reverie
from reverie.config import Settings
from reverie.faces.http.app import PROBLEMS, bare
from reverie.faces.http.parts import Serving
from reverie.faces.http.server import Server, api_server
from reverie.faces.http.tokens import Binding, Keyring, Principal, Right
from reverie.wire.errors import CODES
from tests.faces.http.conftest import NOW, SCOPE
from tests.faces.http.table import operations

HERE = Path(__file__).parent
FUZZ_S = 400
"""Seconds of made-up requests in a soak."""


def test_the_description_is_openapi_of_every_route(serving: Serving) -> None:
    """3.1, with every route, its shapes, and every error it can answer with."""
    found = bare(serving).openapi()
    assert found["openapi"] == "3.1.0"
    assert {(one.method.lower(), one.path) for one in operations()} == {
        (method, path) for path, methods in found["paths"].items() for method in methods
    }
    for path, methods in found["paths"].items():
        for operation in methods.values():
            assert set(map(str, PROBLEMS)) <= set(operation["responses"])
            assert operation["security"] == ([] if path in ("/healthz", "/livez", "/readyz") else [{"token": []}])
            assert operation["responses"]["200"]["content"], path


def test_every_status_of_the_table_of_errors_is_described() -> None:
    """No error of the engine has a status the description does not name."""
    assert {code.status for code in CODES.values()} <= set(PROBLEMS)


def test_no_value_of_a_request_goes_unnamed(serving: Serving) -> None:
    """Bodies are closed: a key nobody knows is refused, not passed over."""
    schemas = bare(serving).openapi()["components"]["schemas"]
    bodies = {name: schema for name, schema in schemas.items() if name.endswith("Body")}
    assert len(bodies) >= 10
    assert [name for name, schema in bodies.items() if schema.get("additionalProperties") is not False] == []


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, str, Server]]:
    """A server on a socket over a store with something in it, its address, and a token that governs everything."""
    keyring = Keyring(tmp_path / "reverie.tokens.json")
    token = keyring.add(Principal("all", Right.ADMIN, Binding()), NOW)
    settings = Settings()
    settings = replace(settings, serve=replace(settings.serve, port=0, requests_per_minute=0))
    with Reverie.open(tmp_path / "reverie.db", embedder=None) as engine:
        for number in range(3):
            engine.observe(f"My sister number {number} moved to Izmir in May.", SCOPE)
        listening, addresses = threading.Event(), []

        def told(address: str) -> None:
            addresses.append(address)
            listening.set()

        server = api_server(Serving(engine, settings, keyring), told)
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            assert listening.wait(60)
            yield addresses[0], token, server
        finally:
            server.should_exit = True
            thread.join(60)


def test_no_made_up_request_breaks_it(
    served: tuple[str, str, Server], share: Callable[[int], int], tmp_path: Path
) -> None:
    """Schemathesis with all its checks over the whole description: no 5xx, and every answer is as described."""
    address, token, _ = served
    agent, user, project = SCOPE.agent, SCOPE.user, SCOPE.project
    told = (HERE / "fuzzing.toml").read_text().replace("FUZZING", str(HERE / "fuzzing.py"))
    config = tmp_path / "schemathesis.toml"
    config.write_text(told.replace('"A"', f'"{agent}"').replace('"U"', f'"{user}"').replace('"P"', f'"{project}"'))
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run"]
    command += [f"{address}/openapi.json", "-H", f"Authorization: Bearer {token}", "--checks", "all"]
    command += ["--phases", "coverage,fuzzing,stateful", "--max-examples", str(share(50))]
    command += ["--max-time", str(share(FUZZ_S)), "--request-timeout", "30", "--no-color"]
    command += ["--seed", "1"] if hypothesis.settings.default.derandomize else []
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": ""})
    assert found.returncode == 0, found.stdout[-6000:] + found.stderr[-2000:]
    assert " 0 generated" not in found.stdout

"""The server over HTTP: only who knows its name and its token is served."""

from __future__ import annotations

import json
import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel import Server
from starlette.testclient import TestClient

from reverie.errors import InvalidSetting
from reverie.faces.mcp.http import HEALTH, PATH, Address, app_of, serve_http
from tests.faces.mcp.process import TOKEN, started

ADDRESS = Address("127.0.0.1", 0, TOKEN, ("memory.home.arpa",))
KNOWN = {
    "authorization": f"Bearer {TOKEN}",
    "accept": "application/json, text/event-stream",
    "content-type": "application/json",
}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


@pytest.fixture
def web(server: Server[Any]) -> Iterator[TestClient]:
    """A client that sends what it is told to send."""
    with TestClient(app_of(server, ADDRESS), base_url="http://127.0.0.1:8378") as client:
        yield client


@pytest.mark.parametrize(
    "authorization",
    [None, "", "Bearer", "Bearer ", f"Basic {TOKEN}", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", TOKEN],
)
def test_without_the_token_nobody_is_served(web: TestClient, authorization: str | None) -> None:
    """The answer says what to send, in the words of HTTP too."""
    headers = {**KNOWN, "authorization": authorization} if authorization is not None else {}
    answer = web.post(PATH, headers=headers, json=HELLO)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert TOKEN not in answer.text


def test_with_the_token_one_is(web: TestClient) -> None:
    """Whatever the case of the scheme."""
    answer = web.post(PATH, headers={**KNOWN, "authorization": f"bearer {TOKEN}"}, json=HELLO)
    assert answer.status_code == 200
    assert "helper/ada/home" in answer.text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8378", "127.0.0.1.evil.example", "", "[::2]:8378"])
def test_a_false_name_is_refused(web: TestClient, host: str) -> None:
    """A browser that was led here by a name of somebody else's gets nothing, not even the health."""
    for path in (PATH, HEALTH):
        assert web.get(path, headers={**KNOWN, "host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8378", "[::1]:8378", "127.0.0.1:1", "memory.home.arpa"])
def test_its_own_names_are_served(web: TestClient, host: str) -> None:
    """This machine's, the one it listens on, and those the settings add."""
    assert web.get(HEALTH, headers={"host": host}).json() == {"status": "ok"}


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "", "http://localhost.evil.example"])
def test_a_page_of_another_origin_is_refused(web: TestClient, origin: str) -> None:
    """Even where it has the token."""
    assert web.post(PATH, headers={**KNOWN, "origin": origin}, json=HELLO).status_code == 403


def test_a_page_of_this_machine_is_not(web: TestClient) -> None:
    """A tool that runs in a local page may ask."""
    assert web.post(PATH, headers={**KNOWN, "origin": "http://localhost:6274"}, json=HELLO).status_code == 200


def test_nothing_else_is_there(web: TestClient) -> None:
    """No other path, no other way to ask for the health."""
    assert web.get("/", headers=KNOWN).status_code == 404
    assert web.post(HEALTH).status_code == 405


@pytest.mark.parametrize("token", ["", "short"])
def test_it_does_not_start_without_a_token(server: Server[Any], token: str) -> None:
    """The error says how to set one."""
    with pytest.raises(InvalidSetting) as error:
        serve_http(server, Address("127.0.0.1", 0, token), print)
    assert "REVERIE_MCP_TOKEN" in error.value.mend


def test_an_address_that_is_taken_is_an_error(server: Server[Any]) -> None:
    """It says which."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InvalidSetting, match=str(port)):
            serve_http(server, Address("127.0.0.1", port, TOKEN), print)


def test_the_official_client_is_served_by_a_process(tmp_path: Path) -> None:
    """In both eras; the token stands in no output; a polite end is an orderly one."""
    with started(tmp_path, "--http", "--port", "0") as server:
        assert server.process.stderr is not None
        announced = server.process.stderr.readline()
        (url,) = re.findall(r"http://127\.0\.0\.1:\d+/mcp", announced)

        async def ask(mode: str) -> str:
            heard: list[float] = []

            async def hear(done: float, *_: object) -> None:
                heard.append(done)

            async with (
                httpx2.AsyncClient(headers={"authorization": f"Bearer {TOKEN}"}) as http,
                Client(streamable_http_client(url, http_client=http), mode=mode) as client,
            ):
                await client.call_tool("memory_store", {"text": f"The key of {mode} hangs behind the boiler."})
                await client.call_tool("memory_consolidate", {"dry_run": True}, progress_callback=hear)
                assert heard == sorted(heard)
                assert len(heard) > 2
                found = await client.call_tool("memory_recall", {"query": f"key {mode} boiler"})
                return json.dumps(found.structured_content)

        assert "legacy" in anyio.run(ask, "legacy")
        assert "2026-07-28" in anyio.run(ask, "2026-07-28")
        server.process.send_signal(signal.SIGTERM)
        out, err = server.process.communicate(timeout=60)
    assert server.process.returncode == 0
    assert TOKEN not in announced + out + err
    assert out == ""
    assert "Traceback" not in err

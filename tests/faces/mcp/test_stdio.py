"""The server as a process on its standard streams, by the raw handshake of every older revision and by the client."""

from __future__ import annotations

import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client, StdioServerParameters, stdio_client
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCRequest

from reverie import Reverie, Scope
from reverie.faces.mcp import stdio
from reverie.faces.mcp.service import TOOLS
from reverie.faces.mcp.stdio import lines, mended
from tests.faces.mcp.process import command, prepared, started

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_older_revision_is_spoken(tmp_path: Path, revision: str) -> None:
    """Handshake, lists, calls, errors, progress; then the process ends with its input."""
    with started(tmp_path) as server:
        hello = server.shake_hands(revision)
        assert hello["protocolVersion"] == revision
        assert hello["serverInfo"]["name"] == "reverie"
        assert [tool["name"] for tool in server.ask("tools/list")["result"]["tools"]] == list(TOOLS)
        assert not server.call("memory_store", text="I prefer tea over coffee.")["isError"]
        assert "I prefer tea over coffee." in server.call("memory_recall", query="tea or coffee?")["content"][0]["text"]
        assert server.call("memory_get", id="nope")["isError"]
        assert server.ask("resources/read", {"uri": "memory://nope"})["error"]["code"] == -32602
        assert server.ask("nonsense")["error"]["code"] == -32601
        dream = {"name": "memory_consolidate", "arguments": {}, "_meta": {"progressToken": "p"}}
        server.send("tools/call", dream, id="dream")
        heard = [server.read()]
        while "result" not in heard[-1]:
            heard.append(server.read())
        assert {message["params"]["progressToken"] for message in heard[:-1]} == {"p"}
        assert len(heard) > 2
        code, out, _ = server.end()
    assert (code, out) == (0, "")


def test_the_official_client_starts_and_ends_it(tmp_path: Path) -> None:
    """In the newest revision."""
    environment = prepared(tmp_path)
    program, *arguments = command()
    parameters = StdioServerParameters(command=program, args=arguments, env=environment, cwd=tmp_path)

    async def run() -> None:
        async with Client(stdio_client(parameters)) as client:
            assert client.protocol_version == "2026-07-28"
            assert not (await client.call_tool("memory_store", {"text": "The key hangs behind the boiler."})).is_error
            found = await client.call_tool("memory_recall", {"query": "Where is the key?"})
            assert found.structured_content is not None
            assert "boiler" in found.structured_content["notes"]

    anyio.run(run)


def test_odd_lines_are_survived(tmp_path: Path) -> None:
    """No JSON, no object, half characters, a name of nothing: what has an id is answered, the rest passed over."""
    with started(tmp_path) as server:
        server.shake_hands("2025-11-25")
        for line in ("", "garbage", "[1, 2", "\x00", "42", "[]", '{"jsonrpc": "2.0"}', "ü" * 10_000, "[" * 100_000):
            server.line(line)
        call = {"name": "memory_store", "arguments": {"text": "half \ud83d and \\ud83d whole 😀"}}
        server.send("tools/call", call, id="half")
        while (answer := server.read()).get("id") != "half":
            pass
        assert not answer["result"]["isError"]
        assert "half \ufffd and \\ud83d whole 😀" in json.dumps(server.call("memory_list"), ensure_ascii=False).replace(
            "\\\\\\\\", "\\"
        ).replace("\\\\", "\\")
        code, _, err = server.end()
    assert code == 0
    assert "Traceback" not in err


@pytest.mark.parametrize("calls", [1, 12])
def test_what_was_read_is_done_before_the_end(tmp_path: Path, calls: int) -> None:
    """A client that says all it has to say and closes its end at once is answered, and what it stored is kept."""
    with started(tmp_path) as server:
        client = {"name": "test", "version": "1"}
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        server.send("initialize", hello, id=0)
        server.send("notifications/initialized")
        for number in range(1, calls + 1):
            call = {"name": "memory_store", "arguments": {"text": f"Boat {number} is called Sula."}}
            server.send("tools/call", call, id=number)
        code, out, err = server.end()
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 0, err
    assert sorted(answer["id"] for answer in answers) == list(range(calls + 1))
    assert not any(answer["result"].get("isError") for answer in answers)
    with Reverie.open(tmp_path / "reverie.db", embedder=None) as engine:
        texts = {one.text for one in engine.timeline(Scope("helper", "ada", "home"))}
    assert {f"Boat {number} is called Sula." for number in range(1, calls + 1)} <= texts


def test_a_request_that_nobody_answers_does_not_keep_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cancelled, or dropped by a server: once nothing is at work the input's end comes through."""
    monkeypatch.setattr(stdio, "_IDLE_S", 0.01)
    seen: list[object] = []

    async def run() -> None:
        feed, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](9)
        onwards, read = anyio.create_memory_object_stream[SessionMessage | Exception](9)
        feed.send_nowait(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=1, method="tools/list")))
        feed.send_nowait(ValueError("no JSON"))
        feed.close()
        await stdio.Finishing(incoming, None).take_in(onwards)
        async with read:
            seen.extend([item async for item in read])

    anyio.run(run)
    assert len(seen) == 2


def test_a_polite_end_is_an_orderly_one(tmp_path: Path) -> None:
    """Asked to terminate while its input is open, it closes the store and goes."""
    with started(tmp_path) as server:
        server.shake_hands("2025-11-25")
        server.call("memory_store", text="I prefer tea over coffee.")
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(60) == 0


def test_lines_come_whole_however_they_arrive() -> None:
    """A line is cut by no chunk, a character neither, and the last needs no end."""
    said = ["", "ü" * 100_000, "b", "😀"]
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb", closefd=True) as pipe, ThreadPoolExecutor() as pool:
        heard = pool.submit(lambda: list(lines(reading)))
        pipe.write("\n".join(said).encode())
        pipe.close()
        assert heard.result(30) == said
    os.close(reading)


def test_without_a_store_it_says_so(tmp_path: Path) -> None:
    """On the error stream, with the exit code of a missing store; nothing on the other."""
    with started(tmp_path, "--store", "nowhere.db") as server:
        code, out, err = server.end()
    assert (code, out) == (11, "")
    assert "reverie setup" in err


@given(st.text(st.characters(categories=["Lu", "Nd", "Cs", "Po"]) | st.sampled_from("\\u{}d8")))
def test_only_half_characters_are_mended(text: str) -> None:
    """Whatever else a line says stays."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert json.loads(mended(json.dumps([text]))) == json.loads(json.dumps([whole]))

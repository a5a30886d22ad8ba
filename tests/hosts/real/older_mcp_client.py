"""The previous major version of the official MCP client against this server, over both transports.

    python tests/hosts/real/older_mcp_client.py REVERIE_COMMAND

In: the command ``reverie``; run with a Python that has ``mcp<2`` installed, which the project's own environment has
not (``make hosts`` makes one). Out: a line for each transport, and exit code 0 where everything was as it should be.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

TOKEN = "a-token-of-some-length"


async def asked(session: ClientSession) -> str:
    """Every kind of request; the revision that was agreed on."""
    hello = await session.initialize()
    assert hello.serverInfo.name == "reverie"
    tools = (await session.list_tools()).tools
    assert len(tools) <= 10
    assert all(tool.outputSchema and tool.annotations for tool in tools)
    stored = await session.call_tool("memory_store", {"text": "I prefer tea over coffee."})
    assert not stored.isError
    recalled = await session.call_tool("memory_recall", {"query": "tea or coffee?"})
    assert "I prefer tea over coffee." in recalled.structuredContent["notes"]
    assert (await session.call_tool("memory_get", {"id": "nope"})).isError
    heard: list[float] = []

    async def hear(done: float, total: float | None, message: str | None) -> None:
        heard.append(done)

    assert not (await session.call_tool("memory_consolidate", {}, progress_callback=hear)).isError
    assert heard == sorted(heard)
    assert len(heard) > 2
    await cancelled(session)
    identity = stored.structuredContent["id"]
    assert identity in (await session.read_resource(f"memory://{identity}")).contents[0].text
    assert "tea" in (await session.get_prompt("session_start", {"topic": "tea"})).messages[0].content.text
    assert await refused(session, "memory://nope") == -32602
    return str(hello.protocolVersion)


async def cancelled(session: ClientSession) -> None:
    """A call is taken back while it runs: by the protocol nothing answers it, and later requests are answered."""
    number = session._request_id  # the next request's; the client has no call for taking one back
    running = asyncio.ensure_future(session.call_tool("memory_consolidate", {}))
    while session._request_id == number:
        await asyncio.sleep(0)
    taken_back = types.CancelledNotification(
        method="notifications/cancelled", params=types.CancelledNotificationParams(requestId=number, reason="enough")
    )
    await session.send_notification(types.ClientNotification(taken_back))
    running.cancel()
    assert not (await session.call_tool("memory_list", {})).isError


async def refused(session: ClientSession, uri: str) -> int | None:
    """The code of the error that reading a resource gives; None: it was read."""
    try:
        await session.read_resource(uri)
    except McpError as error:
        return int(error.error.code)
    return None


async def over_streams(reverie: str, folder: Path) -> str:
    """The client starts the server."""
    server = StdioServerParameters(command=reverie, args=["mcp"], env=dict(os.environ), cwd=folder)
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        return await asked(session)


async def over_http(url: str) -> str:
    """The server runs already, and wants its token."""
    headers = {"authorization": f"Bearer {TOKEN}"}
    async with (
        streamablehttp_client(url, headers=headers) as (incoming, outgoing, _),
        ClientSession(incoming, outgoing) as session,
    ):
        return await asked(session)


@contextmanager
def served(reverie: str, folder: Path) -> Iterator[str]:
    """The URL of a server that runs as long as the block."""
    environment = {**os.environ, "REVERIE_MCP_TOKEN": TOKEN}
    server = subprocess.Popen(
        [reverie, "mcp", "--http", "--port", "0"], cwd=folder, env=environment, stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stderr is not None
        (url,) = re.findall(r"http://\S+", server.stderr.readline())
        yield url
    finally:
        server.terminate()
        assert server.wait(60) == 0


def main() -> None:
    """Ask over both transports."""
    (reverie,) = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        init = [reverie, "init", "--agent", "helper", "--user", "ada", "--project", "home", "--embedder", "hash"]
        subprocess.run(init, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        sys.stdout.write(f"stdio: {asyncio.run(over_streams(reverie, folder))}\n")
        with served(reverie, folder) as url:
            sys.stdout.write(f"http: {asyncio.run(over_http(url))}\n")


if __name__ == "__main__":
    main()

"""What each face answers to one script: the command line in processes of its own, HTTP and MCP without a socket.

In: nothing. Out: for each face the lines it answered, with ids numbered in their order and times left out, so that
two runs say the same.
"""

from __future__ import annotations

import json
import os
import re
import subprocess  # the command line is run as a user runs it
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reverie import FixedClock, RandomIds, Reverie, Scope
from reverie.config import Settings

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SCOPE = Scope("helper", "ada", "home")
TOLD = (
    "My sister Zeynep lives in Ankara and works at the harbour museum.",
    "Always answer in two sentences.",
    "The staging server listens on port 8081.",
    "Staging moved to port 9090 this morning.",
    "Kahvemi şekersiz içerim.",
)
CUES = ("Which port does staging use?", "Where does Zeynep live?", "Kahvemi nasıl içerim?", "Who won the cup in 1931?")
_ID = re.compile(r"\b[0-9A-HJKMNP-TV-Z]{26}\b|\b[0-9a-f]{32,64}\b", re.I)
_TIME = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?|\d+(?:\.\d+)?\s?(?:ms|s)\b")
_TOOK = re.compile(
    r'("(?:took|elapsed|duration|bytes|size|latency|age|request_id|uptime)(?:_\w*)?": )("[^"]*"|[\d.eE+-]+)'
)
_NUMBER = re.compile(r"\d+\.\d{4,}(?:e-\d+)?")
FIRST = "{first}"
"""Stands for the id of the first memory, which only the run itself knows."""

COMMAND = str(Path(sys.executable).with_name("reverie"))
STOPPED = (
    "from datetime import datetime\n"
    "from reverie.engine import runtime\n"
    f"runtime.SystemClock.now = lambda _: datetime.fromisoformat('{NOW.isoformat()}')\n"
    "from reverie.faces.cli import main\n"
    "main()"
)
"""The command line with a clock that stands: how old a memory is must not follow from how busy the machine is."""
IN_SCOPE = ("--agent", SCOPE.agent, "--user", SCOPE.user, "--project", SCOPE.project)
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("init",),
    *(("remember", text) for text in TOLD[:2]),
    *(("observe", text) for text in TOLD[2:]),
    *(("recall", cue) for cue in CUES),
    ("explain", CUES[0]),
    ("timeline",),
    ("memory", "graph", FIRST),
    (
        "session",
        "hot",
    ),
    (
        "session",
        "instructions",
    ),
    ("memory", "history", FIRST),
    ("feedback", FIRST, "--used"),
    ("memory", "pin", FIRST),
    ("memory", "unpin", FIRST),
    ("correct", FIRST, "My sister Zeynep lives in İzmir."),
    ("recall", CUES[1]),
    ("forget", FIRST),
    (
        "memory",
        "quarantined",
    ),
    ("stats",),
    (
        "stats",
        "health",
    ),
    ("dream",),
    (
        "dream",
        "list",
    ),
    ("recall", ""),
    ("memory", "history", "nobody"),
)
REQUESTS: tuple[tuple[str, str, dict[str, Any] | None], ...] = (
    *(("POST", "/v1/remember", {"text": text, "speaker": "ada", "role": "user"}) for text in TOLD[:2]),
    *(("POST", "/v1/observe", {"text": text, "speaker": "ada", "role": "user"}) for text in TOLD[2:]),
    *(("POST", "/v1/recall", {"cue": cue}) for cue in CUES),
    ("POST", "/v1/explain", {"cue": CUES[0]}),
    ("GET", "/v1/memories", None),
    ("GET", "/v1/formed", None),
    ("GET", f"/v1/memories/{FIRST}", None),
    ("GET", f"/v1/memories/{FIRST}/history", None),
    ("GET", f"/v1/memories/{FIRST}/graph", None),
    ("GET", f"/v1/memories/{FIRST}/relations", None),
    ("GET", "/v1/hot", None),
    ("GET", "/v1/quarantine", None),
    ("GET", "/v1/latest", None),
    ("POST", f"/v1/memories/{FIRST}/pin", {"pinned": True}),
    ("POST", f"/v1/memories/{FIRST}/pin", {"pinned": False}),
    ("POST", f"/v1/memories/{FIRST}/forget", {}),
    ("POST", "/v1/dream", {}),
    ("GET", "/v1/dreams", None),
    ("GET", "/v1/stats", None),
    ("GET", "/v1/health", None),
    ("GET", "/v1/events", None),
    ("GET", "/v1/memories/nobody", None),
    ("POST", "/v1/recall", {}),
)
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("memory_store", {"text": text}) for text in TOLD),
    *(("memory_recall", {"query": cue}) for cue in CUES),
    ("memory_get", {"id": FIRST}),
    ("memory_list", {}),
    ("memory_update", {"id": FIRST, "text": "My sister Zeynep lives in İzmir."}),
    ("memory_forget", {"id": FIRST}),
    ("memory_consolidate", {}),
    ("memory_get", {"id": "nobody"}),
)


def answers() -> Iterator[tuple[str, str]]:
    """Each face's name, and what it answered."""
    yield "the command line", plain(_by_command_line())
    yield "HTTP", plain(_by_http())
    yield "MCP", plain(_by_mcp())


def plain(lines: Iterator[str]) -> str:
    """The lines, ids numbered in the order in which they come, without times, numbers to a thousandth: a clock ran."""
    seen: dict[str, str] = {}
    text = _TOOK.sub(r"\1…", _TIME.sub("…", "\n".join(lines)))
    text = _NUMBER.sub(lambda found: f"{float(found[0]):.3f}", text)
    return _ID.sub(lambda found: seen.setdefault(found[0], f"id-{len(seen) + 1}"), text)


def _first_id(line: str) -> str:
    found = _ID.search(line)
    return found[0] if found else ""


def _by_command_line() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="reverie-same-") as home:
        store = str(Path(home) / "memory.db")
        given = {**os.environ, "HOME": home, "XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home, "COLUMNS": "100"}
        first = ""
        for words in COMMANDS:
            own = [first if word == FIRST else word for word in words]
            command = [sys.executable, "-c", STOPPED, "--store", store, *IN_SCOPE, "--no-model", "--json", *own]
            told = subprocess.run(command, capture_output=True, text=True, check=False, cwd=home, env=given)
            first = first or _first_id(told.stdout)
            yield f"$ {' '.join(words)}: {told.returncode}"
            yield (told.stdout + told.stderr).replace(home, "~")


def _engine() -> Reverie:
    return Reverie.open(":memory:", embedder=None, clock=FixedClock(NOW), ids=RandomIds(seed=1), background=False)


def _by_http() -> Iterator[str]:
    import anyio
    import httpx

    from reverie.faces.http.app import application
    from reverie.faces.http.parts import Serving
    from reverie.faces.http.tokens import Keyring

    scope = {"agent": SCOPE.agent, "user": SCOPE.user, "project": SCOPE.project}
    with _engine() as engine, tempfile.TemporaryDirectory(prefix="reverie-same-") as home:
        app = application(Serving(engine, Settings(), Keyring(Path(home) / "tokens.json")))

        async def asked(method: str, path: str, body: dict[str, Any] | None) -> httpx.Response:
            transport = httpx.ASGITransport(app=app, client=("127.0.0.1", 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8377") as client:
                return await client.request(method, path, params=scope, json=body)

        first = ""
        for method, path, body in REQUESTS:
            told = anyio.run(asked, method, path.replace(FIRST, first), body)
            first = first or _first_id(told.text)
            yield f"{method} {path}: {told.status_code}"
            yield _pretty(told.text)


def _by_mcp() -> Iterator[str]:
    import anyio
    from mcp import Client

    from reverie.faces.mcp.fencing import Fencing
    from reverie.faces.mcp.server import build_server
    from reverie.faces.mcp.service import Means, Service

    lines: list[str] = []
    with _engine() as engine:
        server = build_server(Service(Means(engine, SCOPE, FixedClock(NOW), Fencing("a nonce"))))

        async def run() -> None:
            first = ""
            async with Client(server, mode="legacy") as client:
                lines.append(_pretty((await client.list_tools()).model_dump_json(exclude_none=True)))
                for name, given in CALLS:
                    own = {key: first if value == FIRST else value for key, value in given.items()}
                    told = (await client.call_tool(name, own)).model_dump_json(exclude_none=True)
                    first = first or _first_id(told)
                    lines.append(f"{name} {given}\n{_pretty(told)}")

        anyio.run(run)
    yield from lines


def _pretty(text: str) -> str:
    try:
        return json.dumps(json.loads(text), indent=1, ensure_ascii=False, sort_keys=True)
    except ValueError:
        return text

"""The tools as a client is told of them: few, annotated, with schemas, and short."""

from __future__ import annotations

import json
import re
import tomllib

from reverie.faces.mcp.service import TOOLS
from tests.house.code import ROOT

PAGE = (ROOT / "docs" / "mcp.md").read_text("utf-8")
TOKENS_MAX = 1900
BYTES_A_TOKEN = 3.5
"""On the safe side: of this very list, o200k_base takes 4.08 bytes a token, cl100k_base 4.31 (2026-11-22)."""


def listed() -> list[dict[str, object]]:
    """The answer to tools/list."""
    return [tool.told().model_dump(mode="json", by_alias=True, exclude_none=True) for tool in TOOLS.values()]


def test_the_whole_list_is_short() -> None:
    """Names, descriptions, both schemas and annotations of all tools cost a model at most 1,900 tokens."""
    whole = json.dumps({"tools": listed()}, separators=(",", ":"), ensure_ascii=False)
    assert len(whole.encode()) / BYTES_A_TOKEN <= TOKENS_MAX
    assert len(TOOLS) <= 10


def test_every_tool_says_what_it_may_do() -> None:
    """Read-only, destructive, idempotent, open world: each is said, and what reads destroys nothing."""
    for told in listed():
        hints = told["annotations"]
        assert isinstance(hints, dict)
        assert set(hints) == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
        assert not (hints["readOnlyHint"] and hints["destructiveHint"])
        assert hints["openWorldHint"] is False
    assert {tool.name for tool in TOOLS.values() if tool.destroys} == {"memory_update", "memory_forget"}
    assert {tool.name for tool in TOOLS.values() if tool.reads} == {"memory_recall", "memory_get", "memory_list"}


def test_every_tool_has_schemas_and_a_description() -> None:
    """Objects on both sides; the scope is always given and never taken."""
    for told in listed():
        taken, given = told["inputSchema"], told["outputSchema"]
        assert isinstance(taken, dict)
        assert isinstance(given, dict)
        assert told["description"]
        assert taken["type"] == given["type"] == "object"
        assert "scope" in given["required"]
        assert not {"scope", "agent", "user", "project"} & set(taken["properties"])


def test_the_page_says_of_every_tool_what_its_annotations_say() -> None:
    """A row a tool: whether it only reads, destroys, may be repeated."""
    rows = {row[0]: row[1:] for row in re.findall(r"\| `(memory_\w+)` \|.*\| (\w+) \| (\w+) \| (\w+) \|", PAGE)}
    said = {True: "yes", False: "no"}
    assert rows == {name: (said[one.reads], said[one.destroys], said[one.repeats]) for name, one in TOOLS.items()}


def test_the_clients_configurations_on_the_page_are_whole() -> None:
    """Each is JSON or TOML, and starts or finds the server."""
    blocks = re.findall(r"```(json|toml)\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 5
    for kind, text in blocks:
        servers = json.loads(text) if kind == "json" else tomllib.loads(text)
        ((_, named),) = servers.items()
        server = named["reverie"]
        assert (server.get("command"), server.get("args")) == ("reverie", ["mcp"]) or server["url"].endswith("/mcp")

import json

import pytest

from reverie.hosts.host import JsonEntry, JsonHook, JsonMark, Piece, TomlTable, is_ours, is_same_call
from reverie.hosts.json_edit import JsonDialect

CALL = "/a/reverie hook --host codex"
STOP = ("hooks", "Stop")
GROUPED = JsonHook(STOP, CALL, {"timeout": 3})
FLAT = JsonHook(STOP, CALL, said_in="bash", grouped=False)
SERVER = JsonEntry(("mcpServers", "reverie"), {"command": "/a/reverie", "args": ["mcp"]}, JsonDialect.COMMENTS)
TABLE = TomlTable(("mcp_servers", "reverie"), {"command": "/a/reverie", "args": ["mcp"]})
MARK = JsonMark(("version",), 1)


@pytest.mark.parametrize("piece", [GROUPED, FLAT, SERVER, MARK, TABLE])
@pytest.mark.parametrize("text", ["", "{}", '{"a": 1}', '{\n  "a": 1\n}\n'])
def test_a_piece_is_put_in_once_and_taken_out_whole(piece: Piece, text: str) -> None:
    """Put twice it is there once; taken out, what held it goes with it where it was made for it."""
    if isinstance(piece, TomlTable):
        text = text.replace("{", "").replace("}", "").replace('"a": 1', "a = 1")
    made = piece.holders(text)
    new = piece.put(text)
    assert new != text
    assert piece.put(new) == new
    assert piece.holders(new) == []
    left = piece.take(new, made)
    if piece is MARK and "a" in text:
        assert left == new  # others stand beside it now: it is as much theirs
    else:
        assert left.strip() in (text.strip(), text.strip() or "{}")


def test_hooks_of_others_stay_beside_ours() -> None:
    """Ours is added behind theirs and taken out alone, also where somebody has put both into one group."""
    theirs = {"matcher": "x", "hooks": [{"type": "command", "command": "theirs"}]}
    text = json.dumps({"hooks": {"Stop": [theirs]}}, indent=2)
    new = GROUPED.put(text)
    assert json.loads(new)["hooks"]["Stop"] == [
        theirs,
        {"hooks": [{"type": "command", "command": CALL, "timeout": 3}]},
    ]
    assert GROUPED.take(new, [STOP, STOP[:1]]) == text
    ours = {"type": "command", "command": CALL}
    mixed = json.dumps({"hooks": {"Stop": [{"matcher": "x", "hooks": [*theirs["hooks"], ours]}]}}, indent=2)
    assert GROUPED.put(mixed) == mixed
    assert json.loads(GROUPED.take(mixed, [])) == {"hooks": {"Stop": [theirs]}}


def test_a_hook_of_an_older_place_gets_the_present_command() -> None:
    """Moved elsewhere, the command is renewed and what its owner set stays."""
    text = json.dumps({"hooks": {"Stop": [{"hooks": [{"command": "/old/reverie hook --host codex", "timeout": 9}]}]}})
    assert GROUPED.put(text) == text.replace("/old/reverie", "/a/reverie")


def test_emptied_holders_stay_where_they_were_there_before() -> None:
    """An empty list that was not made for us is left as it is, and so is one with a comment in it."""
    text = '{"hooks": {"Stop": []}}'
    assert json.loads(GROUPED.take(GROUPED.put(text), [])) == {"hooks": {"Stop": []}}
    hook = JsonHook(STOP, CALL, dialect=JsonDialect.COMMENTS)
    noted = '{"hooks": {\n  // mine\n}}'
    assert "// mine" in hook.take(hook.put(noted), [STOP])


def test_what_stood_in_the_place_of_an_entry_can_be_put_back() -> None:
    """An entry knows what it replaces, and puts it back."""
    text = '{"mcpServers": {"reverie": {"command": "mine", "args": [], "env": {}}}}'
    there = SERVER.found(text)
    assert json.loads(SERVER.place(SERVER.put(text), there)) == json.loads(text)
    table = '[mcp_servers.reverie]\ncommand = "mine"\n'
    assert TABLE.place(TABLE.put(table), TABLE.found(table)) == table
    for piece in (MARK, GROUPED):
        assert piece.found(text) is None
        assert piece.place(text, None) == text


@pytest.mark.parametrize(
    ("command", "same"),
    [
        ("/elsewhere/reverie hook --host codex", True),
        ("'/my tools/reverie' hook --host codex ", True),
        ("python3 -c 'from reverie.faces.cli import main' hook --host codex", True),
        ("/a/reverie hook --host gemini", False),
        ("/a/reverie hook --host codex; other", False),
        ("/a/dream hook --host codex", False),
        (7, False),
    ],
)
def test_a_call_of_ours_is_known(command: object, same: bool) -> None:
    """By what it calls and for whom, wherever it is installed; nothing else is taken for it."""
    assert is_same_call(command, CALL) is same


def test_a_server_of_ours_is_known() -> None:
    """One that starts Reverie's MCP server is ours; another's of the same name is not."""
    assert is_ours(None)
    assert is_ours({"command": "/x/reverie", "args": ["mcp", "--project", "p"]})
    assert is_ours({"command": "uvx", "args": ["reverie", "mcp"]})
    assert not is_ours({"command": "other", "args": ["mcp"]})
    assert not is_ours({"url": "x", "args": "reverie mcp"})
    assert not is_ours("reverie mcp")
    assert is_ours({"enabled": False, "config": {"command": ["/x/reverie"]}})
    assert not is_ours({"enabled": True, "config": {"command": "other"}})

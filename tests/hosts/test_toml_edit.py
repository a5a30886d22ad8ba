import tomllib

import pytest

from reverie.hosts import toml_edit
from reverie.hosts.json_edit import Broken

KEYS = ("mcp_servers", "reverie")
TABLE = {"command": "/a b/reverie", "args": ["mcp"]}
FILE = """# mine
model = "o" # the best

[mcp_servers.other] # keep
command = "x"

[profiles."a]b"]
text = '''
[mcp_servers.reverie]
'''
"""


@pytest.mark.parametrize(
    "text", ["", FILE, FILE.replace("\n", "\r\n"), FILE.rstrip(), "mcp_servers.other.command = 'x'\n"]
)
def test_a_table_is_put_in_and_taken_out(text: str) -> None:
    """Put adds the table behind everything else, take leaves what was there, but for the last line end."""
    new = toml_edit.put(text, KEYS, TABLE)
    assert new.startswith(text)
    assert tomllib.loads(new)["mcp_servers"]["reverie"] == TABLE
    assert toml_edit.put(new, KEYS, TABLE) == new
    assert toml_edit.take(new, KEYS).strip() == text.strip()
    assert toml_edit.take(text, KEYS) == text


def test_what_its_owner_wrote_behind_it_stays() -> None:
    """The table goes with the tables below it; a comment that stands before the next one is not ours."""
    new = toml_edit.put(FILE, KEYS, TABLE)
    edited = (
        new + "timeout = 3\n\n[mcp_servers.reverie.tools.recall]\nallow = true\n\n# my profile\n[profiles.b]\nx = 1\n"
    )
    assert toml_edit.take(edited, KEYS) == FILE + "\n# my profile\n[profiles.b]\nx = 1\n"


def test_a_table_that_is_there_is_renewed_in_its_place() -> None:
    """The lines that say something else are written anew, keys of others stay."""
    old = FILE + "\n[mcp_servers.reverie]\nenabled = true # yes\ncommand = 'old'\n\n[z]\n"
    new = toml_edit.put(old, KEYS, TABLE)
    assert tomllib.loads(new)["mcp_servers"]["reverie"] == {"enabled": True, **TABLE}
    assert "enabled = true # yes" in new
    assert new.endswith("\n\n[z]\n")


def test_a_form_that_cannot_be_added_to_is_refused() -> None:
    """What stands on one line is closed; the message says what to write instead."""
    with pytest.raises(Broken, match=r"line 2: .*write it as \[mcp_servers.reverie\]"):
        toml_edit.put('model = "o"\nmcp_servers = { other = { command = "x" } }\n', KEYS, TABLE)


def test_a_broken_file_is_named_with_its_line() -> None:
    """What is no TOML is refused, with the line."""
    with pytest.raises(Broken) as caught:
        toml_edit.put("a = 1\nb = = 2\n", KEYS, TABLE)
    assert caught.value.line == 2


def test_tables_in_a_table_and_odd_keys() -> None:
    """Inner tables get headers of their own; names that need quotes get them."""
    table = {"command": "r", "env": {"A B": "x\x7f"}}
    new = toml_edit.put("", ("mcp_servers", "a.b"), table)
    assert tomllib.loads(new)["mcp_servers"]["a.b"] == table
    assert toml_edit.find(new, ("mcp_servers", "a.b", "command")) == "r"
    assert toml_edit.find(new, ("model", "x")) is None

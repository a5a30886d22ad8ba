"""What maintenance leaves to a person: the list, and taking a deprecation back while Agent Zero runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.agent_zero.houses import House
from tests.agent_zero.vectors import at, axis

TOLD = "The user prefers the helix editor"
AGAIN = "The user likes the helix editor best"


def reverie(*words: str) -> tuple[int, Any]:
    """The command, as its owner types it: exit code, and what it says in JSON."""
    program = [sys.executable, "-c", "from reverie.faces.start import main; main()"]
    done = subprocess.run([*program, *words, "--json"], capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr


def deprecated(house: House, **first: object) -> tuple[str, str]:
    """Two that say the same, of which a pass has deprecated the older one."""
    house.configure(maintenance_interval_loops=1)
    house.start()
    house.vectors({TOLD: axis(0), AGAIN: at(0.99, 3)})
    old = house.add(TOLD, **first)
    new = house.add(AGAIN)
    house.amend(old, lineage={"created_at": "2026-01-01T00:00:00", "access_count": 0})
    house.end()
    return old, new


def items(house: House) -> list[dict[str, str]]:
    """The list, of the one store there is."""
    code, said = reverie("review", str(house.root))
    assert code == 0
    [store] = said["stores"]
    assert Path(store["folder"]) == house.memory / "default"
    found: list[dict[str, str]] = store["items"]
    return found


@pytest.mark.req("A11", "A12")
def test_a_deprecation_is_listed_and_taken_back(house: House) -> None:
    """With both memories' words; it holds again as it did before, and no later pass takes the pair up."""
    old, new = deprecated(house)
    assert house.validity(old) == "deprecated"
    [one] = [one for one in items(house) if one["state"] == "deprecated"]
    assert (one["id"], one["text"], one["other"], one["other_text"]) == (old, TOLD, new, AGAIN)
    assert reverie("review", str(house.root), "--restore", old) == (0, {"asked": [old]})
    line = house.end().ours
    assert any("1 deprecations taken back" in said for said in line)
    assert house.validity(old) == "inferred"
    assert house.lineage(old)["superseded_by"] is None
    assert house.lineage(new)["supersedes"] is None
    house.end()
    house.restart()
    house.end()
    assert (house.validity(old), house.validity(new) in ("", "inferred")) == ("inferred", True)
    assert [one["state"] for one in items(house) if one["id"] in (old, new)] == ["flagged"]


@pytest.mark.req("A11")
def test_what_the_user_said_twice_is_listed_with_its_reason(house: House) -> None:
    """A pair that a person must decide on, both in their words."""
    house.configure(maintenance_interval_loops=1)
    house.start()
    house.vectors({TOLD: axis(0), AGAIN: at(0.99, 3)})
    asserted = {"classification": {"source": "user_asserted", "validity": "inferred"}}
    ids = [house.add(text, **asserted) for text in (TOLD, AGAIN)]
    house.end()
    [one] = [one for one in items(house) if one["state"] == "flagged"]
    assert {one["id"], one["other"]} == set(ids)
    assert {one["text"], one["other_text"]} == {TOLD, AGAIN}
    assert one["why"] == "the user asserted both"


@pytest.mark.req("A12")
def test_what_was_never_recalled_is_listed(house: House) -> None:
    """After as many passes as the configuration says."""
    house.configure(maintenance_interval_loops=1, archival_threshold_cycles=1)
    house.start()
    one = house.add(TOLD)
    for _ in range(4):
        house.end()
    assert [(found["state"], found["id"], found["text"]) for found in items(house)] == [("dormant", one, TOLD)]


def test_what_is_not_on_the_list_cannot_be_taken_back(house: House) -> None:
    """Neither an id nobody knows, nor one that holds; a folder that is no Agent Zero is told."""
    _, new = deprecated(house)
    for name in ("nobody", new):
        code, said = reverie("review", str(house.root), "--restore", name)
        assert (code, "Nothing deprecated is called" in str(said)) == (3, True)
    assert reverie("review", str(house.memory))[0] == 2
    assert not (house.memory / "default" / "reverie_restore.json").exists()

"""A peer's row: a process of its own that sees the same items and gives back a ranking."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.systems import PEERS
from benchmarks.systems.peer import PYTHON_VARIABLE, PeerError, PeerSystem, installed, interpreter, said
from benchmarks.values import Entry
from reverie import Role
from reverie.errors import InvalidInput
from reverie.models.hashing import HashEmbedder
from tests.benchmarks import toy

ITEMS = [toy.item("t1", "I keep bees behind the house."), toy.item("t2", "The train was late."), toy.item("t3", " ")]
STORE = toy.haystack(ITEMS, [toy.question("Where are the bees?", "t1"), toy.question("Was the train late?", "t2")])

STAND_IN = """
import json, os, sys
job = json.loads(sys.stdin.readline())
assert os.environ["HOME"] == job["folder"], "not at home"
assert os.environ["MEM0_TELEMETRY"] == "False" and "127.0.0.1:9" in os.environ["HTTPS_PROXY"]
assert "SECRET" not in os.environ
places = [{"ids": [one["id"]], "text": one["text"]} for one in job["said"]]
print(json.dumps({"rankings": [places[:job["depth"]]] * len(job["questions"]), "versions": {"toy": "1.0"}}))
"""


def stand_in(folder: Path, code: str) -> Path:
    """An interpreter that runs this code, whatever it is told."""
    path = folder / "python"
    path.write_text(f"#!{sys.executable}\n{code}")
    path.chmod(0o755)
    return path


def test_places_come_back_with_the_words_they_cost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the process has a home of its own, no telemetry, no way out and none of our secrets."""
    monkeypatch.setenv("SECRET", "x")
    system = PeerSystem("mem0", HashEmbedder(), stand_in(tmp_path, STAND_IN))
    bees, train = system.rank(STORE, depth=2)
    assert bees == train == (Entry(("t1",), 6), Entry(("t2",), 4))
    assert system.version == "toy 1.0"


def test_a_peer_that_fails_is_named_with_its_last_words(tmp_path: Path) -> None:
    """Not a row of zeros."""
    system = PeerSystem("mem0", HashEmbedder(), stand_in(tmp_path, "raise SystemExit('no such store')"))
    with pytest.raises(PeerError, match="mem0 failed: no such store"):
        system.rank(STORE, depth=2)


def test_peers_that_are_not_installed_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that installs them."""
    monkeypatch.setenv(PYTHON_VARIABLE, str(tmp_path / "python"))
    assert not installed()
    with pytest.raises(InvalidInput) as caught:
        interpreter()
    assert "make peers" in caught.value.mend


def test_peers_know_two_roles() -> None:
    """A person of a chat is a user."""
    roles = [said(replace(ITEMS[0], role=role)).role for role in (Role.PERSON, Role.USER, Role.ASSISTANT)]
    assert roles == ["user", "user", "assistant"]


@pytest.mark.skipif(not installed(), reason="`make peers` has not been run")
@pytest.mark.parametrize("name", PEERS)
def test_each_peer_finds_what_it_was_told(name: str) -> None:
    """The real ones: every id is the haystack's, the evidence leads, and the row says what was measured."""
    system = PeerSystem(name, HashEmbedder())
    bees, train = system.rank(STORE, depth=10)
    assert bees[0].ids == ("t1",)
    assert train[0].ids == ("t2",)
    assert {one for entry in (*bees, *train) for one in entry.ids} <= {"t1", "t2"}
    assert name in system.version

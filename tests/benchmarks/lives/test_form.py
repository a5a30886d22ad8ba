"""Reading a life from its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.lives.form import FOLDER, PARTS, Category, lives, read
from reverie.errors import InvalidExport
from reverie.types import Role
from tests.benchmarks.lives import small


def test_messages_labels_and_cues(tmp_path: Path) -> None:
    """Each field as it is written; a cue hears what was said before it."""
    life = read(small.write(tmp_path))
    assert (life.name, life.hand, len(life.items)) == ("reed-1", "reed", 7)
    assert (life.items[3].role, life.items[3].text) == (Role.TOOL, "npm test\nexit 1")
    assert life.items[6].text == "my key hangs in the car | really"
    assert [(one.kind, sorted(one.older)) for one in life.changes] == [("update", ["m001", "m002"]), ("trap", ["m006"])]
    fact, update, several, trap, unanswerable, nothing = life.cues
    assert (fact.heard, update.heard) == (3, 7)
    assert fact.needs == (frozenset({"m001", "m002"}),)
    assert several.needs == (frozenset({"m005"}), frozenset({"m006"}))
    assert (trap.text, trap.trap) == ("and ours | or theirs?", frozenset({"m007"}))
    assert unanswerable.needs == nothing.needs == ()
    assert (nothing.prompt, nothing.category, nothing.text) == (True, Category.NOTHING, "what's 17% of 2,350")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("\n%%\n", "\n", "parts"),
        ("gold=m005,m006", "gold=m005,m060", "m060"),
        ("| device |", "| phone |", "phone"),
        ("2031-02-04 08:00", "2031-02-01 08:00", "rising"),
        ("| several |", "| some |", "some"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    """With the file and what it says, never as a KeyError."""
    file = small.write(tmp_path, small.LIFE.replace(old, new, 1))
    with pytest.raises(InvalidExport, match=said):
        read(file)


def test_a_part_without_lives_is_said(tmp_path: Path) -> None:
    """With the parts there are."""
    with pytest.raises(InvalidExport, match="no lives"):
        list(lives("train", tmp_path))


@pytest.mark.parametrize("part", PARTS)
def test_every_life_of_ours_is_of_the_form_and_no_hand_writes_two_parts(part: str) -> None:
    """Names are the files'; a hand's lives are all in one part."""
    found = list(lives(part))
    assert all(life.items and life.cues for life in found)
    others = {
        file.name.rpartition("-")[0] for other in PARTS if other != part for file in (FOLDER / other).glob("*.life")
    }
    assert {life.hand for life in found}.isdisjoint(others)

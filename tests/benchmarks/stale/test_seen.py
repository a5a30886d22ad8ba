"""What a system shows: its places, and the marks it put on them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from benchmarks import cli
from benchmarks.stale import NAMES, WITHOUT, Place, showers
from benchmarks.values import Haystack, Item, Question
from reverie import HashEmbedder
from reverie.errors import InvalidInput
from reverie.types import Role
from tests.benchmarks.toy import NOON

TEXTS = ("My shop has 500 followers.", "The fence is green.", "My shop has 600 followers now.")
ITEMS = tuple(Item(str(n), "s", "user", Role.USER, NOON + timedelta(days=n), text) for n, text in enumerate(TEXTS))
ASKED = Question("q", "How many followers does my shop have?", "all", ("2",), NOON + timedelta(days=9))
HAYSTACK = Haystack("h", "en", ITEMS, (ASKED,))


@pytest.mark.parametrize("name", [*NAMES, *WITHOUT])
def test_every_system_shows_every_question(name: str) -> None:
    """The evidence is among the places."""
    (system,) = showers(HashEmbedder(), [name])
    (shown,) = system.show(HAYSTACK, 10)
    assert system.name == name
    assert "2" in {one for place in shown for one in place.ids}


@pytest.mark.usefixtures("amounts_decide")
def test_only_reverie_marks() -> None:
    """The older telling says so; BM25 marks nothing."""
    plain, ours = (system.show(HAYSTACK, 10)[0] for system in showers(HashEmbedder(), ["bm25", "reverie"]))
    assert all(place == Place(place.ids) for place in plain)
    assert {place.ids for place in ours if "outdated" in place.marks} == {("0",)}


@pytest.mark.usefixtures("amounts_decide")
def test_without_a_mechanism_its_mark_is_gone() -> None:
    """Nobody compares the messages, and nobody says that one is outdated."""
    (without,) = showers(HashEmbedder(), ["-updates"])
    assert not any("outdated" in place.marks for place in without.show(HAYSTACK, 10)[0])


def test_the_command_knows_the_same_names() -> None:
    """It names them without loading the engine."""
    assert (cli.STALE, cli.STALE_WITHOUT) == (NAMES, WITHOUT)


def test_an_unknown_name() -> None:
    """It is refused with the names there are."""
    with pytest.raises(InvalidInput, match="rrf"):
        showers(None, ["rrf"])

"""The engine as a benchmarked system: what it ranks are the set's own messages."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.systems.reverie import ReverieSystem, entry
from reverie import Hit, Kind, Memory, Role, Scope
from reverie.models.hashing import HashEmbedder
from tests.benchmarks import toy


def memory(*sources: str) -> Memory:
    """A memory that came from these episodes."""
    return Memory(
        id="m",
        scope=Scope(agent="a", user="u", project="p"),
        kind=Kind.EPISODE,
        text="three little words",
        at=toy.NOON,
        recorded_at=toy.NOON,
        session="s",
        seq=0,
        speaker="user",
        role=Role.USER,
        sources=sources,
    )


def test_hits_come_back_as_the_sets_own_ids() -> None:
    """The evidence leads, and every id is one of the haystack's."""
    items = [toy.item("t1", "I keep bees behind the house."), toy.item("t2", "The train was late."), toy.item("t3", "")]
    store = toy.haystack(items, [toy.question("Where are the bees?"), toy.question("Was the train late?")])
    bees, train = ReverieSystem(HashEmbedder()).rank(store, depth=10)
    assert bees[0].ids == ("t1",)
    assert train[0].ids == ("t2",)
    assert {one for found in (*bees, *train) for one in found.ids} <= {"t1", "t2", "t3"}


def test_questions_do_not_change_one_anothers_answers() -> None:
    """The order in which a haystack's questions are asked does not matter."""
    items = [
        toy.item(str(n), f"The {word} is in the cellar.") for n, word in enumerate(["saw", "drill", "rope", "lamp"])
    ]
    asked = [toy.question("Where is the drill?"), toy.question("Where is the lamp?")]
    system = ReverieSystem(None)
    forth = system.rank(toy.haystack(items, asked), depth=10)
    back = system.rank(toy.haystack(items, asked[::-1]), depth=10)
    assert forth == back[::-1]


def test_a_formed_memory_stands_for_its_episodes() -> None:
    """Its sources' message ids; an episode's own memory for itself; withheld stays withheld."""
    hit = Hit(memory("e1", "e2"), rank=1, score=1.0, signals=(), cosine=None, tokens=4)
    known = {"e1": "t1", "e2": "t2", "m": "t9"}
    assert entry(hit, known).ids == ("t1", "t2")
    assert entry(hit, known).words == 3
    assert entry(replace(hit, memory=memory(), withheld="repeats number 1"), known).ids == ("t9",)
    assert entry(replace(hit, withheld="repeats number 1"), known).withheld

"""The digest: every field counts, nothing else does."""

from __future__ import annotations

from dataclasses import fields, replace

from reverie.stores.digest import digest, digest_of_all, root
from reverie.types import Kind, Memory, Record, Role, Standing
from tests.stores.making import ADA, GRACE, at, episode, memory_of

SAID = episode(ADA, "m", "tea", message_id="x")
MEMORY = replace(memory_of(SAID), entities=("a",), keywords=("b",))
MARKS = [(1, "ab", False), (2, "cd", False)]


def of_memory(memory: Memory) -> str:
    """The digest of a store with one memory."""
    return digest(ADA, MARKS, [SAID], [memory], [])


def test_every_field_of_a_memory_counts() -> None:
    """Changing any field but the scope, which is counted once for all, changes the digest."""
    other = Memory(
        "n",
        ADA,
        Kind.FACT,
        "rain",
        at(1),
        at(9),
        "t",
        4,
        "Bo",
        Role.TOOL,
        ("s",),
        ("c",),
        ("d",),
        at(2),
        5,
        at(3),
        Standing(pinned=True),
    )
    digests = {
        of_memory(replace(MEMORY, **{field.name: getattr(other, field.name)}))
        for field in fields(Memory)
        if field.name != "scope"
    }
    assert len(digests | {of_memory(MEMORY)}) == len(fields(Memory))


def test_every_field_of_an_episode_counts() -> None:
    """Changing any field of an episode changes the digest."""
    other = episode(GRACE, "n", "rain", session="t", seq=3, speaker="Bo", role=Role.TOOL, at=at(1), message_id=None)
    digests = {digest(ADA, MARKS, [replace(SAID, **{f.name: getattr(other, f.name)})], [], []) for f in fields(SAID)}
    assert len(digests | {digest(ADA, MARKS, [SAID], [], [])}) == len(fields(SAID)) + 1


def test_scopes_order_and_erasures_count() -> None:
    """Whose memory it is, in which order, and which events were erased."""
    other = replace(MEMORY, id="n")
    digests = {
        digest(ADA, MARKS, [], [MEMORY, other], []),
        digest(ADA, MARKS, [], [other, MEMORY], []),
        digest(GRACE, MARKS, [], [MEMORY, other], []),
        digest(ADA, [(1, "ab", True), (2, "cd", False)], [], [MEMORY, other], []),
        digest(ADA, MARKS[:1], [], [MEMORY, other], []),
    }
    assert len(digests) == 5


def test_a_store_is_its_scopes() -> None:
    """Which scopes there are, in which order they are given, and the digest of each."""
    one, other = (ADA, "aa"), (GRACE, "bb")
    digests = {digest_of_all(some) for some in ([], [one], [one, other], [other, one], [(ADA, "bb"), (GRACE, "aa")])}
    assert len(digests) == 5
    assert len({root(some) for some in ({}, {ADA: (1, "aa")}, {ADA: (2, "aa")}, {GRACE: (1, "aa")})}) == 4
    assert root({ADA: (1, "a"), GRACE: (2, "b")}) == root({GRACE: (2, "b"), ADA: (1, "a")})


def test_every_field_of_a_record_counts() -> None:
    """And that there is one; without any, the digest is that of a store that knows none."""
    record, other = Record(ADA, "grant", "g", "grace", "{}"), Record(GRACE, "policy", "p", "eve", "[]")
    changed = [replace(record, **{f.name: getattr(other, f.name)}) for f in fields(Record)]
    assert len({digest(ADA, MARKS, [], [], kept) for kept in ([], [record], *([one] for one in changed))}) == 7

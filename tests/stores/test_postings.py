"""Postings: read once, extended as memories are written, cut to a moment, bounded in size."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.stores import postings
from reverie.stores.postings import PostingsCache
from reverie.types import FloatArray, IntArray


class Shelf:
    """A source of postings that counts how often it is asked."""

    def __init__(self) -> None:
        self.memories: list[list[str]] = []
        self.asked: Counter[str] = Counter()

    def read(self, name: str) -> tuple[IntArray, FloatArray]:
        self.asked[name] += 1
        held = [(i, tokens.count(name)) for i, tokens in enumerate(self.memories) if name in tokens]
        return np.array([i for i, _ in held], np.int64), np.array([n for _, n in held], np.float32)

    def add(self, cache: PostingsCache, *memories: list[str], bulk: bool = False) -> None:
        self.memories += memories
        cache.append(None if bulk else memories, len(memories))


memories = st.lists(st.lists(st.sampled_from("abc"), max_size=4), max_size=4)
steps = st.lists(st.tuples(memories, st.booleans(), st.sampled_from("abcd")), max_size=12)


@given(steps, st.sampled_from([0, 3, 1000]), st.integers(1, 6))
def test_any_history_gives_what_the_source_holds(
    history: list[tuple[list[list[str]], bool, str]], limit: int, tail: int
) -> None:
    """Whatever was written, in bulk or by one, and asked in between: the postings of every moment."""
    shelf = Shelf()
    cache = PostingsCache(shelf.read, limit)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "TAIL", tail)
        for written, bulk, asked in history:
            shelf.add(cache, *written, bulk=bulk)
            for size in (len(shelf.memories), len(shelf.memories) // 2):
                found = cache.find(asked, size)
                expected = [(i, held.count(asked)) for i, held in enumerate(shelf.memories[:size]) if asked in held]
                assert list(zip(found.ordinals.tolist(), found.counts.tolist(), strict=True)) == expected


def test_a_term_is_read_once_and_then_extended() -> None:
    """New memories reach a kept term without asking the source again."""
    shelf = Shelf()
    cache = PostingsCache(shelf.read)
    shelf.add(cache, ["a"], ["b"], bulk=True)
    for number in range(5):
        shelf.add(cache, ["a", "a"])
        assert len(cache.find("a", 3 + number).ordinals) == 2 + number
        assert len(cache.find("nowhere", 3 + number).ordinals) == 0
    assert shelf.asked == {"a": 1, "nowhere": 1}


def test_terms_not_asked_for_longest_go_first() -> None:
    """Beyond the limit the oldest is dropped and read again when needed; the newest stays however large."""
    shelf = Shelf()
    cache = PostingsCache(shelf.read, limit=5)
    shelf.add(cache, *[["a", "b"]] * 3, *[["c"]] * 9, bulk=True)
    for name in ("a", "b", "a", "b", "c", "c", "b"):
        cache.find(name, 12)
    assert shelf.asked == {"a": 2, "b": 3, "c": 1}

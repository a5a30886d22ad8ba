from __future__ import annotations

import re
import sqlite3
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.stores import postings
from reverie.stores.postings import PostingsCache, Tallies, TermPostings, token, tokens_line
from reverie.types import FloatArray, IntArray
from tests.stores.making import ODD_TEXTS


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


TERMS = ("kite", "a b", "boat")
"""One of them is no token as it stands."""
words = st.lists(st.lists(st.sampled_from(["kite", "boat", "a§20§b", "tree"]), max_size=6), max_size=12)


class Postings:
    """Postings worked out the slow and obvious way; counts how often it was asked."""

    def __init__(self, messages: list[list[str]]) -> None:
        self.messages = messages
        self.asked = 0

    def __call__(self, term: str, size: int) -> TermPostings:
        self.asked += 1
        counts = [Counter(held)[term.replace(" ", "§20§")] for held in self.messages[:size]]
        where = np.flatnonzero(counts)
        return TermPostings(where, np.array(counts, np.float32)[where])


@given(words, words)
def test_kept_up_to_date_is_worked_out_at_once(before: list[list[str]], after: list[list[str]]) -> None:
    """And what is kept is not asked for again."""
    kept, postings = Tallies(), Postings(before)
    kept.find(TERMS, len(before), postings)
    asked = postings.asked
    kept.append(after)
    found = kept.find(TERMS, len(before) + len(after), postings)
    assert found.tolist() == [sum(name != "tree" for name in held) for held in [*before, *after]]
    assert postings.asked == asked


def test_messages_without_tokens_are_read_when_asked_for() -> None:
    """As after many came at once."""
    kept, postings = Tallies(), Postings([["kite"], ["kite", "boat", "tree"]])
    assert kept.find(TERMS, 1, postings).tolist() == [1.0]
    kept.append(None)
    assert kept.find(TERMS, 2, postings).tolist() == [1.0, 2.0]


def test_an_earlier_moment_sees_its_own_messages() -> None:
    """And what was handed out does not change."""
    kept, postings = Tallies(), Postings([["kite"]])
    early = kept.find(TERMS, 1, postings)
    kept.append([["boat"]] * 100)
    assert kept.find(TERMS, 1, postings).tolist() == early.tolist() == [1.0]


terms = st.text(st.characters(), max_size=30) | st.sampled_from(ODD_TEXTS) | st.text("aA§¦41 ", max_size=6)


@given(terms, terms)
def test_different_terms_give_different_tokens(one: str, other: str) -> None:
    """The token of a term is its own."""
    assert (token(one) == token(other)) == (one == other)


@given(terms)
def test_a_token_holds_nothing_a_tokeniser_would_touch(term: str) -> None:
    """Lower-case letters, digits, and characters beyond ASCII; short; valid UTF-8; no separator."""
    made = token(term)
    made.encode()
    assert re.search(r"[\x00-/:-`{-\x7f¦]", made) is None
    assert len(made) <= 120


@given(st.lists(terms, max_size=6))
def test_a_line_holds_the_tokens_one_by_one(held: list[str]) -> None:
    """However odd they are: each behind the prefix, apart by one blank."""
    assert tokens_line("7¦", held) == " ".join("7¦" + token(term) for term in held)


def test_plain_stems_stay_readable() -> None:
    """The usual term is its own token."""
    assert [token(term) for term in ("istanbul", "ağrı", "2023")] == ["istanbul", "ağrı", "2023"]
    assert token("c++") == "c§2b§§2b§"


def test_the_index_finds_a_token_whole() -> None:
    """FTS5 with the ascii tokeniser indexes each token as one."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'ascii')")
    connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab (t, row)")
    tokens = {f"7¦{token(term)}" for term in ODD_TEXTS}
    connection.execute("INSERT INTO t VALUES (?)", (" ".join(sorted(tokens)),))
    assert {row[0] for row in connection.execute("SELECT term FROM v")} == tokens
    connection.close()

"""Tokens: one to one with terms, and nothing in them that a tokeniser would change."""

from __future__ import annotations

import re
import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from reverie.stores.postings import token, tokens_line
from tests.stores.making import ODD_TEXTS

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

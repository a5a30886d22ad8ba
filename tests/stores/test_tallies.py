"""Tallies are the same whether kept up to date or worked out at once."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reverie.stores.postings import Tallies, TermPostings

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

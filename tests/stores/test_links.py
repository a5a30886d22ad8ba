"""Neighbours: what sorting says, however the messages arrived."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reverie.stores.corpus import SessionLinks

messages = st.tuples(st.booleans(), st.sampled_from("ab"), st.integers(0, 5))


def sorted_links(rows: list[tuple[bool, str, int]]) -> tuple[list[int], list[int]]:
    """Previous and following by sorting each session by place, then order of arrival."""
    previous, following = [-1] * len(rows), [-1] * len(rows)
    for session in {name for _, name, _ in rows}:
        chain = sorted((place, i) for i, (linked, name, place) in enumerate(rows) if linked and name == session)
        for (_, before), (_, after) in pairwise(chain):
            previous[after], following[before] = before, after
    return previous, following


def append(links: SessionLinks, rows: list[tuple[bool, str, int]]) -> None:
    """Add rows in one block."""
    links.append(
        np.array([row[0] for row in rows], np.bool_),
        [row[1] for row in rows],
        np.array([row[2] for row in rows], np.int64),
    )


@given(st.lists(messages, max_size=40), st.integers(1, 7))
def test_any_order_of_arrival_gives_the_sorted_chain(rows: list[tuple[bool, str, int]], block: int) -> None:
    """Late, equal, interleaved, unlinked: the chain is the sorted one after every block."""
    links = SessionLinks()
    for start in range(0, len(rows), block):
        append(links, rows[start : start + block])
    assert (links.previous.tolist(), links.following.tolist()) == sorted_links(rows)


@given(st.integers(0, 2**32), st.booleans())
def test_bulk_and_single_rows_mix(seed: int, look_between: bool) -> None:
    """A bulk after single rows and single rows after a bulk link as one."""
    chance = np.random.default_rng(seed)
    rows = [(bool(chance.random() < 0.9), str(chance.integers(3)), int(chance.integers(99))) for _ in range(1300)]
    links = SessionLinks()
    for start, end in ((0, 5), (5, 600), (600, 605), (605, 1290), (1290, 1300)):
        append(links, rows[start:end])
        if look_between:
            assert len(links.previous) == end
    assert (links.previous.tolist(), links.following.tolist()) == sorted_links(rows)

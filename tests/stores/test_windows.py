"""Window lengths are the same whether kept up to date or worked out at once."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reverie.stores.corpus import SessionLinks, WindowLengths, around

messages = st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 9), st.integers(0, 20)), min_size=1, max_size=30)


def _written(rows: list[tuple[str, int, int]]) -> tuple[np.ndarray[tuple[int], np.dtype[np.float32]], SessionLinks]:
    links = SessionLinks()
    for session, place, _ in rows:
        links.append(np.array([session != "z"]), [session], np.array([place]))
    return np.array([length for *_, length in rows], np.float32), links


@given(messages, st.integers(1, 3))
def test_kept_up_to_date_is_worked_out_at_once(rows: list[tuple[str, int, int]], radius: int) -> None:
    """Message by message, late ones and rows outside sessions too, against everything at the end."""
    kept, links = WindowLengths(), SessionLinks()
    lengths = np.empty(0, np.float32)
    for session, place, length in rows:
        kept.find(lengths, links.previous, links.following, radius)
        links.append(np.array([session != "z"]), [session], np.array([place]))
        lengths = np.append(lengths, np.float32(length))
        kept.append(lengths, links, held=False)
    found = kept.find(lengths, links.previous, links.following, radius)
    whole, chain = _written(rows)
    assert found.tolist() == WindowLengths().find(whole, chain.previous, chain.following, radius).tolist()


def test_a_window_is_summed_within_its_session() -> None:
    """Three messages of one session around one of another."""
    lengths, links = _written([("x", 0, 1), ("y", 0, 10), ("x", 1, 2), ("x", 2, 4)])
    found = WindowLengths().find(lengths, links.previous, links.following, 1)
    assert found.tolist() == [3.0, 10.0, 7.0, 6.0]
    assert around(np.array([0]), links, 1).tolist() == [0, 2]


def test_arrays_handed_out_stay_as_of_their_moment() -> None:
    """Who still looks at a window's length does not see what was said since; earlier columns get their own."""
    lengths, links = _written([("x", 0, 1), ("x", 1, 2)])
    kept = WindowLengths()
    before = kept.find(lengths, links.previous, links.following, 1)
    earlier = links.previous.copy(), links.following.copy()
    links.append(np.array([True]), ["x"], np.array([2]))
    kept.append(np.append(lengths, np.float32(4)), links, held=True)
    assert before.tolist() == [3.0, 3.0]
    assert kept.find(lengths, *earlier, 1).tolist() == [3.0, 3.0]
    assert kept.find(np.append(lengths, np.float32(4)), links.previous, links.following, 1).tolist() == [3.0, 7.0, 6.0]

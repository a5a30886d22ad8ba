from __future__ import annotations

import gc
from itertools import pairwise
from threading import RLock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.stores.codec import FOREVER, to_micros
from reverie.stores.corpus import Access, LiveCorpus, Rows, SessionLinks, WindowLengths, around
from reverie.types import FloatArray, IntArray, ModelInfo
from tests.stores.making import at, vector


def nothing(name: str) -> tuple[IntArray, FloatArray]:
    """A source without postings."""
    return np.empty(0, np.int64), np.empty(0, np.float32)


def live(dims: int | None = 16) -> LiveCorpus:
    """A corpus that reaches back into nothing."""
    return LiveCorpus(
        Access(lambda keys: [], nothing, RLock()), None if dims is None else ModelInfo("small", "1", dims)
    )


def rows(keys: list[int], places: list[int] | None = None) -> Rows:
    """Messages of one session with these keys."""
    count = len(keys)
    return Rows(
        keys=np.array(keys, np.int64),
        kinds=np.zeros(count, np.int64),
        states=np.zeros(count, np.int64),
        sessions=["s"] * count,
        places=np.array(places or keys, np.int64),
        speakers=["Ann", "Bo"][:count] + ["Ann"] * (count - 2),
        roles=np.zeros(count, np.int64),
        said_at=np.array([to_micros(at(key)) for key in keys], np.int64),
        valid_from=np.array([to_micros(at(key)) for key in keys], np.int64),
        valid_until=np.full(count, FOREVER, np.int64),
        lengths=np.ones(count, np.float32),
        words=np.ones(count, np.float32),
        tokens=[["tea"]] * count,
    )


def test_the_view_is_kept_until_something_changes() -> None:
    """Asking twice gives the same object; every kind of change gives a new one."""
    corpus = live()
    corpus.append(rows([1, 2]))
    first = corpus.view()
    assert corpus.view() is first
    corpus.fill(np.array([1]), vector(1)[np.newaxis].astype(np.float16))
    second = corpus.view()
    corpus.set_valid_until(np.array([2]), np.array([to_micros(at(1))]))
    third = corpus.view()
    assert len({id(view) for view in (first, second, third)}) == 3
    assert [view.embedded for view in (first, second, third)] == [0, 1, 1]
    assert [view.recallable(at(1)) is None for view in (first, second, third)] == [True, True, False]


def test_a_view_somebody_holds_does_not_change() -> None:
    """A late message between two old ones leaves the neighbours of a held view as they were."""
    corpus = live()
    corpus.append(rows([1, 3]))
    held = corpus.view()
    corpus.append(rows([4], places=[2]))
    assert held.following.tolist() == [1, -1]
    assert corpus.view().following.tolist() == [2, -1, 1]


def test_a_view_nobody_holds_costs_no_copy() -> None:
    """Columns that change are copied only for somebody: the arrays stay where they are otherwise."""
    corpus = live()
    corpus.append(rows([1, 3]))
    place = corpus.view().following.__array_interface__["data"]
    gc.collect()
    corpus.append(rows([4], places=[2]))
    assert corpus.view().following.__array_interface__["data"] == place


def test_keys_find_their_ordinals() -> None:
    """Keys ascend but need not be dense."""
    corpus = live(None)
    corpus.append(rows([10, 20, 4_000_000_000]))
    assert corpus.ordinals(np.array([20, 4_000_000_000])).tolist() == [1, 2]


def test_postings_written_since_are_not_seen_yet() -> None:
    """A source that is ahead of the columns gives only what the columns know."""
    ahead = np.array([1, 2, 3], np.int64), np.array([1, 1, 1], np.float32)
    corpus = LiveCorpus(Access(lambda keys: [], lambda name: ahead, RLock()), None)
    assert corpus.view().postings("tea").ordinals.tolist() == []
    corpus.append(rows([1, 2]))
    corpus.append(Rows(*[getattr(rows([]), name) for name in Rows.__slots__ if name != "tokens"], tokens=None))
    assert corpus.view().postings("tea").ordinals.tolist() == [0, 1]


def test_validity_ends_exclusively() -> None:
    """At the end itself a memory no longer holds; before the first end nobody needs a mask."""
    corpus = live(None)
    corpus.append(rows([1, 2]))
    corpus.set_valid_until(np.array([1, 2]), np.array([to_micros(at(5)), to_micros(at(7))]))
    view = corpus.view()
    assert view.recallable(at(4.999)) is None
    for minute, alive in ((5, [False, True]), (6.999, [False, True]), (7, [False, False])):
        mask = view.recallable(at(minute))
        assert mask is not None
        assert mask.tolist() == alive


def test_speakers_are_numbered_as_they_appear() -> None:
    """A name keeps its number across blocks."""
    corpus = live(None)
    corpus.append(rows([1]))
    corpus.append(rows([2, 3]))
    view = corpus.view()
    assert (view.speaker_names, view.speakers.tolist()) == (("Ann", "Bo"), [0, 0, 1])


def test_without_a_model_nothing_is_near() -> None:
    """A corpus without vectors answers a vector search with nothing."""
    corpus = live(None)
    corpus.append(rows([1]))
    ordinals, cosines = corpus.view().nearest(vector(1), 5, None)
    assert (ordinals.size, cosines.size) == (0, 0)
    assert corpus.view().cosines(vector(1), np.array([0])) == pytest.approx([0])
    assert corpus.view().vectors_of(np.array([0, 0])).shape == (2, 0)


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


windows = st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 9), st.integers(0, 20)), min_size=1, max_size=30)


def _written(rows: list[tuple[str, int, int]]) -> tuple[np.ndarray[tuple[int], np.dtype[np.float32]], SessionLinks]:
    links = SessionLinks()
    for session, place, _ in rows:
        links.append(np.array([session != "z"]), [session], np.array([place]))
    return np.array([length for *_, length in rows], np.float32), links


@given(windows, st.integers(1, 3))
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
    """Three windows of one session around one of another."""
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

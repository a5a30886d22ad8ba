"""The shared corpus: views over growing columns, whoever fills them."""

from __future__ import annotations

import gc
from threading import RLock

import numpy as np
import pytest

from reverie.stores.codec import FOREVER, to_micros
from reverie.stores.corpus import Access, LiveCorpus, Rows
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

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidInput
from reverie.stores import vectors
from reverie.stores.vectors import (
    FLAT_MAX,
    MEAN_OF,
    GrowingColumn,
    VectorIndex,
    count_by_table,
    encode,
    hamming,
    pack,
    widen,
)
from reverie.types import BoolArray, FloatArray, IntArray, TimeArray
from tests.stores.making import MODEL, vector

DIMS = 192
MANY = FLAT_MAX + 2_000


def clustered(count: int, seed: int = 0) -> FloatArray:
    """Unit rows in a hundred clusters around a common direction, as text embeddings lie."""
    chance = np.random.default_rng(seed)
    centres = np.random.default_rng(0).standard_normal((100, DIMS)) + 1
    rows = centres[chance.integers(100, size=count)] + 0.7 * chance.standard_normal((count, DIMS))
    unit: FloatArray = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


def index_of(rows: FloatArray, block: int = 10**6, absent: BoolArray | None = None) -> VectorIndex:
    """An index filled block by block; the rows marked absent are left without a vector."""
    index = VectorIndex(rows.shape[1])
    for start in range(0, len(rows), block):
        part = rows[start : start + block].astype(np.float16)
        index.extend(len(part))
        held = np.arange(start, start + len(part))
        kept = held if absent is None else held[~absent[held]]
        index.fill(kept, part[kept - start])
    return index


def ideal(rows: FloatArray, query: FloatArray) -> TimeArray:
    """Every row's centred cosine, written out in double precision over the rounded rows."""
    held = rows.astype(np.float16).astype(np.float64)
    first = held[:MEAN_OF]
    centre = first.mean(axis=0) * len(first) / (len(first) + 20)
    seen, asked = held - centre, query - centre
    scores: TimeArray = seen @ asked / np.linalg.norm(seen, axis=1) / np.linalg.norm(asked)
    return scores


def exact(rows: FloatArray, query: FloatArray, among: BoolArray | None = None) -> IntArray:
    """All ordinals by descending centred cosine."""
    scores = ideal(rows, query)
    if among is not None:
        scores[~among] = -np.inf
    order: IntArray = np.argsort(-scores, kind="stable")
    return order


@pytest.fixture(scope="module")
def many() -> FloatArray:
    """More rows than are compared exactly."""
    return clustered(MANY)


@given(st.integers(1, 200), st.integers(1, 20), st.integers(0, 99))
def test_small_scopes_are_exact(count: int, top_k: int, seed: int) -> None:
    """The best rows in order, with their cosines."""
    rows, query = clustered(count, seed), clustered(1, seed + 1)[0]
    ordinals, cosines = index_of(rows).view().nearest(query, top_k, None)
    assert len(ordinals) == min(top_k, count)
    assert cosines == pytest.approx(np.sort(ideal(rows, query))[::-1][:top_k], abs=1e-5)
    assert cosines.tolist() == sorted(cosines.tolist(), reverse=True)


def test_large_scopes_are_nearly_exact(many: FloatArray) -> None:
    """By bits and exact re-scoring nearly all of the true ten are found, and those found have exact cosines."""
    view = index_of(many).view()
    assert view.codes is not None
    found = 0
    for query in clustered(20, seed=7):
        truth = ideal(many, query)
        ordinals, cosines = view.nearest(query, 10, None)
        found += len(set(ordinals.tolist()) & set(np.argsort(-truth)[:10].tolist()))
        assert cosines == pytest.approx(truth[ordinals], abs=1e-5)
        assert cosines.tolist() == view.similarities(query, ordinals).tolist()
    assert found / 200 > 0.99


def test_raw_cosines_stay_raw(many: FloatArray) -> None:
    """The plain cosine is kept apart from the centred one."""
    query = clustered(1, seed=7)[0]
    some = np.array([3, 99, MANY - 1])
    plain = many[some].astype(np.float16).astype(np.float64) @ query
    assert index_of(many).view().cosines(query, some) == pytest.approx(plain, abs=1e-6)


def test_rows_come_as_they_were_kept(many: FloatArray) -> None:
    """In any order, also where they are kept in half precision."""
    some = np.array([MANY - 1, 3, 3])
    kept = many[some].astype(np.float16).astype(np.float32)
    assert index_of(many).view().of(some).tolist() == kept.tolist()


def test_only_those_allowed_are_found(many: FloatArray) -> None:
    """A mask holds in every way of searching: many allowed, few, none."""
    view = index_of(many).view()
    query = clustered(1, seed=9)[0]
    for share in (0.5, 0.01, 0.0):
        among = np.random.default_rng(1).random(MANY) < share
        ordinals, _ = view.nearest(query, 20, among)
        assert among[ordinals].all()
        assert len(ordinals) == min(20, among.sum())
        assert len(set(ordinals.tolist()) & set(exact(many, query, among)[:20].tolist())) >= 0.95 * len(ordinals)


def test_of_one_in_five_the_nearest_are_found() -> None:
    """Too many to compare one by one, few enough to gather their bits."""
    rows = clustered(9_000)
    among = np.arange(len(rows)) % 5 == 0
    for query in clustered(5, seed=9):
        ordinals, cosines = index_of(rows).view().nearest(query, 20, among)
        assert among[ordinals].all()
        assert cosines.tolist() == sorted(cosines.tolist(), reverse=True)
        assert len(set(ordinals.tolist()) & set(exact(rows, query, among)[:20].tolist())) >= 19


def test_it_does_not_matter_how_the_rows_arrived(many: FloatArray) -> None:
    """One block, small blocks, single rows at the end, gaps filled later: the same ranking to the bit."""
    queries = clustered(5, seed=3)
    absent = np.zeros(MANY, np.bool_)
    absent[[5, 600, FLAT_MAX - 1, FLAT_MAX + 50]] = True
    late = index_of(many, 5_000, absent)
    late.view()
    gaps = np.flatnonzero(absent)
    late.fill(gaps, many[gaps].astype(np.float16))
    stepwise = index_of(many[:-30], 3_000)
    stepwise.view()
    for row in many[-30:]:
        stepwise.extend(1)
        stepwise.fill(np.array([len(stepwise) - 1]), row[np.newaxis].astype(np.float16))
        stepwise.view()
    whole = index_of(many).view()
    for query in queries:
        ordinals, cosines = whole.nearest(query, 30, None)
        for other in (late.view(), stepwise.view()):
            same = other.nearest(query, 30, None)
            assert same[0].tolist() == ordinals.tolist()
            assert same[1].tolist() == cosines.tolist()


def test_rows_without_a_vector_are_never_found(many: FloatArray) -> None:
    """Absent rows are passed over by bits too, and have cosine 0."""
    absent = np.arange(MANY) % 3 == 0
    view = index_of(many, absent=absent).view()
    ordinals, _ = view.nearest(many[0], 100, None)
    assert len(ordinals) == 100
    assert not absent[ordinals].any()
    assert view.embedded == MANY - absent.sum()
    assert view.cosines(many[0], np.array([0, 1]))[0] == 0


@pytest.mark.parametrize("count", [700, MANY])
def test_equal_rows_tie_by_ordinal(count: int) -> None:
    """However many rows are the same, the earliest come first, with the same cosine to the bit."""
    rows = np.repeat(clustered(1), count, axis=0)
    rows[count // 2] = clustered(1, seed=5)[0]
    ordinals, cosines = index_of(rows).view().nearest(rows[0], 20, None)
    assert ordinals.tolist() == list(range(20))
    assert np.ptp(cosines) == 0


def test_a_view_does_not_see_vectors_that_came_later() -> None:
    """Rows added or filled after the view was taken are not in it."""
    rows = clustered(20)
    index = index_of(rows[:10], absent=np.arange(10) == 4)
    view = index.view()
    index.fill(np.array([4]), rows[4:5].astype(np.float16))
    index.extend(10)
    index.fill(np.arange(10, 20), rows[10:].astype(np.float16))
    assert (view.embedded, index.view().embedded) == (9, 20)
    assert len(view.nearest(rows[0], 99, None)[0]) == 9
    assert index.absent.size == 0


def test_rows_are_rounded_once() -> None:
    """Cosines are those of the float16 row, exactly as stored, compared in float32."""
    row, query = vector(1), vector(2)
    index = VectorIndex(MODEL.dims)
    index.extend(1)
    index.fill(np.array([0]), pack(row, MODEL)[np.newaxis])
    expected = float(row.astype(np.float16).astype(np.float64) @ query)
    assert index.view().cosines(query, np.array([0]))[0] == pytest.approx(expected, abs=1e-7)


def test_widening_is_exact_for_every_finite_half() -> None:
    """All 63,488 finite float16 values become the float32 of the same value, zero keeping its sign."""
    halves = np.arange(65_536, dtype=np.uint16).view(np.float16)
    finite = halves[np.isfinite(halves)]
    assert len(finite) == 63_488
    assert (widen(finite).view(np.uint32) == finite.astype(np.float32).view(np.uint32)).all()


def test_bits_are_signs_and_distances_count_them() -> None:
    """One bit a dimension, set where the value is positive; the distance is how many differ."""
    rows = clustered(300, seed=4) - 0.1
    codes = encode(rows)
    assert codes.shape == (3, 300)
    signs = encode(rows[:1])[:, 0]
    assert hamming(codes, signs).tolist() == ((rows > 0) != (rows[0] > 0)).sum(axis=1).tolist()


def test_bits_can_be_counted_without_numpy_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table gives what numpy's own count gives."""
    words = np.random.default_rng(0).integers(0, 2**63, 500, dtype=np.uint64)
    assert count_by_table(words).tolist() == [word.bit_count() for word in words.tolist()]
    codes, signs = words.reshape(2, 250), words[:2]
    expected = hamming(codes, signs)
    monkeypatch.delattr(vectors.np, "bitwise_count", raising=False)
    assert hamming(codes, signs).tolist() == expected.tolist()


def test_only_finite_vectors_of_the_model_are_packed() -> None:
    """Shape and numbers are checked before anything is stored."""
    assert pack(vector(1), MODEL).dtype == np.float16
    for bad in (vector(1, 3), np.full(MODEL.dims, np.inf, np.float32)):
        with pytest.raises(InvalidInput, match="small@1/16"):
            pack(bad, MODEL)


@given(st.lists(st.lists(st.integers(-9, 9), max_size=90), max_size=12))
def test_blocks_add_up(blocks: list[list[int]]) -> None:
    """The column holds all blocks in order, however they were cut."""
    column = GrowingColumn(np.int64)
    for block in blocks:
        column.extend(block, len(block))
    assert column.values.tolist() == [value for block in blocks for value in block]
    assert len(column) == sum(map(len, blocks))


def test_one_value_can_stand_for_many() -> None:
    """A single value fills its block; rows have their width."""
    column, rows = GrowingColumn(np.int64), GrowingColumn(np.float32, 3)
    column.extend(-1, 4)
    rows.extend(0, 2)
    assert column.values.tolist() == [-1] * 4
    assert rows.values.shape == (2, 3)


def test_growing_leaves_views_alone_and_parting_frees_them() -> None:
    """A view sees neither what is appended nor, after parting, what is changed."""
    column = GrowingColumn(np.int64)
    column.extend([1, 2], 2)
    view = column.values
    column.extend(range(1000), 1000)
    assert view.tolist() == [1, 2]
    view = column.values
    column.part()
    column.values[0] = 9
    assert (view[0], column.values[0]) == (1, 9)


def test_appending_one_by_one_seldom_copies() -> None:
    """Ten thousand appends move the values a few dozen times, not ten thousand times."""
    column = GrowingColumn(np.int64)
    places = set()
    for value in range(10_000):
        column.extend(value, 1)
        places.add(column.values.__array_interface__["data"][0])
    assert len(places) < 60

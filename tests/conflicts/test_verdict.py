from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.conflicts.pairs import ALONE, NUMBERS, OF_BOTH, OF_EACH, TO_CUE, Numbers, SeenVectors, Statement, statement
from reverie.conflicts.verdict import (
    BY_THEMSELVES,
    FIRST,
    LIKE,
    NAMES,
    WITH_CUE,
    CoRetrieval,
    Verdict,
    company,
    features,
    read_verdicts,
    replacing,
    shipped,
    shipped_company,
    verdict,
)
from tests.encode.making import memory
from tests.spoken import NEITHER, english, turkish

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


def told(alike: list[list[float]], name: str = "alike") -> Numbers:
    """Statements of which only one number is known."""
    count = len(alike)
    of_both = np.zeros((len(OF_BOTH), count, count))
    of_both[OF_BOTH.index(name)] = alike
    return Numbers(of_both, np.zeros((count, len(OF_EACH))))


def test_the_nearest_of_the_first_and_the_mean_of_all_by_score() -> None:
    """Nobody is company of themself; what stands behind the first counts in the mean alone, by e^score."""
    alike = np.zeros((5, 5))
    alike[0, 1] = alike[1, 0] = 0.5
    alike[4, 3] = alike[3, 4] = 0.9  # both behind the first three
    scores = np.array([1.0, 1.0, 0.0, 0.0, 0.0])
    found = features(told(alike.tolist()), scores)
    near, mean = NAMES.index("alike with one of the first"), NAMES.index("alike with what was found")
    assert found[:, near].tolist() == [0.5, 0.5, 0.0, 0.0, 0.0]
    e = float(np.exp(-1.0))
    assert found[0, mean] == pytest.approx(0.5 / (1 + 3 * e))
    assert found[4, mean] == pytest.approx(0.9 * e / (2 + 2 * e))
    assert FIRST == 3


def test_what_one_keeps_of_the_other_counts_for_both() -> None:
    """A number that is not the same both ways counts by the greater."""
    numbers = told([[0.0, 0.7], [0.0, 0.0]], "shared")
    found = features(numbers, np.array([1.0, 0.0]))
    assert found[:, NAMES.index("shared with one of the first")].tolist() == [0.7, 0.7]


def test_one_alone_has_no_company() -> None:
    """And nothing to divide by."""
    assert features(told([[1.0]]), np.array([2.0])).tolist() == [[0.0] * len(NAMES)]


def test_the_lift_is_the_sum_by_weight() -> None:
    """In the measure of the scores."""
    weights = np.arange(len(NAMES), dtype=float)
    numbers = told([[0.0, 0.5], [0.5, 0.0]])
    lifts = CoRetrieval(weights).lifts(numbers, np.array([0.0, 0.0]))
    assert lifts.tolist() == pytest.approx([0.5 * (NAMES.index("alike with what was found"))] * 2)


def test_the_package_brings_weights_by_what_is_known() -> None:
    """By two models, by one and by text; a weight a name, of which those of what is not known are 0."""
    rows = np.zeros((2, 3), np.float32)
    assert [company(seen) for seen in (None, SeenVectors(rows), SeenVectors(rows, rows))] == [
        shipped_company()[how] for how in ("by text alone", "by one model", "by two models")
    ]
    for how, silent in (("by text alone", LIKE[:2]), ("by one model", LIKE[1:2])):
        named = dict(zip(NAMES, shipped_company()[how].weights.tolist(), strict=True))
        assert not any(weight for name, weight in named.items() if name.split(" with")[0] in silent)


def told_of_replacing(*texts: str) -> list[Statement]:
    """What Ada said, a day apart, each in a session of its own."""
    said = (memory(text, f"m{day}") for day, text in enumerate(texts))
    return [statement(replace(one, at=one.at + timedelta(days=day), session=f"s{day}")) for day, one in enumerate(said)]


@pytest.mark.parametrize(
    ("was", "now", "beside"),
    [
        *english(
            (
                "Our weekly team meeting starts at 10:00.",
                "Our weekly team meeting starts at 14:00 now.",
                "The garden has roses.",
            )
        ),
        *turkish(
            ("Haftalık ekip toplantımız 10:00'da.", "Haftalık ekip toplantımız artık 14:00'te.", "Bahçede güller var.")
        ),
    ],
)
def test_what_says_the_same_of_another_amount_replaces(was: str, now: str, beside: str) -> None:
    """Also where no vectors are compared; what speaks of something else stands."""
    chances = replacing(told_of_replacing(was, beside, now))
    assert chances[0, 2] > 0.5
    assert chances[1, 2] < 0.1


@NEITHER
def test_nothing_replaces_what_was_said_later() -> None:
    """Nor itself; and one alone replaces nothing."""
    statements = told_of_replacing("The rent is 900.", "The rent is 950.", "The rent is 990.")
    assert not replacing(statements)[np.tril_indices(3)].any()
    assert replacing(statements[:1]).tolist() == [[0.0]]
    assert replacing([]).shape == (0, 0)


@NEITHER
def test_the_more_alike_the_likelier() -> None:
    """Of the same words."""
    statements = told_of_replacing("The rent is 900.", "The rent is 950.")
    chances = [replacing(statements, alike=np.full((2, 2), alike))[0, 1] for alike in (0.0, 0.4, 0.8)]
    assert chances == sorted(chances)
    assert chances[0] < 0.1 < 0.5 < chances[2]

"""The fit: it learns what tells answers from the rest, carries over, and stays where it knows nothing."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.bending.fitting import bent_scores, fit, held_out
from benchmarks.bending.overheard import NAMES, Ranked
from reverie.formulas.bend import bent, written

SIZE = NAMES.index("size")


def question(seed: int, told: bool = True, chosen: str = "toy") -> Ranked:
    """Forty candidates, three of them gold: those of middling length, where it is told, else any."""
    chance = np.random.default_rng(seed)
    values = chance.random((40, len(NAMES)))
    off = np.abs(values[:, SIZE] - 0.5)
    gold = np.zeros(40, np.bool_)
    gold[np.argsort(off)[:3] if told else chance.choice(40, 3, replace=False)] = True
    return Ranked(chosen, f"{chosen}-{seed}", values, chance.random(40) / 10, gold, 3)


def found(one: Ranked, bends: tuple[object, ...]) -> float:
    """The share of the gold among the first five."""
    order = np.argsort(-bent_scores(one, bends), kind="stable")  # type: ignore[arg-type]  # bends, as fit gives them
    return float(one.answers[order[:5]].sum() / one.gold)


def test_it_learns_a_curve_that_no_weight_could_be_and_carries_over() -> None:
    """Gold in the middle: on questions never seen, several times what chance finds."""
    bends = fit([question(seed) for seed in range(60)])
    unseen = [question(seed) for seed in range(100, 130)]
    assert np.mean([found(one, ()) for one in unseen]) < 0.2
    assert np.mean([found(one, bends) for one in unseen]) > 0.5
    size = bends[SIZE]
    middle, ends = bent(np.array([0.5]), size), bent(np.array([0.0, 1.0]), size)
    assert middle > ends.max()


def test_what_tells_nothing_stays_nearly_flat() -> None:
    """And each curve's mean over what was seen is 0, so that scores stay on their scale."""
    known = [question(seed) for seed in range(60)]
    for column, bend in enumerate(fit(known)):
        seen = bent(np.concatenate([one.values[:, column] for one in known]), bend)
        assert float(seen.mean()) == pytest.approx(0.0, abs=1e-6)
        if column != SIZE:
            assert np.ptp(bend.heights) < np.ptp(fit(known)[SIZE].heights) / 3


def test_the_same_questions_give_the_same_bends() -> None:
    """There is no chance in it."""
    first, again = (list(map(written, fit([question(seed) for seed in range(20)]))) for _ in range(2))
    assert first == again


def test_a_fold_knows_nothing_of_its_own() -> None:
    """The bends for a haystack are those fitted without it; without any question there are none."""
    known = [question(seed) for seed in range(6)]
    folds = {one.haystack: number % 2 for number, one in enumerate(known)}
    without_first, _ = held_out(known, folds)
    assert list(map(written, without_first)) == list(map(written, fit(known[1::2])))
    assert fit([]) == ()


def test_a_question_whose_candidates_all_answer_teaches_nothing() -> None:
    """Nor does it break anything."""
    all_gold = Ranked("toy", "toy-x", np.zeros((3, len(NAMES))), np.zeros(3), np.ones(3, np.bool_), 3)
    assert all(np.abs(bend.heights).max() < 1e-9 for bend in fit([all_gold]))

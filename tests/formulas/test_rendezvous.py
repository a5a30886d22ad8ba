from __future__ import annotations

import math
import random

import pytest

from reverie.formulas.rendezvous import rendezvous_score


def test_the_score_is_the_written_out_one() -> None:
    """The weight over −ln u: 2 / ln 2 for u = 1/2, and twice that for twice the weight."""
    assert rendezvous_score(0.5, 2.0) == pytest.approx(2.0 / math.log(2.0))
    assert rendezvous_score(0.5, 4.0) == 2 * rendezvous_score(0.5, 2.0)


def test_it_is_finite_at_the_ends_and_zero_without_weight() -> None:
    """Hashes of 0 and 1 give numbers, and a place of weight 0 never wins."""
    assert 0.0 < rendezvous_score(0.0, 1.0) < rendezvous_score(1.0, 1.0) < math.inf
    assert rendezvous_score(0.999, 0.0) == 0.0 < rendezvous_score(1e-9, 1.0)


def test_shares_are_the_weights_and_an_added_place_takes_from_all_alike() -> None:
    """Of 20,000 keys each place wins its weight's share; a new one takes its own, and the others keep the rest."""
    chance = random.Random(3)
    weights = {"a": 1.0, "b": 2.0, "c": 1.0}
    hashes = [{name: chance.random() for name in "abcd"} for _ in range(20_000)]

    def winner(of: dict[str, float], among: dict[str, float]) -> str:
        return max(among, key=lambda name: rendezvous_score(of[name], among[name]))

    before = [winner(one, weights) for one in hashes]
    after = [winner(one, weights | {"d": 1.0}) for one in hashes]
    for name, weight in weights.items():
        assert before.count(name) / 20_000 == pytest.approx(weight / 4, abs=0.01)
    assert all(new in (old, "d") for old, new in zip(before, after, strict=True))
    assert after.count("d") / 20_000 == pytest.approx(0.2, abs=0.01)

"""Learning text heads: a fit tells what can be told, hands are left out, and what was left out comes back."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.training import texts
from benchmarks.training.texts import LESSONS, UNSEEN, WRITTEN, fit, made, rows_of, told_without
from reverie.language.text import heads as text_heads
from reverie.language.text.heads import ORDER, shipped
from tests.spoken import NEITHER

pytestmark = NEITHER


def test_a_word_that_tells_a_kind_gets_weight() -> None:
    """And one that stands in both tells nothing; the heads made of the fit say the same within a step."""
    said = ["always kite", "always boat", "rent kite", "rent boat"] * 5
    labels = np.array([1.0, 1.0, 0.0, 0.0] * 5)
    weights, intercept = fit(rows_of(said), labels)
    odds = rows_of(["always", "rent", "kite", "boat"]).times(weights) + intercept
    assert odds[0] > 1.0
    assert odds[1] < -1.0
    assert odds[2] == pytest.approx(odds[3], abs=0.2)
    heads = made(("any",), weights[:, np.newaxis], np.array([intercept]))
    assert [heads.of(word, "any") for word in ("always", "rent")] == pytest.approx(odds[:2].tolist(), abs=0.1)


def test_the_gradient_is_small_where_the_fit_ends() -> None:
    """At the end no weight can be bettered: the ridge pulls as hard as the texts."""
    said = ["always kite", "rent kite", "tea", "always tea now", "boat"]
    labels = np.array([1.0, 0.0, 0.0, 1.0, 1.0])
    rows = rows_of(said)
    weights, intercept = fit(rows, labels)
    likely = 1.0 / (1.0 + np.exp(-(rows.times(weights) + intercept)))
    assert np.abs(rows.back(likely - labels) + texts.RIDGE * weights).max() < 1e-3
    assert abs(float((likely - labels).sum())) < 1e-3


def test_rows_go_back_the_way_they_came() -> None:
    """The product with the rows and with their transpose are of one matrix; a text without words is a row, too."""
    rows = rows_of(["red kite", "", "a boat by the sea"])
    chance = np.random.default_rng(3)
    weights, values = chance.normal(size=text_heads.PLACES), chance.normal(size=3)
    assert float(rows.times(weights) @ values) == pytest.approx(float(weights @ rows.back(values)))


def test_the_shipped_heads_are_those_that_are_learned() -> None:
    """One for each lesson, from sentences of several hands, none of which is the one that is measured on."""
    assert shipped().kinds == tuple(LESSONS)
    hands = {one.hand for one in LESSONS[ORDER].texts("train", sorted(WRITTEN.glob("*.jsonl")))}
    assert len(hands) > 3
    assert UNSEEN.stem not in hands


def test_who_is_judged_is_not_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within, the heads have not seen the hand; behind, they are the shipped ones again."""
    monkeypatch.setattr(texts, "without", lambda hand: f"all but {hand}")
    before = text_heads.shipped
    with told_without("larch"):
        assert text_heads.shipped() == "all but larch"
    assert text_heads.shipped is before

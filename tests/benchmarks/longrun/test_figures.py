"""Scoring: ratios of sums, their intervals, and paired differences; worked by hand."""

from __future__ import annotations

import pytest

from benchmarks.longrun.figures import ALL, ANSWERABLE, METRICS, SIZES, Cell, paired, rows
from benchmarks.longrun.simulation import Call, Lived


def call(name: str, found: int, tokens: int, stale: int = 0, gold: int = 2) -> Call:
    """A call that wanted ``gold`` contents; a tenth of its tokens was junk."""
    return Call(name, "single-hop" if gold else "small talk", gold, found, 0, 1, tokens, tokens // 10, 0, stale, 2.0)


def cell(arm: str, *calls: Call) -> Cell:
    """One life."""
    return Cell(arm, "20x/500", (Lived(calls, live=5, kept=9, seconds=1.0),))


OURS = cell("reverie", call("a", 2, 100), call("b", 1, 100), call("c", 0, 50, gold=0))
THEIRS = cell("append-only", call("a", 2, 200, 2), call("b", 1, 200, 2), call("c", 0, 100, 2, gold=0))


def test_each_figure_is_a_ratio_of_sums() -> None:
    """Three contents in 200 tokens are 15 in 1,000; small talk counts for tokens and junk, not for evidence."""
    found = {(row.metric, row.category): row for row in rows(OURS, 0)}
    assert found["evidence_per_1000_tokens", ANSWERABLE].value == pytest.approx(15.0)
    assert found["evidence", ANSWERABLE].value == pytest.approx(0.75)
    assert found["evidence", ANSWERABLE].n == 2
    assert found["tokens", ALL].value == pytest.approx(250 / 3)
    assert found["junk_share", ALL].value == pytest.approx(0.1)
    assert found["tokens", "small talk"].value == pytest.approx(50.0)
    assert (found["live", ALL].value, found["kept", ALL].value, found["recall_p50_ms", ALL].value) == (5.0, 9.0, 2.0)
    for row in found.values():
        assert row.low <= row.value <= row.high


def test_a_pair_gives_difference_and_ratio() -> None:
    """Twice the evidence in 1,000 tokens on each question: the interval of the ratio is a point."""
    found = {pair.metric: pair for pair in paired(OURS, THEIRS, 0)}
    evidence = found["evidence_per_1000_tokens"]
    assert (evidence.difference, evidence.ratio) == (pytest.approx(7.5), pytest.approx(2.0))
    assert (evidence.ratio_low, evidence.ratio_high) == (pytest.approx(2.0), pytest.approx(2.0))
    assert found["stale_injected"].difference == found["stale_injected"].high == -2.0
    assert {pair.better for pair in found.values()} == {1, -1}
    assert set(found) == {*METRICS, *SIZES}


def test_the_size_of_the_store_is_drawn_by_life() -> None:
    """Two lives, one memory less and three less: two on the mean, somewhere between one and three."""
    sizes = [((5, 9), (4, 9)), ((7, 9), (4, 9))]
    more, fewer = (
        Cell(arm, "1x/500", tuple(Lived(OURS.lives[0].calls, *pair[side], seconds=1.0) for pair in sizes))
        for side, arm in enumerate(("-forgetting", "reverie"))
    )
    found = {pair.metric: pair for pair in paired(fewer, more, 0)}
    live, kept = found["live"], found["kept"]
    assert (live.difference, live.low, live.high, live.better, live.n) == (-2.0, -3.0, -1.0, -1, 2)
    assert (kept.difference, kept.low, kept.high) == (0.0, 0.0, 0.0)


def test_a_ratio_to_nothing_has_no_value() -> None:
    """Nothing stale on the other side."""
    found = {pair.metric: pair for pair in paired(THEIRS, OURS, 0)}
    assert found["stale_injected"].ratio is None

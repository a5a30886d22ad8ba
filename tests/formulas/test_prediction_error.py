"""The write gate's verdicts, edge by edge."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.gates import GateEdges, GateVerdict, decide, prediction_error

EDGES = GateEdges(create=0.70, update=0.75, reinforce=0.92, important=0.6)


@pytest.mark.req("D4")
@pytest.mark.parametrize(
    ("similarity", "importance", "verdict"),
    [
        (-1.0, 0.0, GateVerdict.CREATE),
        (0.0, 0.0, GateVerdict.CREATE),
        (0.6999, 0.0, GateVerdict.CREATE),
        (0.70, 0.59, GateVerdict.SKIP),
        (0.70, 0.60, GateVerdict.CREATE),
        (0.7499, 0.59, GateVerdict.SKIP),
        (0.7499, 1.0, GateVerdict.CREATE),
        (0.75, 0.0, GateVerdict.UPDATE),
        (0.92, 1.0, GateVerdict.UPDATE),
        (0.9201, 0.0, GateVerdict.REINFORCE),
        (1.0, 1.0, GateVerdict.REINFORCE),
    ],
)
def test_every_edge(similarity: float, importance: float, verdict: GateVerdict) -> None:
    """Reading 1: s < .70 create; to .75 by importance; to .92, itself too, update; above, reinforce."""
    assert decide(similarity, importance, False, EDGES) is verdict


@pytest.mark.req("D4")
@given(st.floats(-1, 1), st.floats(0, 1))
def test_a_contradiction_supersedes_whatever_the_similarity(similarity: float, importance: float) -> None:
    """“Key values differ — invalidate old”."""
    assert decide(similarity, importance, True, EDGES) is GateVerdict.SUPERSEDE


@pytest.mark.req("D4")
@given(st.floats(-1, 1))
def test_the_important_is_never_skipped(similarity: float) -> None:
    """From importance .6 on, something always comes of it."""
    assert decide(similarity, 0.6, False, EDGES) is not GateVerdict.SKIP


@pytest.mark.req("D4")
def test_prediction_error_is_what_similarity_leaves() -> None:
    """PE = 1 − s: .92 was nearly expected."""
    assert prediction_error(0.92) == pytest.approx(0.08)

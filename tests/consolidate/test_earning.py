from __future__ import annotations

import pytest

from reverie.consolidate.published_steps import earning
from reverie.consolidate.snapshot import Snapshot
from reverie.formulas.vault import ObservationHappening, SharedTruth, after, sharing_verdict
from reverie.recipes.published.ocean import DREAM
from reverie.types import Relation, RelationKind
from tests.consolidate.making import NOW, days_ago, edge, memory, snapshot
from tests.consolidate.making import after as sets


def importance(found: Snapshot, name: str = "m") -> float:
    """A memory's importance after the step."""
    assert DREAM.earning is not None
    following = found.after(earning(found, DREAM.earning, NOW))
    return following.memories[following.places[name]].standing.importance


def referred(speaker: str, kind: RelationKind = RelationKind.ELABORATES, days: float = 1.0) -> Snapshot:
    """A fresh memory that another one refers to."""
    both = memory("m", age_days=2.0), memory("other", age_days=1.0, speaker=speaker)
    return snapshot(*both, relations=[edge("other", "m", kind, days=days)])


@pytest.mark.req("B3", "B4")
def test_references_raise_importance() -> None:
    """By .1 from the same agent, by .15 from another."""
    assert importance(referred("Ada")) == pytest.approx(0.6)
    assert importance(referred("Bo")) == pytest.approx(0.65)
    assert importance(referred("Bo"), "other") == 0.5


@pytest.mark.req("B3")
def test_contradiction_by_a_newer_one_lowers_it() -> None:
    """By .2, on the older side."""
    assert importance(referred("Ada", RelationKind.CONTRADICTS)) == pytest.approx(0.3)
    assert importance(referred("Ada", RelationKind.CONTRADICTS), "other") == 0.5


@pytest.mark.req("B3")
@pytest.mark.parametrize(
    ("days", "left"), [(13.9, 0.5), (14.1, 0.4), (27.9, 0.4), (28.1, 0.3), (41.9, 0.3), (43.0, 0.2), (99.0, 0.2)]
)
def test_neglect_takes_a_tenth_each_fortnight_and_three_at_most(days: float, left: float) -> None:
    """From the last reference, else from creation."""
    assert importance(snapshot(memory("m", age_days=days))) == pytest.approx(left)


@pytest.mark.req("B3")
def test_neglect_never_compounds_and_is_put_back_by_a_reference() -> None:
    """A night after a night takes nothing more; a reference restores what neglect took, and adds its own."""
    first = snapshot(memory("m", age_days=30.0, importance=0.9))
    assert DREAM.earning is not None
    outcome = earning(first, DREAM.earning, NOW)
    assert sets(outcome)["m"] == {"importance": pytest.approx(0.7), "drifted_at": NOW}
    assert not earning(first.after(outcome), DREAM.earning, NOW).changes
    neglected = memory("m", age_days=40.0, importance=0.7, drifted_at=days_ago(8))
    other = memory("other", age_days=1.0)
    reference = [Relation("other", "m", RelationKind.CAUSES, 1.0, days_ago(1))]
    assert importance(snapshot(neglected, other, relations=reference)) == pytest.approx(1.0)


@pytest.mark.req("B3")
def test_the_documents_events_have_the_documents_figures() -> None:
    """The whole table, from .5."""
    assert DREAM.earning is not None
    table = DREAM.earning.table
    expected = {
        ObservationHappening.REFERENCED: 0.6,
        ObservationHappening.REFERENCED_BY_OTHER: 0.65,
        ObservationHappening.GOOD_OUTCOME: 0.7,
        ObservationHappening.VERIFIED: 0.65,
        ObservationHappening.CONTRADICTED: 0.3,
        ObservationHappening.FLAGGED_IMPORTANT: 0.95,
        ObservationHappening.FLAGGED_WRONG: 0.0,
    }
    assert {what: after(0.5, what, table) for what in ObservationHappening} == pytest.approx(expected)


@pytest.mark.req("B3", "B7")
@pytest.mark.parametrize(("count", "expected"), [(3, 0.8), (4, 0.9)])
def test_references_add_up_to_the_edge_at_which_it_is_shared(count: int, expected: float) -> None:
    """Three are .8, not a hair less."""
    others = [memory(f"o{number}", age_days=1.0) for number in range(count)]
    edges = [edge(other.id, "m", RelationKind.RELATED_TO) for other in others]
    found = importance(snapshot(memory("m", age_days=2.0), *others, relations=edges))
    assert found == expected
    assert DREAM.sharing is not None
    assert sharing_verdict(found, False, False, DREAM.sharing.edges) is SharedTruth.EARNED


@pytest.mark.req("B3", "B6")
def test_neglect_alone_leaves_what_started_even_at_the_edge() -> None:
    """.2, which is not below it, in one night or night after night."""
    assert importance(snapshot(memory("m", age_days=99.0))) == 0.2
    later = memory("m", age_days=43.0, importance=0.3, drifted_at=days_ago(10))
    assert importance(snapshot(later)) == 0.2

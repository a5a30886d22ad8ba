"""Scoring: worked by hand, with settings of the test's own."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from reverie.formulas.scores import CompositeWeights
from reverie.recall.state import Candidate, RecallState, age_s
from reverie.recipes.published.scores import Composite, Recency, Scale, Since, SourceTrust, marks, similarities
from reverie.types import Kind, Standing
from tests.recall.fake_corpus import START, FakeCorpus, Line, by_id, holding, request

WEIGHTS = CompositeWeights(similarity=0.4, activation=0.3, importance=0.2, fused=0.1)
COMPOSITE = Composite(WEIGHTS, Since.ACCESS, Scale.COSINE, ((Kind.FACT, 0.1),), other_decay=0.0)
RECENCY = Recency(half_life_hours=24.0, weight=0.2, floor=0.1, exempt=frozenset({"confirmed"}), scale=Scale.COSINE)


def seeking(line: Line, cosine: float | None, score: float = 0.5, likeness: float = 0.0) -> RecallState:
    """A quest that found one line."""
    found = holding(request("x"), FakeCorpus([line]), [score])
    return replace(found, candidates=[replace(c, cosine=cosine, likeness=likeness) for c in found.candidates])


def scored(stage: Composite | Recency | SourceTrust, *args: object, **others: object) -> Candidate:
    """The one candidate after the stage."""
    return by_id(stage(seeking(*args, **others)))["m0"]  # type: ignore[arg-type]  # the arguments of `seeking`


@pytest.mark.req("D6", "D7", "D8")
def test_a_composite_by_hand() -> None:
    """Used 4 times, last 4 days ago; a fact that loses a tenth a day."""
    line = Line("a", day=-9, accesses=4, used=-4, kind=Kind.FACT, standing=Standing(importance=0.5))
    activation = 1 / (1 + math.exp(-(math.log(4) - 0.5 * math.log(4 * 86_400))))
    expected = 0.4 * 0.6 + 0.3 * activation + 0.2 * 0.5 * math.exp(-0.1 * 4) + 0.1 * 0.5
    candidate = scored(COMPOSITE, line, 0.6)
    assert candidate.score == pytest.approx(expected)
    assert [signal.name for signal in candidate.signals] == ["similarity", "activation", "importance", "fused"]


@pytest.mark.req("D7", "C1")
def test_the_age_counts_from_access_or_from_creation() -> None:
    """Created nine days ago, used four days ago; never younger than a second."""
    memory = FakeCorpus([Line("a", day=-9, used=-4)]).fetch([0])[0]
    assert age_s(memory, START) == 4 * 86_400
    assert age_s(memory, START, created=True) == 9 * 86_400
    assert age_s(FakeCorpus([Line("a", day=1)]).fetch([0])[0], START) == 1.0


@pytest.mark.req("D8")
def test_what_a_memory_is_stored_with_is_not_touched() -> None:
    """Decay happens in scoring (reading 6)."""
    line = Line("a", day=-9, kind=Kind.FACT, standing=Standing(importance=0.5))
    assert scored(COMPOSITE, line, 0.6).memory.standing.importance == 0.5


@pytest.mark.parametrize(
    ("scale", "expected"), [(Scale.COSINE, 0.6), (Scale.AGENT_ZERO, 0.8), (Scale.OPENCLAW, 1 / (1 + 0.8))]
)
def test_similarity_is_on_the_hosts_scale(scale: Scale, expected: float) -> None:
    """A cosine of .6 three ways; without a vector the likeness as it is."""
    (candidate,) = seeking(Line("a"), 0.6).candidates
    assert similarities([candidate], scale)[0] == pytest.approx(expected)
    assert similarities([replace(candidate, cosine=None, likeness=0.3)], scale)[0] == 0.3


def test_without_a_model_the_text_decides() -> None:
    """The likeness stands where the cosine would."""
    near, far = scored(COMPOSITE, Line("a"), None, likeness=1.0), scored(COMPOSITE, Line("a"), None, likeness=0.5)
    assert near.score - far.score == pytest.approx(0.4 * 0.5)


@pytest.mark.req("A3", "A16.10")
def test_recency_is_blended_in() -> None:
    """One half-life ago: .8·.6 + .2·.5; long ago the floor is left."""
    assert scored(RECENCY, Line("a", day=-1), 0.6).score == pytest.approx(0.8 * 0.6 + 0.2 * 0.5)
    assert scored(RECENCY, Line("a", day=-99), 0.6).score == pytest.approx(0.8 * 0.6 + 0.2 * 0.1)


@pytest.mark.req("A3", "A16.6", "A16.13")
def test_the_age_is_since_the_last_access_else_since_creation() -> None:
    """Of two equal ones the one used today stands before the one used a month ago."""
    fresh = scored(RECENCY, Line("a", day=-40, used=0), 0.6)
    stale = scored(RECENCY, Line("a", day=-40, used=-30), 0.6)
    assert fresh.score > stale.score
    assert scored(RECENCY, Line("a", day=-1), 0.6).score == scored(RECENCY, Line("a", day=-40, used=-1), 0.6).score


@pytest.mark.req("A4")
def test_what_is_exempt_does_not_fade() -> None:
    """Verified is confirmed."""
    line = Line("a", day=-99, standing=Standing(verified=True))
    assert scored(RECENCY, line, 0.6).score == pytest.approx(0.8 * 0.6 + 0.2)


@pytest.mark.req("A4")
@pytest.mark.parametrize(
    ("standing", "mark"),
    [
        (Standing(pinned=True), "load_bearing"),
        (Standing(immutable=True), "load_bearing"),
        (Standing(tags=("load_bearing",)), "load_bearing"),
        (Standing(data_source="user_message"), "user_asserted"),
        (Standing(write_source="manual"), "user_asserted"),
        (Standing(verified=True), "confirmed"),
    ],
)
def test_how_the_hosts_marks_are_read(standing: Standing, mark: str) -> None:
    """Its words where they are tags, else what stands for them; a plain memory bears none."""
    assert marks(FakeCorpus([Line("a", standing=standing)]).fetch([0])[0]) == (mark,)
    assert marks(FakeCorpus([Line("a")]).fetch([0])[0]) == ()


@pytest.mark.req("D22")
def test_a_doubtful_source_ranks_lower() -> None:
    """Half of the threshold: ¾ of the score where ½ is the least; from the threshold on nothing happens."""
    trust = SourceTrust(threshold=0.4, least=0.5)
    assert scored(trust, Line("a", standing=Standing(confidence=0.2)), 0.6).score == pytest.approx(0.5 * 0.75)
    assert scored(trust, Line("a", standing=Standing(confidence=0.4)), 0.6).score == 0.5

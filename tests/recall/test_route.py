"""Routing: the intent, its lane, and what the lane asks for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.recall.state import Intent, Lane, RecallState
from reverie.recipes.published.selection import Newest, Route, UtilityBoost
from reverie.recipes.published.v9.recall import route
from reverie.types import Standing
from tests.recall.fake_corpus import FakeCorpus, Line, Surroundings, by_id, holding, quest, request, world
from tests.spoken import NEITHER, english, turkish

PLAIN = Lane(vector=0.5, text=0.5, limit=10)
LATEST = Lane(vector=0.4, text=0.6, limit=15, latest=True)
USEFUL = Lane(vector=0.6, text=0.4, limit=10, utility=0.2)
ROUTE = Route(
    (*((intent, PLAIN) for intent in Intent if intent is not Intent.TEMPORAL), (Intent.TEMPORAL, LATEST)), route
)


def routed(text: str, top_k: int | None = None, intent: str | None = None) -> RecallState:
    """A quest that was routed."""
    return ROUTE(quest(request(text, top_k=top_k), world(FakeCorpus([]), Surroundings(intent=intent))))


@pytest.mark.req("D18")
@pytest.mark.parametrize(
    ("cue", "intent"),
    [
        *english(
            ("Why did the build break?", Intent.CAUSAL),
            ("When did Ada move?", Intent.TEMPORAL),
            ("Where is the key?", Intent.FACTUAL),
        ),
        *turkish(
            ("Build neden bozuldu?", Intent.CAUSAL),
            ("Ada ne zaman taşındı?", Intent.TEMPORAL),
            ("Anahtar nerede?", Intent.FACTUAL),
        ),
    ],
)
def test_the_words_of_a_cue_tell_its_intent(cue: str, intent: Intent) -> None:
    """In both languages."""
    assert routed(cue).intent == intent


@pytest.mark.req("D18")
@pytest.mark.parametrize("cue", [*english("Where is the key?"), *turkish("Anahtar nerede?")])
def test_a_model_is_asked_first(cue: str) -> None:
    """Where it answers, its word stands."""
    assert routed(cue, intent="temporal").intent == Intent.TEMPORAL


@pytest.mark.req("D18")
@pytest.mark.parametrize("cue", [*english("When did Ada move?"), *turkish("Ada ne zaman taşındı?")])
def test_the_lane_says_how_many_unless_the_caller_does(cue: str) -> None:
    """Fifteen for a question of time, three where three are asked for."""
    assert routed(cue).limit == 15
    assert routed(cue, top_k=3).limit == 3


@pytest.mark.req("D18")
@pytest.mark.parametrize(
    ("cue", "past"),
    [
        *english(("When did Ada move?", True), ("Where is the key?", False)),
        *turkish(("Ada ne zaman taşındı?", True), ("Anahtar nerede?", False)),
    ],
)
def test_a_question_of_time_looks_at_what_was_superseded(cue: str, past: bool) -> None:
    """Other questions do not."""
    assert routed(cue).request.past is past


@NEITHER
@pytest.mark.req("D18")
def test_utility_counts_as_the_lane_says() -> None:
    """A fifth of .9 is .18; without a lane nothing."""
    seeking = holding(request("x"), FakeCorpus([Line("a", standing=Standing(utility=0.9))]), [0.5])
    assert by_id(UtilityBoost()(replace(seeking, lane=USEFUL)))["m0"].score == pytest.approx(0.68)
    assert by_id(UtilityBoost()(seeking))["m0"].score == 0.5


@NEITHER
@pytest.mark.req("D18")
def test_what_was_chosen_stands_by_time() -> None:
    """Of the two best the newer comes first; the third is newest and stays third, for it is less to the point."""
    corpus = FakeCorpus([Line("a", day=-3), Line("b", day=-2), Line("c", day=-1)])
    seeking = replace(holding(request("x"), corpus, [0.9, 0.8, 0.1]), lane=LATEST, limit=2)
    assert list(by_id(Newest()(seeking))) == ["m1", "m0", "m2"]
    assert list(by_id(Newest()(replace(seeking, lane=PLAIN)))) == ["m0", "m1", "m2"]

"""What took the place of what was formed from an episode, as far as a request asks for that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from reverie.recall.state import RecallState
from reverie.recall.supersession import touched, trail
from reverie.types import Kind, Standing, State
from tests.recall.fake_corpus import START, FakeCorpus, Line, Surroundings, holding, request
from tests.spoken import NEITHER, english, turkish

GONE = Standing(state=State.SUPERSEDED, superseded_by="m4")
LATER = "m4"


def asking(
    text: str, lines: Sequence[Line], vectors: dict[str, tuple[float, ...]] | None = None, **more: object
) -> RecallState:
    """A quest over these lines."""
    around = Surroundings(vectors=vectors or {})
    return holding(request(text, **more), FakeCorpus(lines), [0.0] * len(lines), around)


def lines(name: str, home: str, *vectors: tuple[float, ...] | None) -> list[Line]:
    """An episode with two facts of day 0, the second superseded by a fact of day 5, with that one's episode."""
    first, second = vectors or (None, None)
    return [
        Line(f"{name} {home}"),
        Line(name, kind=Kind.FACT, sources=("m0",), vector=first),
        Line(home, kind=Kind.FACT, sources=("m0",), vector=second, standing=GONE, until=5),
        Line("moved", day=5),
        Line("home now", kind=Kind.FACT, sources=("m3",), day=5),
    ]


def found(quest: RecallState) -> list[str] | None:
    """The ids of what took the place of what is asked for."""
    later = trail(quest.world.corpus.fetch([0])[0], quest)
    return None if later is None else [memory.id for memory in later]


@pytest.mark.req("D17")
@pytest.mark.parametrize(
    ("name", "home", "asks_home", "asks_name"),
    [
        *english(("my name is Selin", "I live in Ankara", "Where do I live?", "What is my name?")),
        *turkish(("adım Selin", "Ankara'da yaşıyorum", "Nerede yaşıyorum?", "Adım ne?")),
    ],
)
def test_only_what_is_asked_for_is_outdated(name: str, home: str, asks_home: str, asks_name: str) -> None:
    """The same episode: its superseded part is asked for, or the part that holds."""
    assert found(asking(asks_home, lines(name, home))) == [LATER]
    assert found(asking(asks_name, lines(name, home))) is None


@pytest.mark.req("D17")
@pytest.mark.parametrize(
    ("said", "formed", "asks_rest", "asks_gone"),
    [
        *english(
            (
                "My wife drives a Golf, I drive a Polo.",
                "I drive a Polo.",
                "What does my wife drive?",
                "What do I drive?",
            ),
            ("It rained in Leeds. I use Vim.", "I use Vim.", "Did it rain in Leeds?", "Which editor do I use?"),
            ("Do you like Leeds? I live in Leeds.", "I live in Leeds.", "", "Where do you like to live?"),
        ),
        *turkish(
            (
                "Eşim Golf kullanıyor, ben Polo kullanıyorum.",
                "Ben Polo kullanıyorum.",
                "Eşim ne kullanıyor?",
                "Ben ne kullanıyorum?",
            ),
            (
                "Leeds'te yağmur yağdı. Vim kullanıyorum.",
                "Vim kullanıyorum.",
                "Leeds'te yağmur yağdı mı?",
                "Hangi editörü kullanıyorum?",
            ),
            ("Leeds'i sever misin? Leeds'te yaşıyorum.", "Leeds'te yaşıyorum.", "", "Nerede yaşamayı seviyorum?"),
        ),
    ],
)
def test_what_was_not_formed_holds_beside_what_was_superseded(
    said: str, formed: str, asks_rest: str, asks_gone: str
) -> None:
    """What an episode says beside its formed part is asked for, or that part; a question says nothing."""
    told = [
        Line(said),
        Line(formed, kind=Kind.FACT, sources=("m0",), standing=Standing(state=State.SUPERSEDED, superseded_by="m3")),
        Line("later", day=5),
        Line("now", kind=Kind.FACT, sources=("m2",), day=5),
    ]
    assert found(asking(asks_gone, told)) == ["m3"]
    assert not asks_rest or found(asking(asks_rest, told)) is None


@NEITHER
def test_without_a_shared_word_the_cosine_decides() -> None:
    """By a margin; without vectors nothing is outdated."""
    cue, held, gone = (1.0, 0.0), (0.6, 0.8), (0.8, 0.6)
    assert found(asking("qqq", lines("aaa", "bbb", held, gone), {"qqq": cue})) == [LATER]
    assert found(asking("qqq", lines("aaa", "bbb", gone, held), {"qqq": cue})) is None
    assert found(asking("qqq", lines("aaa", "bbb", gone, (0.81, 0.59)), {"qqq": cue})) is None
    assert found(asking("qqq", lines("aaa", "bbb"))) is None


@NEITHER
@pytest.mark.req("D17")
def test_at_a_moment_only_what_had_been_said_supersedes() -> None:
    """Before day 5 nothing did."""
    all_gone = [line for place, line in enumerate(lines("aaa", "bbb")) if place != 1]
    all_gone[1:2] = [
        Line(
            "bbb",
            kind=Kind.FACT,
            sources=("m0",),
            standing=Standing(state=State.SUPERSEDED, superseded_by="m3"),
            until=5,
        )
    ]
    assert found(asking("bbb", all_gone, as_of=START + timedelta(days=4))) is None
    assert found(asking("bbb", all_gone, as_of=START + timedelta(days=5))) == ["m3"]
    assert found(asking("bbb", all_gone)) == ["m3"]


@NEITHER
def test_episodes_of_other_moments_are_not_looked_at() -> None:
    """Only those said when something was said that is superseded."""
    quest = asking("bbb", lines("aaa", "bbb"))
    assert [memory.id for memory in touched(quest.world.corpus.fetch([0, 3]), quest)] == ["m0"]

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from reverie import FixedClock, HashEmbedder, Message, Question, RandomIds, Reverie, Scope
from reverie.answers import Receipt
from reverie.recall.state import Candidate, RecallState
from reverie.recall.supersession import SUPERSEDED, Supersession, touched, trail
from reverie.types import Kind, Role, Standing, State
from tests.recall.fake_corpus import START, FakeCorpus, Line, Surroundings, holding, request
from tests.spoken import NEITHER, english, turkish


def gone(by: str, *sources: str) -> Line:
    """A fact that another one superseded."""
    return Line("x", kind=Kind.FACT, sources=sources, standing=Standing(state=State.SUPERSEDED, superseded_by=by))


def fact(*sources: str) -> Line:
    """A fact that holds."""
    return Line("y", kind=Kind.FACT, sources=sources)


def after(lines: Sequence[Line], found: dict[int, float], limit: int = 10, **asked: object) -> list[Candidate]:
    """The candidates behind the stage, of which only some lines were found."""
    seeking = holding(request("x", **asked), FakeCorpus(lines), [0.0] * len(lines))
    pool = [replace(c, score=found[c.ordinal]) for c in seeking.candidates if c.ordinal in found]
    pool = [candidate.rescored("found", candidate.score, candidate.score) for candidate in pool]
    pool.sort(key=lambda candidate: -candidate.score)
    return list(Supersession(times=2)(replace(seeking, candidates=iter(pool), limit=limit)).candidates)


LINES = [Line("old words"), gone("m3", "m0"), Line("new words"), fact("m2"), Line("other")]


@pytest.mark.req("D17")
def test_what_holds_comes_up_to_the_outdated_ones_place() -> None:
    """Before: old, other, fact, new. After: fact, new, old, other. The old one says that it is superseded."""
    found = after(LINES, {0: 0.9, 4: 0.8, 3: 0.7, 2: 0.6})
    assert [candidate.memory.id for candidate in found] == ["m3", "m2", "m0", "m4"]
    assert [candidate.score for candidate in found] == pytest.approx([0.9, 0.9, 0.9, 0.8])
    assert [any(s.name == SUPERSEDED for s in candidate.signals) for candidate in found] == [False, False, True, False]
    assert [s.about for candidate in found for s in candidate.signals if s.name == SUPERSEDED] == ["m3"]
    for candidate in found:
        assert candidate.score == pytest.approx(sum(signal.share for signal in candidate.signals))


def test_what_was_not_found_is_brought() -> None:
    """The outdated episode alone was found: what holds now comes with it."""
    assert [candidate.memory.id for candidate in after(LINES, {0: 0.9})] == ["m3", "m0"]


def test_nothing_is_brought_to_a_host_for_what_is_withheld() -> None:
    """Nothing answers, so what holds instead of an outdated episode is withheld with it, for the same reason."""
    seeking = holding(request("x"), FakeCorpus(LINES), [0.0] * len(LINES))
    held = [replace(one, withheld="no answer") for one in seeking.candidates if one.ordinal == 0]
    found = list(Supersession(times=2)(replace(seeking, candidates=iter(held), limit=10)).candidates)
    assert [(one.memory.id, one.withheld) for one in found] == [("m3", "no answer"), ("m0", "no answer")]


def test_nobody_moves_where_the_order_is_right_already() -> None:
    """The new one stood before the old one."""
    assert [candidate.memory.id for candidate in after(LINES, {2: 0.9, 4: 0.8, 0: 0.7})] == ["m2", "m4", "m0"]


def test_an_episode_of_which_something_holds_is_not_outdated() -> None:
    """One of its two facts stands."""
    lines = [*LINES, fact("m0")]
    assert [candidate.memory.id for candidate in after(lines, {0: 0.9, 2: 0.6})] == ["m0", "m2"]


def test_a_chain_ends_at_what_holds() -> None:
    """Superseded twice: the latest first, then what came between, then the oldest."""
    lines = [Line("first"), gone("m3", "m0"), Line("second"), gone("m5", "m2"), Line("third"), fact("m4")]
    found = after(lines, {0: 0.9, 2: 0.8, 4: 0.7})
    assert [candidate.memory.id for candidate in found] == ["m4", "m2", "m0"]


def test_only_the_first_candidates_are_looked_at() -> None:
    """Twice as many as are wanted; what follows stays as it was."""
    found = after(LINES, {4: 0.9, 3: 0.8, 0: 0.7, 2: 0.6}, limit=1)
    assert [candidate.memory.id for candidate in found] == ["m4", "m3", "m0", "m2"]
    assert not any(s.name == SUPERSEDED for candidate in found for s in candidate.signals)


def test_who_asks_for_the_past_gets_it_as_it_was() -> None:
    """Nothing is moved for a point in time."""
    found = after(LINES, {0: 0.9, 2: 0.6}, as_of=START - timedelta(days=1))
    assert [candidate.memory.id for candidate in found] == ["m0", "m2"]


def test_a_trail_that_leads_in_a_circle_ends() -> None:
    """A store that says nonsense is answered all the same."""
    lines = [Line("a"), gone("m3", "m0"), Line("b"), gone("m1", "m2")]
    assert {candidate.memory.id for candidate in after(lines, {0: 0.9, 2: 0.8})} == {"m0", "m2"}


SCOPE = Scope("agent", "ada", "home")


def told(old: str, new: str) -> Reverie:
    """An engine that observed two messages, a day apart, and knows that the later took the place of the earlier."""
    clock = FixedClock(START)
    engine = Reverie.open(":memory:", embedder=HashEmbedder(), clock=clock, ids=RandomIds(seed=1), background=False)
    for day, text in enumerate((old, new)):
        clock.at = START + timedelta(days=day)
        receipt = engine.observe(Message(text, speaker="ada"), SCOPE, deliberate=True)
    replace_by(engine, receipt)
    return engine


def replace_by(engine: Reverie, receipt: Receipt) -> None:
    """What was known of where one lives is superseded by what a message said last."""
    for one in engine.admin.formed(SCOPE):
        if one.id not in receipt.formed and any(word in one.text for word in PLACES):
            engine.relate(receipt.formed[0], one.id, SCOPE, "supersedes")


PLACES = ("Ankara", "Berlin", "1450", "Siemens")


@pytest.mark.req("D17")
@pytest.mark.parametrize(
    ("old", "new", "cue"),
    [
        ("I live in Ankara.", "Actually I moved, I live in Izmir now.", "Where do I live?"),
        ("Ankara'da yaşıyorum.", "Artık İzmir'de yaşıyorum.", "Nerede yaşıyorum, Ankara'da mı?"),
    ],
)
def test_end_to_end_what_is_true_now_comes_first(old: str, new: str, cue: str) -> None:
    """The old words are found all the same, behind the new ones, and say that they are superseded."""
    with told(old, new) as engine:
        hits = engine.recall(cue, SCOPE).hits
        places = {hit.memory.text: hit.rank for hit in hits}
        assert places[new] < places[old]
        assert SUPERSEDED in {signal.name for hit in hits if hit.memory.text == old for signal in hit.signals}
        then = engine.recall(Question(cue, as_of=START), SCOPE).hits
        assert [hit.memory.text for hit in then if hit.memory.text in (old, new)] == [old]


@pytest.mark.req("D17")
@pytest.mark.parametrize(
    ("old", "new", "cue"),
    [
        *english(
            ("I live in Ankara.", "I moved to Izmir.", "Where do I live?"),
            ("My name is Selin and I live in Ankara.", "I've moved to Izmir, by the way.", "Where do I live?"),
        ),
        *turkish(
            ("Ankara'da yaşıyorum.", "Artık İzmir'de yaşıyorum.", "Nerede yaşıyorum?"),
            ("Benim adım Selin. Ankara'da yaşıyorum.", "Artık İzmir'de yaşıyorum.", "Nerede yaşıyorum?"),
        ),
    ],
)
def test_end_to_end_at_a_moment_and_where_a_part_holds(old: str, new: str, cue: str) -> None:
    """Once the newer was said it stands above the older, which is marked; before that the older stands alone."""
    with told(old, new) as engine:
        for as_of in (None, START + timedelta(days=1)):
            hits = engine.recall(Question(cue, as_of=as_of), SCOPE).hits
            places = {hit.memory.text: hit.rank for hit in hits}
            assert places[new] < places[old]
            assert SUPERSEDED in {signal.name for hit in hits if hit.memory.text == old for signal in hit.signals}
        before = engine.recall(Question(cue, as_of=START + timedelta(hours=23)), SCOPE).hits
        assert new not in {hit.memory.text for hit in before}
        assert not {SUPERSEDED} & {signal.name for hit in before for signal in hit.signals}


@pytest.mark.req("D17", "D26")
@pytest.mark.parametrize(
    ("old", "new", "cue"),
    [
        *english(
            ("I live in Berlin.", "I moved to Hamburg.", "Where do I live?"),
            ("My rent is 1450 euros.", "My rent is 1520 euros now.", "How much is my rent?"),
        ),
        *turkish(
            ("Berlin'de oturuyorum.", "Hamburg'a taşındım.", "Nerede oturuyorum?"),
            ("Siemens'te çalışıyorum.", "Artık Bosch'ta çalışıyorum.", "Nerede çalışıyorum?"),
        ),
    ],
)
def test_what_no_longer_holds_is_never_handed_over_alone(old: str, new: str, cue: str) -> None:
    """Nor in a recipe whose bands would hold back what took its place: that is shown, before it and what it was."""
    with Reverie.open(":memory:", recipe="v9") as engine:
        for text in (old, new):
            receipt = engine.observe(Message(text, speaker="ada", role=Role.USER), SCOPE, deliberate=True)
        replace_by(engine, receipt)
        hits = engine.recall(cue, SCOPE).hits
    texts = [hit.memory.text for hit in hits]
    assert texts.index(new) < texts.index(old)
    assert hits[0].memory.kind is not Kind.EPISODE
    assert SUPERSEDED in {signal.name for hit in hits if hit.memory.text == old for signal in hit.signals}


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

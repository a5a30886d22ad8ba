"""Updates: a later message that probably took an earlier one's place stands before it, and the earlier says so."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TypeAlias

import pytest

from reverie.conflicts import verdict
from reverie.recall.state import Candidate, RecallState
from reverie.recall.supersession import LIFTED, OUTDATED, ImplicitUpdates
from reverie.recall.supersession import SUPERSEDED as SUPERSEDED
from reverie.types import Kind
from tests.conflicts.verdicts import NEVER, deciding
from tests.recall.fake_corpus import PAGE, START, FakeCorpus, Line, holding, request
from tests.spoken import NEITHER

pytestmark = NEITHER

Judge: TypeAlias = Callable[[float], None]

STAGE = ImplicitUpdates(order=0.3, mark=0.6)
OLD, OTHER, NEW = Line("red kite", day=0), Line("blue boat", day=2), Line("green kite", day=5)
SURE, LIKELY, UNSURE = 0.9, 0.4, 0.2
IN_COMMON = 1.0 / 3.0
"""Of the words of OLD and NEW, what both hold."""


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    """So sure of two that have one of three words in common as it is told; of two with none, next to never."""

    def of(sure: float) -> None:
        _use(monkeypatch, "overlap", (math.log(sure / (1.0 - sure)) - NEVER) / IN_COMMON)

    return of


def _use(monkeypatch: pytest.MonkeyPatch, number: str, weight: float) -> None:
    monkeypatch.setattr(verdict, "shipped", lambda: deciding(number, weight))


def asked(lines: Sequence[Line], **more: object) -> RecallState:
    """A quest that found these lines, the first best."""
    return holding(request("kite", **more), FakeCorpus(lines), [0.9 - 0.2 * place for place in range(len(lines))])


def found(quest: RecallState) -> list[Candidate]:
    """The candidates behind the stage."""
    return list(STAGE(quest).candidates)


def order(candidates: Sequence[Candidate]) -> list[int]:
    """The lines in the order of their candidates."""
    return [candidate.ordinal for candidate in candidates]


def marked(candidates: Sequence[Candidate]) -> dict[int, tuple[str, float]]:
    """Outdated line → the id that its mark names, and how sure it is."""
    return {one.ordinal: (s.about, round(s.value, 6)) for one in candidates for s in one.signals if s.name == OUTDATED}


def test_the_later_stands_before_the_earlier_which_names_it(judge: Judge) -> None:
    """Lifted to the earlier one's score; the mark tells how likely it is; what stood between keeps its score."""
    judge(SURE)
    after = found(asked([OLD, OTHER, NEW]))
    assert order(after) == [2, 0, 1]
    assert marked(after) == {0: ("m2", SURE)}
    assert [one.score for one in after] == pytest.approx([0.9, 0.9, 0.7])
    assert [signal.name for signal in after[0].signals] == ["found", LIFTED]
    for one in after:
        assert one.score == pytest.approx(sum(signal.share for signal in one.signals))


def test_what_is_first_already_is_not_lifted(judge: Judge) -> None:
    """The order was right; that the other is outdated is worth saying."""
    judge(SURE)
    after = found(asked([NEW, OLD]))
    assert order(after) == [0, 1]
    assert marked(after) == {1: ("m0", SURE)}
    assert LIFTED not in {signal.name for one in after for signal in one.signals}


@pytest.mark.parametrize(("sure", "expected"), [(LIKELY, [2, 0, 1]), (UNSURE, [0, 1, 2])])
def test_what_is_less_sure_is_ordered_and_not_marked_or_left_alone(
    judge: Judge, sure: float, expected: list[int]
) -> None:
    """From ``order`` on the later goes first, from ``mark`` on the earlier is marked."""
    judge(sure)
    after = found(asked([OLD, OTHER, NEW]))
    assert order(after) == expected
    assert marked(after) == {}


def test_of_several_the_last_stands_first(judge: Judge) -> None:
    """Whichever took whose place: what a later one replaced stands behind it, and nothing is lost."""
    judge(SURE)
    after = found(asked([OLD, NEW, Line("blue kite", day=9)]))
    assert order(after)[0] == 2
    assert sorted(order(after)) == [0, 1, 2]
    assert set(marked(after)) == {0, 1}


def test_the_past_is_left_as_it_is(judge: Judge) -> None:
    """Who asks for what was superseded too, sees it in its order."""
    judge(SURE)
    before = asked([OLD, OTHER, NEW], past=True)
    assert found(before) == list(before.candidates)


def test_what_is_withheld_replaces_nothing(judge: Judge) -> None:
    """What nobody sees cannot be the reason why something else is called outdated."""
    judge(SURE)
    before = asked([OLD, NEW])
    held = [replace(one, withheld="an echo") if one.ordinal == 1 else one for one in before.candidates]
    after = found(replace(before, candidates=held))
    assert order(after) == [0, 1]
    assert marked(after) == {}


def test_at_a_moment_what_had_not_been_said_replaces_nothing(judge: Judge) -> None:
    """Asked for the fourth day, the fifth has not come yet; asked for the sixth, it has."""
    judge(SURE)
    early = found(asked([OLD, NEW], as_of=START + timedelta(days=4)))
    late = found(asked([OLD, NEW], as_of=START + timedelta(days=6)))
    assert (order(early), marked(early)) == ([0, 1], {})
    assert (order(late), marked(late)) == ([1, 0], {0: ("m1", SURE)})


@pytest.mark.parametrize(("day", "expected"), [(0, {}), (-3, {1: ("m0", SURE)})], ids=["at the same moment", "before"])
def test_what_was_not_said_later_replaces_nothing(
    judge: Judge, day: int, expected: dict[int, tuple[str, float]]
) -> None:
    """Though it was written later, and in another session: only the time of saying counts."""
    judge(SURE)
    after = found(asked([NEW, Line("red kite", day=NEW.day + day, session="s2")]))
    assert order(after) == [0, 1]
    assert marked(after) == expected, "what was said before may have been replaced, never the other"


def test_what_is_superseded_for_certain_is_not_marked_as_likely(judge: Judge) -> None:
    """``outdated`` has named what took its place, and ordered both."""
    judge(SURE)
    before = asked([OLD, NEW])
    known = [one.marked(SUPERSEDED, "m1") if one.ordinal == 0 else one for one in before.candidates]
    after = found(replace(before, candidates=known))
    assert order(after) == [0, 1]
    assert marked(after) == {}


def test_only_the_first_are_compared_and_all_still_come(judge: Judge) -> None:
    """Of three the stage looks at two."""
    judge(SURE)
    lines = [OLD, OTHER, NEW]
    after = list(STAGE(replace(asked(lines), page=replace(PAGE, looked=2))).candidates)
    assert order(after) == [0, 1, 2]
    assert order(list(STAGE(replace(asked(lines), page=replace(PAGE, looked=3))).candidates)) == [2, 0, 1]


@pytest.mark.parametrize("lines", [[], [OLD]], ids=["nothing", "one"])
def test_one_alone_is_compared_with_nothing(judge: Judge, lines: list[Line]) -> None:
    """It comes as it is."""
    judge(SURE)
    before = asked(lines)
    assert found(before) == list(before.candidates)


def test_a_memory_is_not_replaced_by_the_message_it_was_formed_from(judge: Judge) -> None:
    """Of the two one is compared; the other still comes."""
    judge(SURE)
    formed = Line("red kite", kind=Kind.FACT, sources=("m1",), day=0)
    after = found(asked([formed, Line("a red kite", day=5)]))
    assert sorted(order(after)) == [0, 1]
    assert marked(after) == {}


def test_how_alike_two_are_counts_where_there_are_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two that mean the same, in other words; without vectors nothing is alike."""
    _use(monkeypatch, "alike", 30.0)
    lines = [Line("red kite", vector=(1.0, 0.0)), Line("green glider", vector=(1.0, 0.1), day=5)]
    before = asked(lines)
    compared = replace(before, candidates=[replace(one, cosine=0.5) for one in before.candidates])
    assert order(found(compared)) == [1, 0]
    assert order(found(before)) == [0, 1]


def test_what_was_brought_along_is_not_taken_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory that no search found has no place among the vectors: it is like nothing."""
    _use(monkeypatch, "alike", 30.0)
    lines = [Line("red kite", vector=(1.0, 0.0)), Line("green glider", vector=(0.0, 1.0), day=5)]
    first, second = asked(lines).candidates
    brought = replace(second, ordinal=-1)
    quest = replace(asked(lines), candidates=[replace(first, cosine=0.5), brought])
    assert [one.memory.id for one in found(quest)] == ["m0", "m1"]


def test_what_is_marked_says_why(judge: Judge) -> None:
    """Which replaced which, how surely, and the number that weighed most; what is merely behind says nothing."""
    judge(SURE)
    note = STAGE(asked([OLD, NEW])).notes[-1]
    assert f"with probability {SURE:.2f}: overlap {IN_COMMON:.2f} (+" in note
    judge(LIKELY)
    assert "with probability" not in STAGE(asked([OLD, NEW])).notes[-1]

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest

from reverie.consolidate.lossless import lawful, left_out
from reverie.consolidate.snapshot import Gathering, Outcome
from reverie.events import Value
from reverie.types import Memory, Relation, RelationKind, State
from tests.consolidate.making import NOW, days_ago, memory

CLOSED: dict[str, Value] = {"state": State.SUPERSEDED}


def judged(outcome: Outcome, *memories: Memory, resting: Iterable[Memory] = ()) -> Outcome:
    """What the law leaves of an outcome."""
    return lawful(outcome, {one.id: one for one in memories}.get, NOW, lambda _: resting)


def closing(one: Memory, heir: Memory, state: State = State.SUPERSEDED, *formed: Memory) -> Outcome:
    """A step that closes a memory for another, with an edge."""
    gathering = Gathering(formed=list(formed))
    gathering.alter(one, "gone", state=state, superseded_by=heir.id)
    gathering.related.append(Relation(heir.id, one.id, RelationKind.SUPERSEDES, 1.0, NOW))
    return gathering.outcome()


ADA = memory("a", "Ada has 5 cats in Ankara.")


@pytest.mark.req("D33")
@pytest.mark.parametrize("state", [State.SUPERSEDED, State.DORMANT])
@pytest.mark.parametrize("is_new", [False, True])
def test_nothing_is_closed_for_what_says_less(state: State, is_new: bool) -> None:
    """Superseded or asleep, for a memory that was there or a new one: change and edge go, a note stays."""
    for text in (
        "Ada has 6 cats in Ankara.",
        "Ada has 5 cats.",
        "Ada has no cats, not 5, in Ankara.",
        "The tap drips.",
    ):
        heir = memory("t", text)
        found = judged(closing(ADA, heir, state, *([heir] if is_new else [])), ADA, *([] if is_new else [heir]))
        assert not found.changes
        assert not found.related
        assert found.notes[0].startswith("kept a: ")


@pytest.mark.req("D33")
def test_what_is_held_whole_may_be_closed() -> None:
    """By the same words and more of them."""
    heir = memory("t", "Ada has 5 cats in Ankara. The tap drips.")
    outcome = closing(ADA, heir)
    assert judged(outcome, ADA, heir) == outcome


def test_an_edge_alone_names_what_takes_its_place() -> None:
    """A step that does not write ``superseded_by`` is held to the law as well."""
    heir = memory("t", "The tap drips.")
    gathering = Gathering(related=[Relation(heir.id, "a", RelationKind.SUPERSEDES, 1.0, NOW)])
    gathering.alter(ADA, "gone", state=State.SUPERSEDED)
    assert not judged(gathering.outcome(), ADA, heir).changes


def test_what_is_closed_for_nothing_else_is_not_the_laws() -> None:
    """Uselessness, an end in time, too many: those rules are the recipe's."""
    gathering = Gathering()
    gathering.alter(ADA, "useless", state=State.DORMANT)
    gathering.alter(memory("b"), "its time is over", state=State.SUPERSEDED)
    outcome = gathering.outcome()
    assert judged(outcome, ADA, memory("b")) == outcome


def test_what_stands_in_must_be_recalled_itself() -> None:
    """Not asleep, not over, not gone, not closed for the first one, and not ending sooner."""
    same = ADA.text
    for heir in (
        memory("t", same, state=State.DORMANT),
        memory("t", same, valid_until=days_ago(1)),
        memory("t", same, valid_until=days_ago(-1)),
        memory("t", same, speaker="Bo"),
    ):
        assert not judged(closing(ADA, heir), ADA, heir).changes
    assert not judged(closing(ADA, memory("t", same)), ADA).changes
    one, other = memory("a", same), memory("b", same)
    both = Gathering()
    both.alter(one, "gone", state=State.DORMANT, superseded_by="b")
    both.alter(other, "gone", state=State.DORMANT, superseded_by="a")
    assert not judged(both.outcome(), one, other).changes


def test_what_stands_in_may_be_put_to_sleep_for_itself() -> None:
    """A capacity that lets both rest is no succession; the second is not asleep for a third."""
    one, other = memory("a", "Ada has 5 cats."), memory("b", "Ada has 5 cats!")
    gathering = Gathering()
    gathering.alter(one, "told again", state=State.DORMANT, superseded_by="b")
    gathering.alter(other, "one too many", state=State.DORMANT)
    outcome = gathering.outcome()
    assert judged(outcome, one, other) == outcome


def test_a_row_of_those_that_stand_in_ends_in_one_that_holds_all() -> None:
    """The first rests in the second, the second in the third."""
    chain = [memory("a", "Ada has 5 cats."), memory("b", "Ada has 5 cats!"), memory("c", "Ada has 5 cats.")]
    gathering = Gathering()
    for one, heir in pairwise(chain):
        gathering.alter(one, "gone", state=State.DORMANT, superseded_by=heir.id)
    outcome = gathering.outcome()
    assert judged(outcome, *chain) == outcome
    less = memory("c", "Ada has cats.")
    assert not judged(outcome, *chain[:2], less).changes


def test_what_stays_open_must_hold_all_itself() -> None:
    """The second may not rest in the third; so the first may not rest in the second, which says less."""
    first, second, third = memory("a", "Ada has 5 cats."), memory("b", "The tap drips."), memory("c", "Ada has 5 cats.")
    gathering = Gathering()
    gathering.alter(first, "gone", state=State.DORMANT, superseded_by="b")
    gathering.alter(second, "gone", state=State.DORMANT, superseded_by="c")
    assert not judged(gathering.outcome(), first, second, third).changes


def test_what_others_rest_in_is_not_given_words_that_say_less() -> None:
    """A summary that is brought up to date keeps what sleeps for it."""
    summary = memory("s", "Ada has 5 cats in Ankara. The tap drips.")
    asleep = memory("a", ADA.text, superseded_by="s", **CLOSED)
    for text, stays in (("The tap drips.", True), ("The tap is mended. Ada has 5 cats in Ankara.", False)):
        gathering = Gathering()
        gathering.alter(summary, "its category changed", text=text)
        assert (not judged(gathering.outcome(), summary, asleep, resting=[asleep]).changes) is stays


def test_two_people_do_not_speak_for_each_other() -> None:
    """The same "I" is another person's."""
    assert left_out(memory("a", "I like tea."), memory("b", "I like tea.", speaker="Bo"))
    assert not left_out(memory("a", "I like tea."), memory("b", "I like tea."))

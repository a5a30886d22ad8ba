from __future__ import annotations

from reverie.consolidate.history import left_of, marks, rewound
from reverie.consolidate.snapshot import Gathering, Outcome
from reverie.events import Action, Changed, Event, Formed, Payload, Related, folded
from reverie.types import RelationKind
from tests.consolidate.making import HERE, NOW, edge, memory


def event(payload: Payload) -> Event:
    """An event with this payload."""
    return Event(1, HERE, NOW, "dream", Action.CHANGE, "", payload, b"", "", "", "")


def acted() -> tuple[Outcome, list[Event]]:
    """An outcome that changes one memory twice and another once, forms one and links it; and its events."""
    gathering = Gathering()
    one = memory("a", utility=0.5)
    gathering.alter(one, "first", utility=0.6)
    gathering.alter(folded(one, gathering.changes), "second", utility=0.7)
    gathering.alter(memory("b"), "first", importance=0.9)
    gathering.formed.append(memory("new"))
    gathering.related.append(edge("new", "a", RelationKind.ELABORATES))
    outcome = gathering.outcome()
    payloads = [Formed(outcome.formed), Related(tuple(outcome.related)), *(Changed((one,)) for one in outcome.changes)]
    return outcome, [event(payload) for payload in payloads]


def test_what_was_before_comes_back() -> None:
    """Memories in their order, each field as it was, without what was formed and linked."""
    outcome, events = acted()
    before = [memory("a", utility=0.5), memory("b")]
    after = [*(folded(one, [c for c in outcome.changes if c.memory == one.id]) for one in before), *outcome.formed]
    kept = edge("a", "b", RelationKind.CAUSES)
    assert rewound(after, [kept, *outcome.related], events) == (before, [kept])


def test_what_was_erased_meanwhile_is_passed_over() -> None:
    """It cannot be brought back."""
    _, events = acted()
    assert rewound([memory("b", importance=0.9)], [], events) == ([memory("b")], [])


def test_what_is_done_is_not_done_again() -> None:
    """Of a step that was interrupted the rest is left; of one that was not, everything."""
    outcome, events = acted()
    assert left_of(outcome, frozenset()) is outcome
    rest = left_of(outcome, marks(events[:3]))
    assert ([change.why for change in rest.changes], rest.formed, rest.related) == (["second", "first"], (), [])
    assert not left_of(outcome, marks(events)).changes

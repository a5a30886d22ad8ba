"""What happens in the table becomes events of ours."""

from __future__ import annotations

from reverie import Reverie
from reverie.events import Action, Changed
from reverie.types import Role, State
from tests.stores.lance.making import HOME, Stock, name, row


def test_each_row_is_an_event_of_its_own(stock: Stock, memory: Reverie) -> None:
    """So that one can be erased without the others; who wrote it is told, and that it is nobody's own word."""
    with memory:
        events = list(memory.admin.events(HOME))
        assert [(event.action, event.actor, event.why) for event in events] == [
            (Action.FORM, "openclaw", "stored in OpenClaw's table")
        ] * 3
        one = memory.memory(name(1), HOME)
        assert (one.speaker, one.role, one.session, one.sources) == ("openclaw", Role.PERSON, "openclaw", ())
        memory.admin.erase(name(1), HOME, why="asked to")
        assert memory.memory(name(2), HOME).text == "row 2 about tea"


def test_rows_of_no_use_are_passed_over(stock: Stock, memory: Reverie) -> None:
    """Blank ones, and those of a name that no agent can have; numbers that are none become ordinary ones."""
    stock.store(row(4, "  "), row(5, "x", agentId="a" * 300), row(6, "y", importance=float("nan"), createdAt=-5.0))
    stock.store(row(7, "z", importance=7.0, category="mood"))
    with memory:
        assert sorted(one.id for one in memory.timeline(HOME)) == [name(n) for n in (1, 2, 3, 6, 7)]
        assert memory.memory(name(6), HOME).standing.importance == 0.5
        assert memory.memory(name(7), HOME).standing.importance == 1.0
    assert len(stock.rows()) == 7


def test_columns_of_ours_are_read_from_the_table(stock: Stock, memory: Reverie) -> None:
    """Where the file beside is lost, what the table tells of a memory's life comes back with it."""
    with memory:
        stock.update(1, text="told anew")
        memory.admin.amend(name(2), HOME, importance=0.9)
        memory.forget(name(3), HOME)
    stock.update(2, accessCount=5.0, stability=2.5, state="dormant")
    for path in stock.folder.glob("reverie.db*"):
        path.unlink()
    from tests.stores.lance.making import opened

    with opened(stock) as again:
        found = again.memory(name(2), HOME)
        assert (found.accesses, found.standing.stability_days, found.standing.state) == (5, 2.5, State.DORMANT)
        assert found.standing.importance == 0.9


def test_what_is_immutable_is_put_back(stock: Stock, memory: Reverie) -> None:
    """A row that was changed although nothing may change the memory says again what it said."""
    with memory:
        memory.admin.protect(name(1), HOME)
        stock.update(1, text="something else")
        memory.recall("tea", HOME)
        memory.admin.amend(name(2), HOME, importance=0.9)
        assert memory.memory(name(1), HOME).text == "row 1 about tea"
    assert stock.rows()[name(1)]["text"] == "row 1 about tea"


def test_a_changed_row_is_one_change(stock: Stock, memory: Reverie) -> None:
    """Before and after stand in the history; a change that says nothing new is none."""
    with memory:
        stock.update(1, importance=0.9)
        stock.update(2, importance=0.7)
        memory.recall("tea", HOME)
        changes = [event.payload for event in memory.admin.events(HOME) if event.action is Action.CHANGE]
        assert [type(change) for change in changes] == [Changed]
        (change,) = changes[0].changes  # type: ignore[union-attr] # the line above
        assert [(f.name, f.before, f.after) for f in change.fields] == [("importance", 0.7, 0.9)]

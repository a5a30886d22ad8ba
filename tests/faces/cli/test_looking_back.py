from __future__ import annotations

from tests.faces.cli.conftest import Run, formed


def test_a_history_tells_each_event_by_its_number(talk: Run) -> None:
    """With what it changed; and a single one is taken back by it."""
    name = formed(talk)[0]["id"]
    talk("memory", "pin", name)
    told = talk("memory", "history", name, "--json").shape["events"]
    assert told[0]["action"] == "form"
    assert told[-1]["payload"]["changes"][0]["fields"] == [{"name": "pinned", "before": False, "after": True}]
    shown = talk("memory", "history", name).out
    assert "pinned False → True" in shown
    number = str(told[-1]["seq"])
    assert number in shown
    undone = talk("undo", "--event", number, "--json").shape
    assert (undone["event"], undone["changed"]) == (told[-1]["seq"], 1)
    assert formed(talk)[0]["standing"]["pinned"] is False
    assert talk("undo", "--event", number).code != 0
    assert talk("undo", "--event", number, "--cycle", "c").code == 2


def test_past_dreams_are_told(talk: Run) -> None:
    """The newest first, and whether one was taken back."""
    cycle = talk("dream", "--json").shape["cycle"]
    told = talk("dream", "list", "--json").shape["dreams"]
    assert [(dream["cycle"], dream["undone"]) for dream in told] == [(cycle, False)]
    talk("undo")
    assert "taken back" in talk("dream", "list").out


def test_health_counts_and_says_what(talk: Run) -> None:
    """The same numbers for people and for programs."""
    found = talk("stats", "health", "--json").shape
    assert found["memories"] == sum(found["kinds"].values()) > 0
    shown = talk("stats", "health").out
    for words in ("junk", "in quarantine", "of these led to nothing", found["growth"][0]["day"]):
        assert words in shown

import pytest

from reverie.engine.governance import Permission
from reverie.faces.cli.governing import KINDS, PERMISSIONS
from reverie.types import Kind
from tests.faces.cli.conftest import Run


def test_the_values_that_help_shows_are_those_of_the_engine() -> None:
    """They are written twice so that help stays quick."""
    assert tuple(Kind) == KINDS
    assert tuple(Permission) == PERMISSIONS


@pytest.mark.req("D51")
def test_a_policy_is_set_shown_obeyed_and_dropped(talk: Run) -> None:
    """Whoever sets the first stays in; what it leaves out is refused with a code of its own, and logged."""
    assert "it is open" in talk("audit", "policy").out
    shut = talk("audit", "policy", "allow", "eve", "read")
    assert (shut.code, "audit policy" in shut.err or "govern" in shut.err) == (4, True)
    set_one = talk("audit", "policy", "allow", "me", "read", "govern", "--name", "own", "--json").shape["policy"]
    assert (set_one["permissions"], set_one["allows"]) == (["read", "govern"], True)
    denied = talk("remember", "The key hangs here.")
    assert (denied.code, "do not allow" in denied.err) == (9, True)
    assert "denied" in talk("audit", "log", "--op", "denied").out
    limited = talk("audit", "policy", "deny", "eve", "read", "--kind", "fact", "--tag", "health").out
    assert "eve may not read, of fact, health" in limited
    shape = talk("audit", "policy", "--json").shape["policies"]
    assert [one["name"] for one in shape] == ["eve not read fact health", "own"]
    assert "own" in talk("audit", "policy").out
    assert talk("audit", "policy", "drop", "nobody's").code == 3
    assert talk("audit", "policy", "drop", "own").code == 4
    assert talk("audit", "policy", "drop", "eve not read fact health", "--json").shape["dropped"]
    assert talk("audit", "policy", "drop", "own").code == 0
    assert talk("remember", "The key hangs here.").code == 0


@pytest.mark.req("D51")
def test_a_retention_rule_is_set_shown_and_dropped(talk: Run) -> None:
    """And the next dream says what is due."""
    rule = talk("audit", "retention", "set", "old", "--days", "0.5", "--kind", "episode", "--json").shape["rule"]
    assert rule == {"name": "old", "days": 0.5, "kinds": ["episode"], "tags": [], "entities": []}
    assert "old: episode, after 0.5 days" in talk("audit", "retention").out
    assert "retention" in talk("dream", "--dry-run").out
    assert talk("audit", "retention", "set", "all", "--days", "3").code == 2
    assert talk("audit", "retention", "drop", "old").code == 0
    assert talk("audit", "retention", "--json").shape["rules"] == []

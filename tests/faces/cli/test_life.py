from dataclasses import replace
from datetime import UTC, datetime

from reverie.faces.cli.look import describe, stands
from reverie.types import Kind, Memory, Role, Scope, Standing, State, Tier
from tests.faces.cli.conftest import Run, formed

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
FACT = Memory("m1", Scope("a", "u", "p"), Kind.FACT, "x", AT, AT, "s", 0, "Ada", Role.USER, sources=("e1",))


def test_a_formed_memory_stands_somewhere_an_episode_only_where_it_is_held_back() -> None:
    """Episodes take no part in the life of memories."""
    asleep = replace(FACT, standing=Standing(tier=Tier.SEMANTIC, state=State.DORMANT))
    assert (stands(FACT), stands(asleep)) == ("episodic active", "semantic dormant")
    episode = replace(FACT, kind=Kind.EPISODE, sources=("m1",))
    held = replace(episode, standing=Standing(state=State.QUARANTINED))
    assert (stands(episode), stands(held)) == ("", "quarantined")


def test_marks_are_told_in_words() -> None:
    """What a person set is seen."""
    marked = replace(FACT, standing=Standing(pinned=True, immutable=True, verified=True))
    assert describe(marked).endswith("pinned, immutable, verified")
    assert describe(FACT).startswith("fact, episodic, active, importance 0.50")


def test_a_census_counts_what_was_formed(talk: Run) -> None:
    """By kind, tier and state; what is held back is counted among all."""
    [counts] = talk("stats", "--json").shape["scopes"]
    memories = formed(talk)
    assert counts["formed"] == len(memories) == sum(counts["kinds"].values()) == sum(counts["tiers"].values())
    assert counts["states"] == {"active": len(memories)}
    assert counts["quarantined"] == 1
    talk("memory", "pin", memories[0]["id"])
    shown = talk("stats").out
    assert "in quarantine" in shown
    assert "pinned" in shown
    assert "immutable" not in shown

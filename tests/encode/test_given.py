"""What whoever hands over a message knows of it already."""

from __future__ import annotations

import math

import pytest

from reverie import Message, RandomIds, Reverie, Role, Scope
from reverie.encode.validation import CallerHints
from reverie.errors import InvalidInput
from reverie.types import Kind


@pytest.fixture
def engine() -> Reverie:
    """A memory by OpenClaw's recipe, which forms of everything."""
    return Reverie.open(":memory:", embedder="hash", recipe="openclaw", ids=RandomIds(seed=1))


@pytest.mark.parametrize("values", [{"importance": wrong} for wrong in (-0.1, 1.1, math.nan, True, "0.5")])
def test_an_importance_is_a_share(values: dict[str, float]) -> None:
    """From 0 to 1, and nothing else."""
    with pytest.raises(InvalidInput, match="importance"):
        CallerHints(**values)


def test_an_episode_is_not_formed() -> None:
    """It is what was said; every other kind is made of it. What is no kind is none."""
    with pytest.raises(InvalidInput, match="episode"):
        CallerHints(kind=Kind.EPISODE)
    with pytest.raises(InvalidInput, match="no kind"):
        CallerHints(kind="thought")  # type: ignore[arg-type] # what a caller may do nevertheless


@pytest.mark.req("C7")
@pytest.mark.parametrize("text", ["The build takes a minute.", "Derleme bir dakika sürüyor."])
def test_kind_and_importance_stand_before_what_would_be_found(engine: Reverie, scope: Scope, text: str) -> None:
    """Said again, the higher importance stays."""
    given = CallerHints(Kind.DECISION, 0.9)
    (formed,) = engine.observe(text, scope, deliberate=True, given=given).formed
    memory = engine.memory(formed, scope)
    assert (memory.kind, memory.standing.importance) == (Kind.DECISION, 0.9)
    assert engine.observe(text, scope, deliberate=True, given=CallerHints(importance=0.2)).formed == (formed,)
    assert engine.memory(formed, scope).standing.importance == 0.9


@pytest.mark.parametrize(
    ("text", "role", "formed"),
    [
        ("I prefer green tea.", Role.USER, 1),
        ("I prefer green tea.", Role.ASSISTANT, 0),
        ("Which tea do I prefer?", Role.USER, 0),
        ("Okay, thanks.", Role.USER, 0),
        ("Yeşil çayı tercih ederim.", Role.USER, 1),
        ("Hangi çayı severim?", Role.USER, 0),
    ],
)
def test_a_host_may_hand_over_all_that_is_said(
    engine: Reverie, scope: Scope, text: str, role: Role, formed: int
) -> None:
    """Only what a person said and what has a class is formed; the words are kept in any case."""
    receipt = engine.observe(Message(text, role=role), scope, given=CallerHints(classed=True))
    assert len(receipt.formed) == formed
    assert engine.memory(receipt.id, scope).text == text


def test_what_somebody_asked_to_have_remembered_needs_no_class(engine: Reverie, scope: Scope) -> None:
    """Asking says enough."""
    assert engine.observe("Okay, thanks.", scope, deliberate=True, given=CallerHints(classed=True)).formed

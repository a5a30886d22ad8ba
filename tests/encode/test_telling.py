"""What a model makes of a message, and what became of its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from reverie.encode.facts import Aids, FactCandidate, observe, think, told
from reverie.ports import Bond, Said, Stated, Told
from reverie.recipes.recipe import recipe
from reverie.types import Kind, Message, Role
from tests.spoken import english, turkish

OWN = recipe("reverie").encode
SAID = Said("Hello.", datetime(2026, 5, 4, 9, tzinfo=UTC))


class Answers:
    """A mind with one answer."""

    def __init__(self, answer: Told) -> None:
        self.answer = answer
        self.asked: list[Said] = []

    def form(self, said: Said) -> Told:
        """The answer."""
        self.asked.append(said)
        return self.answer

    def merge(self, old: str, new: str) -> str | None:
        """Nothing."""
        return None

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Nothing."""
        return None


def formed(said: str, mind: Answers) -> FactCandidate:
    """The one thought of a message of Ada's."""
    sight = observe(said, OWN.observe, deliberate=True)
    aids = Aids(mind=mind, deliberate=True, before=("Bora: hello",))
    (found,), _ = think(Message(said, speaker="ada", role=Role.USER), SAID.at, sight, OWN.form, aids)
    return found


def test_what_was_refused_is_told() -> None:
    """Each reason once, the commonest first."""
    facts, note = told(Answers(Told((), ("a", "b", "b", "c", "d"))), SAID)
    assert facts == ()
    assert note == "5 of 5 facts refused: b; a; c"


def test_a_model_that_fails_is_told() -> None:
    """It is not as if there were none; one whose answer stands needs no word."""
    assert told(Answers(Told(failed="limited")), SAID) == ((), "the model did not answer (limited)")
    assert told(Answers(Told((Stated("x"),))), SAID) == ((Stated("x"),), "")


@pytest.mark.req("D12")
@pytest.mark.parametrize("said", [*english("I prefer tea."), *turkish("Çayı severim.")])
def test_a_model_without_use_takes_nothing_away(said: str) -> None:
    """One that fails, and one of whose answer nothing stands: the rules' facts are formed, and the decision says so."""
    down = Answers(Told(failed="timeout"))
    refused = Answers(Told((), ("names 'Oslo' that the message does not",)))
    ends = ["the model did not answer (timeout)", "1 of 1 facts refused: names 'Oslo' that the message does not"]
    for mind, end in zip((down, refused), ends, strict=True):
        sight = observe(said, OWN.observe, deliberate=True)
        (found,), decision = think(Message(said, role=Role.USER), SAID.at, sight, OWN.form, Aids(mind=mind))
        assert found.text == said
        assert decision.why == f"of 1 statements, by rules: {end}"


@pytest.mark.req("D12")
@pytest.mark.parametrize("said", [*english("Maya paints in Oslo."), *turkish("Maya Oslo'da resim yapar.")])
def test_a_models_kind_end_and_names_come_first(said: str) -> None:
    """What it says of a fact is taken; an order or a correction the rules alone can find."""
    until = datetime(2026, 5, 9, tzinfo=UTC)
    stated = Stated(said, Kind.PREFERENCE, until, ("PostgreSQL",))
    found = formed(said, Answers(Told((stated,))))
    assert (found.kind, found.valid_until, found.time_bounded) == (Kind.PREFERENCE, until, True)
    assert "entity://tech/postgresql" in found.entities
    found = formed(said, Answers(Told((replace(stated, kind=Kind.CORRECTION),))))
    assert found.kind is not Kind.CORRECTION


@pytest.mark.parametrize("said", [*english("She likes it."), *turkish("Onu sever.")])
def test_a_model_is_told_who_speaks_and_what_was_said_before(said: str) -> None:
    """As the aids have it."""
    mind = Answers(Told())
    formed(said, mind)
    assert (mind.asked[0].speaker, mind.asked[0].before) == ("ada", ("Bora: hello",))

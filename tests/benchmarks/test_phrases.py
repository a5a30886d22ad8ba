"""The phrases of the simulator: both languages alike, every slot filled."""

from __future__ import annotations

import random

import pytest

from benchmarks.phrases import LANGUAGES, chatter, choices, facts, lines, standing


def test_both_languages_have_as_much() -> None:
    """Turkish is equal to English: chatter, facts, standing orders, and the slots of both."""
    for name in ("chatter", "facts", "standing"):
        assert len(lines(name, "en")) == len(lines(name, "tr"))
    assert [len(values) > 1 for values in choices("slots", "tr").values()] == [True] * len(choices("slots", "en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_slot_stays_open(language: str) -> None:
    """A thousand pieces of chatter, each without a brace; the same seed gives the same."""
    said = [chatter(language, random.Random(seed)) for seed in range(1000)]
    assert not any("{" in text for text in said)
    assert said == [chatter(language, random.Random(seed)) for seed in range(1000)]
    assert len(set(said)) > 50


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_fact_tells_its_slot_and_asks_after_somebody(language: str) -> None:
    """Before and after the change; the question names the speaker and not the value."""
    for form in facts(language):
        slot = f"{{{form.slot}}}"
        assert (slot in form.first, slot in form.anew, slot in form.question) == (True, True, False)
        assert "{speaker}" in form.question
        assert len(choices("slots", language)[form.slot]) >= 3
    assert all(form.order and form.request for form in standing(language))

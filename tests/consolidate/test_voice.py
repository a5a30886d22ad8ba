from __future__ import annotations

from collections.abc import Sequence

import pytest

from reverie.consolidate.themes import TOLD_MAX, Extractive, Spoken


class Mind:
    """A model that answers, or has nothing to say; notes how many texts it was given."""

    def __init__(self, answer: str | None) -> None:
        self.answer = answer
        self.told: list[int] = []

    def theme(self, texts: Sequence[str]) -> str | None:
        self.told.append(len(texts))
        return self.answer

    def pattern(self, texts: Sequence[str]) -> str | None:
        return self.theme(texts)

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        return self.theme(texts)


@pytest.mark.req("D33", "D34")
def test_a_model_is_asked_first() -> None:
    """Its answer stands; it is given no more texts than it can bear."""
    mind = Mind("They all garden.")
    voice = Spoken(mind)  # type: ignore[arg-type]  # only what a dream asks of a mind
    texts = [f"Ada waters bed {n}." for n in range(100)]
    assert {voice.theme(texts), voice.pattern(texts), voice.summary("fact", texts)} == {"They all garden."}
    assert mind.told == [TOLD_MAX] * 3


@pytest.mark.req("D33", "D34")
def test_without_an_answer_the_extract_stands() -> None:
    """As if there were no model."""
    voice = Spoken(Mind(None))  # type: ignore[arg-type]  # only what a dream asks of a mind
    texts = ["Ada waters the beds.", "Ada waters the roses.", "Mert sleeps."]
    own = Extractive()
    assert voice.theme(texts) == own.theme(texts)
    assert voice.pattern(texts) == own.pattern(texts)
    assert voice.summary("fact", texts) == own.summary("fact", texts)

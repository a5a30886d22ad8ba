"""Edits: nearly the same words again, or the same with another value."""

from __future__ import annotations

import random

import pytest

from benchmarks.longrun.generator import repeated, restated

SAID = {"en": "I really love the old piano in our house.", "tr": "Evdeki eski piyano gerçekten çok güzel."}


@pytest.mark.parametrize("language", ["en", "tr"])
def test_a_repeat_is_other_text_of_mostly_the_same_words(language: str) -> None:
    """Whatever the seed."""
    text = SAID[language]
    for seed in range(50):
        again = repeated(text, language, random.Random(seed))
        assert again != text
        assert len(set(text.split()) & set(again.split())) >= 0.5 * len(set(text.split()))


@pytest.mark.parametrize(("language", "value"), [("en", "piano"), ("tr", "piyano")])
def test_a_restatement_has_another_value_of_the_same_class(language: str, value: str) -> None:
    """The old value is gone, and the rest is there behind the words that say that something changed."""
    for seed in range(20):
        anew = restated(SAID[language], language, random.Random(seed))
        assert anew is not None
        assert value not in anew
        assert anew.endswith(SAID[language].split(value)[1])


def test_what_holds_no_value_cannot_be_restated() -> None:
    """Nothing is invented."""
    assert restated("See you there!", "en", random.Random(0)) is None

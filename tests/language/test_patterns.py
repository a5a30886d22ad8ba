"""Labels by patterns, in the language of the text or in both."""

from __future__ import annotations

import string
from pathlib import Path

import pytest

from reverie.language.text import lists, patterns
from reverie.recipes.published.v9 import WORDS
from tests.spoken import BOTH, english, turkish

ALPHABET = string.ascii_lowercase + string.digits + " .,;:!?'’-/()\"\n"

LABELLED = [("route", WORDS), ("hyde-intent", WORDS), ("category", lists.DATA)]
TENSES = [f"tense/{name}" for name in ("future", "future-not", "past", "habit", "vague", "ahead", "set-for")]
PLAIN = [
    *((name, lists.DATA) for name in (*TENSES, "question/asks-ahead")),
    *((name, WORDS) for name in ("also", "and-question", "asks", "of-two")),
]


@BOTH
@pytest.mark.parametrize(("name", "folder"), LABELLED)
def test_both_languages_know_the_same_labels(name: str, folder: Path) -> None:
    """What can be told in English can be told in Turkish."""
    english, turkish = (
        {entry.partition(": ")[0] for entry in lists.entries(f"{name}.{language}", folder)} for language in ("en", "tr")
    )
    assert english == turkish


@pytest.mark.parametrize(("name", "folder"), PLAIN)
@pytest.mark.parametrize("language", [*english("en"), *turkish("tr")])
def test_every_pattern_compiles_and_none_matches_nothing(name: str, folder: Path, language: str) -> None:
    """A pattern that matched the empty text would match every text."""
    assert patterns.any_of(f"{name}.{language}", folder).search("") is None


@BOTH
def test_the_first_label_of_the_list_wins() -> None:
    """A question about why and when is about why."""
    assert patterns.label("route", "Why and when did we move to Oslo?", WORDS) == "causal"
    assert patterns.label("route", "Oslo'ya neden ve ne zaman taşındık?", WORDS) == "causal"


@BOTH
def test_a_text_without_evidence_is_read_in_both_languages() -> None:
    """A bare word may be either."""
    assert patterns.read("Oslo 2020").languages == ("en", "tr")
    assert patterns.read("What was it?").languages == ("en",)
    assert patterns.read("Ne zamandı?").languages == ("tr",)


@pytest.mark.parametrize(
    ("plan", "quoted", "question"),
    [
        *english(("I will go", 'The sign says "I will go"', '"why"')),
        *turkish(("Yarın gideceğim", 'Kâğıtta "Yarın gideceğim" yazıyor', '"neden"')),
    ],
)
def test_what_is_quoted_says_nothing(plan: str, quoted: str, question: str) -> None:
    """Patterns do not read quotations."""
    assert patterns.found("tense/future", plan)
    assert not patterns.found("tense/future", quoted)
    assert patterns.label("route", question, WORDS) is None

"""Contradictions: labelled pairs in two halves and two languages, and what every pair of texts may expect."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.contradiction import Contradiction, contradicts, contradicts_read, reading

DATA = Path(__file__).parent / "data"
PRECISION_MIN = 0.95
RECALL_MIN = {
    ("development", "en"): 0.90,
    ("development", "tr"): 0.95,
    ("held-out", "en"): 0.74,
    ("held-out", "tr"): 0.62,
}
"""Recall reached on 2026-11-22: .927 and .976 where the rules were tuned, .741 and .630 on the other half."""


class Pair(NamedTuple):
    """A labelled pair."""

    kind: str
    contradicts: bool
    earlier: str
    later: str


def pairs(half: str, language: str) -> list[Pair]:
    """The labelled pairs of a half in a language."""
    found: list[Pair] = []
    kind, label = "", ""
    for line in (DATA / f"contradiction-{half}.{language}.txt").read_text("utf-8").splitlines():
        if line.startswith("## "):
            kind, _, label = line[3:].rpartition(" ")
        elif not line.startswith("#"):
            earlier, _, later = line.partition(" => ")
            found.append(Pair(kind, label == "yes", earlier, later))
    return found


@pytest.mark.parametrize(("half", "language"), list(RECALL_MIN))
def test_precision_and_recall_on_labelled_pairs(half: str, language: str) -> None:
    """At least 95 of 100 alarms are right, and recall does not fall below what was reached."""
    labelled = pairs(half, language)
    fired = [pair for pair in labelled if contradicts(pair.earlier, pair.later)]
    right = sum(pair.contradicts for pair in fired)
    wrong = [pair for pair in fired if not pair.contradicts]
    assert right >= PRECISION_MIN * len(fired), wrong
    assert right >= RECALL_MIN[half, language] * sum(pair.contradicts for pair in labelled)


def test_there_are_as_many_turkish_pairs_as_english() -> None:
    """Over three hundred in all, of the same kinds, and as many of each kind in both languages."""
    counts = {
        language: sorted((half, pair.kind) for half in ("development", "held-out") for pair in pairs(half, language))
        for language in ("en", "tr")
    }
    assert counts["en"] == counts["tr"]
    assert sum(map(len, counts.values())) >= 300


@pytest.mark.parametrize("half", ["development", "held-out"])
@pytest.mark.parametrize("language", ["en", "tr"])
def test_nothing_contradicts_itself(half: str, language: str) -> None:
    """Said twice, a thing is only said again."""
    texts = {text for pair in pairs(half, language) for text in (pair.earlier, pair.later)}
    assert [text for text in texts if contradicts(text, text)] == []


@pytest.mark.parametrize(
    ("earlier", "later", "found"),
    [
        (
            "My monthly rent is 900 euros.",
            "My monthly rent is 980 euros now.",
            Contradiction("number", "rent", "900 euros", "980 euros"),
        ),
        (
            "Aylık kiram 12 bin lira.",
            "Aylık kiram 15 bin lira.",
            Contradiction("number", "kira", "12 bin lira", "15 bin lira"),
        ),
        ("I live in Oslo.", "I moved to Lyon.", Contradiction("name", "home", "Oslo", "Lyon")),
        ("Oslo'da yaşıyorum.", "Lyon'a taşındım.", Contradiction("name", "home", "Oslo", "Lyon")),
        (
            "The exam deadline is May 4.",
            "The exam deadline is May 9.",
            Contradiction("date", "deadline", "May 4", "May 9"),
        ),
        (
            "I eat fish.",
            "I don't eat fish.",
            Contradiction("negation", "I eat fish", "I eat fish.", "I don't eat fish."),
        ),
        (
            "We keep the code on Gitea.",
            "We moved from Gitea to Forgejo.",
            Contradiction("correction", "We keep the code on Gitea", "Gitea", "Forgejo"),
        ),
    ],
)  # fmt: skip -- a case a line
def test_a_contradiction_says_of_what_and_what_was_and_is(earlier: str, later: str, found: Contradiction) -> None:
    """Its reason, its subject, what was said and what is said now."""
    assert contradicts(earlier, later) == found


def test_the_order_of_two_statements_is_the_order_of_the_values() -> None:
    """What is said later is what holds."""
    found = contradicts("My dog's name is Bruno.", "My dog's name is Rex.")
    assert found is not None
    assert (found.was, found.now) == ("Bruno", "Rex")


def test_what_was_read_before_gives_the_same_answer() -> None:
    """Reading and comparing apart is comparing."""
    for pair in pairs("development", "en"):
        assert contradicts_read(reading(pair.earlier), reading(pair.later)) == contradicts(pair.earlier, pair.later)


def test_a_value_may_stand_in_a_long_message() -> None:
    """Among questions and thanks."""
    earlier = "Thanks, that helps! My monthly book budget is $35, so what should I read next? Please be brief."
    later = "By the way, my monthly book budget is $50 now. Can you suggest something long?"
    found = contradicts(earlier, later)
    assert found is not None
    assert found.now == "$50"


@given(st.text(), st.text())
def test_any_two_texts_can_be_compared(earlier: str, later: str) -> None:
    """Nothing is raised, whatever they hold, and no answer depends on what was asked before."""
    assert contradicts(earlier, later) == contradicts(earlier, later)


@pytest.mark.parametrize(
    "text", ["", "\x00", "\ud800", "\ud83d\ude00", "שלום 5", "9" * 5000, "not " * 3000, "a" * 1_000_000]
)
def test_strange_texts_contradict_nothing(text: str) -> None:
    """Empty, with half characters, endless."""
    assert contradicts(text, "I have two cats.") is None
    assert contradicts("I have two cats.", text) is None


@pytest.mark.parametrize(
    ("earlier", "later"), [("I can swim.", "I can't swim well."), ("Yüzebilirim.", "İyi yüzemem.")]
)
def test_who_cannot_do_it_well_can_do_it(earlier: str, later: str) -> None:
    """What is denied is the manner."""
    assert contradicts(earlier, later) is None

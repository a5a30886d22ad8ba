"""The ways to compress that stand beside a digest, what is left of evidence, and planted facts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from benchmarks import cli, compression
from benchmarks.compression import (
    RATIOS,
    WAYS,
    content,
    documents,
    hard,
    held_of,
    lost_facts,
    measured,
    packed,
    planted,
)
from benchmarks.compression import tokens as counted
from benchmarks.values import Haystack, Item, Question
from reverie.types import Role

pytestmark = pytest.mark.req("D56", "D56b")
AT = datetime(2026, 6, 1, tzinfo=UTC)


def item(number: int, text: str, session: str = "s") -> Item:
    """One message."""
    return Item(f"m{number}", session, "Ada", Role.USER, AT.replace(hour=number % 24), text)


TEXTS = (
    "The kitchen tap drips again. We talked about nothing else.",
    "Zeynep moved to Izmir in 2019. The weather is nice today.",
    "The tap was repaired by Okan. It cost 900 lira and a day of work.",
)
ITEMS = tuple(item(number, text) for number, text in enumerate(TEXTS))
LIFE = Haystack("life", "en", ITEMS, (Question("q", "Who repaired the tap?", "all", ("m2",), AT.replace(day=2)),))


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("ratio", RATIOS)
def test_every_way_keeps_within_the_budget(name: str, ratio: int) -> None:
    """Each to the same number of tokens, under the messages that say it."""
    budget = sum(counted(one.text) for one in ITEMS) // ratio
    kept = WAYS[name](ITEMS, budget)
    assert set(kept) <= {0, 1, 2}
    assert sum(len(" ".join(texts)) for texts in kept.values()) <= budget * 4


def test_truncation_keeps_one_end_and_lead_the_first_sentences() -> None:
    """By hand."""
    assert compression.head(ITEMS, 5) == {0: ["The kitchen tap drip"]}
    assert list(compression.tail(ITEMS, 5)) == [2]
    assert compression.lead(ITEMS, 25) == {
        0: ["The kitchen tap drips again."],
        1: ["Zeynep moved to Izmir in 2019."],
        2: ["The tap was repaired by Okan."],
    }


def test_central_sentences_are_those_that_others_resemble() -> None:
    """The one that shares a word with two others comes first."""
    said = [item(n, text) for n, text in enumerate(["The tap drips.", "A tap leaks.", "The weather.", "It leaks."])]
    for way in (compression.lexrank, compression.textrank):
        assert set(way(said, 4)) == {1}


def test_content_and_names_are_what_they_say() -> None:
    """No function words; a capital inside of a sentence, and digits."""
    assert content("She said that Okan was there.") == content("Okan")
    assert hard("The tap of Okan costs 900.50 lira.") == {"okan", "900.50"}


def test_sessions_are_joined_whole_to_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until they are long enough."""
    monkeypatch.setattr(compression, "LEAST", 20)
    items = (item(0, "a" * 60, "x"), item(1, "b" * 60, "x"), item(2, "c", "y"), item(3, "d", "z"))
    assert [[one.id for one in group] for group in documents(Haystack("h", "en", items, ()))] == [
        ["m0", "m1"],
        ["m2", "m3"],
    ]


def test_what_is_left_of_evidence_is_measured_under_its_own_message() -> None:
    """A digest of half the length keeps more names and numbers of the last message than truncation."""
    held = held_of(LIFE)
    assert held["digest", 2]["m2"][1] > held["truncated head", 2]["m2"][1] == 0.0
    lines = list(measured([LIFE], 0))
    assert len(lines) == 2 * len(RATIOS) * (2 + len(WAYS))


def test_condensing_what_does_not_fit_costs_no_evidence() -> None:
    """It takes only the room that is left."""
    assert all(", worse 0" in line for line in packed([LIFE], 0))


def test_no_planted_fact_is_lost_and_a_seed_gives_the_same() -> None:
    """The command says so, too."""
    assert planted(3, 5) == planted(3, 5) != planted(4, 5)
    missing, all_of = lost_facts(planted(3, 100))
    assert (missing, all_of > 300) == (0, True)


def test_the_check_of_planted_facts_sees_a_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were a digest to drop a fact, it would be counted."""
    whole = compression.digest
    monkeypatch.setattr(compression, "digest", lambda sources: whole(sources, 200))
    assert lost_facts(planted(3, 100))[0] > 0


def test_the_command_prints_the_planted_facts(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a set, these alone."""
    assert cli.main(["compression"]) == 0
    assert capsys.readouterr().out.startswith("planted facts lost: 0 of ")

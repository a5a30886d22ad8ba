"""Understanding a cue: terms, people, time, whom it asks about."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reverie.recall.understand import understand
from reverie.types import TimeWindow
from tests.spoken import ENGLISH, TURKISH, english, turkish

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


@ENGLISH
def test_an_english_question() -> None:
    """The one named is found among the speakers; question words are no terms."""
    cue = understand("When did Caroline go hiking last week?", ["Caroline", "Melanie"], NOW)
    assert cue.speakers == ("Caroline",)
    assert "hike" in cue.terms
    assert "when" not in cue.terms
    assert cue.language == "en"
    assert cue.window is not None
    assert (cue.window.start, cue.window.end) == (datetime(2026, 6, 8, tzinfo=UTC), datetime(2026, 6, 15, tzinfo=UTC))


@TURKISH
def test_a_turkish_question() -> None:
    """The same in Turkish, with the suffix on the name."""
    cue = understand("Geçen hafta Ayşe'nin annesi nereye gitti?", ["Ayşe", "Mehmet"], NOW)
    assert cue.speakers == ("Ayşe",)
    assert "haf" in cue.terms
    assert not any(term.startswith("nere") for term in cue.terms)
    assert cue.language == "tr"
    assert cue.window is not None
    assert (cue.window.start, cue.window.end) == (datetime(2026, 6, 8, tzinfo=UTC), datetime(2026, 6, 15, tzinfo=UTC))


@pytest.mark.parametrize(
    "text",
    [
        *english("Which restaurant did you recommend for my birthday?"),
        *turkish("Doğum günüm için hangi restoranı önermiştin?"),
    ],
)
def test_the_asker_and_the_assistant(text: str) -> None:
    """The word "my" asks about the asker, "you recommended" about the assistant."""
    cue = understand(text, ["user", "assistant"], NOW)
    assert cue.first_person
    assert cue.asks_assistant


@pytest.mark.parametrize("text", [*english("last week"), *turkish("geçen hafta")])
def test_a_window_the_caller_sets_wins(text: str) -> None:
    """It stands above what the text says."""
    window = TimeWindow(datetime(2020, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC), "2020")
    assert understand(text, [], NOW, window).window is window

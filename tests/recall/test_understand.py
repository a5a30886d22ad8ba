"""Understanding a cue: terms, people, time, whom it asks about."""

from __future__ import annotations

from datetime import UTC, datetime

from reverie.recall.understand import understand
from reverie.types import TimeWindow

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


def test_an_english_question() -> None:
    """The one named is found among the speakers; question words are no terms."""
    cue = understand("When did Caroline go hiking last week?", ["Caroline", "Melanie"], NOW)
    assert cue.speakers == ("Caroline",)
    assert "hike" in cue.terms
    assert "when" not in cue.terms
    assert cue.language == "en"
    assert cue.window is not None
    assert (cue.window.start, cue.window.end) == (datetime(2026, 6, 8, tzinfo=UTC), datetime(2026, 6, 15, tzinfo=UTC))


def test_a_turkish_question() -> None:
    """The same in Turkish, with the suffix on the name."""
    cue = understand("Geçen hafta Ayşe'nin annesi nereye gitti?", ["Ayşe", "Mehmet"], NOW)
    assert cue.speakers == ("Ayşe",)
    assert cue.language == "tr"
    assert cue.window is not None
    assert cue.window.start == datetime(2026, 6, 8, tzinfo=UTC)


def test_the_asker_and_the_assistant() -> None:
    """The word "my" asks about the asker, "you recommended" about the assistant."""
    cue = understand("Which restaurant did you recommend for my birthday?", ["user", "assistant"], NOW)
    assert cue.first_person
    assert cue.asks_assistant


def test_a_window_the_caller_sets_wins() -> None:
    """It stands above what the text says."""
    window = TimeWindow(datetime(2020, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC), "2020")
    assert understand("last week", [], NOW, window).window is window

"""Understanding a cue: terms, people, time, whom it asks about."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reverie.language.text.analyzer import stems
from reverie.recall.query import understand
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
    assert any("haf" in stems(term) for term in cue.terms)
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


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        *english(
            ("Which trips did we take before 2026?", ("trip", "take|took|taken")),
            ("Which trips did we take since March 2026?", ("trip", "take|took|taken")),
            ("Which trips did we take after 3 May?", ("trip", "take|took|taken")),
            ("Which trips did we take until yesterday?", ("trip", "take|took|taken")),
            ("What did we do from May on?", ()),
            ("What did we do before 2026?", ()),
        ),
        *turkish(
            ("2026'dan önce hangi gezileri yaptık?", ("gezi|gezileri", "yap|yaptik")),
            ("Mart 2026'dan beri hangi gezileri yaptık?", ("gezi|gezileri", "yap|yaptik")),
            ("3 Mayıs'tan sonra hangi gezileri yaptık?", ("gezi|gezileri", "yap|yaptik")),
            ("Düne kadar hangi gezileri yaptık?", ("gezi|gezileri", "yap|yaptik")),
            ("Mayıstan itibaren ne yaptık?", ("yap|yaptik",)),
            ("2026'dan önce?", ()),
        ),
    ],
)
def test_the_words_of_a_bound_are_not_searched_for(text: str, terms: tuple[str, ...]) -> None:
    """What was before 2026 does not tell of 2026; the window says when."""
    cue = understand(text, [], NOW)
    assert cue.window is not None
    assert cue.terms == terms


@pytest.mark.parametrize(
    ("text", "term"),
    [
        *english(
            ("What did we do in March?", "march"),
            ("What did we do between March and May?", "march"),
            ("What did we do the week before March 3?", "march"),
            ("What did we finish by March?", "march"),
            ("What was said of the March trip before March 2026?", "march"),
        ),
        *turkish(
            ("Martta ne yaptık?", "mart"),
            ("Mart ile mayıs arasında ne yaptık?", "mart"),
            ("3 Mart'tan 5 Nisan'a kadar ne yaptık?", "mart"),
            ("Mart 2026'da ne bitirdik?", "mart"),
            ("Mart 2026'dan önce mart gezisi için ne dendi?", "mart"),
        ),
    ],
)
def test_the_words_of_any_other_time_are(text: str, term: str) -> None:
    """The window holds what they name, or what was before is told then; and so are those said twice."""
    assert term in {stem for one in understand(text, [], NOW).terms for stem in stems(one)}


@pytest.mark.parametrize("text", [*english("Which trips before 2026?"), *turkish("2026'dan önce hangi geziler?")])
def test_beside_a_window_the_caller_sets_every_word_is_searched_for(text: str) -> None:
    """Nobody read the bound, so nothing else stands for it."""
    window = TimeWindow(datetime(2020, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC), "2020")
    assert "2026" in understand(text, [], NOW, window).terms

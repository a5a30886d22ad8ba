from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from reverie.language.text.analyzer import stems
from reverie.recall.query import (
    AFTER,
    BEFORE,
    cue_vector,
    inside,
    near_window,
    telling_match,
    time_match,
    told_time_match,
    understand,
)
from reverie.types import Cue, FloatArray, TimeWindow
from tests.recall.fake_corpus import START, FakeCorpus, Line
from tests.spoken import BOTH, ENGLISH, NEITHER, TURKISH, english, turkish

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


def test_question_and_content_count_alike() -> None:
    """Two vectors at a right angle give the one between them."""
    seen: list[str] = []

    def embed(text: str) -> FloatArray:
        seen.append(text)
        return np.array([1, 0] if len(seen) == 1 else [0, 1], np.float32)

    vector = cue_vector("When did Caroline paint the harbour?", embed)
    assert vector.tolist() == pytest.approx([0.5**0.5, 0.5**0.5])
    assert seen[0] == "When did Caroline paint the harbour?"
    assert "When" not in seen[1]
    assert "harbour" in seen[1]


def test_a_cue_of_content_words_is_embedded_once() -> None:
    """Nothing to leave out, nothing to pay twice."""
    seen: list[str] = []

    def embed(text: str) -> FloatArray:
        seen.append(text)
        return np.array([1, 0], np.float32)

    cue_vector("harbour boat", embed)
    assert seen == ["harbour boat"]


def test_whom_the_cue_asks_about_is_not_looked_for() -> None:
    """Who tells of themself does not say their own name: it is in the question, not among its words."""
    seen: list[str] = []

    def embed(text: str) -> FloatArray:
        seen.append(text)
        return np.array([1, 0], np.float32)

    cue_vector("When did Caroline paint the harbour?", embed, ["Caroline"])
    assert seen == ["When did Caroline paint the harbour?", "paint the harbour?"]


CORPUS = FakeCorpus([Line("a", day=0), Line("b", day=1), Line("c", day=2)])
WINDOW = TimeWindow(START, START + timedelta(days=2), "those two days")


@NEITHER
def test_the_window_holds_its_start_and_not_its_end() -> None:
    """Half-open: day 0 and 1, not day 2."""
    assert inside(CORPUS, WINDOW).tolist() == [True, True, False]


def cue(text: str, window: TimeWindow | None = None) -> Cue:
    """A cue that speaks of a time, or not."""
    return Cue(text, (), "en", window=window)


@NEITHER
def test_the_signal_is_the_same_for_candidates() -> None:
    """1 inside, less right behind, and 0 for what was said long after."""
    late = FakeCorpus([Line("a", day=0), Line("b", day=2), Line("c", day=30)])
    assert time_match(late, cue("a", WINDOW), np.array([0, 1, 2])).tolist() == pytest.approx([1.0, AFTER, 0.0])


@NEITHER
def test_what_is_told_of_a_time_is_told_soon_after() -> None:
    """It falls in a line, sooner before the window than behind it; a longer window means its edges less exactly."""
    days = np.array([-4.0, -1.0, 0.0, 1.0, 2.0, 3.0, 9.0])
    said = np.array([START.timestamp() + day * 86_400.0 for day in days])
    day = TimeWindow(START, START + timedelta(days=1), "that day")
    near = near_window(said, day).tolist()
    assert near == pytest.approx([0.0, BEFORE * 2 / 3, 1.0, AFTER, AFTER * 3 / 4, AFTER / 2, 0.0], abs=1e-3)
    month = TimeWindow(START - timedelta(days=29), START + timedelta(days=1), "that month")
    assert near_window(said, month)[6] > 0.0


@NEITHER
def test_no_window_is_silence() -> None:
    """Without a time in the cue nothing is raised."""
    assert time_match(CORPUS, cue("a"), np.array([0, 1])).tolist() == [0.0, 0.0]


TOLD = FakeCorpus([Line("the boat left yesterday"), Line("the boat left"), Line("tekne dun gitti")])


@pytest.mark.parametrize(
    ("when", "where"),
    [
        *english(("When did the boat leave?", "Where did the boat go?")),
        *turkish(("Tekne ne zaman gitti?", "Tekne nereye gitti?")),
    ],
)
def test_who_asks_for_a_time_wants_one_told(when: str, where: str) -> None:
    """1 where the stem of a word of time stands, in either language."""
    assert told_time_match(TOLD, cue(when), np.array([0, 1, 2])).tolist() == [1.0, 0.0, 1.0]
    assert told_time_match(TOLD, cue(where), np.array([0, 1, 2])).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("text", [*english("When was it?"), *turkish("Ne zamandı?")])
def test_a_time_that_is_spoken_of_counts_alone(text: str) -> None:
    """When within those two days: what was said then, whether it tells a time or not."""
    assert time_match(CORPUS, cue(text, WINDOW), np.array([0, 2])).tolist() == pytest.approx([1.0, AFTER])
    assert told_time_match(TOLD, cue(text, WINDOW), np.array([0, 1, 2])).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("text", [*english("When was it?"), *turkish("Ne zamandı?")])
def test_who_asks_for_a_time_names_none(text: str) -> None:
    """What was said when is no match for a cue that only asks when."""
    assert time_match(CORPUS, cue(text), np.array([0, 1, 2])).tolist() == [0.0, 0.0, 0.0]


CORPUS_MANNER = FakeCorpus(
    [
        Line("my kite and our boat and nothing more"),
        Line("what is your kite and your boat like"),
        Line("benim bir uçurtma var bizde çok renkli"),
        Line("sen hangi renk bir uçurtma sever idin"),
        Line("the kite is red"),
    ]
)


@BOTH
def test_telling_in_both_languages() -> None:
    """Two words for oneself in eight are all, two for the other nothing, none in the middle."""
    corpus = CORPUS_MANNER
    assert telling_match(corpus, np.arange(5)).tolist() == pytest.approx([1.0, 0.0, 1.0, 0.0, 0.5])

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidInput
from reverie.language.text import lists
from reverie.language.text.analyzer import index_terms, query_terms, stems
from reverie.language.time.dates import moments
from reverie.language.time.questions import date_terms, without_bound
from reverie.types import TimeWindow
from tests.spoken import BOTH, ENGLISH, NEITHER, TURKISH, english, neither, turkish

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)
"""A Wednesday."""


def read(text: str) -> str:
    """First day, day after the last and phrase of the window, or nothing."""
    window = without_bound(text, NOW)[1]
    return f"{window.start:%Y-%m-%d} {window.end:%Y-%m-%d} {window.phrase}" if window else ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("over the weekend", "2026-03-14 2026-03-16 the weekend"),
            ("What are we doing at the weekend?", "2026-03-21 2026-03-23 the weekend"),
            ("since the weekend", "2026-03-14 2026-03-19 since the weekend"),
            ("at Christmas", "2025-12-24 2025-12-27 Christmas"),
            ("on Christmas day 2024", "2024-12-25 2024-12-26 Christmas day 2024"),
            ("in the last quarter of the year", "2025-10-01 2026-01-01 the last quarter of the year"),
            ("on Christmas day", "2025-12-25 2025-12-26 Christmas day"),
            ("last Christmas", "2025-12-24 2025-12-27 last Christmas"),
            ("this Halloween", "2026-10-31 2026-11-01 this Halloween"),
            ("What will we do at Christmas?", "2026-12-24 2026-12-27 Christmas"),
            ("on new year's eve", "2025-12-31 2026-01-01 new year's eve"),
            ("in the first quarter", "2026-01-01 2026-04-01 the first quarter"),
            ("in the last quarter of 2025", "2025-10-01 2026-01-01 the last quarter of 2025"),
            ("in the first half of 2025", "2025-01-01 2025-07-01 the first half of 2025"),
            ("in the second half of February", "2026-02-16 2026-03-01 the second half of February"),
            ("in the first week of February", "2026-02-01 2026-02-08 the first week of February"),
            ("the fifth week of May 2025", "2025-05-29 2025-06-01 the fifth week of May 2025"),
            ("the second week of last month", "2026-02-08 2026-02-15 the second week of last month"),
            ("the first week of the month", "2026-03-01 2026-03-08 the first week of the month"),
            ("the last Friday of April", "2025-04-25 2025-04-26 the last Friday of April"),
            ("the first weekend of February", "2026-02-07 2026-02-09 the first weekend of February"),
            ("between the 12th and 15th", "2026-03-12 2026-03-16 between the 12th and 15th"),
            ("from the 20th to the 24th", "2026-02-20 2026-02-25 from the 20th to the 24th"),
        ),
        *turkish(
            ("hafta sonunda", "2026-03-14 2026-03-16 hafta sonunda"),
            ("Hafta sonu ne yaptık?", "2026-03-14 2026-03-16 Hafta sonu"),
            ("Hafta sonu ne yapacağız?", "2026-03-21 2026-03-23 Hafta sonu"),
            ("hafta sonundan beri", "2026-03-14 2026-03-19 hafta sonundan beri"),
            ("yılbaşında", "2025-12-31 2026-01-03 yılbaşında"),
            ("2024 yılbaşında", "2023-12-31 2024-01-03 2024 yılbaşında"),
            ("geçen noelde", "2025-12-24 2025-12-27 geçen noelde"),
            ("yılbaşından önce", "1-01-01 2025-12-31 yılbaşından önce"),
            ("Yılbaşında ne yapacağız?", "2026-12-31 2027-01-03 Yılbaşında"),
            ("sevgililer gününde", "2026-02-14 2026-02-15 sevgililer gününde"),
            ("ilk çeyrekte", "2026-01-01 2026-04-01 ilk çeyrekte"),
            ("2025'in son çeyreğinde", "2025-10-01 2026-01-01 2025'in son çeyreğinde"),
            ("2025 yılının ilk yarısında", "2025-01-01 2025-07-01 2025 yılının ilk yarısında"),
            ("şubatın ikinci yarısında", "2026-02-16 2026-03-01 şubatın ikinci yarısında"),
            ("ocak ayının ilk haftasında", "2026-01-01 2026-01-08 ocak ayının ilk haftasında"),
            ("geçen ayın ikinci haftası", "2026-02-08 2026-02-15 geçen ayın ikinci haftası"),
            ("ayın ilk haftasında", "2026-03-01 2026-03-08 ayın ilk haftasında"),
            ("nisanın son cuması", "2025-04-25 2025-04-26 nisanın son cuması"),
            ("şubatın ilk hafta sonunda", "2026-02-07 2026-02-09 şubatın ilk hafta sonunda"),
            ("ayın 12'si ile 15'i arasında", "2026-03-12 2026-03-16 ayın 12'si ile 15'i arasında"),
            ("ayın 20'sinden 24'üne kadar", "2026-02-20 2026-02-25 ayın 20'sinden 24'üne kadar"),
            ("ayın yirmisinde", "2026-02-20 2026-02-21 ayın yirmisinde"),
            ("Ayın yirmisinde ne var?", "2026-03-20 2026-03-21 Ayın yirmisinde"),
            ("geçen ayın üçünde", "2026-02-03 2026-02-04 geçen ayın üçünde"),
        ),
    ],
)
def test_a_time_a_question_names(text: str, expected: str) -> None:
    """The latest, or the next where it asks what is to come."""
    assert read(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "Where is my Christmas tree?",
            "What is a Halloween costume?",
            "What is the weekend plan?",
            "in the first quarter of the game",
            "Who scored in the fourth quarter?",
            "on the second floor",
            "between the 15th and the 12th",
            "Which seats between the 12th and 15th rows?",
        ),
        *turkish(
            "Noel ağacı nerede?",
            "Yeni yılda ne değişti?",
            "Hafta sonu evi nerede?",
            "her hafta sonu ne yaparım",
            "maçın ilk çeyreğinde",
            "Dördüncü çeyrekte topu kim kaybetti?",
            "ikinci katta",
            "yılbaşı ağacı nerede?",
            "çayın üçü",
        ),
    ],
)
def test_no_time(text: str) -> None:
    """A thing that bears the name of a time is none, nor is what no calendar has."""
    assert read(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "We will meet over the weekend.",
            "The fair is on the last Friday of April.",
            "We will be home at Christmas.",
        ),
        *turkish("Hafta sonunda buluşacağız.", "Fuar nisanın son cuması olacak.", "Yılbaşında evde olacağız."),
    ],
)
def test_no_statement_is_dated_by_what_comes_again(text: str) -> None:
    """What is to come is not given the date of the last one."""
    assert all(moment.span.end > NOW for moment in moments(text, NOW))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("a fortnight ago", "2026-03-02 2026-03-09 a fortnight ago"),
            ("over the past fortnight", "2026-03-04 2026-03-19 over the past fortnight"),
            ("the second of May", "2025-05-02 2025-05-03 the second of May"),
            ("on the twenty-first of May 2024", "2024-05-21 2024-05-22 the twenty-first of May 2024"),
            ("half a year ago", "2025-08-01 2025-11-01 half a year ago"),
            ("a month and a half ago", "2026-01-25 2026-02-08 a month and a half ago"),
            ("two and a half years ago", "2023-08-01 2023-11-01 two and a half years ago"),
            ("1.5 weeks ago", "2026-03-05 2026-03-09 1.5 weeks ago"),
        ),
        *turkish(
            ("on üç gün önce", "2026-03-05 2026-03-06 on üç gün önce"),
            ("son yirmi dört gün", "2026-02-22 2026-03-19 son yirmi dört gün"),
            ("Mayısın ikisinde", "2025-05-02 2025-05-03 Mayısın ikisinde"),
            ("2024 Mayıs'ın yirmi birinde", "2024-05-21 2024-05-22 2024 Mayıs'ın yirmi birinde"),
            ("yarım yıl önce", "2025-08-01 2025-11-01 yarım yıl önce"),
            ("bir buçuk ay önce", "2026-01-25 2026-02-08 bir buçuk ay önce"),
            ("iki buçuk yıl önce", "2023-08-01 2023-11-01 iki buçuk yıl önce"),
            ("1,5 hafta önce", "2026-03-05 2026-03-09 1,5 hafta önce"),
        ),
    ],
)
def test_halves_and_numbers_in_words(text: str, expected: str) -> None:
    """These are read in statements as well."""
    assert read(text) == expected


NOW_TIMES = datetime(2024, 5, 15, 14, 30, tzinfo=UTC)
"""A Wednesday."""
DATA = Path(__file__).parents[1] / "data"
CASES = [
    pytest.param(case, id=case["text"], marks=mark)
    for language, mark in (("en", ENGLISH), ("tr", TURKISH))
    for line in (DATA / f"times.{language}.jsonl").read_text("utf-8").splitlines()
    if (case := json.loads(line))
]
TODAY = [*english("today"), *turkish("bugün")]
WORDS = (DATA / "time-pieces.txt").read_text("utf-8").split()


def window_of(text: str, now: datetime) -> TimeWindow | None:
    """The window alone."""
    return without_bound(text, now)[1]


@pytest.mark.parametrize("case", CASES)
def test_labelled_expressions(case: dict[str, str | None]) -> None:
    """Each text names this window, read from these words, or none."""
    window = window_of(str(case["text"]), NOW_TIMES)
    found = (window.start.isoformat(), window.end.isoformat(), window.phrase) if window else (None, None, None)
    assert found == (case["start"], case["end"], case["phrase"])


@BOTH
def test_there_are_enough_labelled_expressions() -> None:
    """Sixty of times and thirty without, in each language."""
    for language in ("en", "tr"):
        cases = [json.loads(line) for line in (DATA / f"times.{language}.jsonl").read_text("utf-8").splitlines()]
        assert sum(case["start"] is not None for case in cases) >= 60
        assert sum(case["start"] is None for case in cases) >= 30


@pytest.mark.parametrize("text", TODAY)
def test_days_are_those_of_utc(text: str) -> None:
    """Half past one at night in Istanbul is still the day before in UTC."""
    istanbul = timezone(timedelta(hours=3))
    window = window_of(text, datetime(2024, 5, 16, 1, 30, tzinfo=istanbul))
    assert window is not None
    assert window.start == datetime(2024, 5, 15, tzinfo=UTC)
    assert window.start.tzinfo is UTC


@pytest.mark.parametrize("text", TODAY)
def test_a_moment_without_its_zone_is_refused(text: str) -> None:
    """We do not guess which day it is."""
    with pytest.raises(InvalidInput, match="time zone"):
        window_of(text, datetime(2024, 5, 15))


@pytest.mark.parametrize(
    "text",
    [
        *english("999999999 years ago", "1000000 days ago", "since 99999"),
        *turkish("999999999 yıl önce", "1000000 gün önce", "99999'dan beri", "30 Şubat"),
        *neither("31/11/2023", "00.00.0000"),
    ],
)
def test_times_that_do_not_exist_are_none(text: str) -> None:
    """Nothing is raised by dates beyond the calendar."""
    assert window_of(text, NOW_TIMES) is None


@pytest.mark.parametrize("year", [1, 2, 9998, 9999])
@pytest.mark.parametrize(
    "text",
    [
        *english("last week", "next year", "two years ago", "since May", "after tomorrow", "90s"),
        *turkish("geçen yaz", "gelecek yıl", "iki yıl önce", "mayıstan beri", "yarından sonra", "90'lar"),
    ],
)
def test_the_ends_of_the_calendar_hold(year: int, text: str) -> None:
    """A clock at either end gives a window or none."""
    for now in (datetime(year, 1, 1, tzinfo=UTC), datetime(year, 12, 31, tzinfo=UTC)):
        window = window_of(text, now)
        assert window is None or window.start < window.end


@given(
    st.one_of(st.text(), st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)),
    st.datetimes(timezones=st.just(UTC)),
)
@NEITHER
def test_a_window_is_never_empty_and_its_phrase_is_in_the_text(text: str, now: datetime) -> None:
    """Any text at any time gives a half-open window and the words it was read from, or none."""
    window = window_of(text, now)
    if window is not None:
        assert window.start < window.end
        assert window.phrase
        assert window.phrase in text or not text.isascii()


@BOTH
@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)), st.sampled_from(["en", "tr"]))
def test_a_date_in_words_is_read_back(day: date, language: str) -> None:
    """The day, the name of its month and its year name that day."""
    month = lists.table(f"time-words.{language}")[f"month {day.month}"][0]
    window = window_of(f"{day.day} {month} {day.year}", NOW_TIMES)
    assert window is not None
    assert (window.start.date(), window.end - window.start) == (day, timedelta(days=1))


@pytest.mark.parametrize(
    "text",
    [
        *english("What was the issue last week, as mentioned on November 6, 2023?"),
        *turkish("6 Kasım 2023'te konuştuğumuz gibi, geçen haftaki sorun neydi?"),
    ],
)
def test_an_explicit_year_goes_before_what_counts_from_now(text: str) -> None:
    """What was said "last week, as mentioned on November 6, 2023" was said then."""
    window = window_of(text, NOW_TIMES)
    assert window is not None
    assert window.start == datetime(2023, 11, 6, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "month", "question"),
    [
        *english(("en", "may", "What did I say on 7 May 2023?")),
        *turkish(("tr", "mayis", "7 Mayıs 2023'te ne dedim?")),
    ],
)
def test_the_date_of_a_message_is_found_by_a_question(language: str, month: str, question: str) -> None:
    """Day, month and year are the terms the question's words give."""
    terms = date_terms(datetime(2023, 5, 7, tzinfo=UTC), language)
    assert terms == ["7", month, "2023"]
    assert set(terms) <= {stem for term in query_terms(question) for stem in stems(term)}


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        *english(
            ("trips before March 2023 by train", "trips   by train"),
            ("trips in March 2023 by train", "trips in March 2023 by train"),
            ("trips until May" + 2000 * " train", "trips  " + 2000 * " train"),
            ("trips by train", "trips by train"),
        ),
        *turkish(
            ("Mart 2023'ten önce trenle geziler", "  trenle geziler"),
            ("Mart 2023'te trenle geziler", "Mart 2023'te trenle geziler"),
            ("mayısa kadar geziler" + 2000 * " tren", "  geziler" + 2000 * " tren"),
            ("trenle geziler", "trenle geziler"),
        ),
    ],
)
def test_the_words_of_a_bound_are_told_apart(text: str, rest: str) -> None:
    """Only what lies outside of the window is left out, and nothing behind what is looked at is lost."""
    assert without_bound(text, NOW_TIMES)[0] == rest


@BOTH
def test_every_month_has_the_term_of_its_name() -> None:
    """The stem of the date is the stem of the word in a text."""
    for language, names in (
        ("en", "January February March April May June July August September October November December"),
        ("tr", "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık"),
    ):
        for month, name in enumerate(names.split(), 1):
            assert date_terms(datetime(2024, month, 1, tzinfo=UTC), language)[1:2] == index_terms(name, language)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        *english(
            ("What do I have on Friday?", datetime(2026, 6, 12)),
            ("What am I doing on Friday?", datetime(2026, 6, 12)),
            ("Where will we go in July?", datetime(2026, 7, 1)),
            ("What did I do on Friday?", datetime(2026, 6, 5)),
            ("What is the thing Tom did on Friday?", datetime(2026, 6, 5)),
            ("Is there anything I said on Friday?", datetime(2026, 6, 5)),
        ),
        *turkish(
            ("Cuma günü ne yapacağım?", datetime(2026, 6, 12)),
            ("Cuma günü ne var?", datetime(2026, 6, 12)),
            ("Temmuzda nereye gideceğiz?", datetime(2026, 7, 1)),
            ("Cuma günü ne yaptım?", datetime(2026, 6, 5)),
            ("Cuma günü ne yapıyorum demiştim?", datetime(2026, 6, 5)),
            ("Haftaya cuma ne yapacağım?", datetime(2026, 6, 19)),
        ),
    ],
)
def test_a_question_about_what_is_to_come_means_the_next(text: str, start: datetime) -> None:
    """The coming Friday or July where it asks what will be, the last where it asks what was."""
    window = window_of(text, datetime(2026, 6, 10, 12, tzinfo=UTC))
    assert window is not None
    assert window.start == start.replace(tzinfo=UTC)

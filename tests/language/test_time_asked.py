"""Times that only a question is read for, in both languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reverie.language.time.dates import moments
from reverie.language.time.questions import without_bound
from tests.spoken import english, turkish

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

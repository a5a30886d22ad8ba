"""Since when a statement is true by its own words, English and Turkish; and where its words do not say it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from reverie.language.time.dates import valid_from
from reverie.types import Kind, beginning
from tests.spoken import BOTH, ENGLISH, TURKISH, english, neither, turkish

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)

SAID = [
    ("2025-05", "I moved to Izmir in May 2025.", "Mayıs 2025'te İzmir'e taşındım."),
    ("2019", "I have worked at Acme since 2019.", "2019'dan beri Acme'de çalışıyorum."),
    ("2024", "I bought a car two years ago.", "İki yıl önce araba aldım."),
    ("2026-02", "My brother quit his job last month.", "Kardeşim geçen ay işten ayrıldı."),
    ("2026-03-01", "I cut my finger yesterday.", "Dün parmağımı kestim."),
    ("1990", "I was born in 1990.", "1990'da doğdum."),
    ("2025-05-12", "We met on 12 May 2025.", "12 Mayıs 2025'te tanıştık."),
    ("2010-01-01/2015-12-31", "I worked at Google from 2010 to 2015.", "2010'dan 2015'e kadar Google'da çalıştım."),
    ("2025-01-01", "After 2024 I lived alone.", "2024'ten sonra yalnız yaşadım."),
    ("2026-02-23/2026-03-01", "I work from home since last week.", "Geçen haftadan beri evden çalışıyorum."),
    ("", "I lived in Berlin until May 2025.", "Mayıs 2025'e kadar Berlin'de yaşadım."),
    ("", "I'm moving to Berlin in June 2027.", "Haziran 2027'de Berlin'e taşınacağım."),
    ("", "I live in the flat I bought in 2020.", "2020'de aldığım evde yaşıyorum."),
    ("", "I sold the house I bought in 2020.", "2020'de aldığım evi sattım."),
    ("", "I was in Rome in 2019 and in Paris in 2021.", "2019'da Roma'daydım, 2021'de Paris'e gittim."),
    ("", "If I had moved in May 2025 I would be rich.", "Mayıs 2025'te taşınsaydım zengin olurdum."),
    ("", "I moved today.", "Bugün taşındım."),
    ("", "I moved to Izmir.", "İzmir'e taşındım."),
    ("", "The budget for 2025 is 5000 euros.", "2025 bütçesi 5000 avro."),
]


@pytest.mark.req("D17", "D12")
@pytest.mark.parametrize(
    ("begin", "text"),
    [
        *english(*((begin, text) for begin, text, _ in SAID)),
        *turkish(*((begin, text) for begin, _, text in SAID)),
    ],
)
def test_what_happened_is_true_from_the_time_that_was_said(begin: str, text: str) -> None:
    """As precisely as it was said; empty where the words do not certainly say it."""
    assert valid_from(text, AT, Kind.FACT) == begin


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "My sister, who moved to Ankara in 2019, is a doctor.",
            "I moved in May 2025, and I like it here.",
            "She works at the company she founded in 2019.",
            "I moved in May 2025. I like it here.",
        ),
        *turkish(
            "2019'da Ankara'ya taşınan kardeşim doktor.",
            "2019'da kurduğu şirkette çalışıyor.",
            "Mayıs 2025'te taşındım. Burayı seviyorum.",
            "2020'de aldığım ev büyük.",
        ),
        *neither("", "2025"),
    ],
)
def test_what_is_so_now_does_not_begin_with_a_past_beside_it(text: str) -> None:
    """A clause in the present, or another sentence, has no beginning from a time told beside it."""
    assert valid_from(text, AT, Kind.FACT) == ""


@pytest.mark.parametrize("kind", [Kind.PREFERENCE, Kind.INSTRUCTION, Kind.PLAN])
@pytest.mark.parametrize(
    ("since", "then"),
    [
        pytest.param("I've loved jazz since 2010.", "I loved the concert in 2010.", marks=ENGLISH),
        pytest.param("2010'dan beri cazı severim.", "2010'da konseri sevdim.", marks=TURKISH),
    ],
)
def test_a_taste_begins_only_where_a_since_says_so(kind: Kind, since: str, then: str) -> None:
    """The time of what was liked is not the time from which it is liked."""
    assert valid_from(since, AT, kind) == "2010"
    assert valid_from(then, AT, kind) == ""


@BOTH
@pytest.mark.parametrize("at", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)])
def test_the_ends_of_the_calendar_are_no_error(at: datetime) -> None:
    """What leaves it has no beginning."""
    for _, *texts in SAID:
        for text in texts:
            assert not (begin := valid_from(text, at, Kind.FACT)) or beginning(begin) < at


@BOTH
def test_days_are_those_of_utc() -> None:
    """Half past one in Istanbul is still yesterday there and yesterday's evening here."""
    night = datetime(2026, 3, 2, 1, 30, tzinfo=timezone(timedelta(hours=3)))
    assert valid_from("I cut my finger yesterday.", night, Kind.FACT) == "2026-02-28"
    assert valid_from("Dün parmağımı kestim.", night, Kind.FACT) == "2026-02-28"

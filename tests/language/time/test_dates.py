from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidInput
from reverie.language.time.dates import Dated, dated, iso, moments, valid_from
from reverie.language.time.spans import CalendarSpan
from reverie.types import Kind, beginning
from tests.spoken import BOTH, ENGLISH, NEITHER, TURKISH, english, neither, turkish

AT = datetime(2026, 3, 4, 14, 30, tzinfo=UTC)
"""A Wednesday."""
WRITTEN_ENGLISH = [
    ("I saw her yesterday.", "I saw her yesterday (2026-03-03)."),
    ("I fly tomorrow!", "I fly tomorrow (2026-03-05)!"),
    ("We moved two weeks ago.", "We moved two weeks ago (2026-02-16/2026-02-22)."),
    ("He came last Tuesday.", "He came last Tuesday (2026-03-03)."),
    ("I started last month.", "I started last month (2026-02)."),
    ("We met last year.", "We met last year (2025)."),
    ("I flew on Friday.", "I flew on Friday (2026-02-27)."),
    ("I'll fly on Friday.", "I'll fly on Friday (2026-03-06)."),
    ("I will graduate in May.", "I will graduate in May (2026-05)."),
    ("It was in May.", "It was in May (2025-05)."),
    ("I'm going to move in two weeks.", "I'm going to move in two weeks (2026-03-16/2026-03-22)."),
    ("A year ago today I quit.", "A year ago (2025) today I quit."),
    ("Today last week I fell.", "Today last week (2026-02-23/2026-03-01) I fell."),
    ("My son was born last Friday.", "My son was born last Friday (2026-02-27)."),
    ("yesterday's news", "yesterday's (2026-03-03) news"),
    ("I saw her on Monday last week.", "I saw her on Monday last week (2026-02-23)."),
    ("I'll see her next week on Friday.", "I'll see her next week on Friday (2026-03-13)."),
    ("We moved three years ago in May.", "We moved three years ago in May (2023-05)."),
    ("I have a dentist appointment on Friday.", "I have a dentist appointment on Friday (2026-03-06)."),
    ("We are leaving in three days.", "We are leaving in three days (2026-03-07)."),
    ("She called half an hour ago.", "She called half an hour ago (2026-03-04)."),
]
WRITTEN_TURKISH = [
    ("Haftaya bugün gideceğim.", "Haftaya (2026-03-09/2026-03-15) bugün gideceğim."),
    ("Geçen yıl bugün tanıştık.", "Geçen yıl (2025) bugün tanıştık."),
    ("Onu dün gördüm.", "Onu dün (2026-03-03) gördüm."),
    ("Yarın uçuyorum!", "Yarın (2026-03-05) uçuyorum!"),
    ("İki hafta önce taşındık.", "İki hafta önce (2026-02-16/2026-02-22) taşındık."),
    ("Geçen salı geldi.", "Geçen salı (2026-03-03) geldi."),
    ("Geçen ay başladım.", "Geçen ay (2026-02) başladım."),
    ("Geçen yıl tanıştık.", "Geçen yıl (2025) tanıştık."),
    ("Cuma günü uçtum.", "Cuma günü (2026-02-27) uçtum."),
    ("Cuma günü uçacağım.", "Cuma günü (2026-03-06) uçacağım."),
    ("Mayısta mezun olacağım.", "Mayısta (2026-05) mezun olacağım."),
    ("Mayısta başladık.", "Mayısta (2025-05) başladık."),
    ("İki hafta sonra taşınacağız.", "İki hafta sonra (2026-03-16/2026-03-22) taşınacağız."),
    ("Geçen hafta taşındık.", "Geçen hafta (2026-02-23/2026-03-01) taşındık."),
    ("Dünkü haberleri okudum.", "Dünkü (2026-03-03) haberleri okudum."),
    ("Yarından bir hafta sonra gidiyorum.", "Yarından bir hafta sonra (2026-03-09/2026-03-15) gidiyorum."),
    ("Dünden iki gün önce geldi.", "Dünden iki gün önce (2026-03-01) geldi."),
    ("Geçen hafta salı uçtum.", "Geçen hafta salı (2026-02-24) uçtum."),
    ("Haftaya cuma sınavım var.", "Haftaya cuma (2026-03-13) sınavım var."),
    ("Gelecek hafta salı günü uçuyorum.", "Gelecek hafta salı günü (2026-03-10) uçuyorum."),
    ("Üç yıl önce mayısta taşındık.", "Üç yıl önce mayısta (2023-05) taşındık."),
    ("Cuma günü toplantım var.", "Cuma günü (2026-03-06) toplantım var."),
    ("Cuma günü toplantım vardı.", "Cuma günü (2026-02-27) toplantım vardı."),
    ("10 gün sonra uçuyorum.", "10 gün sonra (2026-03-14) uçuyorum."),
    ("Yarım saat önce aradı.", "Yarım saat önce (2026-03-04) aradı."),
    ("Ayın 2'sinde maaş aldım.", "Ayın 2'sinde (2026-03-02) maaş aldım."),
]
WRITTEN = [*WRITTEN_ENGLISH, *WRITTEN_TURKISH]
RANGES = [
    *english(
        ("We will be in Rome between July 3 and July 10.", "2026-07-03/2026-07-10"),
        ("We will be in Rome from July 3 to July 10.", "2026-07-03/2026-07-10"),
        ("I was in Rome from May 3 to May 10.", "2025-05-03/2025-05-10"),
        ("I was in Rome between May 3 and May 10.", "2025-05-03/2025-05-10"),
        ("I was away between March 1 and March 10.", "2025-03-01/2025-03-10"),
        ("I was away from December 28 until January 3.", "2025-12-28/2026-01-03"),
        ("I will be away from Monday to Friday.", "2026-03-09/2026-03-13"),
        ("I was in Rome from May to July.", "2025-05-01/2025-07-31"),
    ),
    *turkish(
        ("3 Temmuz ile 10 Temmuz arasında Roma'da olacağız.", "2026-07-03/2026-07-10"),
        ("3 Temmuz'dan 10 Temmuz'a kadar Roma'da olacağız.", "2026-07-03/2026-07-10"),
        ("3 Mayıs'tan 10 Mayıs'a kadar Roma'daydım.", "2025-05-03/2025-05-10"),
        ("3 Mayıs ile 10 Mayıs arasında Roma'daydım.", "2025-05-03/2025-05-10"),
        ("1 Mart ile 10 Mart arasında yoktum.", "2025-03-01/2025-03-10"),
        ("28 Aralık'tan 3 Ocak'a kadar yoktum.", "2025-12-28/2026-01-03"),
        ("Pazartesiden cumaya kadar izinde olacağım.", "2026-03-09/2026-03-13"),
        ("Mayıstan temmuza kadar Roma'daydım.", "2025-05-01/2025-07-31"),
    ),
]
BARE_DAYS = [
    *english(
        ("I'll fly on the 20th.", "2026-03-20"),
        ("I'll fly on the 2nd.", "2026-04-02"),
        ("I'll fly on the 31st.", "2026-03-31"),
        ("I flew on the 20th.", "2026-02-20"),
        ("I'll pay at the end of the month.", "2026-03-21/2026-03-31"),
        ("I'll pay at the beginning of the month.", "2026-04-01/2026-04-10"),
        ("I'll pay at the end of the year.", "2026-09-01/2026-12-31"),
    ),
    *turkish(
        ("Ayın 20'sinde uçacağım.", "2026-03-20"),
        ("Ayın 2'sinde uçacağım.", "2026-04-02"),
        ("Ayın 31'inde uçacağım.", "2026-03-31"),
        ("Ayın 20'sinde uçtum.", "2026-02-20"),
        ("Ay sonunda ödeyeceğim.", "2026-03-21/2026-03-31"),
        ("Ay başında ödeyeceğim.", "2026-04-01/2026-04-10"),
        ("Yıl sonunda ödeyeceğim.", "2026-09-01/2026-12-31"),
    ),
]
LEFT_ENGLISH = [
    "I was born on May 5.",
    "A week from tomorrow I leave.",
    "The meeting is on Friday.",
    "I go to yoga every Monday.",
    "I run on Friday mornings.",
    "I'll wait on the 3rd floor.",
    "I paid at the end of the month.",
    "I was born on 7 May 1990.",
    'She said "see you tomorrow" and left.',
    "I learned it in two weeks.",
    "We had a fight a few weeks ago.",
    "I've scheduled a call for Friday.",
    "May I come in?",
    "I have a meeting on Friday mornings.",
    "Her pazartesi yogaya giderim.",
]
LEFT_TURKISH = [
    "Kızım 12 Haziran'da doğdu.",
    "Toplantı cuma günü.",
    "Her cuma sabahı koşarım.",
    "3. katta bekleyeceğim.",
    "Ay sonunda ödedim.",
    "7 Mayıs 1990'da doğdum.",
    '"yarın görüşürüz" dedi ve gitti.',
    "İki hafta sonra döndü.",
    "Birkaç hafta önce kavga ettik.",
    "Cuma günü için randevu aldım.",
    "Gelebilir miyim?",
    "Ayın 2'sinde maaş alırım.",
    "Her cuma günü toplantım var.",
    "Yemekten üç gün sonra ağrıyor.",
    "Çorbayı ocakta unuttum.",
    "Pazarda domates aldım.",
]
LEFT = [*LEFT_ENGLISH, *LEFT_TURKISH]


@pytest.mark.req("D12")
@pytest.mark.parametrize(("text", "written"), [*english(*WRITTEN_ENGLISH), *turkish(*WRITTEN_TURKISH)])
def test_a_relative_time_gets_its_date(text: str, written: str) -> None:
    """Days, weeks, months, years, weekdays by tense, forwards and backwards."""
    assert dated(text, AT).text == written


@pytest.mark.req("D12")
@pytest.mark.parametrize(("text", "written"), RANGES)
def test_a_range_gets_one_date_with_its_beginning_and_its_end(text: str, written: str) -> None:
    """Between … and, from … to, …dan …a kadar, … ile … arasında; the end never lies before the beginning."""
    assert [iso(moment.span) for moment in moments(text, AT)] == [written]
    assert f"({written})" in dated(text, AT).text


@ENGLISH
def test_what_was_moved_from_one_day_to_another_is_no_range() -> None:
    """The Turkish endings say so by themselves: a range has its kadar."""
    assert "/" not in dated("We moved the party from May 3 to May 10.", AT).text


@pytest.mark.req("D12")
@pytest.mark.parametrize(("text", "written"), BARE_DAYS)
def test_a_day_or_part_of_no_month_that_is_named(text: str, written: str) -> None:
    """In a plan the next, in a tale the latest; the end of the month only in a plan."""
    assert [iso(moment.span) for moment in moments(text, AT)] == [written]


@pytest.mark.req("D12")
@pytest.mark.parametrize("text", [*english(*LEFT_ENGLISH), *turkish(*LEFT_TURKISH)])
def test_what_is_uncertain_or_absolute_stays(text: str) -> None:
    """No tense, a habit, a full date, a quotation, a duration, something vague, an appointment, a verb, a stove."""
    assert dated(text, AT).text == text


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        *english(
            ("I saw her yesterday.", datetime(2026, 3, 3), datetime(2026, 3, 4)),
            ("I was born on 7 May 1990.", datetime(1990, 5, 7), datetime(1990, 5, 8)),
        ),
        *turkish(
            ("Dün gördüm.", datetime(2026, 3, 3), datetime(2026, 3, 4)),
            ("7 Mayıs 1990'da doğdum.", datetime(1990, 5, 7), datetime(1990, 5, 8)),
        ),
    ],
)
def test_the_first_span_is_told(text: str, first: datetime, last: datetime) -> None:
    """Half-open, in UTC."""
    found = dated(text, AT)
    assert (found.start, found.end) == (first.replace(tzinfo=UTC), last.replace(tzinfo=UTC))


@BOTH
def test_a_text_without_a_time_has_no_span() -> None:
    """Nothing is made up."""
    assert dated("I like tea.", AT) == Dated("I like tea.", None, None)
    assert dated("Çayı severim.", AT) == Dated("Çayı severim.", None, None)


@pytest.mark.parametrize(
    "text", [*english(*(text for text, _ in WRITTEN_ENGLISH)), *turkish(*(text for text, _ in WRITTEN_TURKISH))]
)
def test_dating_twice_changes_nothing(text: str) -> None:
    """A date that is there is not written again, whenever it is read."""
    once = dated(text, AT).text
    assert dated(once, AT).text == once
    assert dated(once, AT + timedelta(days=400)).text == once


@BOTH
@given(st.lists(st.sampled_from([text for text, _ in WRITTEN] + LEFT + ["\n", "a\x00b", "😀"]), max_size=6))
def test_only_dates_are_added(texts: list[str]) -> None:
    """Without the brackets the text is what it was."""
    text = " ".join(texts)
    assert re.sub(r" \(\d{4}[\d/-]*\)", "", dated(text, AT).text) == text


@NEITHER
@given(st.text(max_size=200), st.datetimes(timezones=st.just(UTC)))
def test_any_text_at_any_time(text: str, at: datetime) -> None:
    """Nothing is raised, also at the ends of the calendar."""
    assert dated(text + " I will go on Friday, in May, in 2 weeks", at).text


@BOTH
@pytest.mark.parametrize("at", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_at_the_ends_of_the_calendar_every_expression_is_read(at: datetime) -> None:
    """What would lie beyond them is no time; the rest is written."""
    for text, _ in WRITTEN:
        assert dated(text, at).text
    last = datetime.max.replace(tzinfo=UTC)
    assert dated("Last week I moved to Izmir.", last).text.startswith("Last week (9999-12-")
    assert dated("Geçen hafta İzmir'e taşındım.", last).text.startswith("Geçen hafta (9999-12-")


@TURKISH
def test_days_are_those_of_utc() -> None:
    """Half past one at night in Istanbul is still the day before."""
    istanbul = timezone(timedelta(hours=3))
    assert dated("bugün geldim", datetime(2026, 3, 5, 1, 30, tzinfo=istanbul)).text == "bugün (2026-03-04) geldim"


@NEITHER
@pytest.mark.parametrize("call", [dated, moments])
def test_a_moment_without_its_zone_is_refused(call: object) -> None:
    """We do not guess which day it is."""
    assert callable(call)
    with pytest.raises(InvalidInput, match="time zone"):
        call("yesterday", datetime(2026, 3, 4))


@NEITHER
@pytest.mark.parametrize(
    ("first", "last", "written"),
    [
        ((2026, 1, 1), (2027, 1, 1), "2026"),
        ((2026, 3, 1), (2026, 4, 1), "2026-03"),
        ((2026, 3, 4), (2026, 3, 5), "2026-03-04"),
        ((2026, 2, 28), (2026, 3, 2), "2026-02-28/2026-03-01"),
    ],
)
def test_spans_are_written_as_iso(first: tuple[int, int, int], last: tuple[int, int, int], written: str) -> None:
    """A year, a month, a day, or the first and last day."""
    assert iso(CalendarSpan(datetime(*first, tzinfo=UTC), datetime(*last, tzinfo=UTC))) == written


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("Next week I have a dentist appointment on Tuesday at 15:00.", ["2026-03-09/2026-03-15", "2026-03-10"]),
            ("Last week I signed the contract on Tuesday.", ["2026-02-23/2026-03-01", "2026-02-24"]),
            ("On Tuesday I met Ada last week.", ["2026-02-24", "2026-02-23/2026-03-01"]),
            ("In two weeks I will meet Ada on Monday.", ["2026-03-16/2026-03-22", "2026-03-16"]),
            ("Next week on Tuesday I fly and on Thursday I rest.", ["2026-03-10", "2026-03-12"]),
            ("Next month I fly on the 5th.", ["2026-04", "2026-04-05"]),
            ("Last month I flew on the 5th.", ["2026-02", "2026-02-05"]),
            ("Last year we moved to Rome in March.", ["2025", "2025-03"]),
            ("The week before last I met Ada on Tuesday.", ["2026-02-16/2026-02-22", "2026-02-17"]),
            ("I will be in Rome the week after next week.", ["2026-03-16/2026-03-22"]),
        ),
        *turkish(
            ("Gelecek hafta dişçi randevum salı günü saat 15:00'te.", ["2026-03-09/2026-03-15", "2026-03-10"]),
            ("Geçen hafta sözleşmeyi salı günü imzaladım.", ["2026-02-23/2026-03-01", "2026-02-24"]),
            ("Salı günü Ada ile buluştum geçen hafta.", ["2026-02-24", "2026-02-23/2026-03-01"]),
            ("Haftaya Ada ile pazartesi günü buluşacağım.", ["2026-03-09/2026-03-15", "2026-03-09"]),
            ("Gelecek hafta salı uçacağım ve perşembe günü dinleneceğim.", ["2026-03-10", "2026-03-12"]),
            ("Gelecek ay Roma'ya ayın 5'inde uçacağım.", ["2026-04", "2026-04-05"]),
            ("Geçen ay Roma'ya 5'inde uçtum.", ["2026-02", "2026-02-05"]),
            ("Geçen yıl Roma'ya 5 Mayıs'ta taşındık.", ["2025", "2025-05-05"]),
            ("Geçen haftadan önceki hafta Ada ile salı günü buluştum.", ["2026-02-16/2026-02-22", "2026-02-17"]),
            ("Gelecek haftadan sonraki hafta Roma'da olacağım.", ["2026-03-16/2026-03-22"]),
        ),
    ],
)
def test_a_day_beside_a_week_that_is_named_lies_in_it(text: str, expected: list[str]) -> None:
    """Next week … on Tuesday: not tomorrow's Tuesday; so the 5th of a month and the March of a year."""
    assert written(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("Last month I met Ada on Friday.", ["2026-02"]),
            ("Next week I'm away, so I will send it on Friday.", ["2026-03-09/2026-03-15"]),
            ("I will discuss next week's plan on Friday.", ["2026-03-09/2026-03-15"]),
            ("I was ill the week before last Christmas.", []),
        ),
        *turkish(
            ("Geçen ay Ada ile cuma günü buluştum.", ["2026-02"]),
            ("Gelecek hafta yokum ama cuma günü göndereceğim.", ["2026-03-09/2026-03-15"]),
            ("Toplantıda gelecek haftanın planını cuma günü konuşacağız.", ["2026-03-09/2026-03-15"]),
            ("Sınavdan önceki hafta hastaydım.", []),
        ),
    ],
)
def test_where_a_day_may_lie_in_the_week_or_not_none_is_written(text: str, expected: list[str]) -> None:
    """A wrong date is worse than none."""
    assert written(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("Last week I was ill but I will be back on Monday.", "2026-03-09"),
            ("On Friday I will discuss next week's plan.", "2026-03-06"),
            ("I will send last week's report on Friday.", "2026-03-06"),
        ),
        *turkish(
            ("Geçen hafta hastaydım ama pazartesi günü döneceğim.", "2026-03-09"),
            ("Cuma günü Ada ile gelecek haftanın planını konuşacağız.", "2026-03-06"),
            ("Geçen haftanın raporunu cuma günü göndereceğim.", "2026-03-06"),
        ),
    ],
)
def test_a_week_that_is_only_spoken_of_moves_no_day(text: str, expected: str) -> None:
    """The tense still tells which Friday."""
    assert expected in written(text)


def written(text: str) -> list[str]:
    return re.findall(r"\((\d{4}[\d/-]*)\)", dated(text, AT).text)


AT_VALIDITY = datetime(2026, 3, 2, 9, tzinfo=UTC)

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
    assert valid_from(text, AT_VALIDITY, Kind.FACT) == begin


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
    assert valid_from(text, AT_VALIDITY, Kind.FACT) == ""


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
    assert valid_from(since, AT_VALIDITY, kind) == "2010"
    assert valid_from(then, AT_VALIDITY, kind) == ""


@BOTH
@pytest.mark.parametrize("at", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)])
def test_the_ends_of_the_calendar_are_no_error(at: datetime) -> None:
    """What leaves it has no beginning."""
    for _, *texts in SAID:
        for text in texts:
            assert not (begin := valid_from(text, at, Kind.FACT)) or beginning(begin) < at


@BOTH
def test_days_are_those_of_utc_in_validity() -> None:
    """Half past one in Istanbul is still yesterday there and yesterday's evening here."""
    night = datetime(2026, 3, 2, 1, 30, tzinfo=timezone(timedelta(hours=3)))
    assert valid_from("I cut my finger yesterday.", night, Kind.FACT) == "2026-02-28"
    assert valid_from("Dün parmağımı kestim.", night, Kind.FACT) == "2026-02-28"

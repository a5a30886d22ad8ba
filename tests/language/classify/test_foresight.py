"""Plans, and until when they are open."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidInput
from reverie.language.classify.categories import category
from reverie.language.classify.foresight import DEFAULT_DAYS, foresight
from reverie.types import Kind
from tests.spoken import NEITHER, english, neither, turkish

AT = datetime(2026, 3, 4, 14, 30, tzinfo=UTC)
"""A Wednesday."""


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("text", "until"),
    [
        *english(
            ("I will call Tom tomorrow.", datetime(2026, 3, 6)),
            ("I'm going to visit Rome next week.", datetime(2026, 3, 16)),
            ("We plan to move in May.", datetime(2026, 6, 1)),
            ("I'll fly on Friday.", datetime(2026, 3, 7)),
            ("I'm going to move in two weeks.", datetime(2026, 3, 23)),
            ("I went to Rome last week. I'll fly home on 5 June 2026.", datetime(2026, 6, 6)),
            ("We will be in Rome between July 3 and July 10.", datetime(2026, 7, 11)),
            ("I'll pay the rent at the end of the month.", datetime(2026, 4, 1)),
            ("I'll fly on the 20th.", datetime(2026, 3, 21)),
            ("I have a dentist appointment next Tuesday at 3pm.", datetime(2026, 3, 11)),
            ("Please remind me to call mom tomorrow.", datetime(2026, 3, 6)),
            ("Our wedding is on September 12.", datetime(2026, 9, 13)),
        ),
        *turkish(
            ("Yarın Tom'u arayacağım.", datetime(2026, 3, 6)),
            ("Gelecek hafta Roma'yı gezeceğiz.", datetime(2026, 3, 16)),
            ("Mayısta taşınmayı planlıyoruz.", datetime(2026, 6, 1)),
            ("Cuma günü uçacağım.", datetime(2026, 3, 7)),
            ("İki hafta sonra taşınacağım.", datetime(2026, 3, 23)),
            ("Geçen hafta Roma'ya gittim. 5 Haziran 2026'da döneceğim.", datetime(2026, 6, 6)),
            ("Bu akşam anneme uğrayacağım.", datetime(2026, 3, 5)),
            ("Haftaya sınavım var.", datetime(2026, 3, 16)),
            ("3 Temmuz ile 10 Temmuz arasında Roma'da olacağız.", datetime(2026, 7, 11)),
            ("Ay sonunda kirayı ödeyeceğim.", datetime(2026, 4, 1)),
            ("Ayın 20'sinde uçacağım.", datetime(2026, 3, 21)),
            ("Ayın 20'sinde toplantım var.", datetime(2026, 3, 21)),
            ("Yarın annemi aramamı hatırlat.", datetime(2026, 3, 6)),
            ("Düğünümüz 12 Eylül'de.", datetime(2026, 9, 13)),
        ),
    ],
)
def test_a_plan_with_a_date_is_open_until_the_date_is_over(text: str, until: datetime) -> None:
    """The end of the last day, week or month it names."""
    seen = foresight(text, AT)
    assert seen is not None
    assert seen.valid_until == until.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "until"),
    [
        *english(
            ("I have an exam on March 10 and another exam on March 24.", datetime(2026, 3, 25)),
            ("My flight to Rome is on May 8 and my flight back is on May 12.", datetime(2026, 5, 13)),
            ("My exam is on 12.06.", datetime(2026, 6, 13)),
            ("I have a dentist appointment on 4/25.", datetime(2026, 4, 26)),
            ("My exam is in two weeks.", datetime(2026, 3, 23)),
            ("My visa appointment is in 10 days.", datetime(2026, 3, 15)),
            ("My flight is in 3 hours.", datetime(2026, 3, 5)),
            ("I have a dentist appointment on Friday, my tooth hurts.", datetime(2026, 3, 7)),
            ("I'll go out on Friday with a friend that I love.", datetime(2026, 3, 7)),
        ),
        *turkish(
            ("10 Mart'ta sınavım var, 24 Mart'ta bir sınavım daha var.", datetime(2026, 3, 25)),
            ("Roma uçağım 8 Mayıs'ta, dönüş uçağım 12 Mayıs'ta.", datetime(2026, 5, 13)),
            ("Sınavım 12.06'da.", datetime(2026, 6, 13)),
            ("Sınavım 12.06.2026'da.", datetime(2026, 6, 13)),
            ("Sınavım iki hafta sonra.", datetime(2026, 3, 23)),
            ("Vize randevum 10 gün sonra.", datetime(2026, 3, 15)),
            ("Uçağım 3 saat sonra.", datetime(2026, 3, 5)),
            ("Yarın 12.06'da trenim var.", datetime(2026, 3, 6)),
            ("Cuma günü dişçi randevum var, dişim ağrıyor.", datetime(2026, 3, 7)),
        ),
    ],
)
def test_a_plan_ends_with_the_last_of_its_dates(text: str, until: datetime) -> None:
    """However it is written: two of them, in figures, counted from now; what only passes beside it changes nothing."""
    seen = foresight(text, AT)
    assert seen is not None
    assert seen.valid_until == until.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "I'm allergic to peanuts and I have a doctor's appointment on Friday.",
            "I have two kids and we're going to Rome on Friday.",
            "I'm vegetarian and we're going out tomorrow.",
            "My colleague Sven lives in Tokyo now, we'll meet him on the 20th.",
            "I'll fly to Rome on Friday because I live in Ankara.",
        ),
        *turkish(
            "Fıstığa alerjim var, cuma günü doktora gideceğim.",
            "İki çocuğum var ve cuma günü Roma'ya gidiyoruz.",
            "Vejetaryenim ve yarın akşam dışarı çıkıyoruz.",
            "Diyabetim var, yarın doktora gidiyorum.",
            "Ankara'da oturuyorum, cuma günü Roma'ya uçacağım.",
        ),
    ],
)
def test_what_lasts_does_not_end_with_the_plan_beside_it(text: str) -> None:
    """An allergy, kin, a home, a diet stay when the appointment is over."""
    seen = foresight(text, AT)
    assert seen is not None
    assert seen.valid_until is None


@pytest.mark.parametrize(
    "text",
    [
        *english("My rent is due on the 1st.", "My credit card bill is due on the 15th."),
        *turkish("Kiram ayın 1'inde.", "Kredi kartım ayın 15'inde ödeniyor."),
    ],
)
def test_what_is_due_on_a_day_of_every_month_is_no_plan(text: str) -> None:
    """It comes again."""
    assert foresight(text, AT) is None


@pytest.mark.parametrize(
    "text",
    [
        *english("I will call Tom tomorrow, and learn Go."),
        *turkish("Yarın Tom'u arayacağım, Go da öğreneceğim."),
    ],
)
def test_no_plan_is_open_beyond_the_calendar(text: str) -> None:
    """In its last days a plan is open until its end."""
    end = datetime.max.replace(tzinfo=UTC)
    seen = foresight(text, end - timedelta(days=1))
    assert seen is not None
    assert seen.valid_until == end


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    "text",
    [
        *english(
            "We will go to Rome at Easter.",
            "One day I will go to Japan.",
            "We will go to Rome in the summer.",
            "I'll never eat sushi again.",
            "When I retire I will move to Spain.",
            "I will move to Rome in March.",
            "I have a dentist appointment on 4/5.",
            "I will take linear algebra at summer school.",
        ),
        *turkish(
            "Kurban Bayramı'nda İzmir'e gideceğiz.",
            "Bir gün Japonya'ya gideceğim.",
            "Yazın Roma'ya gideceğiz.",
            "Bir daha asla suşi yemeyeceğim.",
            "Emekli olunca köye yerleşeceğim.",
            "Martta Roma'ya taşınacağım.",
            "Sınavım 4/5'te.",
            "karar verdim lineer cebiri yaz okulunda alacağım",
            "Sınavdan iki hafta sonra tatile gideceğim.",
        ),
    ],
)
def test_a_plan_at_a_time_that_is_not_understood_has_no_end(text: str) -> None:
    """A movable feast, a season, some day, never again, a month that has begun: it is no plan of seven days."""
    seen = foresight(text, AT)
    assert seen is not None
    assert seen.valid_until is None


@pytest.mark.parametrize(
    ("text", "until"),
    [
        *english(
            ("New Year's Eve we will be in Paris.", datetime(2027, 1, 1)),
            ("I will visit my mother at Christmas.", datetime(2026, 12, 26)),
            ("My contract will end on 31 December.", datetime(2027, 1, 1)),
        ),
        *turkish(
            ("Yılbaşında Paris'te olacağız.", datetime(2027, 1, 2)),
            ("Noelde annemi ziyaret edeceğim.", datetime(2026, 12, 26)),
            ("Cumhuriyet Bayramı'nda Ankara'ya gideceğiz.", datetime(2026, 10, 30)),
            ("Sözleşmem 31 Aralık'ta bitiyor.", datetime(2027, 1, 1)),
        ),
    ],
)
def test_a_plan_at_a_fixed_feast_is_open_until_it_is_over(text: str, until: datetime) -> None:
    """The next one; and what ends on a date."""
    seen = foresight(text, AT)
    assert seen is not None
    assert seen.valid_until == until.replace(tzinfo=UTC)


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    "text",
    [
        *english("I will learn Go.", "We plan to sell the car."),
        *turkish("Go öğreneceğim.", "Arabayı satmayı planlıyoruz.", "Köyde ev almayı düşünüyoruz."),
    ],
)
def test_a_plan_without_a_date_is_open_for_seven_days(text: str) -> None:
    """Document D's default, and any other that is asked for."""
    seen = foresight(text, AT)
    assert seen is not None
    assert seen.valid_until == AT + timedelta(days=7)
    later = foresight(text, AT, default_days=30)
    assert later is not None
    assert later.valid_until == AT + timedelta(days=30)
    assert DEFAULT_DAYS == 7


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    "text",
    [
        *english("I moved to Oslo.", "Will you come tomorrow?", "It will rain."),
        *turkish(
            "Oslo'ya taşındım.",
            "Yarın gelecek misin?",
            "Yağmur yağdı.",
            "Yağmur yağacak.",
            "Yarın hava güneşli olacak.",
            "Oraya gidecektim ama vazgeçtim.",
        ),
        *neither("", " "),
    ],
)
def test_no_plan_is_no_foresight(text: str) -> None:
    """The past, questions and the weather look at nothing ahead."""
    assert foresight(text, AT) is None


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        *english(("I like Oslo. I will move there. It is cold.", "I will move there.")),
        *turkish(("Oslo'yu severim. Oraya taşınacağım. Hava soğuk.", "Oraya taşınacağım.")),
    ],
)
def test_the_signals_are_the_sentences_that_look_ahead(text: str, signal: str) -> None:
    """Word for word; and the text is time-bounded."""
    seen = foresight(text, AT)
    assert seen is not None
    assert seen.signals == (signal,)


@pytest.mark.parametrize("plan", [*english("I will go on Friday."), *turkish("Cuma günü gideceğim.")])
@given(
    text=st.text(max_size=200),
    at=st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9990, 1, 1), timezones=st.just(UTC)),
)
def test_a_plan_is_never_over_before_it_is_said(plan: str, text: str, at: datetime) -> None:
    """Whatever is said."""
    seen = foresight(f"{text} {plan}", at)
    assert seen is None or (seen.valid_until is not None and seen.valid_until > at)


@NEITHER
def test_a_moment_without_its_zone_is_refused() -> None:
    """We do not guess which day it is."""
    with pytest.raises(InvalidInput, match="time zone"):
        foresight("", datetime(2026, 3, 4))


@pytest.mark.parametrize(
    "text",
    [
        *english("My mother thinks we're crazy and she won't visit.", "I'm not going to sell the house."),
        *english("I changed my mind, I'll take the blue one."),
        *turkish("Annem bizi ziyarete gelmeyecek.", "Evi satmayacağız."),
        *turkish("Dolaplarda fikir değiştirdik, lake değil meşe olacak."),
    ],
)
def test_what_is_denied_or_corrected_has_no_end(text: str) -> None:
    """It is no plan that would be over in a week."""
    seen = foresight(text, AT)
    assert seen is not None
    assert seen.valid_until is None


@pytest.mark.parametrize("text", [*english("I won't come tomorrow."), *turkish("Yarın gelmeyeceğim.")])
def test_what_is_denied_for_a_day_is_over_with_it(text: str) -> None:
    """The day is named."""
    seen = foresight(text, AT)
    assert seen is not None
    assert seen.valid_until == datetime(2026, 3, 6, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "I will live in Hull from May 10.",
            "I'm going to work for Acme starting on May 12.",
            "From next Monday, our new manager will be Helen.",
            "Effective June 1, our office will be in Leeds.",
        ),
        *turkish(
            "4 Mayıs'tan itibaren yeni müdürümüz Selin Hanım olacak.",
            "Pazartesiden itibaren evden çalışacağım.",
            "1 Haziran 2026'dan başlayarak Acme'de çalışacağım.",
            "Haziran ayından itibaren Leeds'te yaşayacağım.",
        ),
    ],
)
def test_what_begins_on_a_day_does_not_end_with_it(text: str) -> None:
    """The first day of a state is not its last."""
    seen = foresight(text, AT)
    assert seen is not None
    assert seen.valid_until is None


@pytest.mark.parametrize(
    ("text", "until"),
    [
        *english(
            ("I'm going to stay in Hull from May 10 to May 20.", datetime(2026, 5, 21)),
            ("I'll be in London from 9 am tomorrow.", datetime(2026, 3, 6)),
            ("My course is starting on May 12.", datetime(2026, 5, 13)),
        ),
        *turkish(
            ("10 Mayıs'tan 20 Mayıs'a kadar Bursa'da kalacağım.", datetime(2026, 5, 21)),
            ("Yarın saat 9'dan itibaren evde olacağım.", datetime(2026, 3, 6)),
            ("Kursum 12 Mayıs'ta başlıyor.", datetime(2026, 5, 13)),
        ),
    ],
)
def test_what_has_a_last_day_too_or_is_over_in_one_ends(text: str, until: datetime) -> None:
    """A stay from one day to another, the hour something begins, the first lesson."""
    seen = foresight(text, AT)
    assert seen is not None
    assert seen.valid_until == until.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "until"),
    [
        *english(
            ("Next Saturday we're visiting Claire's parents.", datetime(2026, 3, 8)),
            ("Tomorrow Claire and I are visiting York.", datetime(2026, 3, 6)),
            ("In two weeks I'm flying to Rome.", datetime(2026, 3, 23)),
            ("On May 10 they're painting the house.", datetime(2026, 5, 11)),
        ),
        *turkish(
            ("Gelecek cumartesi anneme gidiyoruz.", datetime(2026, 3, 8)),
            ("Yarın Claire ile York'a gidiyoruz.", datetime(2026, 3, 6)),
            ("İki hafta sonra Roma'ya uçuyorum.", datetime(2026, 3, 23)),
            ("Gelecek pazar bizde toplantı var.", datetime(2026, 3, 9)),
        ),
    ],
)
def test_a_plan_may_begin_with_its_time(text: str, until: datetime) -> None:
    """The day before the verb, a day of the week as well."""
    seen = foresight(text, AT)
    assert seen is not None
    assert seen.valid_until == until.replace(tzinfo=UTC)
    assert category(text) is Kind.PLAN


@pytest.mark.parametrize(
    "text",
    [
        *english("On Fridays we're eating out.", "The report is for next week, we're writing it."),
        *turkish("Cumaları dışarıda yiyoruz.", "Her cumartesi anneme gidiyoruz."),
    ],
)
def test_a_habit_and_what_is_done_now_are_no_plan(text: str) -> None:
    """Though a day of the week or a time ahead is named."""
    assert foresight(text, AT) is None

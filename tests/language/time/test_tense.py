"""Which of the times that come again a sentence means, by its tense, its verbs and the clause before."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from reverie.language.time.dates import dated
from tests.spoken import english, turkish

AT = datetime(2026, 3, 4, 14, 30, tzinfo=UTC)
"""A Wednesday."""


def written(text: str, at: datetime = AT) -> list[str]:
    return re.findall(r"\((\d{4}[\d/-]*)\)", dated(text, at).text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("I have an exam on March 10 and another exam on March 24.", ["2026-03-10", "2026-03-24"]),
            ("My flight to Rome is on May 8 and my flight back is on May 12.", ["2026-05-08", "2026-05-12"]),
            ("I'll call Tom tomorrow and visit Anna on Friday.", ["2026-03-05", "2026-03-06"]),
            ("I'll move to Rome in May, my brother in June.", ["2026-05", "2026-06"]),
            ("I visited Rome in May, and Berlin on July 3.", ["2025-05", "2025-07-03"]),
            ("I'll fly on Friday, and I work on Monday.", ["2026-03-06"]),
            ("I'll fly on Friday, regularly attending classes on Monday.", ["2026-03-06"]),
        ),
        *turkish(
            ("14 Nisan'da sınavım var, lineer cebir 24 Nisan'da.", ["2026-04-14", "2026-04-24"]),
            ("Roma uçağım 8 Mayıs'ta, dönüş uçağım 12 Mayıs'ta.", ["2026-05-08", "2026-05-12"]),
            ("Mayısta Roma'ya taşınacağım, kardeşim haziranda.", ["2026-05", "2026-06"]),
            ("Yarın Ali'yi göreceğim, cuma günü de Ayşe'yi.", ["2026-03-05", "2026-03-06"]),
            ("Mayısta Roma'yı gezdim, temmuzda Paris'i.", ["2025-05", "2025-07"]),
            ("Cuma günü uçacağım, pazartesi günü çalışırım.", ["2026-03-06"]),
            ("Cuma günü uçacağım, genelde pazartesi günü evden.", ["2026-03-06"]),
        ),
    ],
)
def test_a_clause_without_a_verb_has_the_tense_of_the_one_before(text: str, expected: list[str]) -> None:
    """One with a verb of its own, or one that tells a habit, has not."""
    assert written(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("My thermodynamics exam is on April 14 and linear algebra on the 17th.", ["2026-04-14", "2026-04-17"]),
            ("I have an exam on June 29 and another on the 3rd.", ["2026-06-29", "2026-07-03"]),
            ("The bag I got on February 10 arrived on the 14th.", ["2026-02-10", "2026-02-14"]),
        ),
        *turkish(
            ("termodinamik sınavım 14 nisanda, lineer cebir 17sinde", ["2026-04-14", "2026-04-17"]),
            ("Sınavım 29 Haziran'da, diğeri 3'ünde.", ["2026-06-29", "2026-07-03"]),
            ("10 Şubat'ta aldığım çanta 14'ünde geldi.", ["2026-02-10", "2026-02-14"]),
        ),
    ],
)
def test_a_day_of_no_month_behind_one_with_its_month_is_of_that_month(text: str, expected: list[str]) -> None:
    """Or of the next, where it cannot be later in the same."""
    assert written(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("I decided to travel to Japan on Monday.", ["2026-03-09"]),
            ("We decided to launch in May.", ["2026-05"]),
            ("We decided to move in the summer.", []),
            ("I decided to sell the house in the autumn.", []),
            ("We agreed to meet on Friday.", ["2026-03-06"]),
            ("She promised to call on Monday.", ["2026-03-09"]),
            ("We decided to move next summer.", ["2026-06-01/2026-08-31"]),
            ("On Monday I decided to quit.", ["2026-03-02"]),
            ("I promised my wife to quit in May.", ["2026-05"]),
            ("In 2024 I decided to move in May.", []),
            ("We planned to move in May but didn't.", []),
            ("I decided to quit yesterday.", ["2026-03-03"]),
        ),
        *turkish(
            ("Pazartesi günü Japonya'ya gitmeye karar verdim.", ["2026-03-09"]),
            ("Mayısta lansman yapmaya karar verdik.", ["2026-05"]),
            ("Yazın taşınmaya karar verdik.", []),
            ("Sonbaharda evi satmaya karar verdim.", []),
            ("Cuma günü Ali'yle buluşmaya söz verdim.", ["2026-03-06"]),
            ("Salı günü toplanmak üzere anlaştık.", ["2026-03-10"]),
            ("Gelecek yıl evlenmeye karar verdik.", ["2027"]),
            ("Pazartesi günü karar verdik.", ["2026-03-02"]),
            ("Eşime mayısta bırakmaya söz verdim.", ["2026-05"]),
            ("2024'te mayısta taşınmaya karar verdik.", []),
            ("Mayısta taşınmaya karar verdik ama olmadı.", []),
            ("Dün karar verdik.", ["2026-03-03"]),
        ),
    ],
)
def test_what_was_decided_is_to_come(text: str, expected: list[str]) -> None:
    """The next such time, or none where it may be long over; the time of the deciding itself is past."""
    assert written(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("The meeting was postponed to Monday.", ["2026-03-09"]),
            ("They moved the meeting to Friday.", ["2026-03-06"]),
            ("My flight was moved from June 12 to June 15.", ["2026-06-15"]),
            ("The deadline was extended to Friday.", ["2026-03-06"]),
            ("The meeting was scheduled for Friday.", ["2026-03-06"]),
            ("My appointment got pushed to the 20th.", ["2026-03-20"]),
            ("The wedding was postponed to May.", ["2026-05"]),
            ("The meeting was moved to 12.06.", ["2026-06-12"]),
            ("We moved to the house on June 15.", ["2025-06-15"]),
            ("I changed my name to June.", []),
            ("I moved to April's house.", []),
            ("It was moved to Friday but cancelled.", []),
        ),
        *turkish(
            ("Toplantı pazartesiye ertelendi.", ["2026-03-09"]),
            ("Toplantıyı cumaya aldık.", ["2026-03-06"]),
            ("Dişçi randevum 15 Haziran'a alındı.", ["2026-06-15"]),
            ("Teslim cumaya uzatıldı.", ["2026-03-06"]),
            ("Toplantı cuma gününe kaydırıldı.", ["2026-03-06"]),
            ("Randevum ayın 20'sine alındı.", ["2026-03-20"]),
            ("Düğün mayısa ertelendi.", ["2026-05"]),
            ("Toplantı 12.06'ya alındı.", ["2026-06-12"]),
            ("Eve 15 Haziran'da taşındık.", ["2025-06-15"]),
            ("Cuma günü pazara gittim.", ["2026-02-27"]),
            ("Randevumu yarına aldım.", ["2026-03-05"]),
            ("Pazara patates aldım.", []),
            ("Ocağa çorba koydum.", []),
            ("Toplantı cumaya alındı ama iptal oldu.", []),
        ),
    ],
)
def test_what_was_moved_is_at_the_next_such_time(text: str, expected: list[str]) -> None:
    """To, for, and the Turkish dative, before a verb of moving or setting; people move on a day that is past."""
    assert written(text) == expected


@pytest.mark.parametrize(
    "text", [*english("My dentist appointment moved to June 15."), *turkish("Dişçi provam 15 Haziran'a alındı.")]
)
def test_what_was_moved_late_in_the_year_is_in_the_next(text: str) -> None:
    """June of a November is the next year's."""
    assert written(text, datetime(2026, 11, 23, tzinfo=UTC)) == ["2027-06-15"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("I always arrive two hours earlier.", []),
            ("I prefer to finish a week earlier.", []),
            ("We moved two years back.", ["2024"]),
            ("I arrived two days earlier.", ["2026-03-02"]),
        ),
        *turkish(
            ("Uçağa hep iki saat önce giderim.", []),
            ("Sınavımı bir hafta önce bitirmeyi tercih ederim.", []),
            ("Maaşlardan iki gün önce kirayı öderim.", []),
            ("ondan hep 2 gün önce PR açıyorum", []),
            ("Sınavdan iki gün önce hastalandım.", []),
            ("Uçağa iki saat önce gideceğim.", []),
            ("Sınavdan iki hafta sonra tatile gideceğim.", []),
            ("İki hafta önce taşındık.", ["2026-02-16/2026-02-22"]),
            ("Ankara'dan iki yıl önce taşındım.", ["2024"]),
            ("Bundan iki yıl önce evlendim.", ["2024"]),
            ("İki yıl önce tanıştığım arkadaşım hep güler.", ["2024"]),
            ("İki hafta önce aldığım arabayı satacağım.", ["2026-02-16/2026-02-22"]),
        ),
    ],
)
def test_what_counts_back_from_something_else_is_not_ago(text: str, expected: list[str]) -> None:
    """Habits, likings, plans, and an ablative that no verb of leaving asks for."""
    assert written(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("I have a dentist appointment on Friday, May 8.", ["2026-05-08"]),
            ("My exam is on Monday, March 9.", ["2026-03-09"]),
            ("I'll call you on Friday the 8th of May.", ["2026-05-08"]),
            ("The wedding is on Saturday, June 20.", ["2026-06-20"]),
            ("We met on Friday, February 27.", ["2026-02-27"]),
            ("We met on Wednesday, May 8.", ["2024-05-08"]),
            ("I'll meet her on Wednesday, May 8.", ["2026-05-08"]),
            ("I'll meet her on Saturday, May 8.", ["2027-05-08"]),
            ("We booked the hotel for Friday, May 8.", ["2026-05-08"]),
            ("We'll be in Rome from Friday, May 8 to Monday, May 11.", ["2026-05-08/2026-05-11"]),
            ("I have a meeting on Friday the 13th.", ["2026-03-13"]),
            ("I met him on Friday the 20th.", ["2026-02-20"]),
            ("I'll watch Friday the 13th.", []),
        ),
        *turkish(
            ("8 Mayıs Cuma günü dişçi randevum var.", ["2026-05-08"]),
            ("9 Mart Pazartesi sınavım var.", ["2026-03-09"]),
            ("Randevum cuma günü, 8 Mayıs'ta.", ["2026-05-08"]),
            ("20 Haziran Cumartesi evleniyoruz.", ["2026-06-20"]),
            ("27 Şubat cuma günü buluştuk.", ["2026-02-27"]),
            ("8 Mayıs çarşamba günü tanıştık.", ["2024-05-08"]),
            ("8 Mayıs çarşamba günü tanışacağız.", ["2026-05-08"]),
            ("8 Mayıs cumartesi günü buluşacağız.", ["2027-05-08"]),
            ("Toplantı 8 Mayıs Cuma gününe ertelendi.", ["2026-05-08"]),
            ("8 Mayıs pazar alışverişi yapacağız.", ["2026-05-08"]),
            ("Toplantı 20 Haziran 2026 Cumartesi günü.", []),
            ("8 Mayıs'ta sınavım var, cuma günü toplantım var.", ["2026-05-08", "2026-03-06"]),
        ),
    ],
)
def test_the_weekday_beside_a_date_chooses_its_year(text: str, expected: list[str]) -> None:
    """It is no day of another week; where no year near agrees, the tense chooses."""
    assert written(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("I'm engaged and the wedding is in May.", ["2026-05"]),
            ("My exam is in February.", ["2027-02"]),
            ("The class is moved to Friday.", ["2026-03-06"]),
            ("I usually move my class to Friday.", []),
            ("My birthday is in May.", []),
            ("The wedding was in May.", ["2025-05"]),
        ),
        *turkish(
            ("Nişanlıyım ve düğünümüz mayısta.", ["2026-05"]),
            ("Sınavım şubatta.", ["2027-02"]),
            ("Doğum günüm mayısta.", []),
            ("Sınavım mayısta bitti.", ["2025-05"]),
        ),
    ],
)
def test_what_is_only_set_for_a_month_is_to_come(text: str, expected: list[str]) -> None:
    """Not what comes every year; how somebody is makes it no past."""
    assert written(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("I have a meeting on Friday week.", ["2026-03-13"]),
            ("The exam is a week on Friday.", ["2026-03-13"]),
            ("I'll see her two weeks from Friday.", ["2026-03-20"]),
            ("I'll be back in a fortnight.", ["2026-03-16/2026-03-22"]),
            ("I'll be away for a week from Friday.", []),
        ),
        *turkish(
            ("Haftaya cuma toplantım var.", ["2026-03-13"]),
            ("İki hafta sonra döneceğim.", ["2026-03-16/2026-03-22"]),
        ),
    ],
)
def test_weeks_from_a_day(text: str, expected: list[str]) -> None:
    """Counted from the next such day."""
    assert written(text) == expected
